"""Train the network of a game by self-play: TD(lambda) on the after-states that were chosen.

    python tools/train.py short --minutes 40 --seed 1

Each round plays some thousand games in lockstep with the network as it is, both sides choosing the
after-state that is worth least to the opponent; the targets of its positions are the returns of
TD(lambda), made from the end of each game backwards; then all positions are learned once, in random
order, by Adam. NumPy and the kernel do all of it. After each tenth of the time the weights are
written to `--folder`, the network plays against the simple players, and the log beside the weights
gets a line. The logs of the shipped networks are docs/training/.

`--resume` goes on from the weights that are there, with new memory of gradients. A seed gives the
same first games, not the same weights: the rate of learning follows the clock.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nardy
from nardy.nardy_core import network_values
from nardy.networks import LINES, OUTPUTS, Network, input_lines
from nardy.values import turned

ROOT = Path(__file__).resolve().parents[1]
PLAYERS: dict[str, Any] = {"pips": nardy.Pips, "spread": nardy.Spread, "uniform": nardy.Uniform}
TURNS = 600
"""Of a game at most: what goes on longer is learned from its value then."""
Floats = NDArray[np.float32]
Rows = NDArray[np.int8]


@dataclass
class Learner:
    """Weights, and what Adam remembers of their gradients."""

    units: int
    rng: np.random.Generator
    rate: float = 1e-3
    steps: int = 0
    weights: list[Floats] = field(default_factory=list)
    means: list[Floats] = field(default_factory=list)
    squares: list[Floats] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.weights:
            spread = [0.15, 0.0, self.units**-0.5]
            shapes = [(LINES, self.units), (self.units,), (self.units + 1, OUTPUTS)]
            for shape, scale in zip(shapes, spread, strict=True):
                self.weights.append(self.rng.normal(0, scale, shape).astype(np.float32))
            self.weights[2][-1] = [0, -1.5, -4, -1.5, -4, 0, 0, 0]
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]

    def learn(self, rows: Rows, targets: Floats) -> float:
        """Take one step towards the targets of some rows; return the cross entropy before it."""
        table, bias, second = self.weights
        m = len(rows)
        inputs = np.zeros((m, LINES), np.float32)
        row, line = input_lines(rows)
        inputs[row, line] = 1
        hidden = np.maximum(inputs @ table + bias, 0)
        output = (hidden @ second[:-1] + second[-1])[:, :5]
        chances = 1 / (1 + np.exp(-output))
        error = np.zeros((m, OUTPUTS), np.float32)
        error[:, :5] = (chances - targets) / m
        # What the rules decide is not learned.
        error[rows[:, 26] > 0, 1:3] = 0
        error[rows[:, 0] > 0, 3:5] = 0
        back = (error @ second[:-1].T) * (hidden > 0)
        gradients = [inputs.T @ back, back.sum(0), np.vstack([hidden.T @ error, error.sum(0)])]
        self.steps += 1
        for each, gradient, mean, square in zip(
            self.weights, gradients, self.means, self.squares, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            ahead = self.rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
            each -= ahead * mean / (np.sqrt(square) + 1e-8)
        logs = np.logaddexp(0, output) - targets * output
        return float(logs.sum(1).mean())


def first_rolls(rng: np.random.Generator, rules: nardy.Rules, games: int) -> Rows:
    """Throw for the first turns: no doubles where the roll-off is played."""
    rolls = rng.integers(1, 7, (games, 2), dtype=np.int8)
    if rules.opening == "use_rolloff":
        while (same := rolls[:, 0] == rolls[:, 1]).any():
            rolls[same] = rng.integers(1, 7, (int(same.sum()), 2), dtype=np.int8)
    return rolls


def play(
    learner: Learner, rules: nardy.Rules, games: int, decay: float
) -> tuple[Rows, Floats, float]:
    """Play games and return their positions with targets, and the mean number of turns."""
    table, bias, second = learner.weights
    start = nardy.Position.start(rules).row
    rows = np.repeat(start[None], games, axis=0)
    alive = np.arange(games)
    rolls = first_rolls(learner.rng, rules, games)
    visited: list[tuple[NDArray[np.int64], Rows, Floats]] = []
    for _ in range(TURNS):
        after, offsets = nardy.after_states(rows, rolls, rules=rules)
        values = network_values(after, rules=rules, table=table, bias=bias, second=second)
        best = nardy.segment_argmax(-nardy.equities(values), offsets)
        chosen = values[best]
        visited.append((alive, rows, chosen))
        rows = after[best]
        running = nardy.outcomes(rows, rules=rules) == 0
        alive, rows = alive[running], rows[running]
        if not len(alive):
            break
        rolls = learner.rng.integers(1, 7, (len(alive), 2), dtype=np.int8)
    returns = np.full((games, 5), np.nan, np.float32)
    targets: list[Floats] = []
    for at, _, chosen in reversed(visited):
        later = returns[at]
        # The last position of a game has no later one: its own value is exact, or all there is.
        later = np.where(np.isnan(later), chosen, later)
        found = turned((1 - decay) * chosen + decay * later)
        returns[at] = found
        targets.append(found)
    turns = sum(len(at) for at, _, _ in visited) / games
    return np.concatenate([each for _, each, _ in visited]), np.concatenate(targets[::-1]), turns


def score(learner: Learner, rules: nardy.Rules, name: str) -> float:
    """Return the share of 1,000 games that the network wins against a simple player."""
    bot = nardy.Bot(Network(*learner.weights, rules=rules))
    return nardy.duel(bot, nardy.Bot(PLAYERS[name](rules)), games=1000, seed=7).wins.share


def main() -> None:
    """Train, log and save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("game", choices=("long", "short"))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--units", type=int, default=128)
    parser.add_argument("--games", type=int, default=1024, help="a round")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--decay", type=float, default=0.8, help="lambda")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "training")
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()
    rules = nardy.rules(options.game)
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / f"{options.game}.npz"
    log = options.folder / f"{options.game}.jsonl"
    learner = Learner(options.units, np.random.default_rng(options.seed))
    done = {"games": 0, "positions": 0, "seconds": 0.0}
    if options.resume:
        known = Network.load(path)
        learner.weights = [known.table.copy(), known.bias.copy(), known.second.copy()]
        done.update(json.loads(log.read_text(encoding="utf-8").splitlines()[-1]))
    began, before, told = time.monotonic(), done["seconds"], 0.0
    losses: list[float] = []
    while True:
        used = (time.monotonic() - began) / (60 * options.minutes)
        if used >= min(told, 1):  # at the end too
            told = used + 0.1 if used > 0.1 else used + 0.02
            Network(*learner.weights, rules=rules).save(path)
            line = {
                **done,
                "seconds": round(before + time.monotonic() - began, 1),
                "entropy": round(float(np.mean(losses or [0])), 5),
                **{name: score(learner, rules, name) for name in PLAYERS},
            }
            losses.clear()
            with log.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
            print(json.dumps(line), file=sys.stderr, flush=True)
        if used >= 1:
            break
        learner.rate = 1e-3 * 0.05 ** min(used, 1)
        rows, targets, _ = play(learner, rules, options.games, options.decay)
        order = learner.rng.permutation(len(rows))
        for at in range(0, len(order) - options.batch + 1, options.batch):
            some = order[at : at + options.batch]
            losses.append(learner.learn(rows[some], targets[some]))
        done["games"] += options.games
        done["positions"] += len(rows)


if __name__ == "__main__":
    main()
