"""Texts of plays: what is written is read back, and any wording is read as the law reads it."""

from collections import Counter
from random import Random
from typing import Any

import pytest

import nardy
import right_words
import wordings
from nardy import reference
from nardy.errors import REASONS
from proof.reading import NOTATION, Answer, Law, routes

SEED, POSITIONS = 8, 150


def test_texts_are_read_as_by_the_law() -> None:
    met: Counter[str] = Counter()
    for game in wordings.GAMES:
        for number in range(POSITIONS):
            told = next(wordings.disagreements(game, SEED, number, met), None)
            assert told is None, told
    assert met.keys() == {*REASONS, NOTATION, "right"}


# --- the law's side of the comparison


@pytest.mark.parametrize("game", wordings.GAMES)
def test_half_moves_worded_apart_mean_their_play(game: str) -> None:
    for number in range(15):
        rng = Random(number)
        law = Law(*wordings.draw_position(game, SEED, number))
        for after, plays in law.plays.items():
            play = list(rng.choice(plays))
            rng.shuffle(play)
            assert law.read(play) == Answer(after)


@pytest.mark.parametrize(
    ("source", "target", "dice", "expected"),
    [
        (24, 13, (5, 6), [(6, 5), (5, 6)]),
        (24, 20, (5, 6), []),
        (24, 18, (2, 2, 2, 2), [(2, 2, 2)]),
        (24, 14, (2, 2, 2, 2), []),
        (4, 0, (2, 4), [(4,), (2, 4)]),  # 2/off with the 4 is for the rules to judge
        (5, 0, (5, 6), [(6,), (5,)]),
        (13, 18, (5, 6), []),
    ],
)
def test_routes(source: int, target: int, dice: tuple[int, ...], expected: Any) -> None:
    assert routes(source, target, dice) == expected


def law_of(make_row: Any, own: Any, opponent: Any, roll: tuple[int, int]) -> Law:
    return Law(make_row(own, opponent, "short", 15), roll, nardy.SHORT)


def test_a_merged_way_means_no_hit_if_it_can(make_row: Any) -> None:
    one_blot = law_of(make_row, {10: 1, 1: 14}, {17: 1}, (2, 1))  # S13: O on X's 8
    merged, named = one_blot.read([(10, 7)]), one_blot.read([(10, 8, 7)], {8})
    assert merged.after and named.after and merged != named
    assert one_blot.read([(10, 9, 7)]) == merged
    assert one_blot.read([(10, 9, 7)], {9}) == Answer(None, frozenset({NOTATION}))
    two_blots = law_of(make_row, {10: 1, 1: 14}, {17: 1, 16: 1}, (2, 1))  # S14
    assert two_blots.read([(10, 7)]) == Answer(None, frozenset({"ambiguous"}))
    assert two_blots.read([(10, 8, 7)]).after and two_blots.read([(10, 9, 7)]).after


def test_a_bear_off_may_be_a_longer_way(make_row: Any) -> None:
    # Rules 3.5: the 4 alone ends on another board, but 4/off words 4/2*/off too.
    law = law_of(make_row, {4: 1}, {23: 1, 6: 14}, (4, 2))
    assert law.fault(((4, 0),)) == "both_dice"
    assert law.read([(4, 0)]) == law.read([(4, 2, 0)], {2}) != Answer(None)


def test_the_reason_is_that_of_the_order_that_gets_farthest(make_row: Any) -> None:
    start = law_of(make_row, SX := {24: 2, 13: 5, 8: 3, 6: 5}, SX, (6, 5))
    for ways, reason in (
        ([(24, 19), (13, 7)], "point_closed"),
        ([(12, 6), (13, 8)], "not_your_checker"),
        ([(24, 20), (13, 8)], "not_rolled"),
        ([(13, 7), (8, 2)], "die_used"),
        ([(13, 7), (13, 8), (8, 3)], "die_used"),
    ):
        assert start.read(ways).reasons == {reason}
        assert start.read(ways[::-1]).reasons == {reason}


# --- the comparison can fail


def test_a_wrong_reader_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    read = wordings.read

    def wrong(plays: Any, text: str, numbering: str) -> Answer:
        said = read(plays, text, numbering)
        return Answer(None, frozenset({"both_dice"})) if "incomplete" in said.reasons else said

    monkeypatch.setattr(wordings, "read", wrong)
    assert any("incomplete" in told for told in wordings.disagreements("long", 11, 0, Counter()))


def test_the_tool_says_so_when_all_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert wordings.main(["--positions", "3", "--game", "short"]) == 0
    assert "agreed on 3 positions of short" in capsys.readouterr().out


def test_the_reference_names_the_same_hits(make_row: Any) -> None:
    law = law_of(make_row, {10: 1, 1: 14}, {18: 1, 17: 1}, (2, 1))
    assert law.hits(((10, 8), (8, 7))) == [8, 7]
    assert reference.OTHER["short"][8] == 17


# --- right words alone, of many positions (`make wordings`)


@pytest.mark.parametrize("game", wordings.GAMES)
def test_right_words_are_read_as_their_play(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert right_words.main(["--positions", "30", "--game", game, "--seed", "5"]) == 0
    assert "texts read back" in capsys.readouterr().out


def test_right_words_that_are_read_otherwise_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(nardy.Plays, "find", lambda plays, text, numbering: plays[-1])
    assert right_words.main(["--positions", "30", "--game", "short"]) == 1
    assert " is read as " in capsys.readouterr().out
