"""The slow reader of match files: right on real games, and its meanings are those of the law."""

import os
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

import nardy
import wordings
from nardy.formats.gnubg import encode_ids
from proof import slow_mat
from proof.reading import Law
from proof.slow_mat import SlowGame, SlowMatch, meanings, read

CORPUS = Path(os.environ.get("NARDY_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
TABLE = CORPUS / "decisions_short.tsv"
FILES = sorted((CORPUS / "mat").glob("*.mat"))
QUICK = 12
"""Files that the quick test reads."""
LAST_PASSES = 54
"""A game's last roll that could not be played, before the other side's double was dropped."""
NOT_PLAYED = 6

needs_corpus = pytest.mark.skipif(
    not FILES, reason=f"no real games at {CORPUS}: NARDY_CORPUS names their folder"
)


def decisions(games: list[SlowGame]) -> list[tuple[str, str, str]]:
    """Ids and rolls as the table has them: it leaves out a last roll with which nothing is done."""
    kept = [move for game in games for move in game.plays if not is_idle(game, move)]
    rolls = ["".join(map(str, move.roll or ())) for move in kept]
    before, after = (
        encode_ids(np.array(rows, np.int8))
        for rows in ([move.before for move in kept], [move.after for move in kept])
    )
    return list(zip(before, rolls, after, strict=True))


def is_idle(game: SlowGame, move: slow_mat.Move) -> bool:
    if move is not game.plays[-1] or move.before is None:
        return False
    return move.after is None or move.after == handed_over(move.before)


def handed_over(row: tuple[int, ...]) -> tuple[int, ...]:
    rows = np.array([row], np.int8)
    return tuple(nardy.flip(rows, rules=nardy.SHORT)[0].tolist())


def table() -> list[tuple[str, ...]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if "\t" in line and line[0] != "#"]


def read_files(files: list[Path]) -> list[SlowMatch]:
    return [read(path.read_text(encoding="utf-8")) for path in files]


@pytest.mark.corpus
@needs_corpus
def test_the_first_real_games_are_read_to_the_decisions_of_the_table() -> None:
    games = [game for match in read_files(FILES[:QUICK]) for game in match.games]
    assert [game.fault for game in games if game.fault] == []
    found = decisions(games)
    assert len(found) > 1000 and found == table()[: len(found)]


@pytest.mark.slow
@pytest.mark.corpus
@needs_corpus
def test_all_real_games_are_read_to_the_decisions_of_the_table() -> None:
    matches = read_files(FILES)
    games = [game for match in matches for game in match.games]
    assert [game.fault for game in games if game.fault] == []
    assert decisions(games) == table()
    idle = [move for game in games for move in game.plays if is_idle(game, move)]
    assert sum(move.after is None for move in idle) == NOT_PLAYED
    assert len(idle) == LAST_PASSES + NOT_PLAYED
    for match in matches:
        for game, after in pairwise(match.games):
            winner, points = game.declared or (None, 0)
            assert game.result in (None, game.declared)
            won = tuple(new - old for old, new in zip(game.score, after.score, strict=True))
            if points < 4016:  # twice in the corpus: no score follows it
                assert won == ((points, 0) if winner == 0 else (0, points))


TEXT = """\
; [Variation "Backgammon"]
 3 point match

 Game 1
 a : 0                           b : 1
  1)                             31: 8/5 6/5
  2) 65: 24/13                    Doubles => 2
  3)  Takes                      11: 8/7(2) 6/5(2)
  4) 53: ????
                                  Wins 2 points and the match
"""


def test_what_a_text_says_is_told_plainly() -> None:
    (game,) = read(TEXT).games
    assert (game.number, game.score, game.fault) == (1, (0, 1), None)
    assert [(m.side, m.roll, m.words) for m in game.plays] == [
        *((1, (3, 1), "8/5 6/5"), (0, (6, 5), "24/13")),
        *((1, (1, 1), "8/7(2) 6/5(2)"), (0, (5, 3), None)),
    ]
    assert [(m.side, m.kind, m.value) for m in game.cube_actions] == [
        *((1, "double", 2), (0, "take", None)),
    ]
    assert game.declared == (1, 2) and game.result is None
    plays = game.plays
    assert all(one.after == other.before for one, other in pairwise(plays))
    assert plays[-1].after is None


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("24/13", "24/12", "0 meanings"),
        ("24/13", "24/18*/13", "0 meanings"),
        ("  1)                             31", "  1) 31", "not on turn"),
        ("53: ????", "53: ????                        62: 24/18 13/11", "goes on after its end"),
    ],
)
def test_what_contradicts_the_rules_stops_the_replay(right: str, wrong: str, fault: str) -> None:
    (game,) = read(TEXT.replace(right, wrong)).games
    assert game.fault is not None and fault in game.fault


def test_a_joined_way_hits_nothing_if_it_can_and_else_what_it_must() -> None:
    def board(opponent: dict[int, int]) -> nardy.Position:
        # The opponent's 12 and 11 are 13 and 14 here.
        return nardy.Position.from_points({18: 1, 1: 14}, opponent, rules="short")

    def hits(position: nardy.Position, words: str) -> list[int]:
        found = meanings(tuple(position.row.tolist()), (5, 4), words, nardy.SHORT)
        return sorted(row[25] for row in found)

    assert hits(board({12: 1, 11: 1, 4: 13}), "18/9") == [1, 1]  # either blot: it is not said
    assert hits(board({12: 1, 4: 14}), "18/9") == [0]
    assert hits(board({12: 1, 11: 2, 4: 12}), "18/9") == [1]
    assert hits(board({12: 1, 4: 14}), "18/13*/9") == [1]
    assert hits(board({12: 1, 4: 14}), "18/14* 14/9") == []


@pytest.mark.parametrize("game", wordings.GAMES)
def test_meanings_are_those_of_the_law(game: str) -> None:
    # Two brute forces: this one asks for boards alone, that of tools/wordings.py for reasons too.
    met = {0: 0, 1: 0, 2: 0}
    for number in range(40):
        row, roll, rules = wordings.draw_position(game, 5, number)
        law = Law(row, roll, rules)
        rng = Random(f"meanings {number}")
        for _, wording, wanted in wordings.wordings(rng, law):
            if not wording.ways:
                continue
            words = wordings.write(rng, wording, "distance")
            words = words.replace(" / ", "/").strip()
            try:
                found = meanings(tuple(row), roll, words, rules)
            except ValueError:
                assert wanted.after is None, words
                continue
            met[min(len(found), 2)] += 1
            assert (found == {wanted.after}) == (wanted.after is not None), words
            assert (len(found) > 1) == ("ambiguous" in wanted.reasons), words
    assert met[0] and met[1]
