"""The names of the inputs that ``nardy.features`` writes: what each column means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["FEATURES"]

_SIDES: Final = ("own", "opponent's")


def _counts() -> Iterator[str]:
    for side in _SIDES:
        yield from (f"{side} {point}" for point in range(1, 25))
        yield f"{side} bar"
        yield f"{side} off"


def _tesauro() -> Iterator[str]:
    for side in _SIDES:
        for point in range(1, 25):
            yield from (f"{side} {point}: {least} or more" for least in (1, 2, 3))
            yield f"{side} {point}: half of those beyond 3"
        yield f"{side} bar: half of them"
        yield f"{side} off: fifteenths"
    yield "the side to roll is to roll: 1"
    yield "the other side is to roll: 0"


def _long() -> Iterator[str]:
    for side in _SIDES:
        for point in range(1, 25):
            yield from (f"{side} {point}: {least} or more" for least in (1, 2))
            yield f"{side} {point}: a quarter of those beyond 2"
        yield f"{side} head: share of all checkers"
        yield f"{side} off: share of all checkers"
        yield from (f"{side} longest run: {least} or more" for least in range(1, 7))
        yield f"{side} longest run: share of the other side's checkers behind it"
        yield f"{side} longest run: share of the other side's checkers past it, or off"
        yield f"{side} pips: share of those at the start"
        yield f"{side} timing: pips of checkers outside the longest run, as a share like pips"


FEATURES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"counts": tuple(_counts()), "tesauro": tuple(_tesauro()), "long": tuple(_long())}
)
"""The inputs of each kind of ``nardy.features``, in their order."""
