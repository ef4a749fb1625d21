"""What the README shows runs: its Python blocks as one session, and its commands."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from nardy.cli import main

README = Path(__file__).resolve().parents[1] / "README.md"


def test_readme_examples_run() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    assert blocks and all(">>> " in block for block in blocks)
    session = doctest.DocTestParser().get_doctest(
        "\n".join(blocks), {}, README.name, str(README), 0
    )
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=said.append)
    assert result.failed == 0, "".join(said)


def test_readme_commands_run(capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"`nardy ([^`]+)`", README.read_text(encoding="utf-8"))
    assert commands
    for command in commands:
        if "FILE" not in command:
            assert main(command.split()) == 0, capsys.readouterr().err
