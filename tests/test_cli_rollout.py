"""``nardy rollout``: a position or the plays of a roll, played out at the command line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nardy
from nardy import cli
from nardy.stakes import Stakes
from nardy.trials import Job

LONG = nardy.Position.start("long")
SHORT = nardy.Position.start("short")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(["rollout", *words])
    out, err = capsys.readouterr()
    return code, out, err


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    assert "Infinity" not in out and "NaN" not in out  # which JSON does not know
    return json.loads(out)


def lines(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """What is printed below the board."""
    code, out, err = run(capsys, *words)
    assert code == 0, err
    assert max(map(len, out.splitlines())) <= 100
    return out.split("\n\n")[1].splitlines()


def assert_json_is(said: Any, found: nardy.Rollout | nardy.RolledPlay, interval: Any) -> None:
    assert said["equity"] == found.equity
    assert said["standard_error"] == found.standard_error
    assert said["interval"] == list(interval)
    assert found.chances is not None
    assert said["chances"] == dict(zip(nardy.CHANCES, found.chances.tolist(), strict=True))


def test_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "start", "--rules", "short", "--trials", "108", "--seed", "3")
    assert code == 0, err
    board, told = out.split("\n\n")
    assert board == str(SHORT)
    found = nardy.rollout(SHORT, seed=3, trials=108)
    low, high = found.interval()
    head, equity, *chances = told.splitlines()
    assert re.fullmatch(
        r"played 108 trials of seed 3 by network, 0-ply: \d+\.\d s, [\d,]+ games a second", head
    )
    assert equity == (
        f"equity      {found.equity:+8.4f}   95 % within {low:+.4f} .. {high:+.4f}   "
        f"standard error {found.standard_error:.4f}"
    )
    assert found.chances is not None and found.chance_errors is not None
    assert [line.split()[-1] for line in chances] == [f"{x:.2%}" for x in found.chance_errors]
    assert [re.sub(" .*", "", line[12:].strip()) for line in chances] == [
        f"{x:.2%}" for x in found.chances
    ]


def test_the_plays_of_a_roll(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["start", "31", "--rules", "short", "--trials", "144", "--candidates", "4"]
    head, names, *ranked, clear = lines(capsys, *words)
    found = nardy.rollout_plays(SHORT, "31", seed=0, trials=144, candidates=4)
    assert head.startswith("roll 3-1: played 144 trials of seed 0 by network, 0-ply: ")
    assert names.split() == "equity +-95 % to best +-95 % win win mars lose mars play".split()
    assert [line[names.index("play") :] for line in ranked] == [str(entry.play) for entry in found]
    for place, (line, entry) in enumerate(zip(ranked, found, strict=True)):
        numbers = line[: names.index("play")].split()
        low, high = found.interval(place)
        assert entry.chances is not None
        shares = [f"{entry.chances[column]:.2%}" for column in (0, 1, 3)]
        assert numbers[:3] == [f"{place + 1}", f"{entry.equity:+.4f}", f"{(high - low) / 2:.4f}"]
        assert numbers[-3:] == shares
        if place:
            wide = (high - low) / 2 / entry.standard_error * entry.behind_error
            assert numbers[3:-3] == [f"{-entry.behind:+.4f}", f"{wide:.4f}"]
        else:
            assert len(numbers) == 6
    assert clear.endswith(f"leads by {found.lead():.1f} standard errors of the difference")


@pytest.mark.parametrize(("trials", "says"), [("2160", "clearly best: "), ("72", "not clear ")])
def test_whether_the_best_is_clearly_best(
    capsys: pytest.CaptureFixture[str], trials: str, says: str
) -> None:
    *_, last = lines(capsys, "33", "--trials", trials, "--seed", "1")
    assert last.startswith(says)


def test_of_36_trials_no_error_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    *_, first, second, last = lines(capsys, "33", "--trials", "36")
    assert first.split()[2] == second.split()[2] == second.split()[4] == "?"
    assert last == "the errors are not known yet: 36 trials have each first throw once"
    assert "error unknown" in lines(capsys, "--trials", "36")[1]
    said = asked(capsys, "33", "--trials", "36")["plays"][1]
    assert said["standard_error"] is said["behind_error"] is None
    assert said["interval"] == [None, None]


def test_a_lone_play_and_the_other_numbering(capsys: pytest.CaptureFixture[str]) -> None:
    *_, play = lines(capsys, "65", "--trials", "72", "--numbering", "path")
    assert play.endswith("  1/12")


def test_the_roll_after_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    start = ["--own", "24:15", "--opponent", "24:15", "--trials", "72", "--roll", "33"]
    assert lines(capsys, *start)[1:] == lines(capsys, "33", "--trials", "72")[1:]


def test_json_says_what_a_rollout_says(capsys: pytest.CaptureFixture[str]) -> None:
    said = asked(capsys, "--trials", "108", "--seed", "9", "--first", "36")
    found = nardy.rollout(LONG, seed=9, trials=108, first=36)
    assert_json_is(said, found, found.interval())
    assert found.chance_errors is not None
    assert list(said["chance_errors"].values()) == found.chance_errors.tolist()
    assert said["question"] == found.question
    assert (said["trials"], said["first"], said["interrupted"]) == (108, 36, False)
    assert said["row"] == LONG.row.tolist()


def test_json_says_what_a_rollout_of_plays_says(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["start", "31", "--rules", "short", "--trials", "108", "--candidates", "3"]
    said = asked(capsys, *words)
    found = nardy.rollout_plays(SHORT, "31", seed=0, trials=108, candidates=3)
    assert (said["roll"], said["lead"]) == ([3, 1], found.lead())
    assert said["question"] == found.question
    for place, (told, entry) in enumerate(zip(said["plays"], found, strict=True)):
        assert_json_is(told, entry, found.interval(place))
        assert (told["play"], told["row"]) == (str(entry.play), entry.play.after.row.tolist())
        assert (told["behind"], told["behind_error"]) == (entry.behind, entry.behind_error)


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ("--evaluator spread", {"evaluator": nardy.Spread("long")}),
        ("--evaluator uniform", {"evaluator": nardy.Uniform("long")}),
        ("--truncate 4", {"truncate": 4}),
        ("--truncate 1 --variance-reduction", {"truncate": 1, "variance_reduction": True}),
        (
            "--evaluator playouts --games 2 --truncate 3 --seed 5",
            {"evaluator": nardy.RandomGames("long", games=2, seed=5), "truncate": 3, "seed": 5},
        ),
        (
            "--plies 1 --truncate 2",
            {"evaluator": nardy.Search(nardy.network("long"), plies=1), "truncate": 2},
        ),
        ("--threads 1", {}),
        ("--threads 3", {}),
    ],
)
def test_options_are_those_of_a_rollout(
    capsys: pytest.CaptureFixture[str], words: str, how: dict[str, Any]
) -> None:
    said = asked(capsys, "--trials", "72", *words.split())
    found = nardy.rollout(LONG, **{"seed": 0, "trials": 72} | how)
    assert said["question"] == found.question
    assert (said["equity"], said["standard_error"]) == (found.equity, found.standard_error)


POINTS = nardy.MatchEquity(5)


@pytest.mark.parametrize(
    ("words", "stakes"),
    [
        ("--cube 1", nardy.Money(nardy.Cube())),
        ("--cube 2:own", nardy.Money(nardy.Cube(2, 0, is_turned=True))),
        ("--cube 2:opponent", nardy.Money(nardy.Cube(2, 1, is_turned=True))),
        ("--score 5-3", nardy.MatchPlay(POINTS, 5, 3)),
        ("--score 3-5 --cube 1", nardy.MatchPlay(POINTS, 3, 5, nardy.Cube())),
        ("--score 5-3 --cube 4:own", nardy.MatchPlay(POINTS, 5, 3, nardy.Cube(4, 0, True))),
        ("--score 5-1 --cube 1", nardy.MatchPlay(POINTS, 5, 1, nardy.Cube())),
        (
            "--score 5-1 --cube 1 --crawford-done",
            nardy.MatchPlay(POINTS, 5, 1, nardy.Cube(), crawford_done=True),
        ),
        (
            "--score 5-3 --mars 0.5",
            nardy.MatchPlay(nardy.MatchEquity(5, mars=0.5), 5, 3),
        ),
        ("--score 5-3 --mars 0", nardy.MatchPlay(nardy.MatchEquity(5, mars=0.0), 5, 3)),
    ],
)
def test_what_is_played_for(capsys: pytest.CaptureFixture[str], words: str, stakes: Stakes) -> None:
    options = ["--rules", "short", "--trials", "72", *words.split()]
    said = asked(capsys, "start", *options)
    found = nardy.rollout(SHORT, seed=0, trials=72, stakes=stakes)
    assert found.stakes == stakes and said["question"] == found.question
    assert_json_is(said, found, found.interval())
    said = asked(capsys, "start", "31", *options, "--candidates", "3")
    ranked = nardy.rollout_plays(SHORT, "31", seed=0, trials=72, stakes=stakes, candidates=3)
    assert said["question"] == ranked.question
    for place, (told, entry) in enumerate(zip(said["plays"], ranked, strict=True)):
        assert_json_is(told, entry, ranked.interval(place))


def test_a_match_of_long_nardy_says_how_often_mars_is_won(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = asked(capsys, "--trials", "72", "--score", "2-4", "--mars", "0.2")
    stakes = nardy.MatchPlay(nardy.MatchEquity(4, rules="long", mars=0.2), 2, 4)
    assert said["equity"] == nardy.rollout(LONG, seed=0, trials=72, stakes=stakes).equity


def test_an_equity_without_chances(capsys: pytest.CaptureFixture[str]) -> None:
    said = asked(capsys, "--plies", "1", "--truncate", "1", "--trials", "72")
    assert said["chances"] is None
    words = ["33", "--plies", "1", "--truncate", "1", "--trials", "72"]
    _, names, *_ = lines(capsys, *words)
    assert "win" not in names
    assert len(lines(capsys, *words[1:])) == 2


def test_tables_end_games(capsys: pytest.CaptureFixture[str]) -> None:
    said = asked(capsys, "6:2/5:3", "--tables", "--trials", "72")
    pairs = nardy.bearoff.two_sided(rules="long")
    exact = pairs.chances(nardy.Position.from_points({6: 2}, {5: 3}, rules="long").row[None])
    assert said["chances"]["win"] == pytest.approx(exact[0, 0], abs=1e-6)
    assert said["standard_error"] == 0


def test_it_stops_once_it_is_sure_enough(capsys: pytest.CaptureFixture[str]) -> None:
    head = lines(capsys, "--trials", "3600", "--truncate", "6", "--standard-error", "0.01")[0]
    found = nardy.rollout(LONG, seed=0, trials=3600, truncate=6, standard_error=0.01)
    assert 216 <= found.trials < 3600
    assert head.startswith(f"played {found.trials:,} of 3,600 trials of seed 0 ")
    said = asked(capsys, "33", "--trials", "3600", "--clear", "1.5")
    assert 216 <= said["trials"] < 3600 and said["lead"] >= 1.5


def test_a_checkpoint_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    assert "a second" in lines(capsys, "33", "--trials", "72", "--checkpoint", kept)[0]
    more = ["33", "--trials", "144"]
    assert "a second" not in lines(capsys, *more, "--checkpoint", kept)[0]
    assert json.loads(Path(kept).read_text())["trials"] == [[0, 144]]
    # Nothing is left to play.
    assert lines(capsys, *more, "--checkpoint", kept)[1:] == lines(capsys, *more)[1:]
    code, out, err = run(capsys, "33", "--seed", "1", "--checkpoint", kept)
    assert (code, out) == (2, "")
    assert err.startswith("nardy: error: checkpoint: ") and "seed is 0 there, 1 here" in err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["start", "77"], "roll must be two dice"),
        (["77"], "roll must be two dice"),
        (["--roll", "77"], "roll must be two dice"),
        (["33", "--roll", "33"], "--roll: the roll is named already"),
        (["6:1", "1:1", "65"], "rollout takes a position and a roll, not 3 words"),
        (["/1:1", "65"], "its game is over"),
        (["--trials", "100"], "trials must be a multiple of 36"),
        (["--trials", "0"], "must be an int >= 1, not '0'"),
        (["--first", "1"], "first must be a multiple of 36"),
        (["--seed", "-1"], "must be an int 0..18446744073709551615, not '-1'"),
        (["--plies", "2"], "must be an int 0..1, not '2'"),
        (["--evaluator", "luck"], "invalid choice: 'luck'"),
        (["--truncate", "0"], "must be an int >= 1, not '0'"),
        (["--truncate", "5", "--evaluator", "spread"], "--truncate needs an evaluator that speaks"),
        (["--plies", "1", "--evaluator", "uniform"], "--plies: uniform plays without looking"),
        (["--variance-reduction", "--evaluator", "uniform"], "Uniform holds all boards equal"),
        (["--standard-error", "0"], "standard_error must be a number above 0, not 0.0"),
        (["--standard-error", "nan"], "standard_error must be a number above 0, not nan"),
        (["--standard-error", "x"], "invalid float value: 'x'"),
        (["33", "--clear", "-1"], "clear must be a number above 0"),
        (["--clear", "3"], "--clear is about plays: name a roll"),
        (["--candidates", "3"], "--candidates is about plays: name a roll"),
        (["33", "--candidates", "0"], "must be an int >= 1, not '0'"),
        (["--cube", "3"], "--cube: value must be a power of two, not 3"),
        (["--cube", "0"], "--cube: value must be a power of two, not 0"),
        *(
            (
                ["--cube", text],
                f"--cube: wanted a cube such as 1, 2:own or 4:opponent, not {text!r}",
            )
            for text in ("2:me", "2:", ":own", "x", "-2", "1.0")
        ),
        *(
            (
                ["--score", text],
                "--score: wanted the points that each side needs, such as 5-3, not ",
            )
            for text in ("5", "5-", "-3", "5:3", "5-3-1", "x-y")
        ),
        (["--rules", "short", "--score", "0-5"], "own must be an int 1..5, not 0"),
        (["--rules", "short", "--score", "101-5"], "length must be an int 1..100, not 101"),
        (["--score", "5-3"], "mars must be given for long nardy"),
        (["--mars", "0.2"], "--mars is about a match: name a --score"),
        (["--mars", "0"], "--mars is about a match: name a --score"),
        (["--crawford-done"], "--crawford-done is about a match: name a --score"),
        (["--score", "5-3", "--mars", "2"], "mars must be a number 0..1, not 2.0"),
        (["--cube", "1", "--evaluator", "uniform"], "evaluator: Uniform holds all boards equal"),
        (["--checkpoint", os.path.join("no", "such", "folder"), "--trials", "36"], "No such file"),
    ],
)
def test_complaints(capsys: pytest.CaptureFixture[str], words: list[str], complaint: str) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("nardy: error: ") and complaint in err and err.count("\n") == 1


def test_an_interruption_before_the_first_chunk_is_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(Job, "play", stopped)
    code, out, err = run(capsys, "65", "--trials", "36", "--threads", "1")
    assert (code, err) == (130, "")
    (line,) = out.split("\n\n")[1].splitlines()
    assert line.startswith("roll 6-5: interrupted after 0 of 36 trials of seed 0 by network")
    code, out, _ = run(capsys, "--trials", "36", "--threads", "1", "--json")
    said = json.loads(out)
    assert (code, said["interrupted"], said["trials"]) == (130, True, 0)
    assert "equity" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_keeps_the_checkpoint_and_prints_the_part(threads: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    words = ["33", "--trials", "3600000", "--checkpoint", str(kept), "--threads", threads]
    running = subprocess.Popen(
        [sys.executable, "-m", "nardy.cli", "rollout", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    running.stderr.readline()  # the first line of progress
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in err
    head, *_, last = out.split("\n\n")[1].splitlines()
    done = re.match(r"roll 3-3: interrupted after ([\d,]+) of 3,600,000 trials of seed 0 ", head)
    assert done is not None and "standard errors" in last
    trials = int(done[1].replace(",", ""))
    assert json.loads(kept.read_text())["trials"] == [[0, trials]]
    part = nardy.rollout_plays(LONG, "33", seed=0, trials=trials, checkpoint=kept)
    assert np.isclose(part[0].equity, float(out.split("\n  1 ")[1].split()[0]), atol=1e-4)
