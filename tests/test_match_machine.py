"""`Match`: whole matches, with legal and illegal actions of every kind, against a plain model."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import nardy
from nardy import events, reference
from proof.model_of_match import Forbidden, Model, checkers
from proof.option_sets import AROUND_VALUES, LONG_VALUES

KINDS = ("oin", "mars", "koks")
SIDES = (None, 0, 1)
DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def around(draw: st.DrawFn) -> nardy.Rules:
    """Rules of either game with any options; few checkers in long nardy, so that games end."""
    options = {name: draw(st.sampled_from(values)) for name, values in AROUND_VALUES.items()}
    if draw(st.booleans()):
        drinks = {name: draw(st.booleans()) for name in ("drinkgammon", "drink_doubles")}
        return nardy.SHORT.replace(**options, **drinks)
    board = {name: draw(st.sampled_from(LONG_VALUES[name])) for name in ("head", "block", "koks")}
    return nardy.LONG.replace(checkers=draw(st.sampled_from((5, 6, 15))), **options, **board)


def true_reasons(model: Model, name: str, side: int | None) -> set[str]:
    """All that is true of the match and may be said when an action is refused."""
    phase, rules = model.phase, model.rules
    answers = name in ("take", "drop", "beaver", "raccoon")
    waits = phase in ("offered", "beavered")
    holds = {
        "game_over": phase in ("between", "end"),
        "starter_unknown": phase == "throw",
        "starter_known": name == "roll_off" and phase != "throw",
        "answer_due": waits,
        "not_offered": answers and (not waits or (name == "beaver") != (phase == "offered")),
        "not_thrown": name == "push" and phase != "board",
        "thrown": phase == "board" and name in ("roll", "double"),
        "no_cube": name == "double" and not rules.cube,
        "crawford": name == "double" and model.crawford == "now",
        "not_owner": name == "double" and model.owner not in (None, model.side),
        "too_early": name == "double" and model.turn < rules.cube_from_turn,
        "offered_already": name == "double" and model.offered,
        "cube_max": name in ("double", "beaver", "raccoon") and rules.cube_max is not None,
        "last_roll": name == "double" and model.last,
        "not_in_rules": {
            "resign": not rules.resign or rules.koks == "none",  # the latter of a koks
            "flag": rules.clock is None,
            "push": rules.clock is None,  # and seconds are given
            "beaver": not (rules.beaver and model.money),
            "raccoon": not (rules.raccoon and model.money),
        }.get(name, False),
        "time_left": name == "flag",
        "no_mars": name == "resign",
        "not_on_turn": side is not None and side != model.side,
    }
    return {reason for reason, is_true in holds.items() if is_true}


def last_boards(model: Model) -> set[tuple[int, ...]]:
    """§7: the rows that the last roll can lead to; the side that sees them is off."""
    rules, board = model.rules, reference.board_of(model.row, model.rules)
    assert model.roll is not None
    dice = reference.dice_of(model.roll, rules)
    layers = reference.unroll(board, dice, reference.head_cap(board, dice, rules), rules)
    ends = reference.maximal_ends(layers, rules)
    return {tuple(reference.handed_over(end.board, rules)) for end in ends}


def row_after(play: nardy.Play, model: Model) -> list[int]:
    """The board that a play leads to; of the last roll without the man in nobody's way."""
    row = [int(n) for n in play.after.row]
    if model.last:
        row = [checkers(model.rules), *(min(n, 0) for n in row[1:25]), 0, *row[26:]]
    return row


class Match:
    """A match of the package beside the model: every action is done to both and compared."""

    def __init__(self, rules: nardy.Rules, length: int | None, seed: int | None) -> None:
        self.match = nardy.Match(rules, length=length, seed=seed)
        self.model = Model(rules, length)
        self.past: list[list[Model]] = [[]]  # of each game, the model before each action
        self.heard: list[events.Event] = []
        self.match.subscribe(self.hear)

    @property
    def game(self) -> nardy.Game:
        return self.match.game

    # --- actions

    def act(self, name: str, change: Callable[[Model], object], *args: Any, **named: Any) -> bool:
        """Do one action of the game to both; whether it was legal."""
        after = deepcopy(self.model)
        action = getattr(self.game, name)
        try:
            side = named.get("side")
            if side not in (None, after.side) and name != "resign":
                raise Forbidden("not on turn")
            change(after)
        except Forbidden:
            with self.nothing_changes(nardy.IllegalAction) as caught:
                action(*args, **named)
            assert caught.value.reason in true_reasons(self.model, name, named.get("side"))
            return False
        action(*args, **named)
        self.past[-1].append(self.model)
        self.model = after
        return True

    def roll_off(self, dice: tuple[int, int], *, plainly: bool) -> None:
        self.act("roll" if plainly else "roll_off", lambda model: model.throw(dice), dice)

    def roll(self, dice: tuple[int, int], side: int | None = None) -> None:
        throw = Model.throw if self.model.phase == "throw" else Model.throw_dice
        self.act("roll", lambda model: throw(model, dice), dice, side=side)

    def roll_own(self, side: int | None = None) -> None:
        """The game throws its own dice, until a roll lies: each throw is an action."""
        known = len(self.game.history)
        before = deepcopy(self.model)
        if self.match.seed is None or before.phase not in ("throw", "turn"):
            with self.nothing_changes(nardy.IllegalAction):
                self.game.roll()
            return
        self.game.roll()
        for event in self.game.history[known:]:
            self.past[-1].append(deepcopy(self.model))
            if isinstance(event, events.RolledOff):
                self.model.throw(event.dice)
            else:
                assert isinstance(event, events.Rolled)
                self.model.throw_dice(event.roll)
        assert self.model.phase == "board"

    def push(self, play: nardy.Play, words: Any, seconds: float | None, side: int | None) -> None:
        def change(model: Model) -> None:
            model.need("board")
            if seconds is not None:
                if model.rules.clock is None:
                    raise Forbidden("no clock")
                model.spend(seconds)
            if model.phase == "board":
                model.play(row_after(play, model))

        self.act("push", change, words, seconds=seconds, side=side)

    def say(self, name: str, side: int | None) -> None:
        """A word about the cube."""
        self.act(name, getattr(Model, name), side=side)

    def resign(self, kind: str, side: int | None) -> None:
        def change(model: Model) -> None:
            # Where nobody is on turn it is refused, whoever it is.
            who = side if side is not None else model.roller or 0
            model.resign(who, 1 + KINDS.index(kind))

        self.act("resign", change, kind, side=side)

    def flag(self, seconds: float | None, side: int | None) -> None:
        def change(model: Model) -> None:
            model.need("turn", "board", "offered", "beavered")
            if seconds is None or model.rules.clock is None:
                model.flag()
                return
            model.spend(seconds)
            if model.phase not in ("between", "end"):
                raise Forbidden("time left")

        self.act("flag", change, seconds=seconds, side=side)

    def next_game(self) -> None:
        after = deepcopy(self.model)
        try:
            after.next_game()
        except Forbidden:
            with self.nothing_changes(nardy.IllegalAction) as caught:
                self.match.next_game()
            wanted = "match_over" if self.model.phase == "end" else "game_running"
            assert caught.value.reason == wanted
            return
        self.match.next_game()
        self.past[-1].append(self.model)
        self.past.append([])
        self.model = after

    def pop(self, *, of_game: bool) -> None:
        """Take the last action back; a game takes back none of the one before it."""
        whole = self.past[0] if of_game and len(self.past) == 1 else self.past[-1]
        if not whole and (of_game or len(self.past) == 1):
            with self.nothing_changes(nardy.IllegalAction) as caught:
                (self.game if of_game else self.match).pop()
            assert caught.value.reason == "nothing_done"
            return
        if not whole:
            self.past.pop()
        (self.game if of_game else self.match).pop()
        self.model = self.past[-1].pop()

    def refused(self, name: str, *args: Any, **named: Any) -> None:
        """Nonsense: an error of the two kinds, and nothing has changed."""
        with self.nothing_changes((TypeError, ValueError)):
            getattr(self.game, name)(*args, **named)

    def restore(self, again: nardy.Match) -> None:
        """Go on with another object of the same state."""
        assert nardy.to_json(again) == nardy.to_json(self.match)
        assert [game.state for game in again.games] == [game.state for game in self.match.games]
        assert [game.events for game in again.games] == [game.events for game in self.match.games]
        self.match = again
        self.match.subscribe(self.hear)

    # --- comparisons

    def nothing_changes(self, kinds: Any) -> Any:
        return Unchanged(self, kinds)

    def print(self) -> Any:
        """All that can be asked of the match."""
        games = [(game.state, game.events, game.actions) for game in self.match.games]
        return nardy.to_json(self.match), games, self.match.score, list(self.heard)

    def hear(self, event: events.Event) -> None:
        if isinstance(event, events.TakenBack):
            while self.heard.pop() != event.event:
                pass
        else:
            self.heard.append(event)

    def check(self) -> None:
        match, game, model = self.match, self.match.game, self.model
        assert list(match.score) == model.score
        assert match.is_crawford == game.is_crawford == self.is_crawford_game()
        assert match.is_over == (model.phase == "end")
        if match.is_over:
            assert match.length is not None and match.winner is not None
            assert model.score[match.winner] >= match.length
        assert [(r.winner, r.how, r.points) for r in match.results] == [
            (r.winner, r.how, r.points) for r in model.results
        ]
        assert [r.kind for r in match.results] == [
            KINDS[r.grade - 1] if r.grade else None for r in model.results
        ]
        assert sum(match.score) == sum(result.points for result in match.results)
        for kind, wanted in ((events.Scored, len(model.results)), (events.MatchWon, match.is_over)):
            assert sum(isinstance(event, kind) for event in self.heard) == wanted
        told = [event for g in match.games for event in g.events]
        of_match = (events.GameStarted, events.MatchWon)
        assert [event for event in self.heard if not isinstance(event, of_match)] == told
        assert list(game.drinks) == model.drinks
        assert game.is_over == (model.phase in ("between", "end"))
        if model.rules.clock is not None:
            assert game.clock is not None and list(game.clock.left) == pytest.approx(model.reserve)
        if not game.is_over:
            self.check_running(game, model)

    def is_crawford_game(self) -> bool:
        """The model looks ahead once a game is over."""
        return (self.past[-1][0] if self.past[-1] else self.model).crawford == "now"

    def check_running(self, game: nardy.Game, model: Model) -> None:
        said = "doubled" if model.offered else "roll"
        phases = {"throw": "roll_off", "turn": said, "board": "play"}
        assert game.phase == phases.get(model.phase, model.phase)
        assert (game.to_act, game.side, game.starter) == (model.side, model.roller, model.starter)
        assert game.turn_number == model.turn and game.dice == model.roll
        cube = game.cube
        assert (cube.value, cube.owner, cube.is_turned) == (model.value, model.owner, model.taken)
        assert [int(n) for n in game.position.row] == model.row
        assert set(game.actions) == self.actions()
        if model.phase == "board" and model.last:
            rows = {tuple(row_after(play, model)) for play in game.plays}
            assert rows == last_boards(model) and len(rows) == len(game.plays)

    def actions(self) -> set[str]:
        """What may be done now, by the side to act."""
        model = self.model
        found = {
            "throw": {"roll_off", "roll"},
            "turn": {"roll"},
            "board": {"push"},
            "offered": {"take", "drop"},
            "beavered": {"take", "drop"},
        }[model.phase]
        for name in ("double", "beaver", "raccoon"):
            found |= {name} if getattr(model, f"may_{name}")() else set()
        found |= {"resign"} if model.phase in ("turn", "board") and model.rules.resign else set()
        return found | ({"flag"} if model.phase != "throw" and model.rules.clock else set())


class Unchanged:
    """A block that has to raise an error of a kind, and to leave the match as it was."""

    def __init__(self, match: Match, kinds: Any) -> None:
        self.match, self.raises = match, pytest.raises(kinds)

    def __enter__(self) -> Any:
        self.before = self.match.print()
        return self.raises.__enter__()

    def __exit__(self, *error: Any) -> Any:
        found = self.raises.__exit__(*error)
        assert self.match.print() == self.before
        return found


NONSENSE: dict[str, list[Any]] = {
    "side": [2, -1, "0", 0.0, True],
    "dice": [(0, 1), (7, 1), (1,), (1, 2, 3), "77", "x", "", 6, b"65", (1.0, 2), (1, 10**30), {1}],
    "play": [None, 5, "", "x", "25/24/1", "24-18", b"24/18", ["24/18"], "pass pass", "9" * 99],
    "seconds": [-1, float("nan"), float("inf"), "5", True, [], 10**400],
    "kind": ["gammon", 1, None, "", ["oin"]],
    "numbering": ["roman", None, 1],
}


class Machine(RuleBasedStateMachine):
    """Two people and a server, who do what is legal and try what is not."""

    @initialize(
        rules=around(),
        length=st.sampled_from((None, 1, 2, 3, 5, 7)),
        seed=st.sampled_from((None, 0, 2**64 - 1)),
    )
    def begin(self, rules: nardy.Rules, length: int | None, seed: int | None) -> None:
        self.both = Match(rules, length, seed)

    @rule(dice=DICE, plainly=st.booleans())
    def roll_off(self, dice: tuple[int, int], plainly: bool) -> None:
        if plainly and self.both.model.phase != "throw":
            return  # it is a roll then
        self.both.roll_off(dice, plainly=plainly)

    @rule(dice=DICE, side=st.sampled_from(SIDES))
    def roll(self, dice: tuple[int, int], side: int | None) -> None:
        if self.both.model.phase != "throw" or side is None:
            self.both.roll(dice, side)

    @rule()
    def roll_own(self) -> None:
        self.both.roll_own()

    @rule(
        data=st.data(),
        seconds=st.sampled_from((None, 0, 3.5, 8, 14.75, 100, 1e9)),
        side=st.sampled_from(SIDES),
        how=st.sampled_from(("text", "play", "turn")),
    )
    def push(self, data: st.DataObject, seconds: float | None, side: int | None, how: str) -> None:
        game = self.both.game
        if self.both.model.phase != "board":
            self.both.act("push", lambda model: model.need("board"), "24/18", side=side)
            return
        play = game.plays[data.draw(st.integers(0, len(game.plays) - 1))]
        words: Any = str(play) if how == "text" else play
        if how == "turn":
            while not game.turn.is_complete:
                source = data.draw(st.sampled_from(game.turn.sources()))
                game.turn.move(source, data.draw(st.sampled_from(game.turn.targets(source))))
            words, play = game.turn, game.turn.play
        self.both.push(play, words, seconds, side)

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        """Half a turn: what is moved is kept, and no action."""
        if self.both.model.phase == "board" and (sources := self.both.game.turn.sources()):
            source = data.draw(st.sampled_from(sources))
            target = data.draw(st.sampled_from(self.both.game.turn.targets(source)))
            self.both.game.turn.move(source, target)

    @rule(
        name=st.sampled_from(("double", "double", "take", "drop", "beaver", "raccoon")),
        side=st.sampled_from(SIDES),
    )
    def say(self, name: str, side: int | None) -> None:
        self.both.say(name, side)

    @rule(kind=st.sampled_from(KINDS), side=st.sampled_from(SIDES))
    def resign(self, kind: str, side: int | None) -> None:
        self.both.resign(kind, side)

    @rule(seconds=st.sampled_from((None, 1.0, 14.0, 1e5)), side=st.sampled_from(SIDES))
    def flag(self, seconds: float | None, side: int | None) -> None:
        self.both.flag(seconds, side)

    @rule()
    def next_game(self) -> None:
        self.both.next_game()

    @rule(times=st.integers(1, 4), of_game=st.booleans())
    def pop(self, times: int, of_game: bool) -> None:
        for _ in range(times):
            self.both.pop(of_game=of_game)
            self.both.check()

    @rule(data=st.data())
    def nonsense(self, data: st.DataObject) -> None:
        what = data.draw(st.sampled_from(sorted(NONSENSE)))
        value = data.draw(st.sampled_from(NONSENSE[what]))
        match what:
            case "side":
                name = data.draw(st.sampled_from(("double", "take", "flag", "resign", "roll")))
                self.both.refused(name, side=value)
            case "dice":
                self.both.refused(data.draw(st.sampled_from(("roll", "roll_off"))), value)
            case "play":
                self.both.refused("push", value)
            case "kind":
                self.both.refused("resign", value)
            case "seconds":
                play = [str(self.both.game.plays[0])] if self.both.model.phase == "board" else []
                self.both.refused("push" if play else "flag", *play, seconds=value)
            case _:
                self.both.refused("push", "24/23", numbering=value)

    @rule(kind=st.sampled_from(("json", "pickle", "copy")))
    def restart(self, kind: str) -> None:
        match = self.both.match
        ways: dict[str, Callable[[], Any]] = {
            "json": lambda: nardy.from_json(nardy.to_json(match)),
            "pickle": lambda: pickle.loads(pickle.dumps(match)),
            "copy": lambda: deepcopy(match),
        }
        self.both.restore(ways[kind]())

    @rule(data=st.data())
    def say_something_possible(self, data: st.DataObject) -> None:
        words = {"double", "take", "drop", "beaver", "raccoon"} & set(self.both.game.actions)
        if words:
            self.both.say(data.draw(st.sampled_from(sorted(words))), None)

    @rule(seed=st.integers(0, 2**32), until=st.sampled_from(("turn", "offered", "last", "end")))
    def play_until(self, seed: int, until: str) -> None:
        """To a moment where more than rolling and playing can be done."""
        rng = Random(seed)
        for _ in range(150):
            play_on(self.both, rng, 1)
            model = self.both.model
            if model.phase == until or (model.last and until == "last") or model.phase == "end":
                return

    @rule(seed=st.integers(0, 2**32), actions=st.integers(1, 60))
    def play_on(self, seed: int, actions: int) -> None:
        """A stretch of the match at random: the cube is in play, few give up."""
        play_on(self.both, Random(seed), actions)

    @invariant()
    def the_model_agrees(self) -> None:
        if hasattr(self, "both"):
            self.both.check()


def play_on(both: Match, rng: Random, actions: int) -> None:
    for _ in range(actions):
        model, dice = both.model, (rng.randint(1, 6), rng.randint(1, 6))
        if model.phase == "end":
            return
        if model.phase == "between":
            both.next_game()
        elif model.phase == "throw":
            both.roll_off(dice, plainly=False)
        elif model.phase == "turn":
            if model.may_double() and rng.random() < 0.2:
                both.say("double", None)
            else:
                both.roll(dice)
        elif model.phase == "board":
            play = rng.choice(both.game.plays)
            both.push(play, play, model.rules.clock and rng.choice((None, 1.0)), None)
        else:
            both.say(rng.choice(("take", "take", "take", "drop", "beaver", "raccoon")), None)
        both.check()


# No shrinking: a step costs milliseconds, and the list of actions says enough.
Machine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, phases=[Phase.explicit, Phase.generate]
)
TestMatch = Machine.TestCase


# --- the same by the thousand, without hypothesis


def drawn(rng: Random) -> Match:
    """A match under any rules."""
    options = {name: rng.choice(values) for name, values in AROUND_VALUES.items()}
    if rng.random() < 0.6:  # the cube early and high: what is rare on it is met with often
        options |= {"cube": True, "cube_from_turn": 1, "cube_max": None, "beaver": True}
    if rng.random() < 0.4:
        drinks = {name: rng.random() < 0.5 for name in ("drinkgammon", "drink_doubles")}
        rules = nardy.SHORT.replace(**options, **drinks)
    else:
        board = {name: rng.choice(LONG_VALUES[name]) for name in ("head", "block", "koks")}
        rules = nardy.LONG.replace(checkers=rng.choice((5, 5, 6, 8)), **options, **board)
    return Match(
        rules, rng.choice((None, None, 1, 3, 5, 9)), rng.choice((None, rng.getrandbits(64)))
    )


def try_anything(both: Match, rng: Random) -> None:
    """One action of any kind by any side: legal, or not."""
    side = rng.choice(SIDES)
    words = ("double", "take", "drop", "beaver", "raccoon")
    possible = [word for word in words if word in both.game.actions]
    match rng.randrange(24):
        case 0:
            both.resign(rng.choice(KINDS), side)
        case 1 if rng.random() < 0.3:
            both.flag(rng.choice((None, 1.0, 20.0)), side)
        case 2 | 3:
            both.next_game()
        case 4 | 5:
            both.pop(of_game=rng.random() < 0.5)
        case 6 | 7 if both.model.phase != "throw":
            both.roll((6, 5), side)
        case 8:
            both.roll_own()
        case 9 if both.model.phase != "throw":
            both.roll_off((6, 5), plainly=False)
        case 10 if both.model.phase != "board":
            both.act("push", lambda model: model.need("board"), "24/18", side=side)
        case 11 | 12 | 13 | 14 if possible:
            both.say(rng.choice(possible), None)
        case _:
            both.say(rng.choice(words), side)
    both.check()


def try_matches(seeds: range) -> None:
    for seed in seeds:
        rng = Random(seed)
        both = drawn(rng)
        for _ in range(60):
            play_on(both, rng, rng.randrange(4))
            if rng.random() < 0.5:
                try_anything(both, rng)


def test_random_matches() -> None:
    try_matches(range(100))


@pytest.mark.slow
@pytest.mark.proof
def test_a_thousand_random_matches() -> None:
    try_matches(range(1_000, 2_000))
