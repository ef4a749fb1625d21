"""``nardy best``: plays ranked at the command line."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import nardy
from nardy import cli
from nardy.advising import EVALUATORS


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(["best", *words])
    out, err = capsys.readouterr()
    return code, out, err


def ranked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_plays_are_ranked(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "33", "--evaluator", "spread")
    assert (code, err) == (0, "")
    board, lines = out.split("\n\n")
    assert board == str(nardy.Position.start(nardy.LONG))
    assert lines.splitlines() == [
        "roll 3-3 by spread, 0-ply",
        "   1  +0.0833           24/15 24/21",
        "   2  +0.0417  -0.0417  24/18(2)",
    ]


@pytest.mark.parametrize("evaluator", [*EVALUATORS])
@pytest.mark.parametrize("plies", [0, 1])
def test_json_says_what_a_bot_says(
    capsys: pytest.CaptureFixture[str], evaluator: str, plies: int
) -> None:
    words = ["start", "64", "--rules", "short", "--evaluator", evaluator, "--games", "2"]
    found = ranked(capsys, *words, "--plies", str(plies))
    assert (found["roll"], found["evaluator"], found["plies"]) == ([6, 4], evaluator, plies)
    players: dict[str, Any] = {
        "network": nardy.Tables("short", nardy.network("short")),
        "pips": nardy.Pips("short"),
        "spread": nardy.Spread("short"),
        "runner": nardy.Runner("short"),
        "playouts": nardy.Tables("short", nardy.RandomGames("short", games=2)),
    }
    bot = nardy.Bot(players[evaluator], plies=plies)
    wanted = bot.rank(nardy.Position.start("short"), "64")
    assert [(play["play"], play["equity"], play["plies"]) for play in found["plays"]] == [
        (str(play), equity, deep) for play, equity, deep in wanted
    ]
    assert found["plays"][0]["row"] == wanted[0].play.after.row.tolist()


def test_what_was_left_behind_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["4HPwATDgc/ABMA", "31", "--evaluator", "pips", "--plies", "1"]
    _, out, _ = run(capsys, *words)
    lines = out.split("\n\n")[1].splitlines()[1:]
    assert len(lines) == 16
    assert [line.endswith("  (0-ply)") for line in lines] == [False] * 8 + [True] * 8
    assert all(re.fullmatch(r" +\d+  [+-]0\.\d{4}  ( {7}|-0\.\d{4})  .+", line) for line in lines)


def test_exact_values_where_tables_reach(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["6:2/4:3", "21", "--numbering", "distance"]
    pairs = nardy.bearoff.two_sided(rules="long")
    position = nardy.Position.from_points({6: 2}, {4: 3}, rules="long")
    for play in ranked(capsys, *words)["plays"]:
        after = position.play(play["play"], roll="21").row[None]
        assert play["equity"] == pytest.approx(-float(pairs.equities(after)[0, 0]), abs=1e-6)


def test_plays_in_the_other_numbering(capsys: pytest.CaptureFixture[str]) -> None:
    found = ranked(capsys, "66", "--numbering", "path", "--games", "1")
    assert found["plays"][0]["play"] == "1/7(2)"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["start"], "best takes a position and a roll"),
        (["start", "77"], "roll must be two dice"),
        (["6:1", "1:1", "65"], "best takes a position and a roll, not 3 words"),
        (["/1:1", "65"], "the game is over"),
        (["65", "--plies", "3"], r"must be an int 0..2, not '3'"),
        (["65", "--evaluator", "luck"], "invalid choice: 'luck'"),
        (["65", "--games", "0"], "must be an int 1..1048576"),
    ],
)
def test_complaints(capsys: pytest.CaptureFixture[str], words: list[str], complaint: str) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "") and complaint in err
