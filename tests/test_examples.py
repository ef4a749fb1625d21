"""The analysis scripts in examples/, run as users run them; what is certain in their tables."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import nardy

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
START = "4HPwATDgc/ABMA"


def run(script: str, *words: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / script), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_first_rolls_lists_each_play_of_each_roll_once() -> None:
    _, *lines, _, total = run("first_rolls.py", "50")
    assert total == "22 after-states of 21 rolls; 50 random games from each, seed 2026"
    plays = [re.split(r"\s{2,}", line)[:2] for line in lines]
    assert len(plays) == 22
    rolls = [f"{large}-{small}" for large, small in nardy.ROLLS.tolist()]
    assert list(dict.fromkeys(roll for roll, _ in plays)) == rolls
    assert plays.count(["6-6", "24/18(2)"]) == 1
    assert [play for roll, play in plays if roll == "6-5"] == ["24/13"]
    assert len({play for roll, play in plays if roll == "3-3"}) == 2


def test_first_rolls_counts_the_replies_by_their_chances() -> None:
    # After 6-5 each roll has one reply but 3-3, which has two: 37 in 36.
    (line,) = (line for line in run("first_rolls.py", "1") if line.startswith("6-5"))
    assert line.split()[2] == f"{37 / 36:.2f}"


def test_first_rolls_says_the_same_twice() -> None:
    assert run("first_rolls.py", "20") == run("first_rolls.py", "20")


def test_variants_counts_changed_turns() -> None:
    head, totals, *lines = run("variants.py")
    assert head.split() == ["turns", "changed", "by", "first", "random", "building"]
    assert totals.split()[:2] == ["of", "483"]  # 21 rolls at the start, 21 after each of 22 boards
    first = {line.split()[0]: line.split()[1:3] for line in lines}
    assert len(first) == 12
    # What the table of rules §4 says: 6-6, 4-4 and 3-3 on all 23 boards, 5-5 on six of them, and
    # 6-2, 5-3 and 2-2 after 5-5. Named doubles leave out the last nine, a literal list two of them.
    assert first["head=none"] == ["78", "16.15%"]
    assert (first["head=named"][0], first["head=listed"][0]) == ("9", "2")
    assert first["head=blocked_double"][0] == "2"
    assert all(first[name][0] == "0" for name in first if name.startswith("block"))
    building = {line.split()[0]: int(line.split()[5].replace(",", "")) for line in lines}
    assert 0 < building["block=home"] < building["block=never"] < building["block=strict"]


def test_compare_policy_of_its_own_table() -> None:
    lines = run("compare_policy.py")
    assert lines[0] == "8 decisions, 1 of them forced"
    every, *kinds = (re.split(r"\s{2,}", line)[1:3] for line in lines[3:8])
    assert every == ["7", "4"]
    assert [sum(int(kind[i]) for kind in kinds) for i in (0, 1)] == [7, 4]
    assert lines[-3].split() == ["3", "4-3", "24/21", "13/9", "13/6"]
    assert {line.split()[0] for line in lines[-3:]} == {"3", "8", "9"}


def test_compare_policy_takes_a_table(tmp_path: Path) -> None:
    table = tmp_path / "decisions.tsv"
    table.write_text(f"{START}\t31\tsGfwATDgc/ABMA\n")
    lines = run("compare_policy.py", str(table))
    assert lines[0] == "1 decisions, 0 of them forced"
    assert lines[3].split()[4:] == ["1", "1", "100.0%", "20.7%", "..", "100.0%"]


def test_compare_policy_refuses_an_illegal_decision(tmp_path: Path) -> None:
    table = tmp_path / "decisions.tsv"
    table.write_text(f"{START}\t31\t{START}\n")
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "compare_policy.py"), str(table)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be compared" in done.stderr


@pytest.mark.corpus
def test_compare_policy_reads_real_games() -> None:
    corpus = Path(os.environ.get("NARDY_CORPUS", Path(__file__).parents[2] / "shared/corpus"))
    table = corpus / "decisions_short.tsv"
    if not table.exists():
        pytest.skip(f"no real games at {corpus}: NARDY_CORPUS names their folder")
    lines = run("compare_policy.py", str(table))
    assert lines[0] == "18,605 decisions, 3,482 of them forced"
    choices, agreed = (int(word.replace(",", "")) for word in lines[3].split()[4:6])
    assert choices == 18_605 - 3_482
    assert choices / 4 < agreed < choices / 2  # a policy of three lines is neither blind nor good
