"""Rollouts of odd boards, at the ends of all ranges, with bad evaluators and bad files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nardy
from nardy.checkpoints import _digest

LONG = nardy.Position.start("long")
SHORT = nardy.Position.start("short")
LAST = 2**64 - 1


def points(own: dict[Any, int], opponent: dict[Any, int], rules: Any) -> nardy.Position:
    return nardy.Position.from_points(own, opponent, rules=rules)


# --- odd boards


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("game", ["long", "short"])
def test_a_game_that_is_over_is_what_it_is(game: str, reduced: bool) -> None:
    won = points({}, {6: 15}, game)
    found = nardy.rollout(won, seed=1, trials=72, variance_reduction=reduced)
    assert (found.equity, found.standard_error) == (won.outcome, 0)
    assert found.chances is not None and found.chances.tolist() == [1, 1, 0, 0, 0]
    lost = nardy.rollout(won.flip(), seed=1, trials=72, truncate=3)
    assert lost.equity == -2 and lost.chances is not None
    assert lost.chances.tolist() == [0, 0, 0, 1, 0]
    with pytest.raises(ValueError, match="position: its game is over"):
        nardy.rollout_plays(won, "31", seed=1)


def test_koks_counts_three() -> None:
    over = points({}, {1: 1, 24: 14}, "short")
    assert over.outcome == 3
    found = nardy.rollout(over, seed=1, trials=72, stakes=nardy.Money(nardy.Cube(4, owner=1)))
    assert found.equity == 12


def test_a_play_that_wins_is_worth_the_game() -> None:
    last = points({2: 1}, {6: 2}, "short")
    (only,) = nardy.rollout_plays(last, "21", seed=1, trials=72)
    assert (only.equity, only.standard_error, only.behind, only.behind_error) == (1, 0, 0, 0)
    assert only.chances is not None and only.chances.tolist() == [1, 0, 0, 0, 0]
    # Of 36 throws 1-1 alone may not win at once: but it is enough here as well.
    assert nardy.rollout(last, seed=1, trials=36).equity == 1


def test_both_sides_on_closed_bars() -> None:
    # Nobody can enter as long as both boards are closed, and nobody else may move.
    closed = dict.fromkeys(range(1, 7), 2) | {"bar": 3}
    board = points(closed, closed, "short")
    for reduced in (False, True):
        with pytest.raises(ValueError, match="neither side can ever move again"):
            nardy.rollout(board, seed=1, trials=36, variance_reduction=reduced)
    cut = nardy.rollout(board, seed=1, trials=36, truncate=5)
    assert -3 <= cut.equity <= 3
    assert nardy.rollout(board, nardy.Uniform("short"), seed=1, trials=36).equity == 0


@pytest.mark.parametrize(
    "rules",
    [
        nardy.LONG.replace(checkers=5),
        nardy.LONG.replace(koks="no_home", bearoff_overshoot="exact", doubles_moves=2),
        nardy.LONG.replace(head="free", block="free", bearoff_mandatory=True),
        nardy.rules("long-fnr2026"),
        nardy.rules("short"),
    ],
    ids=lambda rules: repr(rules)[:40],
)
def test_other_rules(rules: nardy.Rules) -> None:
    start = nardy.Position.start(rules)
    one = nardy.rollout(start, seed=3, trials=36)
    assert one.question["options"] == rules.options()
    assert one == nardy.rollout(start, seed=3, trials=36, chunk=36, threads=2)
    assert -3 <= one.equity <= 3


# --- the ends of ranges


@pytest.mark.parametrize("evaluator", [None, nardy.Uniform("long")])
def test_the_last_trials_and_the_last_seed(evaluator: Any) -> None:
    first = (2**64 - 72) // 36 * 36
    found = nardy.rollout(LONG, evaluator, seed=LAST, trials=36, first=first)
    assert found.sums.ranges == ((first, first + 36),)
    assert (
        found + nardy.rollout(LONG, evaluator, seed=LAST, trials=36)
        == nardy.rollout(LONG, evaluator, seed=LAST, trials=36) + found
    )
    with pytest.raises(ValueError, match="first"):
        nardy.rollout(LONG, evaluator, seed=LAST, trials=72, first=2**64 - 16)


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "no trials": ({"trials": 0}, ValueError, "trials must be a multiple of 36"),
    "odd trials": ({"trials": 100}, ValueError, "trials must be a multiple of 36.*not 100"),
    "float trials": ({"trials": 36.0}, TypeError, "trials"),
    "bool trials": ({"trials": True}, TypeError, "trials"),
    "negative first": ({"first": -36}, ValueError, "first"),
    "odd first": ({"first": 30}, ValueError, "first must be a multiple of 36"),
    "seed": ({"seed": -1}, ValueError, "seed"),
    "large seed": ({"seed": 2**64}, ValueError, "seed"),
    "text seed": ({"seed": "7"}, TypeError, "seed"),
    "truncate": ({"truncate": 0}, ValueError, "truncate must be an int >= 1"),
    "reduction": ({"variance_reduction": 1}, TypeError, "variance_reduction must be True or False"),
    "tables": ({"tables": True}, TypeError, "tables must be a nardy.Tables or None"),
    "error": ({"standard_error": 0}, ValueError, "standard_error must be a number above 0"),
    "nan error": ({"standard_error": float("nan")}, ValueError, "standard_error"),
    "text error": ({"standard_error": "0.1"}, TypeError, "standard_error"),
    "threads": ({"threads": 0}, ValueError, "threads must be an int >= 1"),
    "executor": ({"executor": 2}, TypeError, "executor must be a concurrent.futures.Executor"),
    "chunk": ({"chunk": 35}, ValueError, "chunk must be a multiple of 36"),
    "progress": ({"progress": True}, TypeError, "progress must be a callable or None"),
    "stakes": ({"stakes": 7}, TypeError, "stakes must be nardy.Money or nardy.MatchPlay"),
    "evaluator": ({"evaluator": "network"}, TypeError, "evaluator must be a callable"),
    "the other game's": ({"evaluator": nardy.Pips("long")}, ValueError, "evaluator is for long"),
}


@pytest.mark.parametrize("name", BAD)
def test_arguments_are_checked(name: str) -> None:
    given, error, words = BAD[name]
    with pytest.raises(error, match=words):
        nardy.rollout(SHORT, **({"seed": 1} | given))
    with pytest.raises(error, match=words):
        nardy.rollout_plays(SHORT, "31", **({"seed": 1} | given))


def test_arguments_of_plays_are_checked() -> None:
    def plays(**given: Any) -> Any:
        return nardy.rollout_plays(SHORT, "31", seed=1, trials=36, **given)

    refused: list[tuple[dict[str, Any], type[Exception] | None, str]] = [
        ({"candidates": 0}, ValueError, "candidates must be an int >= 1"),
        ({"clear": -1}, ValueError, "clear must be a number above 0"),
        ({"plays": "8/5 6/5"}, TypeError, "plays must be a sequence of plays"),
        ({"plays": []}, ValueError, "plays must name a play at least"),
        ({"plays": ["8/4"]}, None, ""),
        ({"plays": ["8/2"]}, nardy.IllegalPlay, "no die of 3-1 makes it"),
        ({"plays": [7]}, ValueError, "plays: 7 is no play of 3-1 here"),
        ({"plays": [*LONG.plays("31")]}, ValueError, "is no play of 3-1 here"),
    ]
    for given, error, words in refused:
        if error is None:
            assert [str(entry.play) for entry in plays(**given)] == ["8/4"]
        else:
            with pytest.raises(error, match=words):
                plays(**given)
    with pytest.raises(TypeError, match="position must be a Position"):
        nardy.rollout(SHORT.row, seed=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="level"):
        nardy.rollout(SHORT, seed=1, trials=36).interval(1.5)


def test_candidates_are_those_valued_most() -> None:
    network = nardy.network("short")
    best = [entry.play for entry in nardy.Bot(network).rank(SHORT, "31")][:3]
    found = nardy.rollout_plays(SHORT, "31", seed=1, trials=36, candidates=3)
    assert {*map(str, best)} == {str(entry.play) for entry in found}
    assert [*map(str, found.plays)] == [str(play) for play in SHORT.plays("31") if play in best]


def test_results_of_other_questions_do_not_add_up() -> None:
    one = nardy.rollout(SHORT, seed=1, trials=36)
    for other, word in [
        (nardy.rollout(SHORT, seed=2, trials=36, first=36), "seed is 2 there, 1 here"),
        (nardy.rollout(LONG, seed=1, trials=36, first=36), "game is 'long' there"),
        (nardy.rollout(SHORT, seed=1, trials=36), "no trial that is in already"),
        (nardy.rollout(SHORT, nardy.Pips("short"), seed=1, trials=36, first=36), "evaluator"),
    ]:
        with pytest.raises(ValueError, match=word):
            one + other
    with pytest.raises(TypeError, match="other must be a Rollout"):
        one + nardy.rollout_plays(SHORT, "31", seed=1, trials=36)  # type: ignore[operator]


def test_uniform_cannot_value() -> None:
    given: dict[str, Any]
    for given in (
        {"truncate": 3},
        {"variance_reduction": True},
        {"stakes": nardy.Money(nardy.Cube())},
        {"tables": nardy.Tables("short")},
    ):
        with pytest.raises(ValueError, match="evaluator: Uniform holds all boards equal"):
            nardy.rollout(SHORT, nardy.Uniform("short"), seed=1, **given)


# --- evaluators that break their contract midway


def spoiled(spoil: Callable[[Any], Any], after: int) -> Callable[[Any], Any]:
    network, asked = nardy.network("short"), [0]

    def evaluator(rows: Any) -> Any:
        asked[0] += 1
        values = network(rows)
        return spoil(values) if asked[0] > after else values

    return evaluator


def with_nan(values: Any) -> Any:
    values[-1, 0] = np.nan
    return values


def raising(_: Any) -> Any:
    raise ZeroDivisionError("of the evaluator")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (with_nan, ValueError, "evaluator: row .* finite numbers"),
        (lambda values: values[:-1], ValueError, "evaluator must return an array of float32"),
        (lambda values: values[:, :4], ValueError, "evaluator must return an array of float32"),
        (lambda values: values.tolist(), TypeError, "evaluator must return an array of float32"),
        (lambda values: values.astype(np.float16), TypeError, "not of float16"),
        (lambda _: None, TypeError, "not NoneType"),
        (raising, ZeroDivisionError, "of the evaluator"),
    ],
)
def test_a_bad_value_ends_it(
    spoil: Any, error: type[Exception], words: str, reduced: bool, threads: int, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.json"
    with pytest.raises(error, match=words):
        nardy.rollout(
            SHORT, spoiled(spoil, 5), seed=1, trials=72, chunk=36, variance_reduction=reduced,
            threads=threads, checkpoint=kept,
        )  # fmt: skip
    assert [*tmp_path.iterdir()] in ([], [kept])


def test_equities_are_not_enough_for_stakes() -> None:
    with pytest.raises(ValueError, match="chances"):
        nardy.rollout(
            SHORT, nardy.Pips("short"), seed=1, trials=36, stakes=nardy.Money(nardy.Cube())
        )
    score = nardy.MatchPlay(nardy.MatchEquity(3), 2, 3)
    with pytest.raises(ValueError, match="chances"):
        nardy.rollout_plays(SHORT, "31", nardy.Pips("short"), seed=1, trials=36, stakes=score)


# --- files


def rolled(file: Any, **given: Any) -> nardy.Rollout:
    return nardy.rollout(SHORT, **({"seed": 1, "trials": 72, "checkpoint": file} | given))


def test_a_file_of_another_question_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    rolled(file)
    before = file.read_bytes()
    others: list[tuple[dict[str, Any], str]] = [
        ({"seed": 2}, "is of another question: seed is 1 there, 2 here"),
        ({"truncate": 3}, "truncate is None there, 3 here"),
        ({"evaluator": nardy.Pips("short")}, "evaluator is 'network"),
        ({"stakes": nardy.Money(nardy.Cube())}, "stakes is 'Money"),
        ({"first": 36}, r"holds the trials .*, not those from 36 on"),
    ]
    for given, words in others:
        with pytest.raises(ValueError, match=words):
            rolled(file, **given)
        assert file.read_bytes() == before
    assert rolled(file) == nardy.rollout(SHORT, seed=1, trials=72)


def damaged(text: str) -> dict[str, str]:
    kept = json.loads(text)

    def but(**changes: Any) -> str:
        """Change a field, and say that nothing was altered: what is read has checks of its own."""
        changed = kept | changes
        changed.pop("sha256", None)
        return json.dumps(changed | {"sha256": _digest(changed)})

    strata = kept["sums"]
    return {
        "nothing": "",
        "half": text[: len(text) // 2],
        "a number": "7",
        "a list": "[]",
        "null": "null",
        "not JSON": "<html>",
        "deep": "[" * 100_000,
        "another version": but(nardy_rollout=99),
        "altered": json.dumps(kept | {"trials": []}),
        "no digest": json.dumps({name: kept[name] for name in kept if name != "sha256"}),
        "no version": json.dumps({"trials": kept["trials"]}),
        "no question": but(question=None),
        "odd trials": but(trials=[[0, 70]]),
        "backwards": but(trials=[[72, 0]]),
        "twice": but(trials=[[0, 72], [36, 108]]),
        "texts": but(trials=[["0", "72"]]),
        "floats": but(sums=[[[float(x) for x in line] for line in one] for one in strata]),
        "too few": but(sums=strata[:-1]),
        "ragged": but(sums=[*strata[:-1], []]),
        "bools": but(products=[[True]]),
        "no squares": but(squares=None),
    }


@pytest.mark.parametrize("how", damaged('{"sums": [[[0]]], "trials": []}'))
def test_a_damaged_file_is_refused_and_kept(how: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    rolled(file)
    text = damaged(file.read_text("utf-8"))[how]
    file.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"checkpoint: .*kept\.json"):
        rolled(file, trials=144)
    assert file.read_text("utf-8") == text


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(b"\xff\xfe\x00{")
    with pytest.raises(ValueError, match="holds no rollout"):
        rolled(file)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        rolled(tmp_path)
    with pytest.raises(FileNotFoundError):
        rolled(tmp_path / "nowhere" / "kept.json")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        rolled(tmp_path / "kept.json")


def test_fewer_trials_than_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    whole = rolled(file, trials=144)
    assert rolled(file, trials=72) == whole  # what is there is not thrown away


# --- what was not as it should be


@pytest.mark.parametrize(
    "given",
    [
        {"first": np.uint64(36)},
        {"trials": np.int8(72), "first": np.int8(72)},
        {"seed": np.uint64(1), "checkpoint": "kept.json"},
        {"truncate": np.int8(2), "checkpoint": "kept.json"},
    ],
    ids=str,
)
def test_ints_of_numpy_are_ints(given: dict[str, Any], tmp_path: Path) -> None:
    usual: dict[str, Any] = {"seed": 1, "trials": 72, "truncate": 2}
    plain = {name: int(value) for name, value in given.items() if name != "checkpoint"}
    if "checkpoint" in given:
        given = given | {"checkpoint": tmp_path / "kept.json"}
    assert nardy.rollout(SHORT, **(usual | given)) == nardy.rollout(SHORT, **(usual | plain))


@pytest.mark.parametrize(
    "changes",
    [
        {"trials": []},
        {"products": [[-(10**40)]]},
        {"products": [[10**400]]},
        {"trials": [[0, 36 * 2**62]]},
        {"squares": [[-1] * 5]},
    ],
    ids=lambda changes: str(changes)[:30],
)
def test_impossible_sums_are_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    rolled(file, truncate=2)
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes), "utf-8")
    with pytest.raises(ValueError, match=r"checkpoint: .*kept\.json"):
        rolled(file, truncate=2)


def test_chances_of_tables_do_not_depend_on_chunks() -> None:
    # Such tables tell chances where a batch lies within them, else equities: so the luck of
    # chances is taken out in some batches and left in others.
    near = points({8: 1, 5: 3, 2: 2}, {7: 1, 4: 3, 1: 2}, "short")
    mixed = nardy.Tables("short", nardy.Pips("short"))
    small, large = (
        nardy.rollout(near, mixed, seed=1, trials=144, variance_reduction=True, chunk=chunk)
        for chunk in (36, 144)
    )
    assert small == large


def test_the_best_play_of_36_trials_is_told_without_nan() -> None:
    found = nardy.rollout_plays(SHORT, "31", seed=1, trials=36, candidates=2, truncate=2)
    assert "nan" not in str(found)


def test_a_value_beyond_all_points_is_the_evaluators() -> None:
    with pytest.raises(ValueError, match="evaluator"):
        nardy.rollout(SHORT, lambda rows: np.full(len(rows), 1e12), seed=1, trials=36, truncate=2)


# --- known faults: each test says what is wanted


def test_chances_that_become_equities_midway() -> None:
    with pytest.raises((TypeError, ValueError), match="evaluator"):
        rolled(None, evaluator=spoiled(nardy.equities, 2), truncate=3)


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning", "ignore:invalid:RuntimeWarning")
def test_luck_that_is_no_number() -> None:
    def huge(rows: Any) -> Any:
        return np.where(rows.sum(axis=1) % 2, 1.7e308, -1.7e308)

    race = points({6: 2, 5: 2}, {6: 3, 1: 1}, "short")
    with pytest.raises(ValueError, match="evaluator"):
        nardy.rollout(race, huge, seed=1, trials=72, variance_reduction=True)


@pytest.mark.parametrize("path", [7, True, b"kept.json"], ids=repr)
def test_what_is_no_path_is_named(path: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    asked: list[int] = []
    with pytest.raises(TypeError, match="checkpoint"):
        rolled(path, progress=lambda done, _: asked.append(done))
    assert not asked  # before any work
