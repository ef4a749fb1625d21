"""Hypothesis strategies: any valid row, any roll, any rules; they shrink towards the defaults."""

from collections import Counter

from hypothesis import strategies as st

import nardy
from nardy.board import BAR, OFF, OPPONENT_BAR, OPPONENT_OFF
from nardy.options import Rules
from proof import option_sets
from proof.boards import POINTS, make_row
from proof.walks import Rows

rolls = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def rule_sets(draw: st.DrawFn, game: str | None = None) -> Rules:
    """Draw rules of either game: long nardy with any combination of the options that shape play."""
    chosen = game or draw(st.sampled_from(("long", "short")))
    if chosen == "short":
        return nardy.SHORT
    return nardy.LONG.replace(
        **{
            option: draw(st.sampled_from(values))
            for option, values in option_sets.LONG_VALUES.items()
        }
    )


@st.composite
def rows(draw: st.DrawFn, rules: Rules, *, running: bool = False) -> Rows:
    """Draw a valid row, reachable or not; with `running` neither side is off."""
    held_by = draw(st.lists(st.sampled_from((1, 0, -1)), min_size=24, max_size=24))
    own = [point for point, side in zip(POINTS, held_by, strict=True) if side == 1]
    opponent = [point for point, side in zip(POINTS, held_by, strict=True) if side == -1]
    own += [OFF] if rules.game == "long" else [OFF, BAR]
    opponent += [OPPONENT_OFF] if rules.game == "long" else [OPPONENT_OFF, OPPONENT_BAR]
    placed = []
    for columns, off in ((own, OFF), (opponent, OPPONENT_OFF)):
        where = st.lists(
            st.sampled_from(columns[::-1]), min_size=rules.checkers, max_size=rules.checkers
        )
        men = Counter(draw(where))
        men.pop(off, None)
        placed.append(men)
    if running and not placed[0]:
        placed[0][1 if 1 not in placed[1] else _free(placed[1])] += 1
    if (running or not placed[0]) and not placed[1]:
        placed[1][_free(placed[0])] += 1
    return make_row(placed[0], placed[1], rules)


def _free(taken: Counter[int]) -> int:
    return next(point for point in POINTS if point not in taken)
