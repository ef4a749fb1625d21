"""What a wording of a play means, by brute force over the reference: every order, every route.

A wording names the ways of some checkers: an origin, perhaps landings between, the last landing.
From one named point to the next is a hop, for which a checker may take any dice of the roll that
fit. Right is a wording of which some order and some route is a legal play.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

from nardy import reference
from nardy.options import Rules

Way = tuple[int, ...]
"""The points of one checker, falling: 25 is the bar, 0 is off."""

NOTATION = "notation"
"""Among the reasons: the text is no wording at all (InvalidNotation)."""


@dataclass(frozen=True)
class Answer:
    """What a wording is read as: an after-state, or why it is refused (any of the reasons)."""

    after: tuple[int, ...] | None
    reasons: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _HalfMove:
    source: int
    target: int
    dice: tuple[int, ...]
    """This die and those with which the hop goes on; none if no dice of this roll make the hop."""

    @property
    def is_named(self) -> bool:
        """Whether the wording shows the landing."""
        return len(self.dice) <= 1


_Rest = tuple[tuple[_HalfMove, ...], ...]
"""All ways to make a hop, or the rest of it, of which no half-move was made otherwise."""


def routes(source: int, target: int, dice: Sequence[int]) -> list[tuple[int, ...]]:
    """List the dice, in order, that bring a checker from one point to another and no further."""
    found = set()
    for length in range(1, len(dice) + 1):
        for way in set(permutations(dice, length)):
            before = source - sum(way[:-1])
            if before > target and max(before - way[-1], reference.OFF) == target:
                found.add(way)
    return sorted(found, reverse=True)


class Law:
    """One board and roll, and what the law says of any wording."""

    def __init__(self, row: Sequence[int], roll: Sequence[int], rules: Rules) -> None:
        self.row, self.roll, self.rules = list(row), tuple(roll), rules
        self.board = reference.board_of(self.row, rules)
        self.dice = reference.dice_of(roll, rules)
        self.plays = reference.plays(self.row, roll, rules=rules)
        self.must_pass = any(() in ways for ways in self.plays.values())
        self._cap = reference.head_cap(self.board, self.dice, rules)
        self._whole = {play for ways in self.plays.values() for play in ways}
        self._faults: dict[reference.Play, str | None] = {}

    def fault(self, play: reference.Play) -> str | None:
        """Say why half-moves that are legal one by one are no legal play, in whatever order."""
        if play in self._whole:
            return None
        known = tuple(sorted(play))
        if known not in self._faults:
            self._faults[known] = reference.play_fault(self.row, self.roll, play, rules=self.rules)
        return self._faults[known]

    def hits(self, play: reference.Play) -> list[int]:
        """List the points where a play hits, in the order played."""
        board, found = self.board, []
        for source, target in play:
            after = reference.moved(board, source, source - target, self.rules)
            if after.opponent != board.opponent:
                found.append(target)
            board = after
        return found

    def is_blot(self, point: int) -> bool:
        """Whether a checker that lands there now hits."""
        other = reference.OTHER[self.rules.game][point]
        lone = 1 <= point <= 24 and self.board.opponent[other] == 1
        return self.rules.game == "short" and lone

    def read(self, ways: Sequence[Way], stars: Collection[int] = ()) -> Answer:
        """Say what a wording means; `stars` are the landings that it says to be hits."""
        # A checker always lands on a named point: it hits there exactly if a blot stands there.
        spoilt = {NOTATION} if not all(map(self.is_blot, stars)) else set()
        if not self.plays:
            return Answer(None, frozenset({"game_over", *spoilt}))
        if ways and self.must_pass:
            return Answer(None, frozenset({"must_pass", *spoilt}))
        # Merged or not is the same: another checker may make the later hops of a way.
        hops = [hop for way in ways for hop in pairwise(way)]
        clean, hitting, reason = self._search([self._routes(*hop) for hop in hops])
        # A merged wording means no hit on the way, if there is such a route.
        afters = clean or hitting
        if not afters:
            return Answer(None, frozenset({reason, *spoilt}))
        if len(afters) > 1:
            return Answer(None, frozenset({"ambiguous", *spoilt}))
        if spoilt:
            return Answer(None, frozenset({NOTATION}))
        return Answer(next(iter(afters)))

    def _routes(self, source: int, target: int) -> _Rest:
        """List all that a checker may do to make a hop, the larger dice first."""
        found = [tuple(_half_moves(source, dice)) for dice in routes(source, target, self.dice)]
        return tuple(found) or ((_HalfMove(source, target, ()),),)

    def _search(self, hops: list[_Rest]) -> tuple[set[Way], set[Way], str]:
        """Try all orders and routes: boards reached without and with an unnamed hit, or a reason.

        The reason is that of the try that gets farthest; to have made all half-moves is farther
        than any fault on the way, then their number counts, then who comes first: the half-moves in
        the order worded, the larger die first.
        """
        clean: set[Way] = set()
        hitting: set[Way] = set()
        farthest, reason = (-1, -1), ""
        seen = set()

        def fail(why: str, made: int, is_whole: bool) -> None:
            nonlocal farthest, reason
            if (int(is_whole), made) > farthest:
                farthest, reason = (int(is_whole), made), why

        def go(
            state: reference.State, rests: tuple[_Rest, ...], play: reference.Play, has_hit: bool
        ) -> None:
            if (state, rests, has_hit) in seen:
                return
            seen.add((state, rests, has_hit))
            if all(rest == ((),) for rest in rests):
                why = self.fault(play)
                if why is None:
                    after = reference.handed_over(state.board, self.rules)
                    (hitting if has_hit else clean).add(after)
                else:
                    fail(why, len(play), True)
            for i, rest in enumerate(rests):
                for half_move in _next(rest, state.dice):
                    why = self._half_move_fault(state, half_move)
                    if why is not None:
                        fail(why, len(play), False)
                        continue
                    source, target, die = half_move.source, half_move.target, half_move.dice[0]
                    board = reference.moved(state.board, source, die, self.rules)
                    hits = not half_move.is_named and board.opponent != state.board.opponent
                    left = tuple(way[1:] for way in rest if way[0] == half_move)
                    go(
                        reference.State(board, reference.without(state.dice, die)),
                        (*rests[:i], left, *rests[i + 1 :]),
                        (*play, (source, target)),
                        has_hit or hits,
                    )

        go(reference.State(self.board, self.dice), tuple(hops), (), False)
        return clean, hitting, reason

    def _half_move_fault(self, state: reference.State, half_move: _HalfMove) -> str | None:
        if not half_move.dice:
            return "not_rolled"
        if not _are_left(half_move, state.dice):
            return "die_used"
        source, die = half_move.source, half_move.dice[0]
        return reference.half_move_fault(
            self.board, state.board, source, die, self._cap, self.rules
        )


def _half_moves(source: int, dice: Sequence[int]) -> Iterator[_HalfMove]:
    """Play dice with one checker: a hop as worded."""
    for i, die in enumerate(dice):
        target = max(source - die, reference.OFF)
        yield _HalfMove(source, target, tuple(dice[i:]))
        source = target


def _are_left(half_move: _HalfMove, dice: Sequence[int]) -> bool:
    """Whether the hop can still be made with these dice."""
    return Counter(half_move.dice) <= Counter(dice)


def _next(rest: _Rest, dice: Sequence[int]) -> list[_HalfMove]:
    """List what a checker may do now; a hop whose dice are spent, once."""
    heads = list(dict.fromkeys(way[0] for way in rest if way))
    return [head for head in heads if _are_left(head, dice)] or heads[:1]
