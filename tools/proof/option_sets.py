"""The options that shape a play or a score (rules 9), and sets of rules drawn from them.

The values are written down here once more, apart from the package's own table, so that a value
which the package forgot is missed by the tests.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any

import nardy
from nardy.options import Rules

DOUBLES: tuple[frozenset[int], ...] = tuple(
    frozenset(faces) for size in range(7) for faces in combinations(range(1, 7), size)
)
"""Every value of `head_doubles`."""

LONG_VALUES: Mapping[str, tuple[Any, ...]] = {
    "head": (
        "blocked", "blocked_double", "named", "listed", "any_double_first", "any_double", "none",
        "free",
    ),
    "head_doubles": (frozenset({3, 4, 6}), *DOUBLES),
    "head_side": ("both", "second"),
    "block": ("ahead", "home", "never", "strict", "free"),
    "block_check": ("step", "turn_end"),
    "bearoff_overshoot": ("farthest", "any", "exact"),
    "bearoff_mandatory": (False, True),
    "koks": ("none", "first_quarter", "no_home"),
    "doubles_moves": (4, 2),
    "checkers": (15, *range(5, 15)),
}  # fmt: skip
"""Option of long nardy -> its values, default first."""

AROUND_VALUES: Mapping[str, tuple[Any, ...]] = {
    "opening": ("reroll", "use_rolloff"),
    "next_starter": ("winner", "other", "roll"),
    "cube": (True, False),
    "cube_from_turn": (2, 1, 3, 10),
    "cube_max": (None, 1, 2, 4, 8, 64),
    "beaver": (True, False),
    "raccoon": (True, False),
    "raccoon_owner": ("raccooner", "beaverer"),
    "jacoby": (False, True),
    "crawford": (True, False),
    "automatic_doubles": (0, 1, 3),
    "last_roll": ("none", "second_player", "openspiel"),
    "resign": (True, False),
    "clock": (None, "blitz", "normal", "slow", (5.0, 10.0), (0.0, 4.0), (4.0, 0.0)),
}
"""Option around the board, of both games -> values of it."""


def presets(game: str) -> list[Rules]:
    """Every named set of rules of a game."""
    return [nardy.rules(name) for name in nardy.PRESETS if nardy.rules(name).game == game]


def one_at_a_time() -> Iterator[Rules]:
    """Long nardy with each value of each option, the others at their defaults."""
    for option, values in LONG_VALUES.items():
        for value in values:
            yield nardy.LONG.replace(**{option: value})


def combination(rng: Random) -> Rules:
    """Long nardy under a random combination: about half of the options are not at their default."""
    chosen = {
        option: values[0] if rng.random() < 0.4 else rng.choice(values)
        for option, values in LONG_VALUES.items()
    }
    return nardy.LONG.replace(**chosen)


def draw(rng: Random, game: str) -> Rules:
    """Draw a preset, a single changed option, or a combination; short nardy has one way to play."""
    if game == "short":
        return nardy.SHORT
    kind = rng.random()
    if kind < 0.2:
        return rng.choice(presets("long"))
    if kind < 0.5:
        option = rng.choice(list(LONG_VALUES))
        return nardy.LONG.replace(**{option: rng.choice(LONG_VALUES[option])})
    return combination(rng)
