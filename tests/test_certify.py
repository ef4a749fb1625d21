"""The long proof in small: it can be stopped and resumed, replays one pair, and can fail."""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import certify
import nardy
from proof import bites
from proof.boards import start

TOOL = Path(certify.__file__)


def words(folder: Path) -> list[str]:
    small = ["--pairs=900", "--games=40", "--seed=5", "--processes=2"]
    return [sys.executable, str(TOOL), *small, f"--folder={folder}", f"--output={folder}/out.json"]


def certificate(folder: Path) -> dict[str, Any]:
    written: dict[str, Any] = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    del written["minutes"]
    return written


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a signal as POSIX does")
def test_an_interrupted_proof_goes_on_to_the_same_certificate(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    # So few pairs cannot show that every rule bites: the proof says so and fails.
    assert subprocess.run(words(whole), check=False, capture_output=True).returncode == 1
    progress = parts / "progress.json"
    for seconds in range(1, 60):  # a little longer each time, until something was done
        before = progress.stat().st_mtime_ns if progress.exists() else 0
        run = subprocess.Popen(words(parts), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not progress.exists() or progress.stat().st_mtime_ns == before:
            time.sleep(0.05)  # it is written as soon as the work begins
            assert run.poll() is None
        time.sleep(seconds / 2)
        run.send_signal(signal.SIGINT)
        out, errors = run.communicate(timeout=60)
        assert run.returncode == 130, errors.decode()
        assert b"the same words go on" in out
        assert not (parts / "out.json").exists()
        if json.loads(progress.read_text(encoding="utf-8"))["chunks"] > 0:
            break
    assert subprocess.run(words(parts), check=False, capture_output=True).returncode == 1
    assert certificate(parts) == certificate(whole)
    written = certificate(whole)
    assert written["pairs"] == 900 and written["disagreements"] == 0
    assert all(fault.startswith("never bit: ") for fault in written["faults"])
    assert {told["playouts"]["games"] for told in written["games"].values()} == {40}


def test_progress_of_another_kernel_or_size_is_not_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "folder" / "progress.json"
    certify.save(path, certify.Progress({"pairs": 5}, chunks=3))
    assert certify.load(path, {"pairs": 5}).chunks == 3
    assert certify.load(path, {"pairs": 6}).chunks == 0
    assert "starting anew" in capsys.readouterr().out


def test_one_pair_is_replayed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    rules = nardy.LONG.replace(head="named", head_doubles={4, 6}, checkers=9)
    row = ",".join(map(str, start(rules).tolist()))
    assert certify.main([f"--row={row}", "--roll=6,6", f"--rules={rules!r}"]) == 0
    said = capsys.readouterr().out
    assert "agree on 1 after-states" in said and f'--rules="{rules!r}"' in said


def test_rules_are_read_as_they_are_written() -> None:
    rules = nardy.LONG.replace(block="home", bearoff_mandatory=True, head_doubles={1})
    assert certify.read_rules(repr(rules)) == rules
    assert certify.read_rules("long-ua") == nardy.rules("long-ua")
    for text in ("print(1)", "Rules", "long-"):
        with pytest.raises(ValueError, match="Rules"):
            certify.read_rules(text)


def failing(**found: Any) -> list[str]:
    """The faults of a certificate that is perfect but for what was found."""
    progress = certify.Progress(
        {"fingerprint": certify.fingerprint()}, bites=dict.fromkeys(bites.required(), 1)
    )
    for name, value in found.items():
        setattr(progress, name, value)
    written = certify.certificate(argparse.Namespace(seed=1, pairs=1), progress)
    assert (written["result"] == "passed") == (not written["faults"])
    faults: list[str] = written["faults"]
    return faults


def test_a_certificate_fails_on_a_disagreement_and_on_a_rule_that_never_bit() -> None:
    assert failing() == []
    assert failing(disagreements=2) == ["2 disagreements"]
    some = dict.fromkeys(bites.required() - {"larger die"}, 1)
    assert failing(bites=some) == ["never bit: larger die"]


def test_a_certificate_fails_where_playouts_differ_from_turns_played_one_by_one() -> None:
    walked = {
        "games": 1000,
        "turns": 95_000,
        "turns_squared": 9_061_000,
        "longest": 120,
        "outcomes": {1: 500, -1: 500},
    }
    alike = {"long": {"blocks": 1, "turn_by_turn": walked, "playouts": walked}}
    assert failing(presets=alike) == []
    for change in ({"turns": 97_000, "turns_squared": 9_445_000}, {"outcomes": {1: 700, -1: 300}}):
        other = {"long": {"blocks": 1, "turn_by_turn": walked, "playouts": walked | change}}
        (fault,) = failing(presets=other)
        assert fault.startswith("games of long: ")
