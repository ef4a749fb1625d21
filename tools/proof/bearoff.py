"""Bear-offs of one side and of two, in plain Python: slow, exact, and read beside docs/rules.md.

It shares nothing with the kernel, nor with `nardy.reference` (the tests hold its plays against the
latter): it knows one side's checkers alone, tries every order of half-moves, and counts in
fractions.

Vocabulary
    placement   how many checkers of one side stand on the points 1, 2 ... of a table; who is on
                none of them has been borne off. Points beyond 6 lie outside home.
    roll        two dice.
    after       a placement that a legal play leads to; the same placement means a pass.

Nothing of the other side is in the way: what the tables are for.
"""

from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

Placement = tuple[int, ...]
Roll = tuple[int, int]
Choice = Callable[[Placement, Roll, Collection[Placement]], Placement]

HOME = 6
CHANCES = {(a, b): Fraction(1 if a == b else 2, 36) for a in range(1, 7) for b in range(1, a + 1)}


class Options(NamedTuple):
    """What of the rules shapes a bear-off (§9), for either game."""

    overshoot: str
    mandatory: bool
    doubles: int  # half-moves of a double
    strict: str | None  # six in a row are forbidden: when that is tested (§5 `block_check`)
    checkers: int
    no_home: bool  # a loser who has brought none home pays three (§7 `koks`)


def options_of(rules: Any) -> Options:
    """Read the rules; short nardy has none of these options (§8.3)."""
    if rules.game == "short":
        return Options("farthest", False, 4, None, 15, False)
    return Options(
        rules.bearoff_overshoot,
        rules.bearoff_mandatory,
        rules.doubles_moves,
        rules.block_check if rules.block == "strict" else None,
        rules.checkers,
        rules.koks == "no_home",
    )


# --- one turn of one side


def farthest(placement: Placement) -> int:
    """Return the farthest occupied point, or 0."""
    return max((point for point, men in enumerate(placement, 1) if men), default=0)


def six_in_a_row(placement: Placement) -> bool:
    """§5: the points of a table lie on one straight line of the opponent's track (up to 12)."""
    return any(all(placement[start : start + 6]) for start in range(len(placement) - 5))


def moved(placement: Placement, point: int, die: int) -> Placement:
    """Make a half-move."""
    men = list(placement)
    men[point - 1] -= 1
    if point > die:
        men[point - die - 1] += 1
    return tuple(men)


def may_bear_off(placement: Placement, point: int, die: int, options: Options) -> bool:
    """§6, §8.3: a checker on `point` may go off with `die`, which takes it that far."""
    far = farthest(placement)
    if far > HOME:
        return False
    if point == die:
        return True
    allowed = {"farthest": point == far, "any": die > far, "exact": False}
    return allowed[options.overshoot]


def half_moves(placement: Placement, die: int, options: Options) -> set[Placement]:
    """List what one die can lead to."""
    off, inside = set(), set()
    for point, men in enumerate(placement, 1):
        if not men:
            continue
        after = moved(placement, point, die)
        if options.strict == "step" and six_in_a_row(after):
            continue
        if point > die:
            inside.add(after)
        elif may_bear_off(placement, point, die, options):
            off.add(after)
    return off if options.mandatory and off else off | inside


@cache
def sequences(
    placement: Placement, dice: tuple[int, ...], options: Options
) -> frozenset[tuple[tuple[int, ...], Placement]]:
    """List every legal sequence of half-moves, unfinished ones too: its dice, and where it ends."""
    found: set[tuple[tuple[int, ...], Placement]] = {((), placement)}
    for die in set(dice):
        at = dice.index(die)
        left = dice[:at] + dice[at + 1 :]
        for after in half_moves(placement, die, options):
            found |= {((die, *used), end) for used, end in sequences(after, left, options)}
    return frozenset(found)


@cache
def plays(placement: Placement, roll: Roll, options: Options) -> frozenset[Placement]:
    """§3.4: where the legal plays of a roll end; a pass leaves the placement as it is."""
    one, other = roll
    dice = roll if one != other else (one,) * options.doubles
    legal = [
        (used, end)
        for used, end in sequences(placement, dice, options)
        if not (used and options.strict and six_in_a_row(end))
    ]
    longest = max(len(used) for used, _ in legal)
    legal = [(used, end) for used, end in legal if len(used) == longest]
    if longest == 1 and one != other:
        larger = [(used, end) for used, end in legal if used[0] == max(roll)]
        legal = larger or legal
    return frozenset(end for _, end in legal)


def placements(points: int, checkers: int) -> Iterator[Placement]:
    """List every placement of up to so many checkers."""
    if not points:
        yield ()
        return
    for men in range(checkers + 1):
        for nearer in placements(points - 1, checkers - men):
            yield (*nearer, men)


# --- one side


def first_sorted(placement: Placement, roll: Roll, tied: Collection[Placement]) -> Placement:
    """Choose among equally good placements, where no other order is asked for."""
    return min(tied)


class OneSided:
    """Rolls to the last and to the first checker off, each under the play with the least mean."""

    def __init__(self, rules: Any, choose: Choice = first_sorted) -> None:
        self.options = options_of(rules)
        self.choose = choose
        self.mean = cache(self._mean)
        self.best = cache(self._best)
        self.chance = cache(self._chance)

    def goal(self, placement: Placement, first: bool) -> bool:
        """Whether the last, or the first, checker is off."""
        return sum(placement) < self.options.checkers if first else not any(placement)

    def _mean(self, placement: Placement, first: bool = False) -> Fraction:
        """Mean rolls to the last checker off, or the first.

        A pass loops: mean = 1 + moves + passes * mean, hence the division.
        """
        if self.goal(placement, first):
            return Fraction(0)
        moves, passes = Fraction(1), Fraction(0)
        for roll, chance in CHANCES.items():
            ends = plays(placement, roll, self.options)
            if placement in ends:
                passes += chance
            else:
                moves += chance * min(self.mean(end, first) for end in ends)
        return moves / (1 - passes)

    def _best(self, placement: Placement, roll: Roll, first: bool = False) -> tuple[Placement, ...]:
        """List all equally good ends of a roll."""
        ends = plays(placement, roll, self.options)
        if placement in ends:
            return (placement,)
        least = min(self.mean(end, first) for end in ends)
        return tuple(sorted(end for end in ends if self.mean(end, first) == least))

    def distribution(
        self, placement: Placement, rolls: int, first: bool = False
    ) -> tuple[Fraction, ...]:
        """Chances that it takes 0, 1 ... `rolls` rolls; ties go to what `choose` says."""
        return tuple(self.chance(placement, n, first) for n in range(rolls + 1))

    def _chance(self, placement: Placement, rolls: int, first: bool) -> Fraction:
        """Chance that it takes exactly so many rolls."""
        if self.goal(placement, first) or rolls == 0:
            return Fraction(rolls == 0 and self.goal(placement, first))
        total = Fraction(0)
        for roll, chance in CHANCES.items():
            tied = self.best(placement, roll, first)
            end = tied[0] if len(tied) == 1 else self.choose(placement, roll, tied)
            total += chance * self.chance(end, rolls - 1, first)
        return total


# --- two sides


class Equities(NamedTuple):
    """Of the side about to roll, in units of the cube."""

    cubeless: Fraction
    centred: Fraction | None  # None: see `TwoSided`
    own: Fraction | None
    opponents: Fraction | None


class Chances(NamedTuple):
    """Of the side about to roll, when both play for cubeless equity."""

    win: Fraction
    win_mars: Fraction
    lose_mars: Fraction


class TwoSided:
    """Both sides bear off, the first of a pair to roll, each playing for the most.

    Money play: no Jacoby, no beavers, no limit to the cube; a drop costs the stake, and mars counts
    as many times the cube as docs/rules.md says.

    Where both sides can have to pass (overshoot `exact`), the board can come round again with a
    larger cube. Chances and cubeless equity are the one solution of two linear equations. With a
    cube there is no such value: one checker each on the ace point has several equilibria, since
    25/36 * 25/36 of the games come round with four times the stake. So where the side to roll can
    have to pass, the three are None, and so is whatever can lead there.
    """

    def __init__(self, rules: Any) -> None:
        self.options = options_of(rules)
        self.win = cache(self._win)
        self.undoubled = cache(self._undoubled)
        self.chances = cache(self._chances)

    def worth(self, loser: Placement) -> int:
        """§7, §8.4: 1, or 2 if the loser has none off (3 with `koks` and none home)."""
        if sum(loser) < self.options.checkers:
            return 1
        return 3 if self.options.no_home and not any(loser[:HOME]) else 2

    def ends(self, own: Placement) -> Iterator[tuple[Fraction, Roll, frozenset[Placement]]]:
        """List the rolls that move something."""
        for roll, chance in CHANCES.items():
            found = plays(own, roll, self.options)
            if own not in found:
                yield chance, roll, found

    def passes(self, own: Placement) -> Fraction:
        """Chance of a roll that moves nothing."""
        return 1 - sum((chance for chance, _, _ in self.ends(own)), Fraction(0))

    def _win(self, own: Placement, opponent: Placement) -> Fraction:
        """Largest chance to win, whatever mars would cost."""

        def moves(own: Placement, opponent: Placement) -> Fraction:
            return sum(
                (
                    chance * max(1 - self.win(opponent, end) if any(end) else 1 for end in ends)
                    for chance, _, ends in self.ends(own)
                ),
                Fraction(0),
            )

        if not any(opponent):
            return Fraction(0)
        # win = mine + p * (1 - his); his = other + q * (1 - win).
        p, q = self.passes(own), self.passes(opponent)
        mine = moves(own, opponent)
        if not p:
            return mine
        return (mine + p - p * (moves(opponent, own) + q)) / (1 - p * q)

    def equities(self, own: Placement, opponent: Placement) -> Equities:
        """Equities before the side to roll has decided whether to double."""
        cubeless, centred, mine, his = self.undoubled(own, opponent)
        if centred is None or mine is None or his is None:
            return Equities(cubeless, None, None, None)
        doubled = min(2 * his, Fraction(1))  # taken, or dropped: as the opponent likes it
        return Equities(cubeless, max(centred, doubled), max(mine, doubled), his)

    def _undoubled(self, own: Placement, opponent: Placement) -> Equities:
        """Equities when the side to roll does not double this time: what GNU Backgammon stores."""
        p = self.passes(own)

        def rolled(own: Placement, opponent: Placement, after: str) -> Fraction | None:
            """Equity of the rolls that move; `after` says what the other side then has."""
            total = Fraction(0)
            for chance, _, ends in self.ends(own):
                found: list[Fraction] = []
                for end in ends:
                    if not any(end):
                        found.append(Fraction(self.worth(opponent)))
                        continue
                    value = getattr(self.equities(opponent, end), after)
                    if value is None:
                        return None
                    found.append(-value)
                total += chance * max(found)
            return total

        cubeless = rolled(own, opponent, "cubeless")
        assert cubeless is not None
        if p:
            other = rolled(opponent, own, "cubeless")
            assert other is not None
            cubeless = (cubeless - p * other) / (1 - p * self.passes(opponent))
            return Equities(cubeless, None, None, None)
        # What one side owns is the opponent's for the other.
        centred, mine, his = (
            rolled(own, opponent, after) for after in ("centred", "opponents", "own")
        )
        return Equities(cubeless, centred, mine, his)

    def best(self, own: Placement, opponent: Placement, roll: Roll) -> list[Placement]:
        """List the ends of a roll that are best for cubeless equity, sorted."""

        def value(end: Placement) -> Fraction:
            if any(end):
                return -self.undoubled(opponent, end).cubeless
            return Fraction(self.worth(opponent))

        ends = sorted(plays(own, roll, self.options))
        most = max(map(value, ends))
        return [end for end in ends if value(end) == most]

    def _chances(self, own: Placement, opponent: Placement) -> Chances:
        """Ties go to the first in order: equal equity may hide other chances (win against mars)."""

        def moves(own: Placement, opponent: Placement) -> Chances:
            total = Chances(Fraction(0), Fraction(0), Fraction(0))
            for chance, roll, _ in self.ends(own):
                end = self.best(own, opponent, roll)[0]
                if any(end):
                    his = self.chances(opponent, end)
                    mine = Chances(1 - his.win, his.lose_mars, his.win_mars)
                else:
                    mars = Fraction(self.worth(opponent) > 1)
                    mine = Chances(Fraction(1), mars, Fraction(0))
                total = Chances(*(t + chance * m for t, m in zip(total, mine, strict=True)))
            return total

        p, q = self.passes(own), self.passes(opponent)
        mine = moves(own, opponent)
        if not p:
            return mine
        his = moves(opponent, own)
        loop = 1 - p * q
        return Chances(
            (mine.win + p - p * (his.win + q)) / loop,
            (mine.win_mars + p * his.lose_mars) / loop,
            (mine.lose_mars + p * his.win_mars) / loop,
        )


# --- arrays


def row_of(own: Placement, opponent: Placement, rules: Any) -> list[int]:
    """Write two placements as a row of 32 numbers (docs/architecture.md); the rest is off."""
    full = options_of(rules).checkers
    row = [0] * 32
    row[0], row[26] = full - sum(own), full - sum(opponent)
    for point, men in enumerate(own, 1):
        row[point] += men
    for point, men in enumerate(opponent, 1):
        row[25 - point if rules.game == "short" else point + 12] -= men
    return row
