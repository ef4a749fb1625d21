"""The command, run inside this process and once as users run it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import nardy
from nardy import cli
from nardy.progress import progress

START = "4HPwATDgc/ABMA"
# Start, 32, and a legal after-state; then the same with a board that no 32 leads to.
LEGAL = "4HPwATDgc/ABMA\t32\t4HPkASLgc/ABMA"
ILLEGAL = "4HPwATDgc/ABMA\t31\t4HPkASLgc/ABMA"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(words)
    out, err = capsys.readouterr()
    return code, out, err


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


# --- moves


def test_moves_names_the_plays_of_a_roll(capsys: pytest.CaptureFixture[str]) -> None:
    start = str(nardy.Position.start(nardy.LONG))
    words = "\n\nroll 6-6: 1 play\n24/18(2)\n"
    assert run(capsys, "moves", "66") == (0, start + words, "")
    *_, head, one, other, _ = run(capsys, "moves", "33")[1].split("\n")
    assert (head, {one, other}) == ("roll 3-3: 2 plays", {"24/15 24/21", "24/18(2)"})


def test_moves_draws_the_boards_if_asked(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "moves", "66", "--boards")
    assert (code, err) == (0, "")
    after = nardy.Position.from_points({24: 13, 18: 2}, {24: 15}, rules=nardy.LONG)
    start, moved = out.split("\n\nroll 6-6: 1 play\n\n24/18(2)\n")
    assert start == str(nardy.Position.start(nardy.LONG))
    assert moved.rstrip() == str(after).partition("\n")[2]


def test_moves_lists_all_21_rolls(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["start"]):
        _, out, _ = run(capsys, "moves", *words, "--rules", "long-az", "--boards")
        counts = re.findall(r"^roll (\d)-(\d): (\d+) play$", out, re.M)
        assert [(int(large), int(small)) for large, small, _ in counts] == [
            tuple(roll) for roll in nardy.ROLLS.tolist()
        ]
        assert {count for *_, count in counts} == {"1"}
        assert len(re.findall(r"^off: X 0, O 0$", out, re.M)) == 22


@pytest.mark.parametrize(
    "words",
    [
        ["24:14 18:1 / 24:15", "21"],
        ["18:1,24:14/24:15", "1-2"],
        ["21", "--own", "24:14", "18:1", "--opponent", "24:15"],
        ["1:14 7:1 / 1:15", "21", "--numbering", "path"],
        ["21", "--own", "1:14", "7:1", "--opponent", "1:15", "--numbering", "path"],
    ],
    ids=" ".join,
)
def test_moves_reads_a_position_in_every_way(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    found = run_json(capsys, "moves", *words)
    position = nardy.Position.from_points({24: 14, 18: 1}, {24: 15}, rules=nardy.LONG)
    assert found["row"] == position.row.tolist()
    (listed,) = found["rolls"]
    assert listed["roll"] == [2, 1]
    texts = {"24/21", "24/22 18/17", "24/23 18/16", "18/15"}
    if "path" in words:
        texts = {"1/4", "1/3 7/8", "1/2 7/9", "7/10"}
    assert {after["play"] for after in listed["after_states"]} == texts


@pytest.mark.parametrize(
    "words",
    [
        [START],
        ["Start", "--rules", "short"],
        ["--gnubg", START],
        [f"{START}:cAkAAAAAAAAA"],
        ["--gnubg", f"GNUID={START}:cAkAAAAAAAAA"],
        ["XGID=-b----E-C---eE---c-e----B-:0:0:1:52:2:4:0:7:10"],
    ],
)
def test_an_id_of_short_nardy_is_a_position_of_it(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    found = run_json(capsys, "moves", *words)
    assert found["row"] == nardy.Position.start("short").row.tolist()
    assert evaluated(found["rules"]) == nardy.SHORT
    assert sum(len(listed["after_states"]) for listed in found["rolls"]) == 447


@pytest.mark.parametrize("bar", ["bar:1", "BAR:1", "Bar:1", "25:1"])
def test_the_bar_is_written_in_any_case(capsys: pytest.CaptureFixture[str], bar: str) -> None:
    expected = nardy.Position.from_points({"bar": 1, 6: 2}, {24: 3}, rules="short").row.tolist()
    for words in ([f"{bar} 6:2 / 24:3"], ["--own", bar, "6:2", "--opponent", "24:3"]):
        assert run_json(capsys, "moves", *words, "--rules", "short")["row"] == expected


def test_moves_with_points_of_the_path_draws_them_too(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "moves", "65", "--numbering", "path", "--boards")
    assert "roll 6-5: 1 play\n\n1/12\n" in out
    assert out.count("\n 12 11 10  9  8  7       6  5  4  3  2  1\n") == 2
    assert out.count("\n 13 14 15 16 17 18      19 20 21 22 23 24\n") == 2


def test_moves_as_json_holds_rows_for_the_other_side(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "moves", "3-1", "--gnubg", START, "--rules", "short-money")
    assert evaluated(found["rules"]) == nardy.PRESETS["short-money"]
    assert found["row"] == nardy.Position.start("short").row.tolist()
    (listed,) = found["rolls"]
    assert listed["roll"] == [3, 1]
    assert len(listed["after_states"]) == 16
    by_id = {after["gnubg_id"]: after for after in listed["after_states"]}
    assert len(by_id) == 16
    played = by_id["sGfwATDgc/ABMA"]
    assert played["play"] == "8/5 6/5"
    assert sorted(played["steps"]) == [[6, 5], [8, 5]]
    assert nardy.Position.from_row(played["row"], rules="short").gnubg_id == "sGfwATDgc/ABMA"


def test_moves_says_when_there_is_no_move(capsys: pytest.CaptureFixture[str]) -> None:
    points = ["--own", "bar:1", "13:5,8:3,6:5", "--opponent", "6:2 5:2", "13:5"]
    _, out, _ = run(capsys, "moves", "65", "--rules", "short", *points)
    assert out.endswith("\n\nroll 6-5: 1 play\npass\n")
    found = run_json(capsys, "moves", "65", "--rules", "short", *points)
    (after,) = found["rolls"][0]["after_states"]
    assert (after["play"], after["steps"]) == ("pass", [])


def test_moves_of_a_finished_game_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["65", "--own", "--opponent", "24:15"], ["/24:15", "65"]):
        _, out, _ = run(capsys, "moves", *words)
        assert out.endswith("\nthe game is over: there is nothing to play\n")
        assert run_json(capsys, "moves", *words)["rolls"] == [{"roll": [6, 5], "after_states": []}]


def test_moves_names_bar_and_off(capsys: pytest.CaptureFixture[str]) -> None:
    words = "moves 66 --rules short --own bar:1 --opponent 23:15"
    assert run(capsys, *words.split())[1].endswith("\nbar/1\n")
    words = "moves 22 --own 6:1 --opponent 24:15"
    assert run(capsys, *words.split())[1].endswith("\n6/off\n")


# --- explain


def test_explain_shows_where_a_legal_play_leads(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "explain", "start", "65", "24/18/13")
    assert (code, err) == (0, "")
    moved = nardy.Position.from_points({24: 14, 13: 1}, {24: 15}, rules=nardy.LONG)
    board = str(moved).partition(chr(10))[2]
    assert out == f"legal: 24/13\n\nthe board after it, as the mover sees it\n{board}\n"
    _, path, _ = run(capsys, "explain", "start", "65", "1/12", "--numbering", "path")
    assert path.startswith("legal: 1/12\n\nthe board after it, as the mover sees it\n 12 11 10 ")


def test_explain_reads_a_play_of_several_words(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["6/5", "8/5"], ["6/5 8/5"], ["8/5", "6/5", "--rules", "short"]):
        assert run(capsys, "explain", START, "13", *words)[1].startswith("legal: 8/5 6/5\n")


def test_explain_says_why_a_play_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "explain", "start", "65", "24/18", "24/19")
    assert (code, err) == (1, "")
    reason, sentence = out.splitlines()
    assert reason == "refused: head_rule (long nardy, 6-5)"
    assert sentence.startswith("24/18 24/19: ")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("start 65 24/20", "not_rolled"),
        ("start 65 23/18", "not_your_checker"),
        ("start 66 24/18/12", "point_closed"),
        ("start 65 pass", "incomplete"),
        ("/24:15 65 6/off", "game_over"),
        ("7:1,6:14/24:15 65 6/off 6/1", "not_all_home"),
        (f"{START} 65 6/off", "not_all_home"),
        ("start 66 24/18(2) --set head=none", "head_rule"),
    ],
)
def test_explain_gives_the_reason_and_exit_code_1(
    capsys: pytest.CaptureFixture[str], words: str, reason: str
) -> None:
    code, out, _ = run(capsys, "explain", *words.split())
    assert code == 1 and out.startswith(f"refused: {reason} (")
    code, out, _ = run(capsys, "explain", *words.split(), "--json")
    found = json.loads(out)
    assert (code, found["legal"], found["reason"]) == (1, False, reason)
    assert reason in nardy.REASONS and found["message"]


def test_explain_as_json_holds_the_row_for_the_other_side(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = run_json(capsys, "explain", START, "31", "6/5", "8/5")
    assert found["row"] == nardy.Position.from_gnubg_id(START).row.tolist()
    assert (found["roll"], found["asked"], found["legal"]) == ([3, 1], "6/5 8/5", True)
    after = found["after_state"]
    assert (after["play"], after["gnubg_id"]) == ("8/5 6/5", "sGfwATDgc/ABMA")
    assert after["row"] == nardy.Position.from_gnubg_id("sGfwATDgc/ABMA").row.tolist()


# --- perft


def test_perft_counts_depth_by_depth(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "perft", "2") == (0, "depth 1: 22\ndepth 2: 489\n", "")
    assert run_json(capsys, "perft", "2", "--set", "head=named")["perft"] == [22, 484]
    assert run_json(capsys, "perft", "1", "--gnubg", START)["perft"] == [447]


def test_options_are_set_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--set head=free --set checkers=5 --set bearoff_mandatory=True --set head_doubles=4,6"
    found = run_json(capsys, "perft", "1", *words.split(), "--set", "clock=(15, 90)")
    expected = nardy.LONG.replace(
        head="free", checkers=5, bearoff_mandatory=True, head_doubles={4, 6}, clock=(15, 90)
    )
    assert evaluated(found["rules"]) == expected
    found = run_json(capsys, "perft", "1", "--rules", "long-ua", "--set", "crawford=false")
    assert evaluated(found["rules"]) == nardy.LONG.replace(block="home", crawford=False)
    found = run_json(capsys, "perft", "1", "--set", "cube_max=None", "--set", "koks=none")
    assert evaluated(found["rules"]) == nardy.LONG
    for written in ("4", "4,", "{4}"):
        found = run_json(capsys, "perft", "1", "--set", f"head_doubles={written}")
        assert evaluated(found["rules"]) == nardy.LONG.replace(head_doubles={4})


def evaluated(text: str) -> object:
    return eval(text, {"Rules": nardy.Rules})


# --- playouts


def test_playouts_report_what_the_games_add_up_to(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(
        capsys, "playouts", "--games", "700", "--seed", "7", "--first", "5", "--threads", "2"
    )
    rows = np.repeat(nardy.Position.start(nardy.LONG).row[None], 700, axis=0)
    played = nardy.playouts(rows, rules=nardy.LONG, seed=7, first=5)
    assert (found["games"], found["seed"], found["first"]) == (700, 7, 5)
    assert found["interrupted"] is False
    assert found["equity"] == pytest.approx(played.outcomes.mean())
    assert found["turns_a_game"] == pytest.approx(played.turns.mean())
    assert found["chances"]["win"]["share"] == pytest.approx((played.outcomes > 0).mean())
    assert found["chances"]["lose mars"]["share"] == pytest.approx((played.outcomes < -1).mean())
    assert [*found["chances"]] == ["win", "win mars", "win koks", "lose mars", "lose koks"]
    win = found["chances"]["win"]
    assert win["low"] < win["share"] < win["high"]
    code, out, err = run(capsys, "playouts", "--games", "700", "--seed", "7", "--first", "5")
    assert (code, err) == (0, "")
    assert out.startswith("played 700 games, seed 7, first 5\n")
    assert f"win         {win['share']:.3%}" in out
    assert f"95 % within {win['low']:.3%} .. {win['high']:.3%}" in out
    assert "games a second" in out


def test_an_interruption_keeps_and_reports_what_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []

    def stopped_at_the_third(rows: Any, **options: Any) -> Any:
        asked.append((options["first"], len(rows)))
        if len(asked) == 3:
            raise KeyboardInterrupt
        return SimpleNamespace(
            outcomes=np.ones(len(rows), np.int8), turns=np.full(len(rows), 90, np.int32)
        )

    monkeypatch.setattr(cli, "playouts", stopped_at_the_third)
    code, out, _ = run(capsys, "playouts", "--json")
    found = json.loads(out)
    assert code == 130
    assert found["interrupted"] is True
    assert found["games"] == asked[0][1] + asked[1][1]
    assert [first for first, _ in asked] == [0, asked[0][1], found["games"]]
    assert found["chances"]["win"]["share"] == 1


def test_an_interruption_before_the_first_game_reports_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "playouts", stopped)
    code, out, err = run(capsys, "playouts")
    assert (code, err) == (130, "")
    assert out.startswith("interrupted after 0 games")
    monkeypatch.setattr(cli, "perft", stopped)
    assert run(capsys, "perft", "3") == (130, "", "nardy: interrupted\n")


def test_progress_is_plain_lines_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter(range(0, 1000, 3))
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    with progress(1000, "game") as show:
        show(400)
        show(1000)
    assert capsys.readouterr().err == "400 of 1,000 games\n1,000 of 1,000 games\n"


# --- check


def table(tmp_path: Path, *lines: str) -> str:
    path = tmp_path / "decisions.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_check_accepts_legal_decisions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = table(tmp_path, "# comment", LEGAL, "", LEGAL.replace("32", "23"))
    assert run(capsys, "check", path) == (0, "2 decisions read: 0 illegal, 0 unreadable\n", "")


def test_check_names_illegal_and_unreadable_lines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bad_id = LEGAL.replace("4HPk", "____")
    bad_roll = LEGAL.replace("32", "37")
    path = table(tmp_path, "#", ILLEGAL, bad_id, LEGAL, bad_roll, LEGAL[:17], ILLEGAL)
    code, out, err = run(capsys, "check", path)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == f"line 2: illegal: {ILLEGAL}"
    assert lines[1].startswith("line 3: unreadable: gnubg id '____ASLgc/ABMA': characters")
    assert lines[2].startswith("line 5: unreadable: roll must be two dice")
    assert lines[3].startswith("line 6: unreadable: must hold id, roll, id; holds 2 fields")
    assert lines[4:] == [
        f"line 7: illegal: {ILLEGAL}",
        "3 decisions read: 2 illegal, 3 unreadable",
    ]
    code, out, _ = run(capsys, "check", path, "--json")
    assert code == 1
    found = json.loads(out)
    assert found["decisions"] == 3
    assert found["illegal"][0] == {"line": 2, "text": ILLEGAL}
    assert [bad["line"] for bad in found["unreadable"]] == [3, 5, 6]
    assert run(capsys, "check", table(tmp_path, bad_roll))[0] == 1


def test_check_of_an_empty_table_finds_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(capsys, "check", table(tmp_path, "# none")) == (
        0,
        "0 decisions read: 0 illegal, 0 unreadable\n",
        "",
    )


def test_a_decision_after_the_end_is_illegal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    over = nardy.Position.from_points({}, {6: 15}, rules="short")
    line = f"{over.gnubg_id}\t21\t{over.flip().gnubg_id}"
    assert run(capsys, "check", table(tmp_path, LEGAL, line, LEGAL))[1].startswith(
        "line 2: illegal"
    )


@pytest.mark.corpus
def test_check_finds_no_illegal_decision_in_real_games(capsys: pytest.CaptureFixture[str]) -> None:
    corpus = Path(os.environ.get("NARDY_CORPUS", Path(__file__).parents[2] / "shared/corpus"))
    path = corpus / "decisions_short.tsv"
    if not path.exists():
        pytest.skip(f"no real games at {corpus}: NARDY_CORPUS names their folder")
    assert run(capsys, "check", str(path)) == (
        0,
        "18,605 decisions read: 0 illegal, 0 unreadable\n",
        "",
    )


# --- errors


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "the following arguments are required: command"),
        ("plays", "invalid choice: 'plays'"),
        ("moves 67", "roll must be two dice 1..6 such as '65' or '6-5', not '67'"),
        ("moves 65 66", "position must be start, an id"),
        ("moves start 67", "roll must be two dice 1..6 such as '65' or '6-5', not '67'"),
        ("moves 24:14 18:1 / 24:15", "not 4 words: a position with blanks needs quotes"),
        ("moves begin", "position must be start, an id"),
        ("moves foo", "position must be start, an id"),
        ("moves 7", "roll must be two dice 1..6"),
        ("moves 65 start", "moves takes the position first, then the roll, not 'start' last"),
        ("moves 65 --top 3", "unrecognized arguments: --top 3 (see nardy moves --help)"),
        ("best start", "best takes a position and a roll: after 'start' no roll stands"),
        ("best 67", "roll must be two dice 1..6"),
        ("best 65 start", "best takes the position first, then the roll, not 'start' last"),
        ("bearoff", "required: build|show"),
        ("bearoff build", "required: one-sided|two-sided"),
        ("bearoff show start", "error: position is not in this table, which holds a race"),
        ("moves 24:15", "position must be start, an id"),
        ("moves 24:15/24:15/24:15", "position must be start"),
        ("moves 24:15/x:15", "opponent: must be POINT:MEN, not 'x:15'"),
        ("moves 1:15/24:15 --rules short", "both sides stand on one point"),
        ("moves 24:16/24:15", "own checkers do not add up to 15"),
        ("moves 0:15/1:15 --numbering path", "own: each point of a path must be 1..24, not 0"),
        ("moves ln1:AACA/z8AAID/P", "must be ln1: and 14 characters"),
        (f"moves xgid={START}", "xgid '4HPwATDgc/ABMA': the board must be 26 of"),
        ("moves ln1:AACA/z8AAID/Pw --rules short", "needs rules of long nardy"),
        (f"moves {START} --rules long", "needs rules of short nardy"),
        (f"moves start --gnubg {START}", "leave out --gnubg, --own and --opponent"),
        ("moves start --own 24:15 --opponent 24:15", "leave out --gnubg, --own and --opponent"),
        ("moves 65 --rules short --numbering path", "numbering 'path' is for long nardy"),
        ("moves 65 --numbering pips", "invalid choice: 'pips'"),
        ("explain start 65", "the play is missing"),
        ("explain start 67 24/18", "roll must be two dice 1..6"),
        ("explain start 65 24-18", "play must be half-moves such as"),
        ("explain start 65 24/18*/13", "in long nardy nothing is hit, so no * belongs there"),
        ("perft", "the following arguments are required: DEPTH"),
        ("perft 0", "must be an int 1..100, not '0'"),
        ("perft 101", "must be an int 1..100, not '101'"),
        ("perft two", "must be an int 1..100, not 'two'"),
        ("playouts --games 1.5", "must be an int >= 1, not '1.5'"),
        ("playouts --seed -1", "must be an int >= 0, not '-1'"),
        ("playouts --seed 18446744073709551616", "seed"),
        ("perft 1 --rules narde", "invalid choice: 'narde'"),
        ("perft 1 --set head", "--set must be OPTION=VALUE, not 'head'"),
        ("perft 1 --set head=all", "head must be one of 'blocked'"),
        ("perft 1 --set heads=named", "'heads' is no option; those of long nardy are opening"),
        ("perft 1 --set checkers=15.0", "checkers must be an int 5..15, not 15.0"),
        ("perft 1 --rules short --set head=free", "'head' is an option of long nardy"),
        ("perft 1 --gnubg x", "gnubg id 'x': must have 14 characters"),
        (f"perft 1 --gnubg {START} --rules long", "needs rules of short nardy"),
        (f"perft 1 --gnubg {START} --own 6:1", "leave out --own and --opponent"),
        ("perft 1 --own 24:15", "--own and --opponent belong together"),
        ("perft 1 --own 24 --opponent 24:15", "--own: must be POINT:MEN, not '24'"),
        ("perft 1 --own 24:x --opponent 24:15", "--own: must be POINT:MEN, not '24:x'"),
        ("perft 1 --own 24:7 24:8 --opponent 24:15", "--own: names 24 twice"),
        ("perft 1 --own 26:15 --opponent 24:15", "each point must be 1..24, 25 or 'bar'"),
        ("perft 1 --own 24:16 --opponent 24:15", "own checkers do not add up to 15"),
        ("check", "the following arguments are required: file"),
        ("check no-such-file.tsv", "No such file"),
        ("check no-such-file.tsv --rules long", "invalid choice: 'long' (choose from "),
        ("perft 1 --set game=short", "the game is no option: choose it with --rules"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    code, out, err = run(capsys, *words.split())
    assert (code, out) == (2, "")
    assert err.startswith("nardy: error: ")
    assert err.count("\n") == 1
    assert said in err


def test_a_table_that_is_no_text_is_one_line_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "latin"
    path.write_bytes(b"# comment\n" + LEGAL.encode() + b"\n# caf\xe9\n")
    said = f"nardy: error: {path}, line 3: is not UTF-8 text\n"
    assert run(capsys, "check", str(path)) == (2, "", said)


def test_usage_shows_the_order_in_which_words_are_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command, usage in {
        "moves": "[POSITION] [ROLL] [options]",
        "explain": "[POSITION] ROLL PLAY [options]",
        "perft": "DEPTH [options]",
    }.items():
        code, out, _ = run(capsys, command, "--help")
        assert (code, out.split("\n")[0]) == (0, f"usage: nardy {command} {usage}")


def test_check_offers_rules_of_short_nardy_only(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "check", "--help")
    assert "short-money" in out and "long-az" not in out


def test_help_and_version_are_no_errors(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert all(command in out for command in ("moves", "explain", "perft", "playouts", "check"))
    assert run(capsys, "--version") == (0, f"nardy {nardy.__version__}\n", "")


# --- as users run it


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "nardy.cli", *words]


def test_the_command_runs_as_a_process() -> None:
    done = subprocess.run(command("perft", "1"), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "depth 1: 22\n", "")
    words = command("explain", "start", "66", "24/18/12")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("refused: point_closed (")
    done = subprocess.run(command("perft", "x"), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process")
def test_ctrl_c_ends_playouts_with_a_report() -> None:
    running = subprocess.Popen(
        command("playouts", "--games", "1000000000"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    running.stderr.readline()  # the first line of progress
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert re.match(r"interrupted after [\d,]{4,} games, seed 0, first 0\nwin ", out)
    assert "Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close in another way")
def test_a_reader_that_stops_early_is_no_error() -> None:
    shell = f"'{sys.executable}' -m nardy.cli moves --rules short | head -1"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("short nardy, X to move")


def run_demo(corpus: Path) -> subprocess.CompletedProcess[str]:
    demo = Path(__file__).parents[1] / "examples" / "demo.py"
    return subprocess.run(
        [sys.executable, str(demo), "500", "72"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"NARDY_CORPUS": str(corpus)},
    )


def test_the_demo_shows_the_opening_and_plays(tmp_path: Path) -> None:
    done = run_demo(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(str(nardy.Position.start("long")))
    assert "\n  6-6   24:13 18:2\n" in done.stdout
    assert len(re.findall(r"^  \d-\d ", done.stdout, re.M)) == 22
    assert "$ nardy playouts --games 500 --seed 2026\nplayed 500 games" in done.stdout
    assert f"No real games at {tmp_path}" in done.stdout
    assert "$ nardy rollout 33 --trials 72 --seed 2026\n" in done.stdout
    assert re.search(r"\n  1 .* 24/.*\n  2 .* 24/.*\n.*standard errors.*\n$", done.stdout)


def test_the_demo_checks_real_decisions_where_there_are_some(tmp_path: Path) -> None:
    (tmp_path / "decisions_short.tsv").write_text(f"{LEGAL}\n{ILLEGAL}\n", encoding="utf-8")
    done = run_demo(tmp_path)
    assert done.returncode == 1
    assert done.stdout.endswith("2 decisions read: 1 illegal, 0 unreadable\n")


def test_python_m_nardy_is_the_command() -> None:
    words = [sys.executable, "-m", "nardy", "perft", "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "depth 1: 22\n"
