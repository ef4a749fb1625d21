"""The clock: docs/rules.md §8.7 with its worked example, Fischer's and Bronstein's."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardy.clocks import CLOCKS, Clock
from nardy.options import LONG, SHORT

SIDES = st.integers(0, 1)
# Sixteenths of a second: their sums are exact as floats, so edges can be asked for.
SECONDS = st.integers(0, 16 * 120).map(lambda n: n / 16)
TURNS = st.lists(st.tuples(SIDES, SECONDS), max_size=40)


# --- docs/rules.md §8.7


@pytest.mark.parametrize(
    ("name", "a_turn", "reserve"), [("blitz", 15, 90), ("normal", 20, 150), ("slow", 25, 210)]
)
def test_named_clocks(name: str, a_turn: int, reserve: int) -> None:
    assert CLOCKS[name] == (a_turn, reserve)
    clock = Clock.of(name)
    assert clock == Clock.of((a_turn, reserve))
    assert clock == Clock("allowance", a_turn, (reserve, reserve))
    assert [clock.limit(side) for side in (0, 1)] == [a_turn + reserve] * 2
    for rules in (LONG, SHORT):
        chosen = rules.replace(clock=name).clock
        assert chosen is not None and Clock.of(chosen) == clock


@pytest.mark.parametrize("side", [0, 1])
def test_the_worked_example(side: int) -> None:
    clock = Clock.of("blitz")
    # 20 s on a turn: 5 s off the reserve, 1:25 left; the next turn again 15 s + 1:25.
    clock = clock.after(side, 20)
    assert clock.left[side] == 85 and clock.limit(side) == 15 + 85
    # Then a 10 s turn: still 1:25.
    clock = clock.after(side, 10)
    assert clock.left[side] == 85 and clock.limit(side) == 15 + 85
    # Then 100 s exactly: reserve 0, the game ends.
    assert not clock.is_out(side, 99.99) and clock.is_out(side, 100)
    assert not clock.after(side, 99.99).is_out(side)
    clock = clock.after(side, 100)
    assert clock.left[side] == 0 and clock.is_out(side) and clock.out == side
    # The other side has not used any of its time.
    assert clock.left[1 - side] == 90 and not clock.is_out(1 - side)


def test_a_reserve_of_nothing_is_not_the_end() -> None:
    clock = Clock.of((30, 0))
    assert not clock.is_out(0) and not clock.after(0, 29.5).is_out(0)
    assert clock.after(0, 30).is_out(0)


def test_no_allowance_is_one_time_for_the_whole_game() -> None:
    clock = Clock.of((0, 60)).after(0, 59)
    assert clock.left == (1, 60) and clock.limit(0) == 1 and clock.is_out(0, 1)


# --- the other two


def test_fischer_adds_after_the_turn_and_saves() -> None:
    clock = Clock.fischer(60, 5)
    assert clock.limit(0) == 60 and clock.is_out(0, 60) and not clock.is_out(0, 59.5)
    clock = clock.after(0, 1)
    assert clock.left == (64, 60)
    clock = clock.after(1, 59.5)
    assert clock.left == (64, 5.5)
    assert clock.after(1, 5.5) == Clock("fischer", 5, (64, 0), out=1)


def test_bronstein_gives_back_what_was_used() -> None:
    clock = Clock.bronstein(60, 5)
    assert clock.limit(1) == 60
    assert clock.after(1, 1).left == (60, 60)  # never more than before the turn
    assert clock.after(1, 5).left == (60, 60)
    assert clock.after(1, 20).left == (60, 45)
    assert clock.after(1, 59.5).left == (60, 5.5)
    assert clock.after(1, 60) == Clock("bronstein", 5, (60, 0), out=1)


# --- against a plain model in exact fractions


def plain(kind: str, a_turn: float, left: float, turns: list[tuple[int, float]]) -> Any:
    """Return both sides' seconds, and who ran out."""
    clocks = [Fraction(left), Fraction(left)]
    for side, spent in turns:
        seconds, gift = Fraction(spent), Fraction(a_turn)
        if kind == "allowance":
            clocks[side] -= max(seconds - gift, Fraction(0))
            out = seconds >= gift and clocks[side] <= 0
        else:
            clocks[side] -= seconds
            out = clocks[side] <= 0
            clocks[side] += gift if kind == "fischer" else min(gift, seconds)
        if out:
            clocks[side] = Fraction(0)
            return clocks, side
    return clocks, None


@given(
    kind=st.sampled_from(["allowance", "bronstein", "fischer"]),
    a_turn=SECONDS,
    left=SECONDS.filter(bool),
    turns=TURNS,
)
def test_against_a_plain_model(
    kind: Any, a_turn: float, left: float, turns: list[tuple[int, float]]
) -> None:
    clock = Clock(kind, a_turn, (left, left))
    for played, (side, seconds) in enumerate(turns, start=1):
        was, clock = clock, clock.after(side, seconds)
        assert clock.is_out(side) == was.is_out(side, seconds) == (clock.out == side)
        clocks, out = plain(kind, a_turn, left, turns[:played])
        assert (list(clock.left), clock.out) == (clocks, out)
        if out is not None:
            break


@given(a_turn=SECONDS.filter(bool), left=SECONDS, turns=TURNS)
def test_bronstein_with_the_allowance_on_top_ends_when_ours_does(
    a_turn: float, left: float, turns: list[tuple[int, float]]
) -> None:
    ours, other = Clock.of((a_turn, left)), Clock.bronstein(left + a_turn, a_turn)
    for side, seconds in turns:
        assert ours.limit(side) == other.limit(side)
        ours, other = ours.after(side, seconds), other.after(side, seconds)
        assert ours.out == other.out
        if ours.out is not None:
            break


@given(
    kind=st.sampled_from(["allowance", "bronstein", "fischer"]),
    a_turn=st.floats(0, 1e6),
    left=st.floats(0.001, 1e6),
    shares=st.lists(st.tuples(SIDES, st.floats(0, 1)), max_size=20),
)
def test_any_floats_keep_the_clock_valid(
    kind: Any, a_turn: float, left: float, shares: list[tuple[int, float]]
) -> None:
    clock = Clock(kind, a_turn, (left, left))
    for side, share in shares:
        clock = clock.after(side, share * clock.limit(side))
        assert min(clock.left) >= 0 and clock.is_out(side) == (clock.out is not None)
        if clock.out is not None:
            break
        assert clock.limit(side) > 0


# --- a value


def test_a_clock_is_a_value() -> None:
    clock = Clock.of("blitz")
    assert hash(clock) == hash(Clock.of("blitz")) and pickle.loads(pickle.dumps(clock)) == clock
    with pytest.raises(FrozenInstanceError):
        clock.out = 1  # type: ignore[misc]
    clock.after(0, 50)
    assert clock.left == (90, 90)
    assert eval(repr(clock)) == clock


# --- what is refused


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("sundial", 5, (60, 60)), ValueError, "kind must be one of 'allowance', 'bronstein', "),
        ((3, 5, (60, 60)), TypeError, "kind must be one of"),
        (("fischer", "5", (60, 60)), TypeError, "a_turn must be a number of seconds, not '5'"),
        (("fischer", True, (60, 60)), TypeError, "a_turn must be a number of seconds, not True"),
        (("fischer", -1, (60, 60)), ValueError, "a_turn must be a finite number of seconds >= 0"),
        (("fischer", 5, (60, float("nan"))), ValueError, "left: each must be a finite number"),
        (("fischer", 5, (60, 10**400)), ValueError, "left: each must be a finite number"),
        (("fischer", 5, 60), TypeError, "left must be seconds of both sides, not 60"),
        (("fischer", 5, (60,)), ValueError, r"left must be seconds of both sides, not \(60,\)"),
        (("fischer", 5, (60, 0)), ValueError, "left must leave some time to play to both sides"),
        (("allowance", 0, (0, 60)), ValueError, "left must leave some time to play"),
        (("fischer", 5, (60, 0), 2), ValueError, "out must be 0 or 1, not 2"),
        (("fischer", 5, (60, 0), False), TypeError, "out must be 0 or 1, not False"),
        (("fischer", 5, (60, 0), 0), ValueError, "out must be a side without seconds left, not 0"),
    ],
)
def test_no_such_clock(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Clock(*arguments)


@pytest.mark.parametrize(
    ("clock", "error"),
    [("bullet", ValueError), (None, TypeError), (15, TypeError), ((15,), ValueError)],
)
def test_of_wants_the_option_of_the_rules(clock: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"clock must be 'blitz', 'normal', 'slow' or \(seconds a turn"):
        Clock.of(clock)
    with pytest.raises(ValueError, match="must leave some time"):
        Clock.of((0, 0))


@pytest.mark.parametrize(
    ("side", "seconds", "error", "message"),
    [
        (2, 1, ValueError, "side must be 0 or 1, not 2"),
        (-1, 1, ValueError, "side must be 0 or 1, not -1"),
        ("X", 1, TypeError, "side must be 0 or 1, not 'X'"),
        (0, -1, ValueError, "seconds must be a finite number of seconds >= 0, not -1"),
        (0, float("inf"), ValueError, "seconds must be a finite number"),
        (0, None, TypeError, "seconds must be a number of seconds, not None"),
    ],
)
def test_no_such_turn(side: Any, seconds: Any, error: type[Exception], message: str) -> None:
    clock = Clock.of("blitz")
    for ask in (clock.after, clock.is_out):
        with pytest.raises(error, match=message):
            ask(side, seconds)


def test_a_clock_that_has_stopped_stays_so() -> None:
    clock = Clock.of("blitz").after(1, 105)
    for side, seconds in itertools.product((0, 1), (0, 1000)):
        with pytest.raises(ValueError, match="the time of side 1 is up: its clock has stopped"):
            clock.after(side, seconds)
