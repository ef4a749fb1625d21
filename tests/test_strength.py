"""The shipped networks play as they should: games of a seed, so the same each time."""

from __future__ import annotations

from typing import Any

import pytest

import nardy

pytestmark = pytest.mark.slow

# Share of 1,000 games won at least. 10,000 of each are in docs/networks.md.
WANTED = {
    ("short", "uniform"): 0.99,
    ("short", "pips"): 0.75,
    ("long", "uniform"): 0.93,
    ("long", "spread"): 0.60,
    ("long", "runner"): 0.60,
}
PLAYERS: dict[str, Any] = {
    "uniform": nardy.Uniform,
    "pips": nardy.Pips,
    "spread": nardy.Spread,
    "runner": nardy.Runner,
}


@pytest.mark.parametrize(("game", "player"), WANTED, ids=" against ".join)
def test_the_network_beats_the_simple_players(game: str, player: str) -> None:
    bot, other = nardy.Bot(nardy.network(game)), nardy.Bot(PLAYERS[player](game))
    found = nardy.duel(bot, other, games=1000, seed=1)
    assert found.wins.low > WANTED[game, player] - 0.01
    assert found.wins.share >= WANTED[game, player]


@pytest.mark.parametrize("game", ["long", "short"])
def test_a_ply_of_lookahead_beats_none(game: str) -> None:
    network = nardy.network(game)
    found = nardy.duel(nardy.Bot(network, plies=1), nardy.Bot(network), games=300, seed=1)
    assert found.points > 0 and found.wins.share > 0.5


@pytest.mark.parametrize("game", ["long", "short"])
def test_the_networks_contract(game: str) -> None:
    found = nardy.check_evaluator(nardy.network(game))
    assert (found.kind, found.is_batch_independent) == ("chances", True)


@pytest.mark.parametrize("game", ["long", "short"])
def test_where_tables_reach_they_are_played_by(game: str) -> None:
    tables = nardy.Tables(game, nardy.network(game))
    pairs = nardy.bearoff.two_sided(points=6, checkers=6, rules=game)
    rows = nardy.random_rows(60_000, rules=game, seed=8)
    rows = rows[pairs.covers(rows) & (nardy.outcomes(rows, rules=game) == 0)]
    assert len(rows) > 100
    assert abs(tables(rows)[:, 0] - pairs.win(rows)).max() < 1e-6
