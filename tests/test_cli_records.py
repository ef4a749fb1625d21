"""The commands for files of matches: replay and convert."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import nardy
from nardy import cli

MATCH = """; [Event "Club"]
 3 point match

 Game 1
 Anna : 0                               Boris : 0
  1) 31: 8/5 6/5                        42: 8/4 6/4
  2)  Doubles => 2                       Drops
      Wins 1 point

 Game 2
 Anna : 1                               Boris : 0
  1) 31: 8/5 6/4                        42: the best
  2) 66: ????
                                        Wins 2 points and the match
"""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(words)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "club.mat"
    path.write_text(MATCH, encoding="utf-8")
    return str(path)


def test_replay_tells_games_refused_plays_and_totals(
    capsys: pytest.CaptureFixture[str], file: str
) -> None:
    code, out, err = run(capsys, "replay", file)
    assert (code, err) == (1, "")
    assert out.replace(file, "club.mat") == (
        "club.mat: Anna - Boris, short nardy to 3\n"
        "  game 1, 0-0: 2 plays, Anna wins 1 point (dropped)\n"
        "  game 2, 1-0: 2 plays, Boris wins 2 points (mars, resigned)\n"
        "    line 12, column 6: illegal (not_rolled): Anna, 3-1: 8/5 6/4: 6/4: no die of 3-1 makes "
        "it\n"
        "    line 12, column 41: unreadable: Boris, 4-2: play must be half-moves such as "
        "'24/18 13/8*', 'bar/20' or '6/off(2)', or 'pass'; 'the' is no half-move\n"
        "1 match, 2 games, 4 plays: 1 illegal, 1 unreadable, 0 contradictions\n"
    )


def test_replay_of_what_is_in_order_ends_with_0(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    match = nardy.Match("long", length=None, seed=3)
    match.game.play_out()
    nardy.write([match, match], tmp_path / "a.mat")
    nardy.write(match, tmp_path / "b.json")
    code, out, err = run(capsys, "replay", str(tmp_path / "a.mat"), str(tmp_path / "b.json"))
    assert (code, err) == (0, "")
    plays = 3 * match.game.turn_number
    assert out.endswith(
        f"3 matches, 3 games, {plays} plays: 0 illegal, 0 unreadable, 0 contradictions\n"
    )


def test_replay_as_json(capsys: pytest.CaptureFixture[str], file: str) -> None:
    code, out, err = run(capsys, "replay", file, "--json")
    match, totals = map(json.loads, out.splitlines())
    assert (code, err) == (1, "")
    assert (match["file"], match["players"], match["score"]) == (file, ["Anna", "Boris"], [1, 2])
    first, second = match["games"]
    assert first["result"] == {"winner": 0, "points": 1, "kind": "oin", "how": "dropped"}
    assert (first["declared"], first["refused"], second["plays"]) == ([0, 1], [], 2)
    assert [each["reason"] for each in second["refused"]] == ["not_rolled", None]
    assert second["refused"][0]["words"] == "8/5 6/4" and second["refused"][0]["line"] == 12
    assert totals["totals"]["illegal"] == totals["totals"]["unreadable"] == 1


def test_rules_can_be_chosen(capsys: pytest.CaptureFixture[str], file: str) -> None:
    code, out, _ = run(capsys, "replay", file, "--rules", "short", "--set", "cube=false")
    assert code == 1 and "illegal (no_cube)" in out
    code, out, err = run(capsys, "replay", file, "--rules", "chess")
    assert (code, out) == (2, "") and "--rules" in err


def test_convert_writes_and_tells_what_it_could_not_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, file: str
) -> None:
    target = tmp_path / "club.json"
    code, out, err = run(capsys, "convert", file, str(target))
    assert (code, out) == (1, "")  # the words of one play are kept, and are no play
    assert err.endswith("4 plays: 1 illegal, 1 unreadable, 0 contradictions\n")
    [before], [after] = nardy.read(file), nardy.read(target)
    assert before == after and after.tag("event") == "Club"
    (tmp_path / "bad.mat").write_text(MATCH + "\nmilk\n", encoding="utf-8")
    code, out, err = run(capsys, "convert", str(tmp_path / "bad.mat"), "-")
    assert code == 1 and "bad.mat: line 16, column 1: no line of a match: 'milk'" in err
    assert [*nardy.read(io.StringIO(out))] == [after]


def test_convert_refuses_a_target_before_it_reads(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, file: str
) -> None:
    for words, expected in (
        ((file, str(tmp_path / "club.xg")), "OUT must end with one of .mat, .txt, .json"),
        ((file, str(tmp_path / "club.xg")), "or --to say the form: '"),
        ((str(tmp_path / "nothing.mat"), "-"), "nothing.mat: No such file"),
        ((file, str(tmp_path / "no" / "club.mat")), "club.mat: No such file"),
        ((str(tmp_path), "-"), "Is a directory"),
    ):
        code, out, err = run(capsys, "convert", *words)
        assert (code, out) == (2, "") and expected in err, words


def test_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def given(data: bytes) -> Any:
        return SimpleNamespace(buffer=io.BytesIO(data))

    monkeypatch.setattr(sys, "stdin", given(MATCH.encode()))
    _, out, _ = run(capsys, "convert", "-", "-", "--to", "json")
    monkeypatch.setattr(sys, "stdin", given(out.encode()))
    _, out, _ = run(capsys, "convert", "-", "-")
    monkeypatch.setattr(sys, "stdin", given(out.encode()))
    _, out, _ = run(capsys, "replay", "-")
    assert out.startswith("-: Anna - Boris, short nardy to 3\n")


def test_a_reader_that_leaves_ends_the_command_quietly(tmp_path: Path) -> None:
    path = tmp_path / "many.mat"
    path.write_text(MATCH * 500, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "nardy", "replay", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert (process.stderr.read(), process.wait(60)) == (b"", 141)


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams as a shell does")
@pytest.mark.parametrize(
    ("words", "streams", "expected"),
    [
        ("show start", ">&-", "standard output is closed"),
        ("replay -", "<&-", "-: standard input is closed"),
        ("show -", "<&-", "-: standard input is closed"),
    ],
)
def test_closed_streams(words: str, streams: str, expected: str) -> None:
    command = f"{sys.executable} -m nardy {words} {streams}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"nardy: error: {expected}\n")


def test_a_file_of_something_else_is_no_match(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("name,points\nx,3\n", encoding="utf-8")
    (kept := tmp_path / "kept.mat").write_text(MATCH, encoding="utf-8")
    for target in ("-", str(kept)):
        code, out, err = run(capsys, "convert", str(tmp_path / "a.csv"), target)
        assert (code, out) == (2, "") and "no line of a match" in err
        assert err.endswith("a.csv: holds no match, so nothing is written\n")
    assert kept.read_text(encoding="utf-8") == MATCH
    (tmp_path / "b.gz").write_bytes(b"\x1f\x8b\x08\0\0")
    code, _, err = run(capsys, "replay", str(tmp_path / "b.gz"))
    assert code == 2 and "b.gz: source must be text" in err


def test_an_empty_file_is_an_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (empty := tmp_path / "empty.mat").touch()
    said = f"nardy: error: {empty}: is empty\n"
    assert run(capsys, "replay", str(empty)) == (2, "", said)
    assert run(capsys, "convert", str(empty), str(tmp_path / "out.mat")) == (2, "", said)
    assert not (tmp_path / "out.mat").exists()
