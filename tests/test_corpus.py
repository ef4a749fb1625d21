"""Real games of short nardy: no decision that people made on a board is illegal."""

import base64
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import nardy
from nardy import reference
from proof.walks import Rows

CORPUS = Path(os.environ.get("NARDY_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
TABLE = CORPUS / "decisions_short.tsv"
DECISIONS = 18_605

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(
        not TABLE.exists(), reason=f"no real games at {CORPUS}: NARDY_CORPUS names their folder"
    ),
]


def row_of_id(text: str) -> list[int]:
    """Decode a gnubg position id by hand: 80 bits, each point a run of ones and a zero.

    First the points 1..24 and the bar of the player who waits, then those of the player on roll.
    """
    octets = base64.b64decode(text + "==")
    bits = [octet >> bit & 1 for octet in octets for bit in range(8)]
    counts, run = [], 0
    for bit in bits:
        if bit:
            run += 1
        else:
            counts.append(run)
            run = 0
    waiting, rolling = counts[:25], counts[25:50]
    row = [0] * 32
    for point in range(1, 25):
        row[point] = rolling[point - 1] - waiting[24 - point]
    row[25], row[27] = rolling[24], waiting[24]
    row[0], row[26] = 15 - sum(rolling), 15 - sum(waiting)
    return row


@pytest.fixture(scope="module")
def decisions() -> tuple[Rows, Rows, Rows]:
    """Boards before, rolls, boards after."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    table = [line.split("\t") for line in lines if line and not line.startswith("#")]
    rolls = [[int(die) for die in roll] for _, roll, _ in table]
    before, after = ([row_of_id(line[at]) for line in table] for at in (0, 2))
    return np.array(before, np.int8), np.array(rolls, np.int8), np.array(after, np.int8)


def is_among(board: Rows, boards: Sequence[Rows] | Rows) -> bool:
    return board.tobytes() in {row.tobytes() for row in boards}


def test_no_decision_is_illegal_by_the_kernel(decisions: tuple[Rows, Rows, Rows]) -> None:
    before, rolls, played = decisions
    assert len(before) >= DECISIONS
    after, offsets = nardy.after_states(before, rolls, rules=nardy.SHORT)
    illegal = [
        i for i in range(len(before)) if not is_among(played[i], after[offsets[i] : offsets[i + 1]])
    ]
    assert illegal == []


def test_no_decision_is_illegal_by_the_reference(decisions: tuple[Rows, Rows, Rows]) -> None:
    before, rolls, played = (part[::8] for part in decisions)
    after, offsets = reference.after_states(before, rolls, rules=nardy.SHORT)
    illegal = [
        8 * i
        for i in range(len(before))
        if not is_among(played[i], after[offsets[i] : offsets[i + 1]])
    ]
    assert illegal == []


def test_a_decision_with_another_roll_is_mostly_illegal(decisions: tuple[Rows, Rows, Rows]) -> None:
    # So that the tests above can fail: the boards do not fit just any roll.
    before, rolls, played = decisions
    others = np.roll(rolls, 1, axis=0)
    after, offsets = nardy.after_states(before, others, rules=nardy.SHORT)
    legal = sum(is_among(played[i], after[offsets[i] : offsets[i + 1]]) for i in range(len(before)))
    assert legal < len(before) / 4


def test_the_ids_are_read_alike(decisions: tuple[Rows, Rows, Rows]) -> None:
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if "\t" in line]
    ids = [line.split("\t")[0] for line in lines if not line.startswith("#")]
    for text, row in list(zip(ids, decisions[0], strict=True))[::20]:
        position = nardy.Position.from_gnubg_id(text)
        assert np.array_equal(position.row, row) and position.gnubg_id == text
