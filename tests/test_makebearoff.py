"""The slow recursion beside GNU Backgammon's own tables, where its program is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nardy
from proof import makebearoff
from proof.bearoff import OneSided, TwoSided

pytestmark = pytest.mark.skipif(
    makebearoff.program() is None, reason="makebearoff (Debian: package gnubg) is not installed"
)


@pytest.mark.parametrize(("points", "checkers"), [(3, 15), (6, 3)])
def test_one_side(points: int, checkers: int, tmp_path: Path) -> None:
    table, slow = makebearoff.one_sided(tmp_path, points), OneSided(nardy.SHORT)
    # Those of 15 on three points: a sample, since each is a long way from the end.
    chosen = [row for row, placement in enumerate(table.placements) if sum(placement) <= checkers]
    chosen = chosen[:84] + chosen[84::9]
    assert {sum(table.placements[row]) for row in chosen} == {*range(checkers + 1)}
    for row in chosen:
        placement = table.placements[row]
        # Its numbers are rounded, and so are those that they are made of.
        last = slow.distribution(placement, 20)
        np.testing.assert_allclose(table.last[row, :21], np.array(last, float), atol=4e-5)
        assert not table.last[row, 21:].any()
        if sum(placement) == 15:
            first = slow.distribution(placement, 20, True)
            np.testing.assert_allclose(table.first[row, :21], np.array(first, float), atol=4e-5)


@pytest.mark.parametrize(("points", "checkers"), [(3, 3), (6, 2)])
def test_two_sides(points: int, checkers: int, tmp_path: Path) -> None:
    listed, values = makebearoff.two_sided(tmp_path, points, checkers)
    slow = TwoSided(nardy.SHORT)
    for row, own in enumerate(listed):
        for column, opponent in enumerate(listed):
            if any(own) and any(opponent):
                cubeless, centred, mine, his = slow.undoubled(own, opponent)
                expected = np.array([cubeless, mine, centred, his], float)
                np.testing.assert_allclose(values[row, column], expected, atol=1e-4)
