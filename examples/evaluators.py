"""Evaluators of NumPy, PyTorch, JAX and ONNX: the same small net, ten lines each.

Run it with ``python examples/evaluators.py``: it checks those whose library is installed. The net
has made-up weights; yours brings its own.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nardy

Rows = NDArray[np.int8]
Evaluator = Callable[[Rows], NDArray[np.float32]]

_RNG = np.random.default_rng(2026)
FIRST: NDArray[np.float32] = _RNG.normal(0, 0.1, (32, 64)).astype(np.float32)
SECOND: NDArray[np.float32] = _RNG.normal(0, 0.1, (64, 5)).astype(np.float32)


def cumulative(shares: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn five shares of 0..1 into chances: wins, marses of the wins, koks of those; of losses.

    So whatever the net says, a koks is a mars and a mars a win.
    """
    won = np.cumprod(shares[:, :3], axis=1)
    lost = (1 - shares[:, :1]) * np.cumprod(shares[:, 3:], axis=1)
    return np.concatenate([won, lost], axis=1)


def of_numpy() -> Evaluator:
    """Make one of matrices."""

    def evaluator(rows: Rows) -> NDArray[np.float32]:
        hidden = np.maximum(rows.astype(np.float32) @ FIRST, 0)
        return cumulative(1 / (1 + np.exp(-(hidden @ SECOND))))

    return evaluator


def of_torch() -> Evaluator:
    """Make one of a PyTorch module."""
    torch = importlib.import_module("torch")
    net = torch.nn.Sequential(
        torch.nn.Linear(32, 64, bias=False), torch.nn.ReLU(),
        torch.nn.Linear(64, 5, bias=False), torch.nn.Sigmoid(),
    )  # fmt: skip
    net.load_state_dict({"0.weight": torch.tensor(FIRST.T), "2.weight": torch.tensor(SECOND.T)})

    def evaluator(rows: Rows) -> NDArray[np.float32]:
        with torch.inference_mode():
            return cumulative(net(torch.from_numpy(rows).float()).numpy())

    return evaluator


def of_jax() -> Evaluator:
    """Make one of a function that JAX compiles."""
    jax = importlib.import_module("jax")
    net = jax.jit(lambda x: jax.nn.sigmoid(jax.nn.relu(x @ FIRST) @ SECOND))

    def evaluator(rows: Rows) -> NDArray[np.float32]:
        # Each shape is compiled once: batches are filled up to a power of two.
        block = np.zeros((1 << (len(rows) - 1).bit_length(), 32), np.float32)
        block[: len(rows)] = rows
        return cumulative(np.asarray(net(block))[: len(rows)])

    return evaluator


def of_onnx(model: Any = None) -> Evaluator:
    """Make one of an ONNX model: a path, or the bytes of one."""
    runtime = importlib.import_module("onnxruntime")
    session = runtime.InferenceSession(model or onnx_model(), providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def evaluator(rows: Rows) -> NDArray[np.float32]:
        return cumulative(session.run(None, {name: rows.astype(np.float32)})[0])

    return evaluator


def onnx_model() -> bytes:
    """Write the net as ONNX; yours comes from the program that trained it."""
    onnx = importlib.import_module("onnx")
    make, kind = onnx.helper, onnx.TensorProto.FLOAT
    nodes = [
        make.make_node("MatMul", ["rows", "first"], ["hidden"]),
        make.make_node("Relu", ["hidden"], ["active"]),
        make.make_node("MatMul", ["active", "second"], ["raw"]),
        make.make_node("Sigmoid", ["raw"], ["shares"]),
    ]
    weights = [
        onnx.numpy_helper.from_array(w, n) for w, n in [(FIRST, "first"), (SECOND, "second")]
    ]
    ends = [
        make.make_tensor_value_info(n, kind, ["m", k]) for n, k in [("rows", 32), ("shares", 5)]
    ]
    graph = make.make_graph(nodes, "net", ends[:1], ends[1:], weights)
    opsets = [make.make_opsetid("", 13)]
    model: bytes = make.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()
    return model


EVALUATORS: dict[str, tuple[tuple[str, ...], Callable[[], Evaluator]]] = {
    "NumPy": (("numpy",), of_numpy),
    "PyTorch": (("torch",), of_torch),
    "JAX": (("jax",), of_jax),
    "ONNX": (("onnxruntime", "onnx"), of_onnx),
}
"""Each with the modules that it needs."""


def missing(modules: tuple[str, ...]) -> list[str]:
    """Return those modules that are not installed."""
    return [name for name in modules if importlib.util.find_spec(name) is None]


def main() -> None:
    """Check each evaluator whose library is there, and let a bot play by it."""
    start = nardy.Position.start("short")
    for name, (modules, make) in EVALUATORS.items():
        absent = missing(modules)
        if absent:
            print(f"{name:<8} left out: no {', '.join(absent)} installed")
            continue
        evaluator = make()
        found = nardy.check_evaluator(evaluator, "short")
        play = nardy.Bot(evaluator, "short", plies=1).choose(start, "31")
        print(f"{name:<8} {found.kind}, {found.rows} rows, {found.largest_difference:.0e} ", end="")
        print(f"apart in another batch; 3-1: {play}")


if __name__ == "__main__":
    main()
