"""Replaying: what a file says is played through under the rules, in one forward pass.

The states are those of a game that is played (``nardy.phases``, ``nardy.transitions``), so a rule
is nowhere written again; what the rules refuse is said so and done all the same, for people went on
from there. Each play is judged by the law of the whole turn, which takes less than a microsecond: a
batch of a match's plays would gain nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nardy.board import OFF, OPPONENT_BAR, Status
from nardy.cube import Cube
from nardy.endings import KINDS, Result, Setting, points_of
from nardy.errors import IllegalPlay, InvalidNotation
from nardy.formats.entries import LARGEST_CUBE, Entry, RawGame, RawMatch
from nardy.formats.tags import rules_of_tags, start_of_variation
from nardy.nardy_core import judge
from nardy.options import Rules
from nardy.phases import State, board_of, fault
from nardy.position import Position
from nardy.referee import refusal
from nardy.replays import GameRecord, MatchRecord, Node
from nardy.transitions import (
    beavered,
    beginning,
    dropped,
    offered,
    played,
    raccooned,
    resigned,
    rolled,
    taken,
)
from nardy.wording import Hop, read_hops

__all__ = ["replayed", "usual_start"]

# What the cube goes to; a double is shown by it only when it is taken.
_TIMES: Final = {"double": 2, "beaver": 4, "raccoon": 2}
_BLOCKS: Final = Status.OWN_BLOCK | Status.OPPONENT_BLOCK


def replayed(raw: RawMatch, rules: Rules | None = None) -> MatchRecord:
    """Play a match of a file through.

    Parameters
    ----------
    raw : RawMatch
        What is found to contradict itself is added to its faults.
    rules : Rules, optional
        Instead of those of the file.
    """
    if rules is None:
        rules = raw.rules
    if rules is None:
        rules, strange = rules_of_tags(raw.tags)
        for what in strange:
            raw.report("contradiction", raw.line, 1, f"header: {what}")
    start: Position | None = None
    try:
        start = usual_start(rules, raw.tag("variation"))
    except InvalidNotation as error:
        raw.report("unreadable", raw.line, 1, f"header: {error}")
    games: list[GameRecord] = []
    had_crawford = False
    for place, game in enumerate(raw.games):
        score = _score(raw, game, games)
        away = None
        if raw.length is not None and max(score) < raw.length:
            away = raw.length - score[0], raw.length - score[1]
        elif raw.length is not None:
            what = f"game {game.number} begins at {_dash(score)} in a match to {raw.length}"
            raw.report("contradiction", game.line, 1, what)
        is_crawford = game.is_crawford
        if is_crawford is None:
            is_crawford = rules.crawford and away is not None and 1 in away and not had_crawford
        had_crawford |= is_crawford
        following = raw.games[place + 1].score if place + 1 < len(raw.games) else None
        replay = _Replay(raw, game, Setting(rules, away, is_crawford), start, score, following)
        games.append(replay.game_record())
    raw.faults.sort(key=lambda each: (each.line, each.column))
    return MatchRecord(
        rules,
        raw.length,
        raw.players,
        tuple(games),
        tuple(raw.tags),
        tuple(raw.comments),
        tuple(raw.faults),
        raw.unlisted_faults,
    )


def usual_start(rules: Rules, variation: str | None) -> Position:
    """Return the board on which games with a tag ``Variation`` begin.

    Raises
    ------
    InvalidNotation
        A variation that is not played here.
    """
    row = start_of_variation(variation or "") if rules.game == "short" else None
    return Position.start(rules) if row is None else Position.from_row(row, rules=rules)


def _score(raw: RawMatch, game: RawGame, before: Sequence[GameRecord]) -> tuple[int, int]:
    """Return the score before a game: the one written, for a file may begin with any game."""
    if not before:
        return game.score or (0, 0)
    last = before[-1]
    counted = last.score_after
    if last.result is None:
        raw.report("contradiction", last.line, 1, f"game {last.number} has no result")
    if game.score is None:
        return counted
    if game.score != counted:
        what = f"game {game.number} begins at {_dash(game.score)}; counted are {_dash(counted)}"
        raw.report("contradiction", game.line, 1, what)
    return game.score


def _dash(score: tuple[int, int]) -> str:
    return f"{score[0]}-{score[1]}"


class _Replay:
    """One game that is played through."""

    def __init__(
        self,
        raw: RawMatch,
        game: RawGame,
        setting: Setting,
        start: Position | None,
        score: tuple[int, int],
        following: tuple[int, int] | None,
    ) -> None:
        self.raw, self.game, self.setting = raw, game, setting
        self.score, self.following = score, following
        if game.row is not None:
            try:
                start = Position.from_row(game.row, rules=setting.rules)
            except (ValueError, TypeError) as error:
                start = None
                raw.report("unreadable", game.line, 1, f"game {game.number} begins: {error}")
        # Where nothing is known of the board a usual one keeps the turns going; no node shows it.
        self.is_known = start is not None
        self.start = start or Position.start(setting.rules)
        first = game.entries[0].side if game.entries else 0
        state = beginning(self.start, first, None)
        self.state = state._replace(cube=Cube(game.first_cube))
        self.nodes: list[Node] = []

    def game_record(self) -> GameRecord:
        entries = self.game.entries
        for place, entry in enumerate(entries):
            if entry.action == "play":
                then = entries[place + 1 : place + 2]
                self.play(entry, is_last=not then or then[0].action == "resign")
            else:
                self.talk(entry)
        result = self.result()  # which adds the node of a game that was given up
        return GameRecord(
            self.game.number,
            self.score,
            self.setting.is_crawford,
            self.start,
            tuple(self.nodes),
            result,
            self.game.declared,
            self.game.first_cube,
            self.game.line,
        )

    def contradiction(self, entry: Entry | None, what: str, text: str = "") -> None:
        line, column = (entry.line, entry.column) if entry else (self.game.line, 1)
        self.raw.report("contradiction", line, column, what, text)

    # --- dice and plays

    def play(self, entry: Entry, *, is_last: bool) -> None:
        assert entry.dice is not None
        one, other = entry.dice
        roll = (one, other) if one >= other else (other, one)
        before = self.state
        if before.phase == "over":
            self.add(entry, "play", roll=roll, reason="game_over", message="the game is over")
            return
        if before.phase in ("offered", "beavered"):
            self.contradiction(entry, "plays on though a double waits for its answer")
        elif before.side != entry.side:
            self.contradiction(entry, "plays though it is for the other side to play")
        if before.side != entry.side or before.phase in ("offered", "beavered"):
            before = _turned(before, entry.side)
        self.state = rolled(before, roll, self.setting)
        if self.state.phase == "over":  # a last roll that nothing can be done with
            self.add(entry, "roll", roll=roll, before=before)
            return
        if not self.is_known:
            gives_up = is_last and not entry.words
            self.add(entry, "roll" if gives_up else "play", roll=roll, before=before)
            self.state = _over_to(before, 1 - entry.side)
            return
        board = board_of(self.state)
        hops: tuple[Hop, ...] | None = None
        refused: IllegalPlay | InvalidNotation | None = None
        words, after = entry.words, None
        if words is not None:
            try:
                hops = tuple(read_hops(words)) if words else ()
            except InvalidNotation as error:
                refused = error
        if hops is not None:
            refused, after = self.judged(board, roll, hops, entry)
        if words is None or (not words and refused and is_last):
            # Thrown, and then the game was given up.
            if is_last:
                self.state = before
                self.add(entry, "roll", roll=roll, before=before, board=board)
                return
            refused = IllegalPlay("the roll is not played", reason="incomplete")
            after = board.flip()
        self.add(
            entry,
            "play",
            roll=roll,
            before=before,
            board=board,
            after=after,
            is_legal=refused is None,
            reason=getattr(refused, "reason", None),
            message=None if refused is None else str(refused),
        )
        if after is None:
            self.is_known = False
            self.state = _over_to(before, 1 - entry.side)
        else:
            self.state = played(self.state, board, after, None, self.setting)

    def judged(
        self, board: Position, roll: tuple[int, int], hops: tuple[Hop, ...], entry: Entry
    ) -> tuple[IllegalPlay | InvalidNotation | None, Position | None]:
        """Return what is wrong with a play, and the board after it: as made, if it is illegal."""
        refused, _, after = judge(board.cells, roll, board.rules, (), hops, False)
        if refused is not None and not refused[0]:
            # The rules know nothing of marks: that one is wrong says something of the file alone.
            self.contradiction(entry, "a hit is marked where nothing is hit", entry.words or "")
            hops = tuple((origin, target, False) for origin, target, _ in hops)
            refused, _, after = judge(board.cells, roll, board.rules, (), hops, False)
        if refused is None:
            return None, board._successor(after)
        made = _as_made(board, hops)
        if made is not None and board.plays(roll)._place(made.cells) >= 0:
            self.contradiction(entry, "the way is not legal, though another is", entry.words or "")
            return None, made
        words = entry.words or "pass"
        error = refusal(board.row.tolist(), roll, board.rules, words, hops, refused)
        return error, made

    # --- what is said

    def talk(self, entry: Entry) -> None:
        """Say something of the cube, or give up."""
        before, setting = self.state, self.setting
        action, side = entry.action, entry.side
        if action == "resign":
            self.add(entry, "resign", before=before, value=entry.value)
            if before.phase != "over":
                kind = KINDS[(entry.value or 1) - 1]
                self.state = resigned(before, side, kind, setting)
            return
        found = fault(before, action, setting)
        if found is None and before.to_act != side:
            found = "not_on_turn", "it is for the other side to say so"
        times = _TIMES.get(action)
        value = times and times * before.cube.value
        is_beyond = value is not None and value > LARGEST_CUBE
        if is_beyond:
            value, found = None, ("cube_max", f"no cube is read beyond {LARGEST_CUBE:,}")
        reason, message = found or (None, None)
        if entry.value is not None and entry.value != value and before.phase != "over":
            self.contradiction(entry, f"the cube goes to {value}", f"{action} {entry.value}")
        self.add(
            entry,
            action,
            before=before,
            value=value,
            is_legal=found is None,
            reason=reason,
            message=message,
        )
        # What is refused is done too, where there is a way to do it.
        if is_beyond:
            return
        if action == "double" and before.phase != "over":
            self.state = offered(before if before.side == side else _turned(before, side))
        elif action in ("take", "drop") and before.phase in ("offered", "beavered"):
            self.state = (taken if action == "take" else dropped)(before)
        elif action == "beaver" and before.phase == "offered":
            self.state = beavered(before)
        elif action == "raccoon" and before.phase == "beavered":
            self.state = raccooned(before, setting)

    def add(
        self,
        entry: Entry,
        action: str,
        *,
        roll: tuple[int, int] | None = None,
        before: State | None = None,
        board: Position | None = None,
        after: Position | None = None,
        is_legal: bool | None = None,
        reason: str | None = None,
        message: str | None = None,
        value: int | None = None,
    ) -> None:
        """Add a node; without a state before, the game is over."""
        position = board
        if position is None and before is not None and self.is_known and before.phase != "over":
            position = before.position if before.side == entry.side else before.position.flip()
        self.nodes.append(
            Node(
                entry.side,
                action,  # type: ignore[arg-type]
                position,
                roll,
                after,
                False if reason == "game_over" else is_legal,
                reason,
                (before or self.state).cube,
                self.score,
                value,
                entry.words,
                message,
                entry.line,
                entry.column,
            )
        )

    # --- the end

    def result(self) -> Result | None:
        """Return how the game ended, and say where what is declared contradicts it."""
        declared, game = self.game.declared, self.game
        if self.state.result is None and declared is not None:
            winner, points = declared
            if winner is None:
                self.contradiction(None, f"game {game.number} is declared a draw; it was not over")
                return None
            value = self.given_up(winner, points)
            self.talk(Entry(1 - winner, "resign", value=value, line=game.line))
        result = self.state.result
        if result is None or declared in (None, (result.winner, result.points)):
            return result
        away, winner = self.setting.away, result.winner
        # Many programs give no more points than the match needs, or than it has.
        is_capped = away is not None and winner is not None and winner == declared[0]
        if is_capped and away[winner] <= declared[1] < result.points:  # type: ignore[index]
            return result
        said = "a draw" if declared[0] is None else f"player {declared[0] + 1} wins {declared[1]}"
        found = "a draw"
        if result.winner is not None:
            found = f"player {result.winner + 1} wins {result.points}"
        what = f"game {game.number} is declared: {said}; by play and cube: {found}"
        self.contradiction(None, what)
        return result

    def given_up(self, winner: int, points: int) -> int:
        """Return what a game was given up as, 1, 2 or 3, by the points declared.

        Where those cannot be, the score of the next game tells; else it is a single game.
        """
        cube, setting = self.state.cube, self.setting
        worth = {points_of(kind, cube, setting): KINDS.index(kind) + 1 for kind in KINDS[::-1]}
        if points not in worth and self.following is not None:
            points = self.following[winner] - self.score[winner]
        return worth.get(points, 1)


def _turned(state: State, side: int) -> State:
    """Return the state in which a turn of a side begins, whosever it is."""
    position = state.position if state.side == side else state.position.flip()
    return state._replace(phase="roll", side=side, position=position, roll=None)


def _over_to(state: State, side: int) -> State:
    """Return the state after a play that nothing is known of."""
    return _turned(state, side)._replace(turn_number=state.turn_number + 1)


def _as_made(board: Position, hops: tuple[Hop, ...]) -> Position | None:
    """Return the board after an illegal play, as people made it; None if it cannot be made."""
    row = board.row.copy()
    for origin, target, _ in hops:
        if row[origin] < 1:
            return None
        row[origin] -= 1
        if target == OFF:
            row[OFF] += 1
            continue
        if row[target] == -1 and board.rules.game == "short":
            row[target] = 0
            row[OPPONENT_BAR] += 1
        if row[target] < 0:
            return None
        row[target] += 1
    made = Position.from_row_unchecked(row, rules=board.rules)
    if made.status() & ~_BLOCKS:
        return None
    return made.flip()
