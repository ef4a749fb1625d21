"""Play the half-moves of a turn on a row, one by one, and object to any that the board forbids.

Written from rules 1, 3, 6 and 8.2 alone and apart from both generators. It knows landing, hits, the
bar, the dice and the home; head, block and maximal play are for those who list all plays.
"""

from collections.abc import Sequence

from nardy.board import BAR, OFF, OPPONENT_BAR, OPPONENT_OFF, opponent_point
from nardy.options import Rules

Step = tuple[int, int]


def replay(
    row: Sequence[int], roll: Sequence[int], play: Sequence[Step], rules: Rules
) -> tuple[int, ...]:
    """Return the board after the play as the other side sees it.

    Raises
    ------
    AssertionError
        A half-move that cannot be made where it stands.
    """
    board = [int(men) for men in row]
    first, second = (int(die) for die in roll)
    hand = (first,) * rules.doubles_moves if first == second else (first, second)
    hands = {hand}  # several where either die bears the same man off
    for source, target in play:
        assert 1 <= source <= BAR, f"no man can come from {source}"
        assert board[source] > 0, f"nobody of the mover on {source}"
        assert source == BAR or not board[BAR], f"{source}/{target} with men on the bar"
        assert target != OFF or not any(men > 0 for men in board[7:26]), f"{source}/off too soon"
        hands = {left for hand in hands for left in _played(hand, source, target)}
        assert hands, f"no die is left for {source}/{target}"
        board[source] -= 1
        if target != OFF:
            closed = -2 if rules.game == "short" else -1
            assert board[target] > closed, f"{target} is closed"
            if board[target] == -1:
                board[target] = 0
                board[OPPONENT_BAR] += 1
        board[target] += 1
    return _handed_over(board, rules)


def _played(hand: tuple[int, ...], source: int, target: int) -> set[tuple[int, ...]]:
    """List what may be left of the dice after this half-move."""
    return {
        hand[:at] + hand[at + 1 :]
        for at, die in enumerate(hand)
        if source - die == target or (target == OFF and die > source)
    }


def _handed_over(board: Sequence[int], rules: Rules) -> tuple[int, ...]:
    seen = [0] * 32
    for point in range(1, 25):
        seen[opponent_point(rules.game, point)] = -board[point]
    for column, other in ((OFF, OPPONENT_OFF), (BAR, OPPONENT_BAR)):
        seen[column], seen[other] = board[other], board[column]
    return tuple(seen)
