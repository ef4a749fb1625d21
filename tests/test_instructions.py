"""The ceiling of instructions: when it fails and when it only reports."""

from __future__ import annotations

import json
from typing import Any

import pytest

import count_instructions as tool

HERE = {"compiler": "gcc 12.2.0", "machine": "x86_64"}
STORED: dict[str, Any] = {**HERE, "ceiling": {"v3": {"counts": 100.0}}}


def test_up_to_the_ceiling_nothing_fails() -> None:
    assert tool.compare(STORED, {"v3": {"counts": 100.0}}, HERE) == []


def test_above_the_ceiling_fails_and_names_the_figure() -> None:
    (line,) = tool.compare(STORED, {"v3": {"counts": 100.1}}, HERE)
    assert line == "v3, counts: 100.1, above 100.0"


def test_what_has_no_ceiling_fails() -> None:
    assert len(tool.compare(STORED, {"v3": {"playouts": 1.0}}, HERE)) == 1
    assert len(tool.compare(STORED, {"v4": {"counts": 1.0}}, HERE)) == 1


@pytest.mark.parametrize("changed", ["compiler", "machine"])
def test_another_compiler_or_machine_reports_and_does_not_fail(
    changed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = HERE | {changed: "other"}
    assert tool.compare(STORED, {"v3": {"counts": 200.0}}, other) == []
    said = capsys.readouterr().out
    assert "nothing fails" in said and "200.0, above 100.0" in said


def test_the_total_of_a_part_is_read() -> None:
    assert tool.total("version: 1\nfn=(1)\n1 5\ntotals: 1234\n") == 1234
    with pytest.raises(AssertionError, match="no total"):
        tool.total("version: 1\n")


def test_every_job_has_a_ceiling_in_every_width() -> None:
    stored = json.loads(tool.CEILING.read_text(encoding="utf-8"))
    names = {job.name for job in tool.work()}
    assert set(stored["ceiling"]) == set(tool.WIDTHS)
    assert all(set(figures) == names for figures in stored["ceiling"].values())
