"""The evaluators of examples/evaluators.py, each where its library is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import nardy

SCRIPT = Path(__file__).resolve().parents[1] / "examples" / "evaluators.py"


@pytest.fixture(scope="module")
def examples() -> Any:
    spec = importlib.util.spec_from_file_location("examples_evaluators", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = ModuleType(spec.name)
    module.__spec__ = spec
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["NumPy", "PyTorch", "JAX", "ONNX"])
@pytest.mark.parametrize("game", ["long", "short"])
def test_evaluator_keeps_its_contract(examples: Any, name: str, game: str) -> None:
    modules, make = examples.EVALUATORS[name]
    for module in modules:
        pytest.importorskip(module, reason=f"no {module} installed")
    evaluator = make()
    found = nardy.check_evaluator(evaluator, game)
    assert (found.kind, found.dtype) == ("chances", np.dtype("f4"))
    # The last bits of a matrix product may depend on the batch; no more than they.
    assert found.largest_difference < 1e-5
    rows = nardy.random_rows(500, rules=game, seed=1)
    assert evaluator(rows) == pytest.approx(examples.of_numpy()(rows), abs=1e-4)
    position = nardy.Position.start(game)
    assert nardy.Bot(evaluator, game, plies=1).choose(position, "33") in position.plays("33")


def test_the_script_says_what_it_leaves_out(
    examples: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        examples,
        "EVALUATORS",
        {"NumPy": examples.EVALUATORS["NumPy"], "Nobody": (("no_such_module",), None)},
    )
    examples.main()
    one, other = capsys.readouterr().out.splitlines()
    assert one.startswith("NumPy    chances, 256 rows, ")
    assert other == "Nobody   left out: no no_such_module installed"
