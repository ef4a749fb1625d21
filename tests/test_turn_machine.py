"""`Turn`: a person's turn, half-move by half-move, against all plays that the reference lists."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import nardy
import wordings
from nardy import reference
from proof.reading import Law

Play = reference.Play


class Turns:
    """All that may happen in one turn."""

    def __init__(self, row: list[int], roll: tuple[int, int], rules: nardy.Rules) -> None:
        self.law = Law(row, roll, rules)
        self.position = nardy.Position.from_row(row, rules=rules)
        # By what was played so far: the half-moves that go on, and the after-states still possible.
        self._next: dict[Play, set[tuple[int, int]]] = {}
        self._afters: dict[Play, set[tuple[int, ...]]] = {}
        for after, ways in self.law.plays.items():
            for way in ways:
                for at in range(len(way) + 1):
                    self._afters.setdefault(way[:at], set()).add(after)
                    self._next.setdefault(way[:at], set()).update(way[at : at + 1])
        self.whole = {way for ways in self.law.plays.values() for way in ways}

    def __len__(self) -> int:
        return len(self._next)

    def next(self, steps: Play) -> set[tuple[int, int]]:
        """The half-moves that some legal play goes on with."""
        return self._next.get(steps, set())

    def afters(self, steps: Play) -> set[tuple[int, ...]]:
        """The after-states that are still possible."""
        return self._afters.get(steps, set())

    def wins(self, steps: Play) -> bool:
        """Rules 3.5: whether a shorter play wins on the board of a longest one."""
        return steps not in self.whole and self.law.fault(steps) is None

    def may_follow(self, steps: Play) -> set[tuple[int, int]]:
        """The half-moves that need not be allowed: those of a shorter winning play."""
        board = self.board(steps)
        men = [point for point in range(1, 26) if board.own[point]]
        last = [(men[0], 0)] if len(men) == 1 and board.own[men[0]] == 1 else []
        return {step for step in last if self.wins((*steps, step))}

    def board(self, steps: Play) -> reference.Board:
        board = self.law.board
        for source, target in steps:
            board = reference.moved(board, source, source - target, self.law.rules)
        return board

    def row(self, steps: Play) -> list[int]:
        return list(reference.row_of(self.board(steps), self.law.rules))

    def combined(self, steps: Play, source: int) -> set[int]:
        """The points that one checker can reach with one half-move or several."""
        found, ways = set(), [(steps, source)]
        while ways:
            steps, at = ways.pop()
            for start, target in self.next(steps):
                if start == at:
                    found.add(target)
                    ways.append(((*steps, (start, target)), target))
        return found

    def combined_boards(self, steps: Play, source: int, target: int) -> set[reference.Board]:
        """The boards that one checker can leave on its way: without a hit on it, if it can."""
        clean: set[reference.Board] = set()
        hitting: set[reference.Board] = set()
        ways = [(steps, source, False)]
        while ways:
            steps, at, has_hit = ways.pop()
            for start, landing in self.next(steps):
                if start != at:
                    continue
                after = (*steps, (start, landing))
                if landing == target:
                    (hitting if has_hit else clean).add(self.board(after))
                else:
                    hit = self.board(after).opponent != self.board(steps).opponent
                    ways.append((after, landing, has_hit or hit))
        return clean or hitting


def turns_of(game: str, number: int) -> Turns:
    return Turns(*wordings.draw_position(game, 31, number))


def check(turn: nardy.Turn, turns: Turns, steps: Play) -> None:
    """Everything that can be asked of a turn after these half-moves."""
    assert tuple(turn.steps) == steps
    assert turn.position == turns.position and turn.roll == tuple(sorted(turns.law.roll)[::-1])
    assert turn.row.tolist() == turns.row(steps)
    if turns.wins(steps):
        assert turn.is_complete and turn.sources() == [] and tuple(turn.forced()) == ()
        return
    allowed = turns.next(steps)
    possible = allowed | turns.may_follow(steps)
    assert {source for source, _ in allowed} <= set(turn.sources()) <= {s for s, _ in possible}
    assert len(set(turn.sources())) == len(turn.sources())
    assert turn.is_complete == (steps in turns.whole)
    for source in range(1, 26):
        targets = turn.targets(source)
        assert len(set(targets)) == len(targets)
        assert {t for s, t in allowed if s == source} <= set(targets)
        assert set(targets) <= {t for s, t in possible if s == source}
        reached = turn.targets(source, combined=True)
        assert turns.combined(steps, source) | set(targets) == set(reached)
    forced = tuple(turn.forced())
    if not allowed or len(turns.afters(steps)) > 1:
        assert forced == ()
    else:
        assert turns.law.fault((*steps, *forced)) is None


class Machine(RuleBasedStateMachine):
    """A person who tries things: right ones, wrong ones, takes back, starts anew."""

    @initialize(game=st.sampled_from(wordings.GAMES), number=st.integers(0, 10_000))
    def begin(self, game: str, number: int) -> None:
        self.turns = turns_of(game, number)
        assume(self.turns.law.plays)  # a finished game has tests of its own
        self.steps: Play = ()
        self.turn = nardy.Turn(self.turns.position, roll=self.turns.law.roll)

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        sources = self.turn.sources()
        if sources:
            source = data.draw(st.sampled_from(sources))
            target = data.draw(st.sampled_from(self.turn.targets(source)))
            self.turn.move(source, target)
            self.steps = (*self.steps, (source, target))

    @rule(data=st.data())
    def move_on(self, data: st.DataObject) -> None:
        """One checker, several half-moves at once: any way that is legal, none hits if it can."""
        sources = self.turn.sources()
        if sources:
            source = data.draw(st.sampled_from(sources))
            target = data.draw(st.sampled_from(self.turn.targets(source, combined=True)))
            afters = self.turns.combined_boards(self.steps, source, target)
            if len(afters) > 1:
                with pytest.raises(nardy.IllegalPlay) as caught:
                    self.turn.move(source, target)
                assert caught.value.reason == "ambiguous"
                return
            self.turn.move(source, target)
            added = tuple(self.turn.steps)[len(self.steps) :]
            assert added[0][0] == source and added[-1][1] == target
            assert all(one[1] == other[0] for one, other in pairwise(added))
            self.steps = (*self.steps, *added)

    @rule(source=st.integers(1, 25), landing=st.integers(0, 24))
    def try_anything(self, source: int, landing: int) -> None:
        if landing in self.turn.targets(source, combined=True):
            return
        with pytest.raises(ValueError) as caught:
            self.turn.move(source, landing)
        if landing < source <= (25 if self.turns.law.rules.game == "short" else 24):
            assert isinstance(caught.value, nardy.IllegalPlay)

    @rule(data=st.data())
    def try_a_die(self, data: st.DataObject) -> None:
        """A half-move that fits a die and no play: the reason is that of the referee."""
        held = [p for p in range(1, 26) if self.turns.board(self.steps).own[p]]
        die = data.draw(st.sampled_from(self.turns.law.dice))
        source = data.draw(st.sampled_from(held or [1]))
        target = max(source - die, 0)
        if target in self.turn.targets(source, combined=True):
            return
        with pytest.raises(nardy.IllegalPlay) as caught:
            self.turn.move(source, target)
        if target == source - die:  # else another die, or a longer way, may be meant
            reason = self.turns.law.fault((*self.steps, (source, target)))
            assert caught.value.reason == reason

    @rule()
    def undo(self) -> None:
        if self.steps:
            self.turn.undo()
            self.steps = self.steps[:-1]
        else:
            with pytest.raises(ValueError):
                self.turn.undo()

    @rule()
    def finish(self) -> None:
        if self.turn.is_complete:
            after = self.turn.commit()
            assert tuple(after.row.tolist()) in self.turns.law.plays
            assert after.flip().row.tolist() == self.turns.row(self.steps)
        else:
            with pytest.raises(nardy.IllegalPlay) as caught:
                self.turn.commit()
            assert caught.value.reason == self.turns.law.fault(self.steps)

    @invariant()
    def all_is_as_the_law_says(self) -> None:
        if hasattr(self, "turn"):
            check(self.turn, self.turns, self.steps)


Machine.TestCase.settings = settings(max_examples=100, stateful_step_count=12, deadline=None)
TestTurn = Machine.TestCase


def walked(turn: nardy.Turn) -> Iterator[nardy.Turn]:
    """Every state that targets lead to, each way of getting there."""
    yield turn
    for source in turn.sources():
        for target in turn.targets(source):
            turn.move(source, target)
            yield from walked(turn)
            turn.undo()


@pytest.mark.parametrize("game", wordings.GAMES)
def test_a_walk_over_all_targets_ends_on_every_after_state(game: str) -> None:
    done = 0
    for number in range(60):
        turns = turns_of(game, number)
        if not turns.law.plays or len(turns) > 300:
            continue
        done += 1
        turn = nardy.Turn(turns.position, roll=turns.law.roll)
        committed = set()
        for state in walked(turn):
            check(state, turns, tuple(state.steps))
            assert state.is_complete or state.sources(), "a dead end"
            if state.is_complete:
                committed.add(tuple(state.commit().row.tolist()))
        assert committed == turns.law.plays.keys()
        assert turn.row.tolist() == list(turns.law.row) and tuple(turn.steps) == ()
    assert done > 20


# --- by hand


def turn_of(
    own: Any, opponent: Any, roll: tuple[int, int], game: str, **options: Any
) -> nardy.Turn:
    rules = nardy.rules(game).replace(**options)
    return nardy.Turn(nardy.Position.from_points(own, opponent, rules=rules), roll=roll)


def test_only_what_can_be_finished_is_a_target() -> None:
    turn = turn_of({22: 1, 18: 1, 1: 13}, {24: 14, 4: 1}, (6, 4), "long")
    assert turn.sources() == [18]
    assert turn.targets(18) == [14] and sorted(turn.targets(18, combined=True)) == [8, 14]
    assert tuple(turn.forced()) == ((18, 14), (14, 8))
    with pytest.raises(nardy.IllegalPlay) as caught:
        turn.move(22, 18)
    assert caught.value.reason == "both_dice" and tuple(turn.steps) == ()


def test_through_a_forbidden_block_to_a_legal_end() -> None:
    # Rules 10, L40-end.
    own, opponent = {11: 1, 5: 3, 4: 3, 3: 3, 2: 3, 1: 2}, {24: 14, 19: 1}
    turn = turn_of(own, opponent, (5, 4), "long", block_check="turn_end")
    turn.move(11, 6)
    assert turn.sources() == [6] and turn.targets(6) == [2]
    with pytest.raises(nardy.IllegalPlay) as caught:
        turn.move(5, 1)
    assert caught.value.reason == "block"
    turn.move(6, 2)
    assert turn.is_complete


def test_a_checker_with_a_choice_of_hits_needs_a_word_more() -> None:
    turn = turn_of({10: 1, 1: 14}, {17: 1, 16: 1}, (2, 1), "short")  # S14
    with pytest.raises(nardy.IllegalPlay) as caught:
        turn.move(10, 7)
    assert caught.value.reason == "ambiguous" and tuple(turn.steps) == ()
    turn.move(10, 8)
    assert tuple(turn.forced()) == ((8, 7),)


def test_either_die_may_have_borne_a_checker_off() -> None:
    # With `any` the 4 may take the 1 off only if the 3 took the 3; which one did is open till then.
    turn = turn_of({3: 2, 1: 1}, {24: 15}, (4, 3), "long", bearoff_overshoot="any")
    turn.move(3, 0)
    assert sorted(turn.sources()) == [1, 3] and tuple(turn.forced()) == ()
    turn.move(1, 0)
    assert turn.is_complete
    assert turn.undo() == (1, 0)
    turn.move(3, 0)
    assert turn.is_complete


def test_a_pass_is_complete_at_once() -> None:
    turn = turn_of({13: 15}, {24: 5, 23: 5, 21: 5}, (4, 2), "long")
    assert turn.is_complete and turn.sources() == [] and tuple(turn.forced()) == ()
    assert turn.commit() == turn.position.flip()
    with pytest.raises(nardy.IllegalPlay) as caught:
        turn.move(13, 9)
    assert caught.value.reason == "must_pass"


def test_a_finished_game_has_nothing_to_play() -> None:
    turn = turn_of({}, {24: 15}, (4, 2), "long")
    assert turn.sources() == [] and turn.targets(24) == [] and not turn.is_complete
    for refused in (turn.commit, lambda: turn.move(24, 20)):
        with pytest.raises(nardy.IllegalPlay) as caught:
            refused()
        assert caught.value.reason == "game_over"


def test_undo_restores_every_state() -> None:
    rng = Random(1)
    for number in range(20):
        turns = turns_of("short", number)
        if not turns.law.plays:
            continue
        turn = nardy.Turn(turns.position, roll=turns.law.roll)
        states = []
        while turn.sources():
            source = rng.choice(turn.sources())
            states.append((turn.row.tolist(), turn.sources(), tuple(turn.steps)))
            turn.move(source, rng.choice(turn.targets(source)))
        for state in states[::-1]:
            turn.undo()
            assert (turn.row.tolist(), turn.sources(), tuple(turn.steps)) == state
