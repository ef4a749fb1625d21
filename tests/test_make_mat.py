"""The writer of random match files: what it writes is read to the truth, in every dialect."""

from collections import Counter
from random import Random

import pytest

import nardy
from proof import make_mat, slow_mat
from proof.make_mat import DIALECTS, Node, TrueGame, make

GAMES = ("short", "long")


def told(game: slow_mat.SlowGame) -> list[Node]:
    """What the slow reader found, as nodes without half-moves."""
    return [
        Node(
            move.side,
            move.kind,
            None if move.roll is None else (max(move.roll), min(move.roll)),
            move.before,
            move.after,
            value=move.value,
        )
        for move in game.moves
    ]


def written(game: TrueGame) -> list[Node]:
    """What the text says of the truth: half-moves in words, and a number of doubles alone."""
    return [
        Node(
            n.side, n.kind, n.roll, n.before, n.after, value=n.value if n.kind == "double" else None
        )
        for n in game.nodes
    ]


@pytest.mark.parametrize("loose", [False, True], ids=["as the program", "loose"])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_text_is_read_to_the_truth(dialect: str, game: str, loose: bool) -> None:
    for seed in range(3):
        data, truth = make(seed, dialect, game, loose=loose)
        match = slow_mat.read(data.decode(), truth.rules)
        assert match.length == (truth.length or 0) and len(match.games) == len(truth.games)
        for found, wanted in zip(match.games, truth.games, strict=True):
            assert (found.number, found.score) == (wanted.number, wanted.score)
            assert found.fault is None
            assert told(found) == written(wanted)
            result = wanted.result and (wanted.result.winner, wanted.result.points)
            assert found.declared == result and found.result in (None, result)


def test_everything_that_a_match_can_hold_is_met() -> None:
    met: Counter[str] = Counter()
    for seed in range(25):
        for game in GAMES:
            _, truth = make(seed, "xg", game)
            met[f"length {truth.length}"] += 1
            for each in truth.games:
                result = each.result
                met.update([result.how, str(result.kind)] if result else ["broken off"])
                met["crawford"] += each.is_crawford
                for node in each.nodes:
                    met[node.kind] += 1
                    met["pass"] += node.after is not None and node.kind == "play" and not node.steps
                    met["not played"] += node.after is None and node.kind == "play"
    wanted = (
        "play double take drop beaver raccoon borne_off resigned dropped pass crawford oin mars"
    )
    assert not {*wanted.split(), "koks", "broken off", "not played", "length None"} - {*+met}


def test_a_match_is_made_again_from_its_seed() -> None:
    assert make(4, "galaxy", "short", loose=True) == make(4, "galaxy", "short", loose=True)
    assert make(4, "galaxy", "short") != make(5, "galaxy", "short")


def test_the_words_mean_the_play_to_the_package_too() -> None:
    rng = Random(11)
    for game in GAMES:
        _, truth = make(6, "studio", game, loose=True)
        dialect = make_mat.loosened(DIALECTS["studio"], rng)
        for node in [n for each in truth.games for n in each.nodes if n.steps][:60]:
            assert node.before is not None and node.roll is not None
            words = make_mat.word(node, truth.rules, dialect, rng)
            position = nardy.Position.from_row(node.before, rules=truth.rules)
            assert tuple(position.play(words, roll=node.roll).row.tolist()) == node.after


def test_each_program_writes_in_its_own_way() -> None:
    texts = {
        name: "".join(make(s, name, "short")[0].decode() for s in range(3)) for name in DIALECTS
    }
    assert "*" not in texts["galaxy"] and "bar" not in texts["galaxy"].lower()
    assert "Losses" in texts["galaxy"] and "points" not in texts["galaxy"]
    assert all(word in texts["studio"] for word in ("bar/", "/off", "(2)", "*", "Cannot Move"))
    assert all(word in texts["xg"] for word in ("Bar/", "/Off", "(2)", "\r\n", "\ufeff"))
    assert "[" not in texts["plain"] and " \n" in texts["plain"] and "/0" in texts["plain"]
    assert " 13:" in texts["playok"] and "(2)" not in texts["playok"]
