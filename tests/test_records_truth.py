"""Match files of every dialect are read to what was played, real ones as the slow reader does."""

import io
import os
from pathlib import Path

import pytest

import nardy
from nardy import GameRecord, Node, Position
from proof import make_mat, slow_mat
from proof.make_mat import DIALECTS, TrueGame, make

CORPUS = Path(os.environ.get("NARDY_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
FILES = sorted((CORPUS / "mat").glob("*.mat"))
QUICK = 12
"""Real files that the quick test reads."""

Told = tuple[object, ...]


def row(position: Position | None) -> tuple[int, ...] | None:
    return None if position is None else tuple(position.row.tolist())


def told(node: Node) -> Told:
    if node.action in ("play", "roll"):
        return node.side, node.action, node.roll, row(node.position), row(node.after)
    return node.side, node.action, node.value if node.action == "double" else None


def written(node: make_mat.Node | slow_mat.Move) -> Told:
    if node.kind != "play":
        return node.side, node.kind, node.value if node.kind == "double" else None
    assert node.roll is not None
    roll = max(node.roll), min(node.roll)
    return node.side, "roll" if node.after is None else "play", roll, node.before, node.after


def done(game: GameRecord) -> list[Told]:
    """What was done; giving up is no words of a text, but follows from its result."""
    assert all(node.is_legal in (True, None) for node in game.nodes)
    return [told(node) for node in game.nodes if node.action != "resign"]


def result(game: GameRecord | TrueGame) -> tuple[int | None, int] | None:
    return None if game.result is None else (game.result.winner, game.result.points)


@pytest.mark.parametrize("loose", [False, True], ids=["as the program", "loose"])
@pytest.mark.parametrize("game", ["short", "long"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_dialect_is_read_to_what_was_played(dialect: str, game: str, loose: bool) -> None:
    for seed in range(8):
        data, truth = make(seed, dialect, game, loose=loose)
        (match,) = nardy.read(io.BytesIO(data))
        assert match.faults == () and match.rules.game == game
        assert (match.length, match.players) == (truth.length, truth.players)
        assert game == "short" or match.rules == truth.rules
        assert len(match.games) == len(truth.games)
        for found, wanted in zip(match.games, truth.games, strict=True):
            assert (found.number, found.score) == (wanted.number, wanted.score)
            assert found.is_crawford == wanted.is_crawford
            assert done(found) == list(map(written, wanted.nodes))
            assert result(found) == result(wanted)


def test_the_second_column_is_where_the_header_has_it() -> None:
    lines = [f"{' a : 0':24}b : 0", f"{'  1) 31: 8/5 6/5':24}64: 24/14", f"{'':24} Wins 1 point"]
    (match,) = nardy.read(io.StringIO("\n".join([" 3 point match", " Game 1", *lines, ""])))
    assert match.games[0].declared == (1, 1)


def compare(files: list[Path]) -> int:
    """Compare files node by node and count the nodes."""
    nodes = 0
    for path in files:
        (match,) = nardy.read(path)
        slow = slow_mat.read(path.read_text(encoding="utf-8"))
        for found, wanted in zip(match.games, slow.games, strict=True):
            assert (found.number, found.score) == (wanted.number, wanted.score)
            assert done(found) == list(map(written, wanted.moves)), path.name
            assert found.declared == wanted.declared
            assert wanted.result in (None, result(found))
            nodes += len(wanted.moves)
    return nodes


@pytest.mark.corpus
@pytest.mark.skipif(not FILES, reason=f"no real games at {CORPUS}: NARDY_CORPUS names their folder")
@pytest.mark.parametrize(
    "files", [FILES[:QUICK], pytest.param(FILES, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_real_files_are_read_as_the_slow_reader_does(files: list[Path]) -> None:
    assert compare(files) > 150 * len(files)
