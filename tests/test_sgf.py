"""gnubg's .sgf is read tree by tree: its dialect, what cannot be kept, and any bytes at all."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import nardy
from nardy.formats import entries
from nardy.formats.entries import Entry, RawGame, RawMatch
from nardy.formats.mat import read_mat
from nardy.formats.properties import LONGEST_VALUE
from nardy.formats.sgf import read_sgf
from nardy.replaying import replayed

CORPUS = Path(os.environ.get("NARDY_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
GNUBG = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")
DATA = Path(__file__).parent / "data" / "sgf"
HEAD = "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[one]PB[two]RU[Crawford]"


def read(text: str | bytes) -> list[RawMatch]:
    stream = io.StringIO(text) if isinstance(text, str) else io.BytesIO(text)
    return [*read_sgf(stream)]


def match_of(text: str | bytes) -> RawMatch:
    [match] = read(text)
    return match


def game_of(body: str, head: str = HEAD) -> RawGame:
    match = match_of(f"{head}{body})")
    assert match.faults == [], [*map(str, match.faults)]
    [game] = match.games
    return game


def faults_of(text: str | bytes) -> list[str]:
    return [str(fault) for match in read(text) for fault in match.faults]


def said(game: RawGame) -> list[object]:
    """Tell the entries of a game in short: what differs from entry to entry."""
    return [
        (entry.side, "".join(map(str, entry.dice)), entry.words)
        if entry.dice
        else (entry.side, entry.action, entry.value)
        for entry in game.entries
    ]


def tree(number: int, score: tuple[int, int] = (0, 0), players: str = "PW[a]PB[b]") -> str:
    info = f"MI[length:5][game:{number}][ws:{score[0]}][bs:{score[1]}]"
    return f"(;FF[4]GM[6]{info}{players};W[31hefe])\n"


# --- the corpus, by way of gnubg


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[RawMatch, RawMatch]]:
    """Every match of the corpus: from its .mat file, and from what gnubg saves of that."""
    files = sorted((CORPUS / "mat").glob("*.mat"))
    if not files:
        pytest.skip(f"no real games at {CORPUS}: NARDY_CORPUS names their folder")
    if GNUBG is None:
        pytest.skip("no gnubg is installed, which would write the .sgf files")
    folder = tmp_path_factory.mktemp("sgf")
    lines = []
    for file in files:
        lines += [f'import mat "{file}"', f'save match "{folder / file.stem}.sgf"']
    subprocess.run(
        [GNUBG, "-t", "-q"],
        input="\n".join([*lines, ""]),
        env={**os.environ, "HOME": str(folder)},
        text=True,
        capture_output=True,
        timeout=300,
        check=False,  # it ends with an error when its input does
    )
    found = []
    for file in files:
        with open(file, "rb") as one, open(folder / f"{file.stem}.sgf", "rb") as other:
            [mat], [sgf] = read_mat(one), read_sgf(other)
        found.append((mat, sgf))
    return found


def boards(game: RawGame) -> Iterator[object]:
    """Tell what was done: dice as sets, plays as the boards that they lead to."""
    position = nardy.Position.start("short")
    for entry in game.entries:
        if entry.dice is None:
            yield entry.side, entry.action, entry.value
            continue
        roll = tuple(sorted(entry.dice))
        if entry.words is None:
            yield entry.side, roll, None
            continue
        words = entry.words or "pass"
        try:
            position = position.play(words, roll=roll)
        except nardy.IllegalPlay:
            # Where a checker went over two points, gnubg may name the wrong one between.
            first, then = (word.split("/") for word in words.split())
            assert first[1] == then[0] and then[1] == "off"
            position = position.play(f"{first[0]}/{then[1]}", roll=roll)
            yield "another way"
        yield entry.side, roll, position


@pytest.mark.corpus
def test_the_corpus_is_the_same_from_mat_and_from_sgf(
    pairs: list[tuple[RawMatch, RawMatch]],
) -> None:
    assert len(pairs) == 128
    ways = 0
    for mat, sgf in pairs:
        assert sgf.faults == [] and sgf.unlisted_faults == 0
        assert (sgf.length, sgf.players) == (mat.length, mat.players)
        assert len(sgf.games) == len(mat.games)
        for one, other in zip(mat.games, sgf.games, strict=True):
            assert (one.number, one.score) == (other.number, other.score)
            # .mat text has no word for the end of a game that was given up; .sgf says it.
            resigned = [entry for entry in other.entries if entry.action == "resign"]
            assert resigned in ([], other.entries[-1:])
            other.entries = [entry for entry in other.entries if entry.action != "resign"]
            done = [*boards(other)]
            ways += done.count("another way")
            assert [*boards(one)] == [each for each in done if each != "another way"]
    assert ways == 1


@pytest.mark.corpus
def test_the_corpus_has_the_same_results_but_where_gnubg_counts_in_full(
    pairs: list[tuple[RawMatch, RawMatch]],
) -> None:
    games = [
        (mat.length, *both) for mat, sgf in pairs for both in zip(mat.games, sgf.games, strict=True)
    ]
    others = []
    for length, mat, sgf in games:
        assert mat.declared and sgf.declared and mat.score and length
        winner = mat.declared[0]
        assert winner is not None and winner == sgf.declared[0]
        if mat.declared != sgf.declared:
            needed = length - mat.score[winner]
            others.append((mat.declared[1], sgf.declared[1]))
            assert needed <= mat.declared[1] < sgf.declared[1] or mat.declared[1] == 4016
    assert len(games) == 431 and len(others) == 26
    assert others.count((4016, 12)) == 2


@pytest.mark.corpus
def test_the_crawford_games_of_the_corpus(pairs: list[tuple[RawMatch, RawMatch]]) -> None:
    found = 0
    for _, sgf in pairs:
        assert ("Crawford", "On") in sgf.tags and sgf.length
        had_one = False
        for game in sgf.games:
            assert game.score
            is_one = max(game.score) == sgf.length - 1 and not had_one
            had_one |= is_one
            found += is_one
            assert game.is_crawford == is_one
    assert found == 42


# --- files of gnubg


def data(name: str) -> RawMatch:
    return match_of((DATA / name).read_bytes())


def test_a_session_for_money() -> None:
    session = data("session.sgf")
    assert session.length is None and session.players == ("ann", "bob")
    assert session.faults == []
    assert session.tags == [
        ("AP", "GNU Backgammon:1.07.001"),
        ("Player 1", "ann"),
        ("Player 2", "bob"),
        ("EventDate", "2024-05-06"),
        ("Variation", "Backgammon"),
        ("Jacoby", "On"),
    ]
    one, two, three = session.games
    # Two automatic doubles, and another that is dropped.
    assert (one.number, one.first_cube, one.declared) == (1, 4, (1, 4))
    assert said(one) == [(0, "31", "8/5 6/5"), (1, "double", 8), (0, "drop", None)]
    # A double upon a double, twice, and then "take", which a raccoon does not ask for.
    assert said(two) == [
        (0, "31", "8/5 6/5"),
        (1, "double", 2),
        (0, "beaver", None),
        (1, "raccoon", None),
        (1, "65", "24/18 18/13"),
        (0, "resign", 2),
    ]
    assert (two.declared, two.first_cube) == ((1, 16), 1)
    # The program adds an empty play to a roll that waits for one.
    assert said(three) == [(0, "61", "13/7 8/7"), (1, "62", None)]
    assert three.declared is None


def test_a_match_with_analysis() -> None:
    match = data("match.sgf")
    assert match.length == 3 and match.players == ("Zoë", "b\\]c")
    assert match.faults == [] and match.comments == ["one [line] \\ of it"]
    assert match.tag("Player 1 Elo") == "1500" and match.tag("Player 2 Elo") == "1600/20"
    assert [match.tag(name) for name in ("Event", "Round", "Site", "Annotator")] == [
        "Made up",
        "2",
        "Nowhere",
        "A. N. Other",
    ]
    one, two = match.games
    assert [game.is_crawford for game in match.games] == [False, True]
    assert [game.score for game in match.games] == [(0, 0), (2, 0)]
    assert said(one) == [
        (0, "31", "8/5 6/5"),
        (1, "42", "8/4 6/4"),
        (0, "double", 2),
        (1, "take", None),
        (0, "66", "24/18 24/18 13/7 13/7"),
        (1, "resign", 1),
    ]
    assert said(two) == [
        (0, "31", "8/5 6/5"),
        (1, "63", "24/18 18/15"),
        (0, "22", None),
        (0, "resign", 2),
    ]
    assert [game.declared for game in match.games] == [(0, 2), (1, 2)]
    record = replayed(match)
    assert record.score == (2, 2) and record.faults == ()
    assert all(node.is_legal is not False for game in record.games for node in game.nodes)


def test_a_position_that_was_set_up() -> None:
    match = data("position.sgf")
    [game] = match.games
    # As bob sees it, who is on roll.
    own = {20: 5, 21: 3, "bar": 2}
    expected = nardy.Position.from_points(own, {1: 2, 2: 4}, rules="short")
    assert game.row == expected.row.tolist()
    assert game.first_cube == 4 and game.entries == []
    assert [str(fault) for fault in match.faults] == [
        "line 4, column 2: the owner of a cube that was set is not kept: 'b'"
    ]


# --- the dialect


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("W[41lpab]", "12/16 1/2"),  # whatever it is, it is kept as written
        ("B[41lpab]", "13/9 24/23"),
        ("W[21ywyx]", "bar/23 bar/24"),
        ("B[21ybya]", "bar/23 bar/24"),
        ("B[55tztztztz]", "5/off 5/off 5/off 5/off"),
        ("W[66]", "pass"),
        ("W[ 6 6 ]", ""),
        ("W[31HEFE]", "8/5 6/5"),
        ("W[31 hefe\n]", "8/5 6/5"),
        ("W[31hef]", "hef"),
        ("W[31h1f2]", "h1f2"),
    ],
)
def test_letters_become_words(value: str, words: str) -> None:
    match = match_of(f"{HEAD};{value})")
    if words:
        assert [entry.words for entry in match.games[0].entries] == [words]
    else:
        assert "no dice, no word of the cube" in str(match.faults[0])


def test_a_roll_is_a_pass_if_the_game_goes_on() -> None:
    assert said(game_of(";PL[B]DI[66];B[66]"))[0] == (1, "66", None)
    assert said(game_of(";PL[B]DI[66];B[66];W[31hefe]"))[0] == (1, "66", "pass")
    assert said(game_of(";PL[B]DI[31];B[13qusu]")) == [(1, "13", "8/4 6/4")]
    assert said(game_of(";PL[B]DI[31];W[31hefe]")) == [(1, "31", None), (0, "31", "8/5 6/5")]
    assert said(game_of(";W[31hefe];DI[52]")) == [(0, "31", "8/5 6/5"), (1, "52", None)]
    assert said(game_of(";PL[B]DI[31]", HEAD + "RE[W+1R]"))[1] == (1, "resign", 1)


def test_the_cube_is_counted() -> None:
    body = ";W[double];B[take];B[double];W[take];W[double];B[drop]"
    assert [each.value for each in game_of(body).entries if each.value] == [2, 4, 8]
    # A double that nobody answered is over with the next play.
    body = ";W[double];W[31hefe];B[double];W[double];B[take]"
    assert said(game_of(body))[2:] == [(1, "double", 2), (0, "beaver", None), (1, "take", None)]
    # So often no file of people doubles; what it goes to stays a number of a few digits.
    body = ";W[double];B[take];B[double];W[take]" * 100
    assert max(entry.value or 0 for entry in game_of(body).entries) == 1 << 32


@pytest.mark.parametrize(
    ("result", "declared", "last"),
    [
        ("W+2", (0, 2), None),
        ("B+1R", (1, 1), (0, "resign", 1)),
        ("W+3R", (0, 3), (1, "resign", 3)),
        ("W+3Resign", (0, 3), (1, "resign", 3)),
        ("W+7R", (0, 7), (1, "resign", None)),
        ("B+R", None, (0, "resign", None)),
        ("w + 4 T", (0, 4), None),
        ("0", (None, 0), None),
        ("Draw", (None, 0), None),
        ("?", None, None),
        ("Void", None, None),
        ("", None, None),
    ],
)
def test_results(result: str, declared: tuple[int, int] | None, last: object) -> None:
    game = game_of(f"RE[{result}]")
    assert game.declared == declared
    assert said(game)[-1:] == ([] if last is None else [last])


def test_a_resignation_is_counted_by_the_cube() -> None:
    body = ";W[31hefe];B[double];W[take]"
    assert said(game_of(body, HEAD + "RE[B+4R]"))[-1] == (0, "resign", 2)
    # A double that is offered does not count yet.
    assert said(game_of(";W[31hefe];B[double]", HEAD + "RE[B+1R]"))[-1] == (0, "resign", 1)


@pytest.mark.parametrize(
    ("rules", "length", "tags"),
    [
        ("RU[Crawford]", 5, {"Crawford": "On", "Variation": "Backgammon"}),
        ("RU[Jacoby]", 5, {"Crawford": "Off", "Jacoby": None}),
        ("", 5, {"Crawford": None, "Jacoby": None}),
        ("", 0, {"Crawford": None, "Jacoby": "Off"}),
        ("RU[Jacoby:Nackgammon]", 0, {"Variation": "Nackgammon", "Jacoby": "On"}),
        ("RU[NoCube:Crawford]", 5, {"CubeLimit": "1", "Crawford": "On"}),
        ("RU[Crawford:Hypergammon3]", 5, {"Variation": "Hypergammon3"}),
        ("RU[Crawford][CrawfordGame]", 5, {"Variation": "Backgammon", "Crawford": "On"}),
    ],
)
def test_rules_become_tags(rules: str, length: int, tags: dict[str, str | None]) -> None:
    match = match_of(f"(;FF[4]GM[6]MI[length:{length}][game:0]{rules};W[66])")
    assert {name: match.tag(name) for name in tags} == tags
    has_crawford = rules and length
    assert match.games[0].is_crawford == ("CrawfordGame" in rules if has_crawford else None)
    replayed(match)


def test_trees_that_go_on_are_one_match() -> None:
    trees = [tree(0), tree(1, (1, 0)), tree(2, (1, 2))]
    assert [len(match.games) for match in read("".join(trees))] == [3]
    assert [game.line for game in match_of("".join(trees)).games] == [1, 2, 3]
    # It may begin with any game.
    assert [len(match.games) for match in read("".join(trees[1:]))] == [2]
    for other in (
        tree(0),
        tree(2, (1, 0)),  # no game 2 before it
        tree(1, players="PW[a]PB[c]"),
        tree(1).replace("length:5", "length:7"),
    ):
        assert [len(match.games) for match in read(trees[0] + other)] == [1, 1]
    assert [len(match.games) for match in read(tree(0, (3, 0)) + tree(1, (2, 1)))] == [1, 1]
    # Without numbers the players say it.
    bare = "(;PW[a]PB[b];W[66])"
    assert [game.number for game in match_of(bare * 3).games] == [1, 2, 3]


def test_a_position_takes_ranges_and_is_seen_by_who_moves_first() -> None:
    setup = ";AE[a:y]AW[a:c][a]AB[x][y]PL[W]"
    white = nardy.Position.from_points({1: 2, 2: 1, 3: 1}, {1: 1, "bar": 1}, rules="short")
    assert game_of(setup).row == white.row.tolist()
    assert game_of(f"{setup};B[double]").row == white.flip().row.tolist()


def test_the_first_line_of_play_is_the_game() -> None:
    text = f"{HEAD};W[31hefe](;B[42qusu];W[66](;B[11])(;B[22]))(;B[52lqsu];W[double]))"
    match = match_of(text)
    assert [entry.words for entry in match.games[0].entries] == [
        "8/5 6/5",
        "8/4 6/4",
        "pass",
        "pass",
    ]
    assert [fault.what for fault in match.faults] == ["a variation: left out"]


# --- text of any kind


def test_escapes() -> None:
    match = match_of("(;PW[a\\]b\\\\c\\:d]PB[one\\\ntwo\nthree]GC[x\n\n [y\\] ];W[66])")
    assert match.players == ("a]b\\c:d", "onetwo three")
    assert match.comments == ["x", "[y]"]


def test_charsets() -> None:
    name = "Zoë"
    for charset, octets in [
        ("CA[UTF-8]", name.encode()),
        ("", name.encode()),
        ("", name.encode("latin-1")),
        ("CA[ISO-8859-1]", name.encode("latin-1")),
    ]:
        match = match_of(b"(;" + charset.encode() + b"PW[" + octets + b"];W[66])")
        assert match.players[0] == name and match.faults == []
    assert match_of(f"\ufeff(;PW[{name}];W[66])".encode()).faults == []
    assert match_of(f"\ufeff(;PW[{name}];W[66])").faults == []
    [fault] = faults_of(b"(;CA[UTF-8]PW[Zo\xeb];W[66])")
    assert fault == "line 1, column 12: is not UTF-8: read as Latin-1: 'Zoë'"
    # Columns are of characters, not of bytes.
    [entry] = match_of(f"(;PW[{name}];W[66])".encode()).games[0].entries
    assert (entry.line, entry.column) == (1, 11)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", []),
        (" \n", []),
        ("hello", ["line 1, column 1: is outside of any game: 'hello'"]),
        ("\n x (hello)", ["line 2, column 2: is outside", "line 2, column 5: is no property"]),
        (
            f"mail\n{HEAD};W[66])\nbye",
            ["line 1, column 1: is out", "line 3, column 1: is outside"],
        ),
        (f"{HEAD};W[66]", ["line 1, column 77: the text ends within a game"]),
        (f"{HEAD};W[66", ["line 1, column 72: a value that does not end", "the text ends"]),
        (f"{HEAD}\n;W[66]!\n!)", ["lines 2-3, column 7: is no property: '!'"]),
        (f"{HEAD};[66])", ["line 1, column 72: a value of no property: '66'"]),
        (f"{HEAD};W[77])", ["column 72: no dice, no word of the cube: '77'"]),
        (f"{HEAD};W[redouble])", ["no dice, no word of the cube: 'redouble'"]),
        (f"{HEAD};W[31{'hefe' * 20}])", ["no dice, no word of the cube"]),
        (f"{HEAD};DI[07])", ["column 72: no dice: '07'"]),
        (f"{HEAD};DI[11];DI[12])", ["other dice than before, for the same roll: '12'"]),
        (f"{HEAD};PL[Q])", ["no side to move: 'Q'"]),
        (f"{HEAD};CV[3])", ["no value of a cube: '3'"]),
        (f"{HEAD};W[66];CV[4];CV[8])", ["a cube set in the middle of a game is not kept: '4'"]),
        (
            f"{HEAD}CP[b];CP[w])",
            [
                "owner of a cube that was set is not",
            ],
        ),
        (f"{HEAD}RE[W])", ["no result such as W+2: 'W'"]),
        (f"{HEAD}RE[W+])", ["a result without points: 'W+'"]),
        (f"{HEAD}MI[length:x])", ["no length, number or score of a match: 'length:x'"]),
        (f"{HEAD};AB[a];AB[b])", ["checkers added to the usual position are not kept: 'a'"]),
        (f"{HEAD};AE[a];AE[b])", ["points emptied one by one are not kept: 'a'"]),
        (f"{HEAD};W[66];AW[a])", ["a position set up in the middle of a game is not kept: 'a'"]),
        (f"{HEAD};W[66];AE[a:y])", ["a position set up in the middle of a game is not kept"]),
        (f"{HEAD};AE[a:y]AB[a:y][a])", ["more than 15 checkers of a side are set up"]),
        (f"{HEAD};AE[a:y]AB[a]AW[a])", ["both sides are set up on one point"]),
        (f"{HEAD};AE[a:y])", ["no checkers are set up"]),
        (f"{HEAD};AE[a:y]AB[zz][a])", ["no point: 'zz'"]),
        (f"{HEAD};XX[1];XX[2]YY[3])", ["property XX is not known: '1'", "YY is not known: '3'"]),
        (f"{HEAD}C[x]A[y]LU[z]GS[1][2];W[66]MR[]BM[2]GW[1]DA[x]N[q])", []),
        ("(;GM[1]PW[a];B[aa])", ["line 1, column 3: is no game of backgammon, which is GM[6]"]),
        (f"{HEAD}PW[{'x' * 5000}])", ["column 71: is longer than 4,096 characters"]),
        (f"{HEAD}{'GN[x]' * 1001};W[66])", ["too long a header: 'x'"]),
        (f"{HEAD}{'RU[x]' * 1001};W[66])", ["too long a header: 'x'"]),
    ],
)
def test_each_fault_is_told_with_its_place(text: str, faults: list[str]) -> None:
    for form in (text, text.encode()):
        found = faults_of(form)
        assert len(found) == len(faults), found
        assert all(part in fault for part, fault in zip(faults, found, strict=True)), found


def test_what_is_no_game_is_told_with_the_game_that_follows() -> None:
    [match] = read(f"(;GM[1];B[aa])()\n{HEAD};W[66])")
    assert len(match.games) == 1 and len(match.faults) == 1
    [match] = read(f"{HEAD};W[66])(;GM[1];B[aa])")
    assert len(match.games) == 1 and len(match.faults) == 1


def test_a_fault_of_each_game_is_told_once() -> None:
    text = "".join(tree(number).replace(";W", "ZZ[1];W") for number in range(5))
    assert faults_of(text) == ["line 1, column 55: the property ZZ is not known: '1'"]
    text = "".join(tree(number).replace(";W", ";W[99];W") for number in range(3))
    [fault] = match_of(text).faults
    assert (fault.line, fault.lines) == (1, 3)


def test_a_game_that_is_not_closed_does_not_take_the_next_one() -> None:
    trees = [tree(number) for number in range(3)]
    match = match_of(
        trees[0].replace(")", "") + trees[1].replace(")", "(;B[66])(;B[11]") + trees[2]
    )
    assert [len(game.entries) for game in match.games] == [1, 2, 1]
    assert [fault.what for fault in match.faults].count(
        "a game that is not closed before the next one"
    ) == 2


# --- size


class Drops:
    """A stream that gives a few characters at a time."""

    def __init__(self, text: str | bytes, size: int) -> None:
        self.text, self.size = text, size

    def read(self, size: int) -> str | bytes:
        size = min(size, self.size)
        piece, self.text = self.text[:size], self.text[size:]
        return piece


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_where_a_stream_is_cut_changes_nothing(size: int) -> None:
    for name in ("session.sgf", "match.sgf", "position.sgf"):
        octets = (DATA / name).read_bytes()
        for text in (octets, octets.decode()):
            assert [*read_sgf(Drops(text, size))] == [data(name)]  # type: ignore[arg-type]


def test_a_value_that_is_too_long_is_left_out() -> None:
    long = "x\\]" * LONGEST_VALUE
    for size in (1 << 16, 1 << 30):
        text = f"{HEAD}\nC[{long}]ZZ[1];W[31hefe]\n;B[66])"
        [match] = read_sgf(Drops(text, size))  # type: ignore[arg-type]
        assert [fault.what for fault in match.faults] == [
            "too long a value",
            "the property ZZ is not known",
        ]
        assert [(entry.line, entry.words) for entry in match.games[0].entries] == [
            (2, "8/5 6/5"),
            (3, "pass"),
        ]


def test_a_game_that_never_ends_is_cut_and_said() -> None:
    match = match_of(f"{HEAD}{';W[66]' * 100_010})")
    assert len(match.games[0].entries) == entries.MOST_ENTRIES
    [fault] = match.faults
    assert "the game goes on beyond 100,000 entries" in fault.what


def test_a_match_that_never_ends_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nardy.formats.sgf.MOST_ENTRIES", 10)
    parts = read("".join(tree(number) for number in range(15)))
    assert [len(part.games) for part in parts] == [6, 6, 3]
    assert [fault.what for fault in parts[1].faults] == [
        "goes on from the match before, which has 10 entries"
    ]
    assert parts[2].games[0].number == 13 and parts[2].players == ("a", "b")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(;" * 100_000,
        "()" * 100_000,
        "[" * 100_000,
        "(;C[" + "[" * 100_000,
        "(;C[" + "\\" * 100_001,
        "(;" + "A" * 100_000,
        "(;" + "A " * 100_000,
        "(;" + "\n" * 100_000,
        "(;W" + "[66]" * 100_000,
        "(;W[66]" + ";" * 100_000,
        "(;RE" + "[W+1]" * 100_000,
        "(;AE[a:y]AB" + "[a:y]" * 100_000,
        "x(" * 100_000,
        ";)" * 100_000,
    ],
    ids=range(15),
)
def test_time_grows_with_the_text_alone(text: str) -> None:
    began = time.process_time()
    read(text)
    assert time.process_time() - began < 5  # as the square it would be minutes


PIECES = st.sampled_from(
    """( ) ; [ ] \\ \n x ( (; (;FF[4]GM[6] MI[length:3] [game:1] [ws:1] W[31hefe] B[66] W[double]
    B[double] W[take] B[drop] PL[B] DI[31] AE[a:y] AW[a:c] AB[x] CV[2] CP[b] RE[W+2R] RU[Jacoby]
    PW[a] GC[[x\\] C[ A[ \xeb \ufeff \0 77""".split(" ")
)


@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES | st.text(max_size=3), max_size=40).map("".join))
@example(f"{HEAD};W[31hefe]")
def test_any_text_is_read_and_replayed(text: str) -> None:
    octets = text.encode("utf-8", "surrogatepass")
    for match in (*read(text), *read(octets), *read(octets[::-1])):
        for game in match.games:
            assert all(entry.line >= 1 and entry.column >= 1 for entry in game.entries)
            assert all(isinstance(entry, Entry) for entry in game.entries)
        replayed(match)


@settings(deadline=None, max_examples=100)
@given(st.integers(0), st.binary(max_size=4), st.integers(0, 4))
def test_a_damaged_file_is_read_and_replayed(place: int, octets: bytes, cut: int) -> None:
    whole = (DATA / "match.sgf").read_bytes() + (DATA / "session.sgf").read_bytes()
    at = place % len(whole)
    matches = read(whole[:at] + octets + whole[at + cut :])
    for match in matches:
        replayed(match)
    assert 1 <= sum(len(match.games) for match in matches) <= 6
