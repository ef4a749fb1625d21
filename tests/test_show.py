"""The command `nardy show`."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

import nardy
from nardy import cli

START = "4HPwATDgc/ABMA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:53:1:2:1:3:10"
GNUID = f"{START}:8IluACAACAAE"
BOARD = (
    "board:You:Opponent:3:1:2:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:5:3:0:0:1:"
    "0:0:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)
LONG = "ln1:AAAG/j8AAID/Pw"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(["show", *words])
    out, err = capsys.readouterr()
    return code, out, err


def found(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


@pytest.mark.parametrize("text", [XGID, GNUID, BOARD, f"look at {XGID}!"])
def test_one_id_gives_the_others_with_what_each_loses(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    shown = found(capsys, text)
    assert shown["ids"] == {"gnubg": GNUID, "xgid": XGID, "fibs": BOARD}
    assert shown["pips"] == [167, 167]
    assert shown["row"] == nardy.Position.start("short").row.tolist()
    around = shown["situation"]
    assert (around["score"], around["length"], around["is_crawford"]) == ([2, 1], 3, True)
    assert "XGID" not in text or shown["lost"] == {
        "gnubg": ["cube_max"],
        "xgid": [],
        "fibs": ["cube_max"],
    }
    assert text != BOARD or shown["lost"]["gnubg"] == ["names"]


def test_the_dice_of_the_id_or_the_ones_given_are_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, roll in (([XGID], [5, 3]), ([XGID, "66"], [6, 6]), ([START], None)):
        shown = found(capsys, *words)
        assert shown["roll"] == roll
        listed = shown["after_states"]
        if roll is None:
            assert listed is None
        else:
            plays = nardy.Position.start("short").plays((roll[0], roll[1]))
            assert {play["play"] for play in listed} == {str(play) for play in plays}


def test_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, XGID)
    assert (code, err) == (0, "")
    picture = str(nardy.Position.start("short"))
    assert out.startswith(picture)
    assert out[len(picture) :].splitlines()[1:] == [
        "score X 1, O 2, to 3, Crawford game",
        "cube 1 in the middle, 1024 at most",
        "dice 5-3",
        f"gnubg {GNUID}",
        "      without cube_max",
        f"xgid  {XGID}",
        f"fibs  {BOARD}",
        "      without cube_max",
        "",
        "roll 5-3: 9 plays",
        *map(str, nardy.Position.start("short").plays((5, 3))),
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{START}:cBHgAAAAAAAE", ["doubled to 2", "O answers", "score X 0, O 0, to 7"]),
        (f"{START}:QRkAAAAAAAAA", ["cube 2 owned by O", "beavered to 4", "X answers"]),
        (f"{START}:MGlgABAAEAAE", ["a resignation (koks) is offered", "O answers"]),
        (f"{START}:cAQAAAAACAAA", ["game: dropped", "score X 1, O 0, for money, Jacoby"]),
        (BOARD.replace("Opponent", "Bob"), ["X is You, O is Bob"]),
        ("1:1/1:1", ["score X 0, O 0, for money", "cube 1 in the middle"]),
    ],
)
def test_what_is_around_the_board_in_words(
    capsys: pytest.CaptureFixture[str], text: str, lines: list[str]
) -> None:
    code, out, _ = run(capsys, text, "--rules", "short")
    assert code == 0
    assert {*lines} <= {*out.splitlines()}


def test_the_board_is_seen_by_the_side_on_roll(capsys: pytest.CaptureFixture[str]) -> None:
    mine, his = (f"XGID=-A-B--A---------------d---:0:0:{turn}:00:3:1:0:5:10" for turn in (1, -1))
    assert "pips: X 13, O 12" in run(capsys, mine)[1]
    out = run(capsys, his)[1]
    assert "pips: X 12, O 13" in out and "score X 1, O 3, to 5" in out


def test_long_nardy_has_an_id_alone(capsys: pytest.CaptureFixture[str]) -> None:
    shown = found(capsys, LONG, "66")
    assert (shown["ids"], shown["lost"]) == ({"long": LONG}, {"long": []})
    assert [play["play"] for play in shown["after_states"]] == ["24/18(2)"]
    assert shown["situation"] is None
    assert found(capsys, "24:15 / 24:13 18:2")["ids"] == {"long": LONG}


def test_a_finished_board_has_no_plays(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "1:1/", "65", "--rules", "short")
    assert code == 0
    assert out.endswith("\nthe game is over: there is nothing to play\n")


def test_a_match_that_is_over_has_no_xgid(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(found(capsys, f"{START}:MGtgABAAKAAE")["ids"]) == {"gnubg", "fibs"}


def test_ids_come_from_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"# ids\n{GNUID}\n\nnothing\n {LONG}\r\n"))
    code, out, err = run(capsys, "-", "--json")
    assert code == 1
    assert err.startswith("nardy: line 4: position must be start, an id")
    assert [json.loads(line)["game"] for line in out.splitlines()] == ["short", "long"]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{LONG}\n{LONG}\n"))
    code, out, err = run(capsys, "-")
    assert (code, err) == (0, "")
    one = run(capsys, LONG)[1]
    assert out == f"{one}\n{one}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["x"], "position must be start, an id"),
        ([XGID, "67"], "roll must be two dice"),
        ([f"{XGID} {LONG}"], "ids of several kinds (long, xgid) stand in"),
        ([XGID, "--rules", "long"], "an XGID needs rules of short nardy"),
        ([BOARD, "--rules", "long"], "a FIBS board needs rules of short nardy"),
        ([LONG, "--rules", "short"], "an id ln1: needs rules of long nardy"),
        ([XGID.replace(":1:3:10", ":1:9:10")], "nobody needs one point"),
        ([], "the following arguments are required: ID"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
