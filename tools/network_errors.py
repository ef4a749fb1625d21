"""How far the shipped networks are from what is exact, on positions of their own games.

    python tools/network_errors.py

Bear-offs of up to six checkers a side against the two-sided table (exact); races against two
one-sided distributions (which play each side for its own mean: docs/bearoff.md says how far from
exact that is). Errors are of the chance to win, and of the equity without a cube.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import nardy
from train import Learner, play

GAMES = 1000


def told(what: str, found: NDArray[np.floating], exact: NDArray[np.floating]) -> str:
    """Say the mean and the largest error."""
    error = np.abs(found - exact)
    return f"{what}: {len(error):,} boards, mean {error.mean():.4f}, largest {error.max():.4f}"


def main() -> None:
    """Measure both games."""
    for game in ("long", "short"):
        rules, network = nardy.rules(game), nardy.network(game)
        learner = Learner(len(network.bias), np.random.default_rng(3))
        learner.weights = [network.table, network.bias, network.second]
        rows, _, _ = play(learner, rules, GAMES, 1.0)
        rows = np.unique(rows, axis=0)
        pairs = nardy.bearoff.two_sided(points=6, checkers=6, rules=rules)
        sides = nardy.bearoff.one_sided(points=6, checkers=15, rules=rules)
        small = pairs.covers(rows)
        races = sides.covers(rows) & nardy.is_race(rows, rules=rules)
        both = np.zeros(len(rows), bool)
        both[races] = sides.covers(nardy.flip(rows[races], rules=rules))
        values = network(rows)
        exact = pairs.win(rows[small])
        print(told(f"{game}, win, against the two-sided table", values[small, 0], exact))
        race = sides.race_outcome(rows[both])
        print(told(f"{game}, win, against two one-sided tables", values[both, 0], race[:, 0]))
        print(
            told(
                f"{game}, equity, against the same",
                nardy.equities(values[both]),
                nardy.equities(race),
            )
        )
        alone = sides.race_outcome(rows[small])[:, 0]
        print(told(f"{game}, win, one-sided against two-sided", alone, exact))


if __name__ == "__main__":
    main()
