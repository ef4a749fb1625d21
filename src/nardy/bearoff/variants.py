"""Which options of the rules make another table, and how a table is named."""

from __future__ import annotations

import shlex
from typing import Any, Final, NamedTuple

from nardy import options
from nardy.bearoff.placements import checked_size, placement_count
from nardy.errors import as_int
from nardy.options import Rules

__all__ = ["table_size"]

KINDS: Final = ("one-sided", "two-sided")
# Options of long nardy that change how one side bears off alone.
_SOLO: Final = ("doubles_moves", "bearoff_overshoot", "bearoff_mandatory")


class Variant(NamedTuple):
    """What a table is of: nothing else of the rules changes it."""

    kind: str
    points: int
    checkers: int
    options: tuple[tuple[str, Any], ...]
    """Options that differ from the default, and ``total`` where the side's number of checkers
    matters: a mars is possible only while all are on the board."""

    @property
    def name(self) -> str:
        """Stem of the table's file."""
        words = [self.kind, f"{self.points}x{self.checkers}"]
        words += [f"{name}={value}" for name, value in self.options]
        return "-".join(words).lower()

    def as_json(self) -> dict[str, Any]:
        """Return it as a sidecar holds it."""
        return {
            "kind": self.kind,
            "points": self.points,
            "checkers": self.checkers,
            "options": dict(self.options),
        }

    def command(self, rules: Rules, folder: str | None) -> str:
        """Return the command that builds the table anew."""
        words = ["nardy bearoff build", self.kind, f"--points {self.points}"]
        words += [f"--checkers {self.checkers}", f"--rules {rules.game}"]
        chosen = {**dict(self.options)}
        chosen.pop("total", None)
        if rules.checkers != 15:
            chosen["checkers"] = rules.checkers
        words += [f"--set {name}={value}" for name, value in chosen.items()]
        if folder is not None:
            words.append(f"--path {shlex.quote(folder)}")
        return " ".join([*words, "--rebuild"])


def variant_of(kind: str, points: int, checkers: int | None, rules: Rules | str) -> Variant:
    """Check what a table is asked of, and return its variant."""
    rules = options.rules(rules)
    if checkers is None:
        checkers = rules.checkers
    points, checkers = checked_size(points, checkers)
    if checkers > rules.checkers:
        raise ValueError(
            f"checkers must be an int 1..{rules.checkers} under these rules, not {checkers!r}"
        )
    changed = {name: value for name, value in rules.options().items() if name in _SOLO}
    if rules.game == "long" and rules.block == "strict" and min(points, checkers) >= 6:
        changed["block"] = "strict"
        if rules.block_check != "step":
            changed["block_check"] = rules.block_check
    if kind == "two-sided" and checkers == rules.checkers:
        changed["total"] = checkers
        if rules.game == "long" and rules.koks == "no_home" and points > 6:
            changed["koks"] = "no_home"
    return Variant(kind, points, checkers, tuple(sorted(changed.items())))


def table_size(
    kind: str, *, points: int = 6, checkers: int | None = None, rules: Rules | str = options.LONG
) -> tuple[int, int]:
    """Say how large a table gets, before it is built.

    Parameters
    ----------
    kind : "one-sided" or "two-sided"
    points, checkers, rules
        As in :func:`one_sided` and :func:`two_sided`.

    Returns
    -------
    file, memory : int
        Bytes of the table, and bytes that building it needs. Those of a one-sided table are an
        estimate, 20 % off at most.

    Examples
    --------
    >>> file, memory = table_size("two-sided", points=6, checkers=10)
    >>> file, memory - file < 50e6
    (2052098048, True)
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(map(repr, KINDS))}, not {kind!r}")
    variant = variant_of(kind, points, checkers, rules)
    n = placement_count(variant.points, variant.checkers)
    chosen = dict(variant.options)
    if kind == "two-sided":
        file = 8 * n * n * (7 if "total" in chosen else 4)
        # 21 rolls with the after-states of each, 4 bytes one; half a dozen up to 6 x 10.
        return file, file + 21 * n * (8 + 4 * 12)
    pips = variant.points * variant.checkers
    slow = 2 if chosen.get("doubles_moves") == 2 else 3  # pips of the smallest roll
    rolls = pips / slow + 1, 10 + max(0, variant.points - 6) * variant.checkers / slow
    if chosen.get("bearoff_overshoot") == "exact":  # no end: what 1e-12 leaves
        rolls = 13 * variant.checkers, 96
    columns = 6 + sum(int(most) // 8 * 8 + 8 for most in rolls)
    file = 8 * n * columns
    return file, file + n * (2 * (20 * 8 + 21 * 4 + 32) + 4)


def checked_limit(limit: int | None, kind: str, variant: Variant, rules: Rules | str) -> None:
    """Refuse a table that needs more than `limit` bytes to build."""
    if limit is None:
        return
    most = as_int("limit", limit, "a number of bytes, or None")
    file, memory = table_size(kind, points=variant.points, checkers=variant.checkers, rules=rules)
    if memory > most:
        raise ValueError(
            f"limit: the {kind} table of {variant.points} points and {variant.checkers} checkers"
            f" would take {in_words(file)}, and {in_words(memory)} while it is built; the limit is"
            f" {in_words(most)} (limit={memory} would do, or None)"
        )


def in_words(size: int) -> str:
    """Write a number of bytes for people.

    Examples
    --------
    >>> in_words(27_320_832), in_words(900)
    ('27.3 MB', '900 bytes')
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"
