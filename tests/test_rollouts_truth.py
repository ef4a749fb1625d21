"""Rollouts come to what is true, and say honestly how far off they may be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nardy

PER_ROLLOUT = 216


def bearoffs(game: nardy.Rules, n: int, men: int, seed: int) -> list[nardy.Position]:
    """Draw positions of up to so many men a side, all at home, that are not as good as decided."""
    draw = np.random.default_rng(seed)
    table = nardy.bearoff.two_sided(6, men, rules=game)
    found: list[nardy.Position] = []
    while len(found) < n:
        sides = []
        for _ in range(2):
            points = draw.integers(1, 7, size=int(draw.integers(1, men + 1)))
            sides.append({int(point): int((points == point).sum()) for point in {*points.tolist()}})
        position = nardy.Position.from_points(*sides, rules=game)
        if 0.03 < table.win(position.row[None])[0] < 0.97:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("rules", "men"),
    [("short", 6), ("long", 6), ("long with five", 5), ("long, any overshoot", 4)],
)
def test_perfect_players_come_to_the_exact_tables(rules: str, men: int) -> None:
    game = {
        "long with five": nardy.LONG.replace(checkers=5),
        "long, any overshoot": nardy.LONG.replace(bearoff_overshoot="any"),
    }.get(rules) or nardy.rules(rules)
    table = nardy.bearoff.two_sided(6, men, rules=game)
    perfect = nardy.Tables(game, checkers=men)
    off = []
    for number, position in enumerate(bearoffs(game, 200, men, seed=1)):
        chances = table.chances(position.row[None])[0]
        exact = float(nardy.equities(chances[None])[0])
        found = nardy.rollout(position, perfect, seed=number, trials=PER_ROLLOUT)
        assert found.chances is not None and found.chance_errors is not None
        # All of 216 games may end alike though one in some thousand does not: at least so much.
        least = (chances * (1 - chances) / PER_ROLLOUT) ** 0.5
        assert abs(found.equity - exact) < 4 * max(found.standard_error, 2 * float(least[0]))
        apart = np.abs(found.chances - chances)
        assert (apart <= 4 * np.maximum(found.chance_errors, least) + 1e-6).all()
        if found.standard_error > float(least[0]):  # not where the first throw decides nearly all
            off.append((found.equity - exact) / found.standard_error)
    # In units of the errors they are spread as they should be, about nothing.
    assert len(off) > 80
    assert abs(np.mean(off)) < 4 / len(off) ** 0.5 and 0.8 < np.std(off) < 1.2


@pytest.mark.parametrize("game", ["short", "long"])
def test_without_its_luck_perfect_play_does_not_vary(game: str) -> None:
    table = nardy.bearoff.two_sided(6, 6, rules=game)
    perfect = nardy.Tables(game)
    for position in bearoffs(nardy.rules(game), 20, 6, seed=2):
        found = nardy.rollout(position, perfect, seed=3, trials=72, variance_reduction=True)
        exact = 2 * table.win(position.row[None])[0] - 1
        assert found.equity == pytest.approx(exact, abs=1e-5)
        assert found.standard_error < 1e-5


@pytest.mark.parametrize("game", ["short", "long"])
def test_ending_in_the_tables_is_as_good_as_playing_on(game: str) -> None:
    # A race from a little outside: the evaluator knows the tables, so both are perfect from there.
    position = nardy.Position.from_points({8: 1, 5: 2, 2: 2}, {7: 1, 4: 2, 1: 2}, rules=game)
    tables = nardy.Tables(game, nardy.network(game))
    on = nardy.rollout(position, tables, seed=4, trials=2160)
    ended = nardy.rollout(position, tables, seed=4, trials=2160, tables=nardy.Tables(game))
    both = (on.standard_error**2 + ended.standard_error**2) ** 0.5
    assert abs(on.equity - ended.equity) < 4 * both
    assert ended.standard_error < 0.7 * on.standard_error


def without_sense(rows: Any) -> Any:
    """Tell chances that have nothing to do with the board, but are always the same for one."""
    mixed = (rows.astype(np.int64) * np.arange(3, 35) ** 2).sum(axis=1) * 7919 % 101 / 101
    win = 0.1 + 0.8 * mixed
    return np.stack([win, win * 0.5, win * 0.1, (1 - win) * 0.4, (1 - win) * 0.1], axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["short", "long"])
@pytest.mark.parametrize("who", ["network", "without sense"])
def test_variance_reduction_has_the_same_mean(game: str, who: str) -> None:
    position = nardy.Position.start(game)
    evaluator: Any = nardy.network(game) if who == "network" else without_sense
    # Who plays without sense plays for ever.
    how: dict[str, Any] = {"seed": 11, "truncate": None if who == "network" else 6}
    plain = nardy.rollout(position, evaluator, trials=4320, **how)
    reduced = nardy.rollout(position, evaluator, trials=648, variance_reduction=True, **how)
    both = (plain.standard_error**2 + reduced.standard_error**2) ** 0.5
    assert abs(plain.equity - reduced.equity) < 4 * both
    assert plain.chances is not None and reduced.chances is not None
    assert plain.chance_errors is not None and reduced.chance_errors is not None
    apart = np.abs(plain.chances - reduced.chances)
    assert (apart <= 4 * np.hypot(plain.chance_errors, reduced.chance_errors) + 1e-9).all()
    if who == "network":  # without sense nothing need be gained: it is the mean that counts
        factor = plain.standard_error / reduced.standard_error * (4320 / 648) ** 0.5
        assert factor > 2  # of one trial: 3.3 to 3.7 in short nardy, 2.3 to 2.6 in long nardy


def covering(true: float, intervals: list[tuple[float, float]]) -> int:
    return sum(low <= true <= high for low, high in intervals)


def test_intervals_cover_what_is_exact() -> None:
    position = nardy.Position.from_points({6: 2, 4: 1, 1: 1}, {5: 2, 3: 2}, rules="short")
    exact = 2 * nardy.bearoff.two_sided(6, 6, rules="short").win(position.row[None])[0] - 1
    perfect = nardy.Tables("short")
    intervals, of_half = [], 0
    for part in range(200):
        found = nardy.rollout(
            position, perfect, seed=5, trials=PER_ROLLOUT, first=part * PER_ROLLOUT
        )
        intervals.append(found.interval())
        low, high = found.interval(0.5)
        of_half += low <= exact <= high
    assert 181 <= covering(float(exact), intervals) <= 198
    assert 79 <= of_half <= 121  # half of them, within three standard errors


@pytest.mark.slow
@pytest.mark.parametrize("game", ["short", "long"])
@pytest.mark.parametrize("reduced", [False, True])
def test_intervals_cover_what_many_more_trials_come_to(game: str, reduced: bool) -> None:
    start = nardy.Position.start(game)
    how: dict[str, Any] = {"truncate": 3, "variance_reduction": reduced}
    many = 21_600 if reduced else 216_000
    true = nardy.rollout(start, seed=12, trials=many, threads=2, **how)
    intervals = [
        nardy.rollout(start, seed=13, trials=72, first=72 * part, **how).interval()
        for part in range(200)
    ]
    assert 181 <= covering(true.equity, intervals) <= 199


@pytest.mark.slow
def test_intervals_of_differences_cover_theirs() -> None:
    start = nardy.Position.start("short")
    how: dict[str, Any] = {"plays": ["8/5 6/5", "13/9"], "truncate": 4}
    true = nardy.rollout_plays(start, "31", seed=14, trials=216_000, threads=2, **how)
    assert str(true.best) == "8/5 6/5"
    apart, own = 0, 0
    for part in range(200):
        found = nardy.rollout_plays(start, "31", seed=15, trials=72, first=part * 72, **how)
        best, other = found
        sign = 1 if str(best.play) == "8/5 6/5" else -1
        half = 2.03 * other.behind_error  # of 36 degrees of freedom
        apart += abs(sign * other.behind - true[1].behind) <= half
        low, high = found.interval([str(entry.play) for entry in found].index("13/9"))
        own += low <= true[1].equity <= high
    assert 181 <= apart <= 198 and 181 <= own <= 198
