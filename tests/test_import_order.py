"""Imports run one way: a file uses only what stands before it (docs/architecture.md)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[1] / "src"

# A name stands for the module and for what is inside it, unless that has a line of its own.
PYTHON_ORDER = """
    errors options dice parts outfile board nardy_core
    draw formats wording referee plays bearoff position turn
    batch encodings features playouts networks
    values players exact search tally bots chance duels
    cube live_cube equity stakes trials sums chunks rolled checkpoints plans rollouts
    clocks endings phases events transitions records uniform games
    matches states replays replaying recording files
    reference decisions arguments rulings advising progress races showing reviewing rolling
    telling playing
    __init__ cli __main__
""".split()

KERNEL_ORDER = """
    bits lanes rules deltas board block halfmoves pairs stacks sinks orders plays unequal doubles
    generate referee wording counts picks outcome random playout stop perft start batch segments
    network features
    placements onesided twosided race
""".split()


def rank(module: str, order: list[str]) -> int:
    """Place a dotted name; ValueError if the list has neither it nor what it lies in."""
    while module not in order and "." in module:
        module = module.rpartition(".")[0]
    return order.index(module)


def python_imports(code: str) -> Iterator[str]:
    """Names within the package that a file imports, anywhere in it but for types alone."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []  # what a type checker reads carries no data
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full: from nardy.dice import ..."
            whole = node.module == "nardy"
            names = [f"nardy.{a.name}" for a in node.names] if whole else [node.module or ""]
        else:
            continue
        for name in names:
            if name == "nardy" or name.startswith("nardy."):
                yield name.removeprefix("nardy").removeprefix(".") or "__init__"


def kernel_imports(code: str) -> Iterator[str]:
    """Names of the kernel's files that a file cimports."""
    yield from re.findall(r"^\s*from\s+nardy_core\.(\w+)\s+cimport", code, re.MULTILINE)
    yield from re.findall(r"^\s*cimport\s+nardy_core\.(\w+)", code, re.MULTILINE)


def python_files() -> Iterator[tuple[str, str]]:
    for path in sorted((SRC / "nardy").rglob("*.py")):
        parts = path.relative_to(SRC / "nardy").with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
        yield name, path.read_text(encoding="utf-8")


def kernel_files() -> Iterator[tuple[str, str]]:
    for path in sorted((SRC / "nardy_core").glob("*.pxd")):
        if path.stem != "__init__":
            yield path.stem, path.read_text(encoding="utf-8")


def backward(name: str, imported: Iterator[str], order: list[str]) -> list[str]:
    """Arrows of one file that run back, or that name something without a place."""
    wrong = []
    for target in imported:
        inside = target.split(".")[0] == name.split(".")[0]  # a folder orders itself
        if not inside and rank(target, order) >= rank(name, order):
            wrong.append(f"{name} -> {target}")
    return wrong


@pytest.mark.parametrize(("name", "code"), [*python_files()], ids=lambda value: value[:20])
def test_python_imports_run_one_way(name: str, code: str) -> None:
    assert rank(name, PYTHON_ORDER) >= 0
    assert backward(name, python_imports(code), PYTHON_ORDER) == []


@pytest.mark.parametrize(("name", "code"), [*kernel_files()], ids=lambda value: value[:20])
def test_kernel_cimports_run_one_way(name: str, code: str) -> None:
    assert rank(name, KERNEL_ORDER) >= 0
    assert backward(name, kernel_imports(code), KERNEL_ORDER) == []


def test_reference_imports_nothing_of_the_package() -> None:
    path = SRC / "nardy" / "reference.py"
    assert list(python_imports(path.read_text(encoding="utf-8"))) == []


def test_an_arrow_that_runs_back_is_found() -> None:
    code = "def late():\n    from nardy.plays import Play\nimport nardy\nfrom nardy import turn\n"
    assert set(backward("dice", python_imports(code), PYTHON_ORDER)) == {
        "dice -> plays",
        "dice -> __init__",
        "dice -> turn",
    }
    code = "from nardy_core.plays cimport walk\nfrom libc.math cimport sqrt\n"
    assert backward("board", kernel_imports(code), KERNEL_ORDER) == ["board -> plays"]
