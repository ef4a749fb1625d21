"""The small network: against NumPy, and the same bits everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nardy
from nardy.nardy_core import network_values
from nardy.networks import input_lines
from proof.walks import Rows
from proof.widths import forms

GAMES = ("long", "short")


def weights(units: int = 64, seed: int = 1, scale: float = 0.3) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    shapes = {"table": (808, units), "bias": (units,), "second": (units + 1, 8)}
    return {k: rng.normal(0, scale, shape).astype(np.float32) for k, shape in shapes.items()}


def plain(rows: Rows, rules: nardy.Rules, table: Any, bias: Any, second: Any) -> Any:
    """The same in NumPy and float64, board by board."""
    found = np.zeros((len(rows), 5))
    for i, row in enumerate(rows.astype(int)):
        points = nardy.Position.from_row(row, rules=rules).outcome
        if points is not None:
            found[i] = [points > 0, points > 1, points > 2, points < -1, points < -2]
            continue
        hidden = bias.astype(np.float64)
        for point in range(1, 25):
            if row[point]:
                hidden = hidden + table[31 * (point - 1) + 15 + row[point]]
        for place, column in enumerate((0, 25, 26, 27)):
            if row[column]:
                hidden = hidden + table[744 + 16 * place + row[column]]
        out = np.maximum(hidden, 0) @ second[:-1].astype(np.float64) + second[-1]
        win, mars, koks, lost_mars, lost_koks = 1 / (1 + np.exp(-out[:5]))
        mars = 0 if row[26] else min(mars, win)
        lost_mars = 0 if row[0] else min(lost_mars, 1 - win)
        none = rules.game == "long" and rules.koks == "none"
        koks, lost_koks = (0, 0) if none else (min(koks, mars), min(lost_koks, lost_mars))
        found[i] = win, mars, koks, lost_mars, lost_koks
    return found


@pytest.mark.parametrize("units", [32, 64, 256])
@pytest.mark.parametrize(
    "rules", [nardy.LONG, nardy.SHORT, nardy.LONG.replace(koks="no_home", checkers=7)], ids=repr
)
def test_values_are_those_of_numpy(rules: nardy.Rules, units: int) -> None:
    rows = nardy.random_rows(400, rules=rules, seed=2)
    over, _ = nardy.after_states_all_rolls(rows[rows[:, 0] > rules.checkers - 2], rules=rules)
    rows = np.ascontiguousarray(np.vstack([rows, over[:50]]))
    given = weights(units)
    found = network_values(rows, rules=rules, **given)
    assert found.dtype == np.float32
    assert np.allclose(found, plain(rows, rules, **given), atol=2e-6)


@pytest.mark.parametrize("scale", [0.0, 5.0, 1000.0])
def test_the_logistic_function_holds_at_its_ends(scale: float) -> None:
    given = weights(32)
    given["second"][:] = 0
    rows = nardy.Position.start("short").row[None]
    for value in np.linspace(-scale, scale, 41).astype(np.float32):
        given["second"][-1] = value
        with np.errstate(over="ignore"):
            wanted = 1 / (1 + np.exp(-np.float64(value)))
        assert network_values(rows, rules="short", **given)[0, 0] == pytest.approx(wanted, abs=2e-7)


@pytest.mark.parametrize("game", GAMES)
def test_a_value_depends_on_its_row_alone(game: str) -> None:
    rows = nardy.random_rows(5000, rules=game, seed=9)
    given = weights(128)
    whole = network_values(rows, rules=game, **given)
    order = np.random.default_rng(1).permutation(len(rows))
    shuffled = network_values(np.ascontiguousarray(rows[order]), rules=game, threads=3, **given)
    assert (shuffled == whole[order]).all()
    for at in (0, 1, 4999):
        assert (network_values(rows[at : at + 1], rules=game, **given) == whole[at]).all()
    for form in forms().values():
        assert (form.network_values(rows, rules=game, **given) == whole).all()


@pytest.mark.parametrize("game", GAMES)
def test_lines_are_those_of_the_kernel(game: str) -> None:
    rows = nardy.random_rows(300, rules=game, seed=4)
    given = weights(32)
    inputs = np.zeros((len(rows), 808), np.float32)
    inputs[input_lines(rows)] = 1
    hidden = np.maximum(inputs @ given["table"] + given["bias"], 0)
    wins = 1 / (1 + np.exp(-(hidden @ given["second"][:-1] + given["second"][-1])[:, 0]))
    running = nardy.outcomes(rows, rules=game) == 0
    assert np.allclose(
        network_values(rows, rules=game, **given)[running, 0], wins[running], atol=1e-5
    )


@pytest.mark.parametrize(
    ("changed", "error", "expected"),
    [
        ({"bias": np.zeros(31, np.float32)}, ValueError, "bias: wanted 32, 64"),
        ({"bias": np.zeros(288, np.float32)}, ValueError, "bias: wanted 32, 64"),
        ({"bias": np.zeros((1, 32), np.float32)}, ValueError, "bias: wanted 32, 64"),
        ({"bias": np.zeros(64)}, TypeError, "bias"),
        ({"table": np.zeros((808, 32), np.float32)}, ValueError, r"table: wanted shape \(808, 64"),
        ({"table": [[0.0]]}, TypeError, "table"),
        ({"second": np.zeros((64, 8), np.float32)}, ValueError, r"second: wanted shape \(65, 8"),
        ({"second": np.zeros((8, 65), np.float32).T}, ValueError, "strides"),
        ({"rows": np.zeros((1, 32), np.int8)}, nardy.InvalidPosition, "row 0"),
        ({"threads": 0}, ValueError, "threads"),
    ],
)
def test_wrong_use(changed: dict[str, Any], error: type, expected: str) -> None:
    given: dict[str, Any] = weights() | changed
    rows = given.pop("rows", nardy.Position.start("short").row[None])
    with pytest.raises(error, match=expected):
        network_values(rows, rules="short", **given)


# --- Network


def test_a_network_is_saved_and_read(tmp_path: Path) -> None:
    given = weights(32)
    network = nardy.Network(**given, rules="long")
    path = tmp_path / "mine.npz"
    network.save(path)
    again = nardy.Network.load(path, rules="long-az")
    rows = nardy.random_rows(50, rules="long", seed=1)
    assert (again(rows) == network(rows)).all() and again.rules == nardy.rules("long-az")
    assert [*tmp_path.iterdir()] == [path]
    with pytest.raises(ValueError, match="the network is for long nardy"):
        nardy.Network.load(path, rules="short")
    for data in (b"", b"PK\x03\x04 no archive", path.read_bytes()[:-200]):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"mine\.npz holds no network"):
            nardy.Network.load(path)
    np.savez(path, table=given["table"])
    with pytest.raises(ValueError, match="holds no network"):
        nardy.Network.load(path)
    with pytest.raises(FileNotFoundError):
        nardy.Network.load(tmp_path / "none.npz")


@pytest.mark.parametrize("rules", nardy.PRESETS.values(), ids=lambda rules: repr(rules)[:40])
def test_the_shipped_networks_value_boards(rules: nardy.Rules) -> None:
    network = nardy.network(rules)
    rows = nardy.random_rows(2000, rules=rules, seed=3)
    chances = network(rows)
    win, mars, koks, lost_mars, lost_koks = chances.T
    assert (chances >= 0).all() and (mars <= win).all() and (koks <= mars).all()
    assert (lost_mars <= 1 - win).all() and (lost_koks <= lost_mars).all()
    assert rules.game == "short" or not koks.any()
    # Who is far ahead in pips wins more often: no more is asked here.
    pips = [nardy.Position.from_row(row, rules=rules).pips for row in rows]
    ahead = np.array([theirs - own for own, theirs in pips])
    running = nardy.outcomes(rows, rules=rules) == 0
    assert win[running & (ahead > 60)].mean() > 0.6 > 0.4 > win[running & (ahead < -60)].mean()


def test_weights_are_finite() -> None:
    for name in ("table", "bias", "second"):
        given = weights(32)
        given[name].flat[3] = np.inf
        with pytest.raises(ValueError, match=f"{name}: wanted finite weights"):
            nardy.Network(**given, rules="long")
