"""Decisions of people in short nardy, held against a policy of three lines.

Run it with ``python examples/compare_policy.py [TABLE]``. A line of the table holds gnubg id
before, roll, gnubg id after; without a table it reads the few turns that lie beside this file.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import nardy
from nardy.decisions import read_decisions
from nardy.tally import wilson

OWN_TABLE = Path(__file__).with_name("decisions.tsv")


def merits(after: NDArray[np.int8]) -> NDArray[np.int64]:
    """Value after-states: few own blots, then many pips of the opponent, then own points made.

    Rows are as the opponent sees them: the mover's checkers are negative there.
    """
    board = after[:, 1:25].astype(np.int64)
    blots, made = (board == -1).sum(axis=1), (board <= -2).sum(axis=1)
    pips = np.maximum(board, 0) @ np.arange(1, 25) + 25 * after[:, 25].astype(np.int64)
    return (-blots * 1000 + pips) * 100 + made


def words(before: NDArray[np.int8], roll: NDArray[np.int8], after: NDArray[np.int8]) -> str:
    """Name the play that leads from one board to another."""
    plays = nardy.Position.from_row(before, rules=nardy.SHORT).plays(roll)
    return str(plays[int((plays.rows == after).all(axis=1).argmax())])


def main(table: Path) -> None:
    """Print the shares of agreement, then the decisions that the policy likes least."""
    with open(table, encoding="utf-8") as lines:
        found = read_decisions(lines)
    if found.unreadable or not found.legal(nardy.SHORT).all():
        sys.exit(f"{table} holds what cannot be compared: see `nardy check`")
    after, offsets = nardy.after_states(found.before, found.rolls, rules=nardy.SHORT)
    value, decision = merits(after), np.repeat(np.arange(len(found.rolls)), np.diff(offsets))
    best = np.lexsort((value, decision))[offsets[1:] - 1]  # of equals the one listed last
    agreed = (after[best] == found.after).all(axis=1)
    forced, double = np.diff(offsets) == 1, found.rolls[:, 0] == found.rolls[:, 1]
    large = (found.rolls > 3).sum(axis=1)  # dice of 4, 5 or 6
    kinds = {"all with a choice": ~forced, "doubles": ~forced & double}
    for count, kind in enumerate(["both dice 1-3", "one of each", "both dice 4-6"]):
        kinds[kind] = ~forced & ~double & (large == count)
    print(f"{len(forced):,} decisions, {forced.sum():,} of them forced\n")
    print(f"{'decisions':<24}{'number':>8}{'agreed':>8}{'share':>9}   95 % within")
    for kind, among in kinds.items():
        count, same = int(among.sum()), int((among & agreed).sum())
        if count:
            share, low, high = wilson(same, count)
            print(f"{kind:<24}{count:>8,}{same:>8,}{share:>9.1%}   {low:.1%} .. {high:.1%}")
    print(f"\nfarthest from the policy:\n{'line':>6} {'roll':<5}{'played':<28}policy")
    lost = value[best] - merits(found.after)
    for i in np.argsort(-lost, kind="stable")[: min(5, np.count_nonzero(~agreed))]:
        roll, boards = found.rolls[i], (found.after[i], after[best[i]])
        played, wanted = (words(found.before[i], roll, board) for board in boards)
        print(f"{found.numbers[i]:>6} {roll.max()}-{roll.min():<3}{played:<28}{wanted}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else OWN_TABLE)
