"""What README and docs show runs: the Python blocks of a page as one session, the commands."""

from __future__ import annotations

import doctest
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from nardy.cli import main
from nardy.errors import ACTION_REASONS, REASONS

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
TURNS = ROOT / "docs" / "turns.md"
CHANCE = ROOT / "docs" / "chance.md"
BEAROFF = ROOT / "docs" / "bearoff.md"
EQUITY = ROOT / "docs" / "match_equity.md"
GAME = ROOT / "docs" / "game.md"
RECORDS = ROOT / "docs" / "records.md"
IDS = ROOT / "docs" / "ids.md"
EVALUATE = ROOT / "docs" / "evaluate.md"
NETWORKS = ROOT / "docs" / "networks.md"
ROLLOUTS = ROOT / "docs" / "rollouts.md"
STAKES = ROOT / "docs" / "stakes.md"
PAGES = [
    README,
    TURNS,
    CHANCE,
    BEAROFF,
    EQUITY,
    GAME,
    RECORDS,
    IDS,
    EVALUATE,
    NETWORKS,
    ROLLOUTS,
    STAKES,
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    assert blocks and all(">>> " in block for block in blocks)
    if find_spec("distributed") is None:  # the extra `cluster`
        blocks = [block for block in blocks if "from distributed import" not in block]
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=said.append)
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize("page", [README, EVALUATE, ROLLOUTS, STAKES], ids=lambda page: page.name)
def test_commands_run(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"`nardy ([^`]+)`", page.read_text(encoding="utf-8"))
    assert commands
    for command in commands:
        if "FILE" not in command and not command.startswith(
            "play"
        ):  # which tests/test_play.py does
            assert main(shlex.split(command)) == 0, capsys.readouterr().err


def test_the_page_on_turns_lists_every_reason() -> None:
    listed = re.findall(r"^\| `(\w+)` \| (.+) \|$", TURNS.read_text(encoding="utf-8"), re.M)
    assert dict(listed) == dict(REASONS)


def test_the_page_on_games_lists_every_reason_of_an_action() -> None:
    why = GAME.read_text(encoding="utf-8").partition("## Why an action is refused")[2]
    listed = re.findall(r"^\| `(\w+)` \| (.+) \|$", why, re.M)
    assert dict(listed) == dict(ACTION_REASONS)
