"""Random games and matches around the board: a driver that does whatever is possible."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from nardy import Game, Match
from nardy.endings import Kind
from nardy.phases import ACTIONS

WEIGHTS: Final = {"double": 0.15, "drop": 0.3}
"""How much rarer than another action some are, lest games end before they have begun."""


def act(game: Game, rng: Random, ending: float = 0.003) -> str:
    """Do one of the actions that are possible, in one of its ways; return its name.

    `ending` is the weight of giving up and of running out of time.
    """
    # One throw at a time: `roll` would make several of the opening.
    shown = game.actions - ({"roll"} if game.phase == "roll_off" else set())
    possible = [name for name in ACTIONS if name in shown]
    weights = [
        ending if name in ("resign", "flag") else WEIGHTS.get(name, 1.0) for name in possible
    ]
    name = rng.choices(possible, weights)[0]
    if name == "push":
        plays = game.plays
        seconds = None if game.clock is None else round(rng.expovariate(0.1), 1)
        game.push(plays[rng.randrange(len(plays))], seconds=seconds)
    elif name == "resign":
        has_none_off = game.position.row[[0, 26]].max() == 0
        kind: Kind = "mars" if has_none_off and rng.random() < 0.5 else "oin"
        game.resign(kind, side=rng.randrange(2))
    else:
        getattr(game, name)()
    return name


def session(match: Match, rng: Random, games: int, ending: float = 0.003) -> Iterator[str]:
    """Play some games of a match, at most, and yield the name of each action once it is done."""
    for number in range(games):
        while not match.game.is_over:
            yield act(match.game, rng, ending)
        if match.is_over or number == games - 1:
            return
        match.next_game()
        yield "next_game"
