"""Boards made to order: those on which a rule bites and which uniform play hardly ever meets.

A board is a row of 32 int8 (docs/architecture.md). Men are placed by the column of their point as
the side to move sees it: 1..24, BAR, and OPPONENT_BAR; who is placed nowhere has been borne off.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

import numpy as np
import numpy.typing as npt

from nardy.board import BAR, OFF, OPPONENT_BAR, OPPONENT_OFF, opponent_point
from nardy.options import Rules

Row = npt.NDArray[np.int8]

HEAD = 24
OPPONENT_HEAD = 12
HOME = range(1, 7)
POINTS = range(1, 25)
MEN = Mapping[int, int]
"""Column -> how many men of one side stand there."""


def make_row(own: MEN, opponent: MEN, rules: Rules) -> Row:
    """Put the men of both sides on a row; the rest of each side is borne off."""
    row = np.zeros(32, np.int8)
    for column, men in own.items():
        row[column] += men
    for column, men in opponent.items():
        row[column] += men if column == OPPONENT_BAR else -men
    row[OFF] = rules.checkers - sum(own.values())
    row[OPPONENT_OFF] = rules.checkers - sum(opponent.values())
    return row


def start(rules: Rules) -> Row:
    """Set the board up for the first turn (rules 2 and 8.1)."""
    if rules.game == "long":
        return make_row({HEAD: rules.checkers}, {OPPONENT_HEAD: rules.checkers}, rules)
    own = {24: 2, 13: 5, 8: 3, 6: 5}
    return make_row(own, {25 - point: men for point, men in own.items()}, rules)


def spread(rng: Random, men: int, points: Iterable[int]) -> Counter[int]:
    """Lay `men` on some of the points: many thin ones or a few thick ones."""
    places = list(points)
    if men <= 0 or not places:
        return Counter()
    chosen = rng.sample(places, rng.randint(1, min(men, len(places))))
    return Counter(chosen) + Counter(rng.choices(chosen, k=men - len(chosen)))


def free(taken: Iterable[int], among: Iterable[int] = POINTS) -> list[int]:
    """Those of the points `among` on which nobody stands."""
    closed = set(taken)
    return [point for point in among if point not in closed]


def on_board(rng: Random, rules: Rules) -> int:
    """How many men a side still has: mostly all of them, at least one."""
    return rules.checkers if rng.random() < 0.6 else rng.randint(1, rules.checkers)


def anywhere(rng: Random, rules: Rules) -> Row:
    """Any valid board: both sides wherever they can stand, some men off, some on the bar."""
    own_men, opponent_men = on_board(rng, rules), on_board(rng, rules)
    own, opponent = Counter[int](), Counter[int]()
    if rules.game == "short":
        own[BAR] = rng.choice((0, 0, 0, 1, 2, 3)) if own_men > 3 else 0
        opponent[OPPONENT_BAR] = rng.choice((0, 0, 0, 1, 2, 3)) if opponent_men > 3 else 0
    split = rng.randint(3, 21)
    points = rng.sample(POINTS, 24)
    own += spread(rng, own_men - own[BAR], points[:split])
    opponent += spread(rng, opponent_men - opponent[OPPONENT_BAR], points[split:])
    return make_row(own, opponent, rules)


def unmoved(rng: Random, rules: Rules) -> Row:
    """Long: a first turn, late: all own men on the head, the others wherever they like (rule 4)."""
    opponent = spread(rng, on_board(rng, rules), free([HEAD]))
    return make_row({HEAD: rules.checkers}, opponent, rules)


def head_later(rng: Random, rules: Rules) -> Row:
    """Long: a thick head and few men under way, so that the cap of a later turn bites (rule 4)."""
    away = rng.randint(1, min(3, rules.checkers - 1))
    own = spread(rng, away, range(1, 24))
    own[HEAD] = rules.checkers - away
    return make_row(own, spread(rng, on_board(rng, rules), free(own)), rules)


def _run(first: int, length: int) -> list[int]:
    """List the own points of a run from the opponent's path point `first` on, in his order."""
    return [opponent_point("long", 25 - path) for path in range(first, first + length)]


def _behind_and_past(rng: Random, rules: Rules, own: MEN, first: int, last: int) -> Counter[int]:
    """Place the opponent around a run on his path points first..last: mostly behind it."""
    points = {path: opponent_point("long", 25 - path) for path in range(1, 25)}
    behind = [points[path] for path in range(1, first) if points[path] not in own]
    past = [points[path] for path in range(last + 1, 25) if points[path] not in own]
    men = rules.checkers if rng.random() < 0.8 else rng.randint(1, rules.checkers)
    beyond = rng.choice((0, 0, 0, 1, 1, 2)) if past else 0
    if not behind:
        return spread(rng, men, past or free(own))
    return spread(rng, men - beyond, behind) + spread(rng, min(beyond, men), past)


def _block(rng: Random, rules: Rules, first: int, length: int) -> Row:
    """Long: an own run, whole or with a hole and a man who can fill it (rule 5)."""
    run = _run(first, length)
    own = Counter(run)
    left = rules.checkers - len(run)
    if rng.random() < 0.7:
        hole = rng.choice(run)
        del own[hole]
        left += 1
        feeders = [point for point in range(hole + 1, hole + 7) if 1 <= point <= 24]
        if feeders:
            own[rng.choice(feeders)] += 1
            left -= 1
    places = run if rng.random() < 0.3 else free([], POINTS)
    own += spread(rng, left - rng.choice((0, 0, 0, 1, 4)), places)
    opponent = _behind_and_past(rng, rules, own, first, first + length - 1)
    return make_row(own, opponent, rules)


def six_block(rng: Random, rules: Rules) -> Row:
    """Long: a run of six or more anywhere on the opponent's way (rule 5)."""
    length = min(rng.choice((6, 6, 6, 7, 8, 9)), rules.checkers)
    return _block(rng, rules, rng.randint(1, 25 - length), length)


def joint_block(rng: Random, rules: Rules) -> Row:
    """Long: a run over own 1 and 24, which are neighbours on the opponent's way (rule 5)."""
    length = min(rng.choice((6, 6, 7, 8)), rules.checkers)
    return _block(rng, rules, rng.randint(13 - length + 1, 12), length)


def broken_run(rng: Random, rules: Rules) -> Row:
    """Long: six own points over own 12 and 13, the ends of the opponent's way (rule 5)."""
    low = rng.randint(8, 12)
    own = Counter(range(low, min(low + 6, low + rules.checkers)))
    own += spread(rng, rules.checkers - len(own), POINTS)
    return make_row(own, spread(rng, on_board(rng, rules), free(own)), rules)


def two_blocks(rng: Random, rules: Rules) -> Row:
    """Long: two runs with opposing men between them: the front one holds everybody (rule 5)."""
    if rules.checkers < 10:
        return six_block(rng, rules)
    first, gap = rng.randint(1, 11), rng.randint(1, 2)
    length = min(6, 25 - first - 6 - gap, rules.checkers - 6)
    back, front = _run(first, 6), _run(first + 6 + gap, length)
    own = Counter(back + front)
    if rng.random() < 0.6:
        hole = rng.choice(front)
        del own[hole]
        own[min(hole + rng.randint(1, 6), 24)] += 1
    own += spread(rng, rules.checkers - sum(own.values()), POINTS)
    between = free(own, _run(first + 6, gap))
    inside = rng.randint(0, 2) if between else 0
    behind = free([*own, *between], _run(1, first + 6)) or free([*own, *between])
    opponent = spread(rng, inside, between) + spread(rng, rules.checkers - inside, behind)
    return make_row(own, opponent, rules)


def bear_off(rng: Random, rules: Rules) -> Row:
    """Home but for stragglers; opposing men may close points of the home or wait on the bar."""
    men = on_board(rng, rules)
    stragglers = min(rng.choice((0, 0, 0, 1, 1, 2, 3)), men)
    where = range(7, 13) if rng.random() < 0.7 else range(7, 25)
    own = spread(rng, stragglers, where) + spread(rng, men - stragglers, HOME)
    opponent_men = on_board(rng, rules)
    opponent = Counter[int]()
    if rules.game == "short":
        opponent[OPPONENT_BAR] = min(rng.choice((0, 0, 1, 2)), opponent_men)
    places = free(own) if rng.random() < 0.6 else free(own, range(13, 25))
    opponent += spread(rng, opponent_men - opponent[OPPONENT_BAR], places or free(own))
    return make_row(own, opponent, rules)


def last_men(rng: Random, rules: Rules) -> Row:
    """One to four men left, mostly at home: all but the last are off."""
    where = HOME if rng.random() < 0.8 else POINTS
    own = spread(rng, min(rng.choice((1, 1, 1, 2, 3, 4)), rules.checkers), where)
    return make_row(own, spread(rng, on_board(rng, rules), free(own)), rules)


def off_too_soon(rng: Random, rules: Rules) -> Row:
    """Bear men of both sides off while others are outside home: valid, but no game gets there."""
    own = spread(rng, rng.randint(1, rules.checkers - 1), POINTS)
    opponent = spread(rng, rng.randint(1, rules.checkers - 1), free(own))
    return make_row(own, opponent, rules)


def tight(rng: Random, rules: Rules) -> Row:
    """One or two men who can move among closed points: both dice, the larger die (rule 3.4)."""
    loose = spread(rng, rng.choice((1, 1, 2)), range(7, 25))
    own = loose + Counter({1: rules.checkers - sum(loose.values())})
    points = rng.sample(free(own), rng.randint(3, 7))
    thick = 2 if rules.game == "short" else 1
    room = rules.checkers // thick
    opponent = Counter(dict.fromkeys(points[:room], thick))
    opponent[points[0]] += rules.checkers - sum(opponent.values())
    return make_row(own, opponent, rules)


def blots(rng: Random, rules: Rules) -> Row:
    """Short: many single men within reach of each other, so that routes differ by what they hit."""
    points = rng.sample(POINTS, 24)
    split = rng.randint(8, 15)
    own, opponent = Counter(points[:split]), Counter(points[split:][: rng.randint(4, 9)])
    own[points[0]] += rules.checkers - sum(own.values())
    opponent[points[split]] += rules.checkers - sum(opponent.values())
    if rng.random() < 0.3:
        own[points[0]] -= 1
        own[BAR] += 1
    return make_row(+own, opponent, rules)


def on_bars(rng: Random, rules: Rules) -> Row:
    """Short: men on both bars before homes with some points closed and some blots (rule 8.2)."""
    own, opponent = Counter[int](), Counter[int]()
    own[BAR], opponent[OPPONENT_BAR] = rng.randint(1, 5), rng.randint(0, 5)
    closed = rng.sample(range(19, 25), rng.randint(0, 5))
    for point in closed:
        opponent[point] = rng.choice((1, 2, 2))
    own += spread(rng, rules.checkers - own[BAR], free(closed))
    opponent += spread(rng, rules.checkers - sum(opponent.values()), free(own))
    return make_row(own, opponent, rules)


def closed_bars(rng: Random, rules: Rules) -> Row:
    """Short: both sides on the bar before six closed points each: nobody ever moves again."""
    own, opponent = Counter(2 * list(HOME)), Counter(2 * list(range(19, 25)))
    own[BAR], opponent[OPPONENT_BAR] = rng.randint(0, 3), rng.randint(0, 3)
    own += spread(rng, 15 - sum(own.values()), free(opponent))
    opponent += spread(rng, 15 - sum(opponent.values()), free(own))
    return make_row(own, opponent, rules)


def finished(rng: Random, rules: Rules) -> Row:
    """One side is off; how much it won depends on what the other still has where (rules 7, 8.4)."""
    men = rules.checkers if rng.random() < 0.8 else rng.randint(1, rules.checkers)
    where = POINTS if rng.random() < 0.5 else rng.sample(POINTS, 6)
    loser = spread(rng, men, where)
    bar = rng.choice((0, 0, 1)) if rules.game == "short" else 0
    if rng.random() < 0.5:
        if bar:
            loser = +(loser - Counter([min(loser)])) + Counter({BAR: 1})
        return make_row(loser, {}, rules)
    if bar:
        loser = +(loser - Counter([min(loser)])) + Counter({OPPONENT_BAR: 1})
    return make_row({}, loser, rules)


CONSTRUCTIONS: Mapping[str, Sequence[Callable[[Random, Rules], Row]]] = {
    "long": (
        anywhere, unmoved, head_later, six_block, joint_block, broken_run, two_blocks, bear_off,
        last_men, off_too_soon, tight, finished,
    ),
    "short": (
        anywhere, bear_off, last_men, off_too_soon, tight, blots, on_bars, closed_bars, finished,
    ),
}  # fmt: skip
"""Every way to construct a board of a game."""
