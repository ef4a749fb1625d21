"""Records of matches: read, played through, written, and read again to the same games."""

from __future__ import annotations

import io
import json
import os
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import nardy
from nardy.formats.entries import Entry, RawGame, RawMatch
from nardy.formats.tags import read_rules, rules_of_tags, write_rules
from nardy.replaying import replayed

CORPUS = Path(os.environ.get("NARDY_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
HEADER = " 5 point match\n\n Game 1\n one : 0                               two : 0\n"


def read(text: str | bytes) -> list[nardy.MatchRecord]:
    stream = io.StringIO(text) if isinstance(text, str) else io.BytesIO(text)
    return [*nardy.read(stream)]


def game_of(body: str, header: str = HEADER) -> nardy.GameRecord:
    [match] = read(header + body)
    assert match.faults == (), [*map(str, match.faults)]
    [game] = match.games
    return game


def faults_of(text: str | bytes) -> list[str]:
    return [str(fault) for match in read(text) for fault in match.faults]


def written(match: nardy.MatchRecord | nardy.Match, form: str) -> str:
    stream = io.StringIO()
    nardy.write(match, stream, form=form)
    return stream.getvalue()


def assert_comes_back(match: nardy.MatchRecord) -> None:
    for form in ("mat", "json"):
        [again] = read(written(match, form))
        assert again == match
        # Whatever was wrong with what was read, what is written can be read whole.
        unreadable = [each.what for each in again.faults if each.kind == "unreadable"]
        assert all(what.startswith("header: Variation") for what in unreadable)
        assert set(match.tags) <= set(again.tags) and again.comments == match.comments
        # What has been written once is written the same.
        assert written(again, form) == written(match, form)


# --- the corpus


@pytest.fixture(scope="module")
def corpus() -> list[nardy.MatchRecord]:
    files = sorted((CORPUS / "mat").glob("*.mat"))
    if not files:
        pytest.skip(f"no real games at {CORPUS}: NARDY_CORPUS names their folder")
    return [match for file in files for match in nardy.read(file)]


@pytest.mark.corpus
def test_every_match_of_the_corpus_is_read_and_legal(corpus: list[nardy.MatchRecord]) -> None:
    games = [game for match in corpus for game in match.games]
    nodes = [node for game in games for node in game.nodes]
    assert (len(corpus), len(games)) == (128, 431)
    assert [node for node in nodes if node.is_legal is False] == []
    assert all(game.result is not None for game in games)
    # What contradicts the play: two absurd results, and three that give the match's length.
    said = [str(fault) for match in corpus for fault in match.faults]
    assert len(said) == 5 and sum("4016" in each for each in said) == 2
    assert all(fault.kind == "contradiction" for match in corpus for fault in match.faults)
    assert all(match.unlisted_faults == 0 for match in corpus)


@pytest.mark.corpus
def test_every_decision_of_the_corpus_is_in_the_table(corpus: list[nardy.MatchRecord]) -> None:
    table = [
        tuple(line.split("\t"))
        for line in (CORPUS / "decisions_short.tsv").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    found, left_out = [], 0
    for match in corpus:
        for game in match.games:
            rolls = [node for node in game.nodes if node.roll is not None]
            for node in rolls:
                if node is rolls[-1] and node.words in ("", None, "pass"):
                    left_out += 1  # the table has no last roll that nothing was played with
                    continue
                assert node.position is not None and node.after is not None and node.roll
                roll = f"{node.roll[0]}{node.roll[1]}"
                found.append((node.position.gnubg_id, roll, node.after.gnubg_id))
    assert left_out == 60 and len(found) == 18_605
    assert [(a, "".join(sorted(b, reverse=True)), c) for a, b, c in table] == found


@pytest.mark.corpus
def test_every_match_of_the_corpus_is_written_and_read_again(
    corpus: list[nardy.MatchRecord],
) -> None:
    for match in corpus:
        assert_comes_back(match)


@pytest.mark.corpus
def test_a_file_of_several_matches(corpus: list[nardy.MatchRecord]) -> None:
    for form in ("mat", "json"):
        text = "".join(written(match, form) for match in corpus[:5])
        assert [match.games for match in read(text)] == [match.games for match in corpus[:5]]


# --- the dialects


def test_the_dialects_say_the_same() -> None:
    plain = game_of(
        "  1) 31: 8/5 6/5                        55: 13/3 13/3\n"
        "  2) 66: 24/18 24/18 13/7 13/7          11: 8/7 8/7 6/5 6/5\n"
        "  3)  Doubles => 2                       Takes\n"
        "  4) 54: 18/9                           \n"
    )
    for text in (
        "  1) 31: 6/5 8/5                        55: 13/3(2)\n"
        "  2) 66: 24/18(2) 13/7(2)               11: 8/7(2) 6/5(2)\n"
        "  3)  Doubles => 2                       Takes\n"
        "  4) 54: 18/9\n",
        "1) 13: 8/5 6/5    55: 13/8(2) 8/3(2)\r\n"
        "2) 66: 24/18 13/7 24/18 13/7    11: 6/5(2) 8/7(2)\r\n"
        "3) Doubles => 2    Takes\r\n"
        "4) 45: 18/9\r\n",
    ):
        assert game_of(text).nodes == plain.nodes
        marked = ('\ufeff; [Player 1 "one"]\r\n' + HEADER + text).encode()
        assert [match.games[0].nodes for match in read(marked)] == [plain.nodes]


def test_the_bar_off_and_hits_in_every_dialect() -> None:
    one = game_of(
        "  1) 62: 24/18 13/11                    61: 13/7* 8/7\n"
        "  2) 42: Bar/21 24/22                   44: 8/4*(2) 24/20(2)\n"
    )
    assert [node.is_legal for node in one.nodes] == [True] * 4
    two = game_of(
        "  1) 62: 13/11 24/18                    61: 8/7 13/7\n"
        "  2) 42: 24/22 25/21                    44: 8/4 8/4 24/20 24/20\n"
    )
    assert two.nodes == one.nodes


def test_a_cell_that_is_empty_passes_or_gives_up() -> None:
    closed = nardy.Position.from_points(
        {"bar": 1, 6: 14}, {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, rules="short"
    )
    for words in ("", "pass"):
        match = RawMatch(rules=nardy.SHORT)
        row = closed.row.tolist()
        match.games = [RawGame(1, row=row, entries=[Entry(0, "play", (6, 5), words)])]
        [node] = replayed(match).games[0].nodes
        assert (node.action, node.is_legal, str(node.play)) == ("play", True, "pass")
    # Where something can be played, dice without a play mean that the game was given up.
    for cell in ("", "????", "??", "Concedes"):
        game = game_of(f"  1) 31: 8/5 6/5                        42: {cell}\n      Wins 2 points\n")
        assert [node.action for node in game.nodes] == ["play", "roll", "resign"]
        assert game.nodes[1].is_legal is None and game.nodes[2].side == 1
        assert game.result == nardy.Result(0, 2, "mars", "resigned")
    # But not in the middle of a game.
    game = game_of("  1) 31: ????                           42: 8/4 6/4\n")
    assert [(node.is_legal, node.reason) for node in game.nodes] == [
        (False, "incomplete"),
        (True, None),
    ]


def test_columns_may_be_lost_or_begin_early() -> None:
    body = (
        " 1)                                     43: 13/10 24/20\n"
        " 2) 31: 8/5 6/5                         21: 13/11 6/5\n"
        " 3)  Doubles => 2                        Takes\n"
        " 4) 66: ????\n"
        "                                        Wins 4 points\n"
    )
    usual = game_of(body)
    assert [node.side for node in usual.nodes] == [1, 0, 1, 0, 1, 0, 0]
    squeezed = "\n".join(" ".join(line.split()) for line in (HEADER + body).splitlines())
    [match] = read(squeezed)
    assert match.games == (usual,) and match.faults == ()
    early = "".join(line.replace(" " * 15, "") + "\n" for line in (HEADER + body).splitlines())
    [match] = read(early)
    assert match.games == (usual,) and match.faults == ()


def test_the_score_line_may_hold_any_name() -> None:
    names = ("a : 1   b", "c: 2 (:")
    match = nardy.Match("short", length=3)
    match.game.roll("31")
    match.game.push("8/5 6/5")
    match.game.roll("42")
    match.game.push("8/4 6/4")
    record = nardy.record_of(match, players=names)
    assert_comes_back(record)
    # Without a header the names are those of the line.
    [plain] = read(" 3 point match\n Game 1\n x y : 2    z : 1\n 1) 31: 8/5 6/5\n")
    assert plain.players == ("x y", "z") and plain.games[0].score == (2, 1)


# --- what is wrong with a file


def test_an_illegal_play_is_told_and_the_game_goes_on_from_it() -> None:
    game = game_of(
        "  1) 31: 8/5 6/4                        42: 8/4 6/4\n"
        "  2) 61: 13/7 8/7                       \n"
    )
    first, second, third = game.nodes
    assert (first.is_legal, first.reason, first.line, first.column) == (False, "not_rolled", 5, 6)
    assert first.after is not None and first.after.flip().row[4] == 1
    assert (second.is_legal, third.is_legal) == (True, True)


def test_after_a_play_that_cannot_be_made_nothing_is_said_of_plays() -> None:
    game = game_of(
        "  1) 31: 8/5 9/8                        42: 8/4 6/4\n"
        "  2)  Doubles => 2                       Drops\n"
    )
    assert [node.is_legal for node in game.nodes] == [False, None, True, True]
    assert [node.position is None for node in game.nodes] == [False, True, True, True]
    assert game.result == nardy.Result(0, 1, "oin", "dropped")


def test_a_way_that_is_not_legal_to_a_board_that_is() -> None:
    # The 4 cannot take a checker from 3 while others stand on 4; 9/5/off is a play.
    row = nardy.Position.from_points({9: 1, 4: 2}, {1: 15}, rules="short").row.tolist()
    match = RawMatch(rules=nardy.SHORT)
    match.games = [RawGame(1, row=row, entries=[Entry(0, "play", (6, 4), "9/3 3/off")])]
    record = replayed(match)
    [node] = record.games[0].nodes
    assert node.is_legal and str(node.play) == "9/off"
    assert "is not legal, though another is" in str(record.faults[0])


def test_sgf_is_read_like_the_others() -> None:
    text = "(;FF[4]GM[6]MI[length:3][game:0]PW[x]PB[o]RE[W+2R];W[31hefe];B[42qusu];W[66])"
    [match] = read(text)
    [same] = read(text.encode())
    assert match == same and match.score == (2, 0)
    assert [str(node.play) for node in match.games[0].nodes[:2]] == ["8/5 6/5", "8/4 6/4"]
    assert_comes_back(match)


def test_words_that_are_no_play_are_unreadable() -> None:
    game = game_of("  1) 31: the best play                  42: 8/4 6/4\n")
    node = game.nodes[0]
    assert (node.is_legal, node.reason, node.words) == (False, None, "the best play")
    assert node.message is not None and "is no half-move" in node.message


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("hello\n", "line 5, column 1: no line of a match: 'hello'"),
        ("  1) hello\n", "line 5, column 6: no dice, no word of the cube: 'hello'"),
        ("  1) 07: 8/1\n", "line 5, column 6: no dice, no word of the cube: '07: 8/1'"),
        (
            "  1) 31: 8/5 6/5                        42: 8/4 6/4\n      Wins 3 points\n"
            "\n Game 2\n one : 1                               two : 0\n",
            "line 8, column 1: game 2 begins at 1-0; counted are 3-0",
        ),
        (
            "  1) 31: 8/5 6/5                         Doubles => 2\n"
            "  2)  Drops                              Wins 2 points\n",
            "line 3, column 1: game 1 is declared: player 2 wins 2; by play and cube: "
            "player 2 wins 1",
        ),
        (
            "  1) 31: 8/5 6/5                         Doubles => 4\n",
            "line 5, column 42: the cube goes to 2: 'double 4'",
        ),
        (
            "  1) 31: 8/5 6/5                         Doubles => 2\n  2) 31: 8/5 6/5\n",
            "line 6, column 6: plays on though a double waits for its answer",
        ),
        (
            "  1) 31: 8/5 6/5\n  2) 42: 8/4 6/4\n",
            "line 6, column 6: plays though it is for the other side to play",
        ),
        (
            "  1) 31: 8/5* 6/5\n",
            "line 5, column 6: a hit is marked where nothing is hit: '8/5* 6/5'",
        ),
        ("      Wins\n", "line 5, column 7: Wins must be followed by the points: 'Wins'"),
        (
            "      Wins 1 point\n      Wins 2 points\n",
            "line 6, column 7: says another result than the words before: 'Wins 2 points'",
        ),
    ],
)
def test_each_fault_is_told_with_its_place(body: str, expected: str) -> None:
    assert expected in faults_of(HEADER + body)


def test_what_is_no_match_at_all_is_one_without_games() -> None:
    assert read("") == [] and read("\n\n") == []
    [match] = read("a shopping list\nmilk\nbread\n")
    assert match.games == ()
    assert [*map(str, match.faults)] == [
        "lines 1-3, column 1: no line of a match: 'a shopping list'"
    ]
    assert match.faults[0].kind == "unreadable"


def test_an_absurd_result_is_kept_and_the_next_score_says_what_it_was() -> None:
    text = (
        HEADER + "  1) 31: 8/5 6/5                        42: ????\n      Wins 4016 points\n"
        " Game 2\n one : 2                               two : 0\n  1) 31: 8/5 6/5\n"
    )
    [match] = read(text)
    assert match.games[0].declared == (0, 4016)
    assert match.games[0].result == nardy.Result(0, 2, "mars", "resigned")
    assert [*map(str, match.faults)] == [
        "line 3, column 1: game 1 is declared: player 1 wins 4016; by play and cube: "
        "player 1 wins 2"
    ]
    assert_comes_back(match)


def test_cube_actions_out_of_the_rules_are_told() -> None:
    game = game_of(
        "  1)  Doubles => 2                       Takes\n"
        "  2) 31: 8/5 6/5                        \n"
        "  3)                                     Beavers\n"
    )
    assert [(node.action, node.reason) for node in game.nodes] == [
        ("double", "too_early"),
        ("take", None),
        ("play", None),
        ("beaver", "not_offered"),
    ]
    assert game.nodes[2].cube == nardy.Cube(2, 1, True)


def test_the_crawford_game_is_the_first_and_no_other() -> None:
    text = (
        " 3 point match\n"
        " Game 1\n x : 0                                  y : 0\n"
        "  1) 31: 8/5 6/5                         Doubles => 2\n  2)  Takes\n      Wins 2 points\n"
        " Game 2\n x : 2                                  y : 0\n"
        "  1) 31: 8/5 6/5                         Doubles => 2\n"
        "  2)  Drops                              Wins 1 point\n"
        " Game 3\n x : 2                                  y : 1\n"
        "  1) 31: 8/5 6/5                         Doubles => 2\n"
    )
    [match] = read(text)
    assert [game.is_crawford for game in match.games] == [False, True, False]
    assert match.games[1].nodes[1].reason == "crawford"
    assert match.games[2].nodes[1].is_legal
    assert match.score == (2, 1)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(nardy.InvalidNotation, match="UTF-16"):
        read(HEADER.encode("utf-16"))
    with pytest.raises(nardy.InvalidNotation, match="bytes 0"):
        read(b"RGMH\0\0")
    [match] = read('; [Player 1 "J\xf6rn"]\n 3 point match\n'.encode("latin-1"))
    assert match.players[0] == "Jörn"
    assert "is not UTF-8: read as Latin-1" in str(match.faults[0])


def test_signs_that_cannot_be_shown_are_blanks() -> None:
    game = game_of("  1) 31: 8/5\u00a06/5 \u3000                     42: 8/4 6/4\n")
    assert [node.is_legal for node in game.nodes] == [True, True]
    [match] = read(HEADER + "  1) 31: 8/5 6/5\n\x1a")
    assert [*map(str, match.faults)] == [
        "line 6, column 1: has signs that cannot be shown: read as blanks"
    ]


def test_a_cube_is_not_read_without_end() -> None:
    turns = "".join(
        f" {n})  Doubles                               Takes\n"
        f" {n}) 31: 24/23 24/21                      \n {n})   Doubles\n"
        for n in range(1, 200)
    )
    [match] = read(HEADER + turns)
    cubes = [node.cube.value for node in match.games[0].nodes]
    assert max(cubes) == 2**29 and match.games[0].nodes[-1].reason == "cube_max"
    assert_comes_back(match)


def test_the_cube_of_a_beaver_may_be_named() -> None:
    header = HEADER.replace(" 5 point", '; [Beaver "On"]\n 0 point')
    body = (
        "  1) 31: 8/5 6/5                         Doubles => 2\n"
        "  2)  Beavers => 4                       Takes\n"
    )
    assert [node.value for node in game_of(body, header).nodes] == [None, 2, 4, None]
    assert game_of(body.replace(" => 4", ""), header) == game_of(body, header)


def test_wrong_use_is_refused() -> None:
    with pytest.raises(TypeError, match="source must be a path or an open file"):
        nardy.read(3)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        nardy.read("no such file.mat")
    with pytest.raises(ValueError, match="target must end with one of"):
        nardy.write([], "match.doc")
    with pytest.raises(ValueError, match="form must be one of mat, json"):
        nardy.write([], io.StringIO(), form="xg")
    with pytest.raises(TypeError, match="each must be a MatchRecord or a Match"):
        nardy.write(["a"], io.StringIO(), form="mat")  # type: ignore[list-item]
    with pytest.raises(ValueError, match="players: must be printable"):
        nardy.record_of(nardy.Match("short", length=1), players=("a\nb", "c"))


# --- tags


def test_unknown_tags_and_comments_are_kept() -> None:
    text = '; [Site "here"]\n; [Transcriber "x "y""]\n; a remark\n; [Round ""]\n' + HEADER
    [match] = read(text)
    assert match.tags == (("Site", "here"), ("Transcriber", 'x "y"'), ("Round", ""))
    assert match.comments == ("a remark",) and match.tag("SITE") == "here"
    assert_comes_back(match)


@pytest.mark.parametrize(
    "rules",
    [
        *nardy.PRESETS.values(),
        nardy.LONG.replace(head="named", head_doubles={4}, cube=True, cube_max=64, checkers=12),
        nardy.LONG.replace(head_doubles=set(), clock="blitz", last_roll="second_player"),
        nardy.SHORT.replace(resign=True, clock=(15, 90.5), automatic_doubles=1, cube=False),
    ],
    ids=repr,
)
def test_rules_are_a_tag(rules: nardy.Rules) -> None:
    assert read_rules(write_rules(rules)) == rules
    record = nardy.record_of(nardy.Match(rules, length=5))
    assert_comes_back(record)


def test_what_other_programs_say_of_the_rules() -> None:
    def rules(**tags: str) -> tuple[nardy.Rules, list[str]]:
        return rules_of_tags([*tags.items()])

    assert rules() == (nardy.SHORT, [])
    assert rules(Crawford="Off", Beaver="On", CubeLimit="1")[0] == nardy.SHORT.replace(
        crawford=False, beaver=True, cube=False
    )
    assert rules(Variation="LongNardy") == (nardy.LONG, [])
    assert rules(Crawford="maybe")[1] == ["Crawford must be On or Off, not 'maybe'"]
    assert rules(CubeLimit="63")[1] == ["CubeLimit must be a power of two, not '63'"]
    found, said = rules(Variation="LongNardy", Rules="long head=nobody")
    assert found == nardy.LONG and "head" in said[0]


def test_variations() -> None:
    nack = '; [Variation "NackGammon"]\n' + HEADER + "  1) 31: 24/21 23/22\n"
    [match] = read(nack)
    assert match.games[0].nodes[0].is_legal and match.games[0].start.row[23] == 2
    assert_comes_back(match)
    [hyper] = read('; [Variation "HyperGammon"]\n' + HEADER + "  1) 31: 24/21 23/22\n")
    assert "must be one of" in str(hyper.faults[0])
    assert hyper.games[0].nodes[0].is_legal is None
    assert_comes_back(hyper)


# --- matches that are played here


def played_match(rules: nardy.Rules, length: int | None, seed: int, games: int) -> nardy.Match:
    """Play a match by chance, with doubles now and then."""
    chance = random.Random(seed)
    match = nardy.Match(rules, length=length, seed=seed)
    while True:
        game = match.game
        while not game.is_over:
            actions = game.actions
            if "take" in actions:
                answers = sorted(actions & {"take", "drop", "beaver", "raccoon"})
                getattr(game, chance.choice(answers))()
            elif "double" in actions and game.cube.value < 4 and chance.random() < 0.02:
                game.double()
            elif "resign" in actions and chance.random() < 0.002:
                game.resign("oin" if game.position.cells[0] else "mars")
            elif "push" in actions:
                game.push(chance.choice(game.plays))
            else:
                game.roll()
        if match.is_over or len(match.games) == games:
            return match
        match.next_game()


LONG_CUBE = nardy.LONG.replace(cube=True, head="named", resign=True)


@pytest.fixture(scope="module")
def long_match() -> nardy.Match:
    return played_match(LONG_CUBE, 15, 33, 1000)


def test_a_long_match_of_long_nardy_comes_back(long_match: nardy.Match) -> None:
    results = long_match.results
    assert long_match.is_over and len(results) == 16
    assert sum(game.is_crawford for game in long_match.games) == 1
    assert {(result.kind, result.how) for result in results} == {
        ("oin", "borne_off"),
        ("mars", "borne_off"),
        ("oin", "resigned"),
        ("mars", "resigned"),
        ("oin", "dropped"),
    }
    record = nardy.record_of(long_match, players=("Анна", "Борис"))
    assert record.faults == ()
    assert [game.result for game in record.games] == [*results]
    assert record.score == long_match.score
    assert all(node.is_legal is not False for game in record.games for node in game.nodes)
    assert_comes_back(record)


@pytest.mark.parametrize(
    ("rules", "length"),
    [
        (nardy.SHORT, 7),
        (nardy.SHORT.replace(jacoby=True, beaver=True, raccoon=True), None),
        (nardy.SHORT.replace(crawford=False, resign=True), 3),
        (nardy.LONG.replace(last_roll="second_player", koks="first_quarter", block="home"), None),
        (nardy.LONG.replace(checkers=5, doubles_moves=2, cube=True), 9),
    ],
    ids=repr,
)
def test_matches_under_other_rules_come_back(rules: nardy.Rules, length: int | None) -> None:
    for seed in range(3):
        match = played_match(rules, length, seed, 6)
        record = nardy.record_of(match)
        assert [game.result for game in record.games] == [*match.results]
        assert record.faults == ()
        assert all(node.is_legal is not False for game in record.games for node in game.nodes)
        assert_comes_back(record)


def test_a_draw_comes_back() -> None:
    rules = nardy.LONG.replace(last_roll="second_player", checkers=5)
    draws = 0
    for seed in range(60):
        match = played_match(rules, None, seed, 3)
        draws += sum(result.how == "draw" for result in match.results)
        assert_comes_back(nardy.record_of(match))
    assert draws


def test_json_says_what_mat_cannot() -> None:
    ties = nardy.Match(nardy.SHORT.replace(automatic_doubles=1), length=None)
    ties.game.roll("33")
    ties.game.roll("31")
    ties.game.push("8/5 6/5")
    record = nardy.record_of(ties)
    assert record.games[0].first_cube == 2 and record.games[0].nodes[0].cube.value == 2
    assert read(written(ties, "json")) == [record]
    with pytest.raises(ValueError, match="begins at a cube of 2, which"):
        written(ties, "mat")


def test_the_json_of_a_match_that_is_played_is_read_too(long_match: nardy.Match) -> None:
    assert read(nardy.to_json(long_match)) == [nardy.record_of(long_match)]


# --- JSON


def test_json_may_be_spread_over_lines(long_match: nardy.Match) -> None:
    line = written(long_match, "json")
    spread = json.dumps(json.loads(line), indent=1)
    assert read(spread) == read(line) == read(f"{line}\n{spread}\n")[:1]
    assert len(read(f"{line}{spread}\n{line}")) == 3


def damaged(data: dict[str, object]) -> Iterator[tuple[dict[str, object], str]]:
    game = {**data["games"][0]}  # type: ignore[index]
    yield {**data, "version": 2}, "format must be"
    yield {**data, "length": 0}, "length must be"
    yield {**data, "length": True}, "length must be"
    yield {**data, "players": ["a"]}, "players must have 2"
    yield {**data, "players": ["a", "b\n"]}, "players: wanted printable"
    yield {**data, "rules": {"game": "chess", "options": {}}}, "game must be"
    yield {**data, "rules": {"game": "long", "options": {"head": "x"}}}, "head must be"
    yield {**data, "games": [3]}, "games: each must be"
    yield {**data, "games": [{**game, "cube": 3}]}, "cube must be a power of two"
    yield {**data, "games": [{**game, "row": [0] * 32}]}, "do not add up"
    yield {**data, "games": [{**game, "row": [0.5] * 32}]}, "row: each column"
    yield {**data, "games": [{**game, "score": [0]}]}, "score must be a pair"
    yield {**data, "games": [{**game, "score": [0, -1]}]}, "score: wanted an int"
    yield {**data, "games": [{**game, "declared": [2, 1]}]}, "declared: the winner"
    yield {**data, "games": [{**game, "entries": [[0]]}]}, "entries: each must be"
    yield {**data, "games": [{**game, "entries": [[0, "71", ""]]}]}, "dice"
    yield {**data, "games": [{**game, "entries": [[0, "resign", 4]]}]}, "given up as 1, 2 or 3"
    yield {**data, "games": [{**game, "entries": [[0, "31", 5]]}]}, "entries: wanted printable"


def test_damaged_json_is_told_and_the_next_line_read(long_match: nardy.Match) -> None:
    line = written(long_match, "json").strip()
    for data, expected in damaged(json.loads(line)):
        one, other = read(f"{json.dumps(data)}\n{line}\n")
        assert expected in str(one.faults[0]) and one.faults[0].kind == "unreadable"
        # Of a board that cannot be, what was done on it is still given.
        assert all(node.position is None for game in one.games for node in game.nodes)
        assert other.games
    for text in ("{", '{"a": }', "{" * 5000, '{"format": "nardy-game"}'):
        matches = read(text + "\n" + line)
        assert matches[0].games == () and matches[0].faults[0].kind == "unreadable"


# --- files


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, long_match: nardy.Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.mat"
    nardy.write(long_match, path)
    before = path.read_bytes()
    assert [*nardy.read(path)] == [nardy.record_of(long_match)]

    def fails() -> Iterator[nardy.Match]:
        yield long_match
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        nardy.write(fails(), path)
    assert path.read_bytes() == before and [*tmp_path.iterdir()] == [path]
    (tmp_path / "link.mat").symlink_to(path)
    nardy.write([], tmp_path / "link.mat")
    assert (tmp_path / "link.mat").is_symlink() and path.read_bytes() == b""
    nardy.write([long_match, long_match], tmp_path / "two.jsonl")
    assert len([*nardy.read(str(tmp_path / "two.jsonl"))]) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name on this system")
def test_what_is_no_file_is_written_to_and_stays(tmp_path: Path, long_match: nardy.Match) -> None:
    pipe = tmp_path / "pipe.mat"
    os.mkfifo(pipe)
    writer = threading.Thread(target=nardy.write, args=(long_match, pipe))
    writer.start()
    assert [*nardy.read(pipe)] == [nardy.record_of(long_match)]
    writer.join()
    assert pipe.is_fifo()


def test_a_match_that_never_ends_comes_in_parts() -> None:
    block = (
        " Game 1\n x : 0    y : 0\n" + "  1) 31: 8/5 6/5                        42: 8/4 6/4\n" * 400
    )
    matches = read('; [Event "e"]\n 0 point match\n' + block * 300)
    assert len(matches) == 3 and all(match.tags == (("Event", "e"),) for match in matches)
    assert sum(len(match.games) for match in matches) == 300
    assert "goes on from the match before" in str(matches[1].faults[0])


def test_a_game_that_never_ends_is_cut_and_said() -> None:
    lines = "  1) 31: 8/5 6/5                        42: 8/4 6/4\n" * 60_000
    [match] = read(HEADER + lines)
    assert 100_000 <= len(match.games[0].nodes) <= 100_010
    assert any("the game goes on beyond" in str(fault) for fault in match.faults)


def test_a_line_that_never_ends_is_cut_and_said() -> None:
    [match] = read(HEADER + "  1) 31: " + "8/5 " * 100_000 + "\n  2) 42: 8/4 6/4\n")
    assert "line 5, column 1: is longer than 4,096 characters" in str(match.faults[0])
    assert len(match.games[0].nodes) == 2 and match.games[0].nodes[1].line == 6


def test_what_follows_a_result_or_the_end_of_a_match_is_a_contradiction() -> None:
    game = "  1) 31: 8/5 6/5                        42: 8/4 6/4\n      Wins 1 point\n"
    after = "  2) 31: 8/7 8/5                        42: 13/9 24/22\n"
    [said] = faults_of(HEADER + game + after + after)
    assert said.startswith("line 7, column 6: the game goes on after its result: '2) 31: 8/7 8/5")
    second = " Game 2\n one : 5                               two : 0\n  1) 31: 8/5 6/5\n"
    assert "game 2 begins at 5-0 in a match to 5" in " ".join(faults_of(HEADER + game + second))
    tags = '; [Variation "LongNardy"]\n; [Rules "short"]\n'
    assert "Rules are of short nardy" in " ".join(faults_of(tags + HEADER + game))


def test_names_that_look_like_plays() -> None:
    match = nardy.Match("short", length=3)
    match.game.roll("31")
    match.game.push("8/5 6/5")
    for players in (
        *(("1) 31: 8/5", "Wins 3 points"), ("Game 2", " 5 point match"), ("", ";"), ("", "")),
        ("a" * 900, "b" * 900),
    ):
        record = nardy.record_of(match, players=players)
        assert_comes_back(record)
        assert read(written(record, "mat"))[0].faults == ()
    with pytest.raises(ValueError, match="at most 1,000 characters"):
        written(nardy.record_of(match, players=("a" * 1001, "b")), "mat")


def test_lines_may_end_as_on_any_computer() -> None:
    body = "  1) 31: 8/5 6/5                        42: 8/4 6/4\n" * 300
    usual = read(HEADER + body)
    for end in ("\r", "\r\n", "\r\r\n"):
        text = (HEADER + body).replace("\n", end)
        assert read(text.encode()) == usual
        assert [*nardy.read(io.StringIO(text, newline=""))] == usual
    last = read(((HEADER + body).replace("\n", "\r") + "milk\r").encode())[0].faults[-1]
    assert (last.line, last.text) == (305, "milk")


def test_many_ends_of_lines_take_no_long_time() -> None:
    [match] = read(b'{"a": 1\r' + b"\r" * 2_000_000 + b"}")[:1]
    assert match.games == ()
