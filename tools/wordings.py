"""Word plays in many ways, right and wrong, and hold what the package reads against brute force.

    python tools/wordings.py --positions 2000 --seed 1
    python tools/wordings.py --game short --seed 1 --first 17 --positions 1    one position again

Ends with 1 on the first disagreement, and tells it in full.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import nardy
from nardy import reference
from nardy.options import Rules
from proof import option_sets
from proof.boards import CONSTRUCTIONS
from proof.reading import NOTATION, Answer, Law, Way

GAMES = ("long", "short")
PLAYS = 6
"""Of so many plays of a position other wordings are tried; the canonical one of every play is."""
OTHERS = 3
"""Right wordings of each."""
MUTANTS = 3
"""Altered wordings of each."""
SHARP = ("tight", "blots", "head_later", "six_block", "bear_off")
"""Constructions on which the rarer reasons are met."""
ATTEMPTS = 25
"""Wordings of a position that fit the dice and look at nothing else."""


@dataclass(frozen=True)
class Wording:
    """The ways of some checkers as worded, and where a hit is said: (which way, which landing)."""

    ways: tuple[Way, ...]
    stars: frozenset[tuple[int, int]] = frozenset()

    @property
    def starred(self) -> set[int]:
        """The points said to be hit."""
        return {self.ways[i][at] for i, at in self.stars}


# --- positions


def draw_position(game: str, seed: int, number: int) -> tuple[list[int], tuple[int, int], Rules]:
    """Make position `number` of a seed: its row, a roll, its rules."""
    rng = Random(f"{seed} {game} {number}")
    while True:
        rules = option_sets.draw(rng, game)
        if rng.random() < 0.3:
            rows = nardy.random_rows(200, rules=rules, seed=rng.getrandbits(32))
            row = rows[rng.randrange(len(rows))].tolist()
        else:
            ways = CONSTRUCTIONS[game]
            if rng.random() < 0.4:
                ways = [way for way in ways if way.__name__ in SHARP]
            row = rng.choice(ways)(rng, rules).tolist()
        if nardy.Position.from_row_unchecked(row, rules=rules).is_over and rng.random() < 0.8:
            continue  # every wording is refused alike
        roll = (rng.randint(1, 6), rng.randint(1, 6))
        if rng.random() < 0.1:
            roll = (roll[0], roll[0])
        # Of a double on many points the reference lists thousands of orders: few of those will do.
        many = roll[0] == roll[1] and sum(men > 0 for men in row[1:26]) > 8
        if many and rng.random() < 0.95:
            continue
        if not nardy.Position.from_row_unchecked(row, rules=rules).status():
            return row, roll, rules


# --- wordings


def reword(rng: Random, play: reference.Play, law: Law) -> Wording:
    """Word a play: any order, the half-moves of one checker joined or not, hits said or not."""
    ways = joined(rng, play).ways
    landings = [(i, at) for i, way in enumerate(ways) for at in range(1, len(way))]
    stars = set()
    for hit in law.hits(play):
        there = [(i, at) for i, at in landings if ways[i][at] == hit]
        if there and rng.random() < 0.6:
            stars.add(rng.choice(there))
    return Wording(ways, frozenset(stars))


def joined(rng: Random, play: Sequence[reference.HalfMove]) -> Wording:
    """Word half-moves in any order, some of them as longer ways, with or without the landings."""
    ways = [list(step) for step in play]
    rng.shuffle(ways)
    for _ in range(rng.randint(0, 3)):
        joints = [(a, b) for a in ways for b in ways if a is not b and a[-1] == b[0]]
        if joints:
            front, back = rng.choice(joints)
            # By place: equal lists may stand for several checkers.
            del ways[next(i for i, way in enumerate(ways) if way is back)]
            front += back[1:]
    for way in ways:
        for point in way[1:-1]:
            if rng.random() < 0.7:
                way.remove(point)
    return Wording(tuple(map(tuple, ways)))


def mutate(rng: Random, wording: Wording, law: Law) -> Wording:
    """Alter a wording: a point changed, a way dropped, added or swapped, a hit added."""
    ways = [list(way) for way in wording.ways]
    top = 25 if law.rules.game == "short" else 24
    kind = rng.choice(("point", "point", "drop", "add", "swap", "star"))
    if kind == "star":
        landings = [(i, at) for i, way in enumerate(ways) for at in range(1, len(way)) if way[at]]
        added = [rng.choice(landings)] if landings else []
        return Wording(wording.ways, wording.stars | {*added})
    if kind == "drop" and ways:
        ways.remove(rng.choice(ways))
    elif kind == "add" or not ways:
        held = [p for p in range(1, 26) if law.board.own[p]] or [top]
        source = rng.choice(held) if rng.random() < 0.8 else rng.randint(1, top)
        die = rng.choice(law.dice) if rng.random() < 0.8 else rng.randint(1, 12)
        ways.insert(rng.randint(0, len(ways)), [source, max(source - die, 0)])
    elif kind == "swap" and len(ways) > 1:
        one, other = rng.sample(ways, 2)
        one[-1], other[-1] = other[-1], one[-1]
    elif kind == "point":
        way = rng.choice(ways)
        at = rng.randrange(len(way))
        way[at] += rng.choice((-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6))
        way[at] = min(max(way[at], 0), top)
    # What does not fall is no way of a checker; 25 is no landing.
    falling = [way for way in ways if sorted(set(way), reverse=True) == way and way[1] < 25]
    return Wording(tuple(map(tuple, falling)))


def attempt(rng: Random, law: Law) -> Wording:
    """Play some dice with any own checkers, whatever is in the way."""
    men = list(law.board.own)
    play: list[reference.HalfMove] = []
    for die in rng.sample(law.dice, rng.randint(1, len(law.dice))):
        held = [point for point in range(1, 26) if men[point]]
        if held:
            source = max(held) if rng.random() < 0.2 else rng.choice(held)
            if play and play[-1][1] and rng.random() < 0.3:
                source = play[-1][1]  # a longer way of one checker
            target = max(source - die, 0)
            men[source] -= 1
            men[target] += 1
            play.append((source, target))
    return joined(rng, play)


def write(rng: Random, wording: Wording, numbering: str) -> str:
    """Write a wording down in one of the ways that mean the same."""

    def name(point: int) -> str:
        if point == reference.OFF:
            return rng.choice(("off", "OFF", "Off", "0" if numbering == "distance" else "25"))
        if point == reference.BAR:
            return rng.choice(("bar", "BAR", "25"))
        return str(25 - point if numbering == "path" else point)

    if not wording.ways:
        return rng.choice(("pass", " PASS", "Pass "))
    counted: list[list[Any]] = []
    for i, way in enumerate(wording.ways):
        landings = [name(p) + "*" * ((i, at) in wording.stars) for at, p in enumerate(way)]
        text = rng.choice(("/", "/", "/", " / ")).join(landings)
        stars = {at for at in range(len(way)) if (i, at) in wording.stars}
        if counted and counted[-1][0] == (way, stars) and rng.random() < 0.8:
            counted[-1][2] += 1
        else:
            counted.append([(way, stars), text, 1])
    words = [f"{text}({n})" if n > 1 else text for _, text, n in counted]
    return rng.choice(("", "", " ")) + rng.choice((" ", "  ", "\t")).join(words)


# --- the comparison


def read(plays: Any, text: str, numbering: str) -> Answer:
    """Ask the package what a text means."""
    try:
        play = plays.find(text, numbering=numbering)
    except nardy.IllegalPlay as error:
        return Answer(None, frozenset({error.reason}))
    except nardy.InvalidNotation:
        return Answer(None, frozenset({NOTATION}))
    return Answer(tuple(play.after.row.tolist()))


def agrees(said: Answer, law: Answer) -> bool:
    """Whether an answer of the package is what the law says."""
    return said.after == law.after and said.reasons <= law.reasons


def canonical_fault(play: Any, law: Law) -> str | None:
    """Say what is wrong with a play as the package lists it, its canonical text apart."""
    after = tuple(play.after.row.tolist())
    if after not in law.plays:
        return "no after-state of the law"
    if play.steps not in law.plays[after]:
        return f"its steps {play.steps} are none of {law.plays[after][:3]}"
    if list(play.hits) != law.hits(play.steps):
        return f"its hits are {law.hits(play.steps)}, not {play.hits}"
    head = sum(source == reference.HEAD for source, _ in play.steps)
    if law.rules.game == "long" and play.head_moves != head:
        return f"its head moves are {head}, not {play.head_moves}"
    fits = (
        max(source - die, 0) == target
        for (source, target), die in zip(play.steps, play.dice_used, strict=True)
    )
    if not all(fits) or Counter(play.dice_used) - Counter(law.dice):
        return f"its dice {play.dice_used} do not make {play.steps} with {law.roll}"
    return None


def text_fault(text: str, play: Any) -> str | None:
    """Say what is not canonical in the text of a play."""
    if not play.steps:
        return None if text == "pass" else "a pass is 'pass'"
    words = text.split(" ")
    if len(set(words)) < len(words):
        return "equal ones are not counted"
    if text.count("*") != len(play.hits):
        return f"there are {len(play.hits)} hits"
    ways: list[Way] = []
    for word in words:
        way, _, count = word.rstrip(")").partition("(")
        names = way.replace("*", "").replace("bar", "25").replace("off", "0").split("/")
        ways += [tuple(map(int, names))] * int(count or 1)
    if [way[0] for way in ways] != sorted((way[0] for way in ways), reverse=True):
        return "not the highest origin first"
    ends, starts = {way[-1] for way in ways}, {way[0] for way in ways}
    for point in ends & starts:
        # Two ways are one longer way unless the second was gone before the first one came.
        landed = [target for _, target in play.steps].index(point)
        if any(source == point for source, _ in play.steps[landed + 1 :]):
            return f"the run of one checker over {point} is not joined"
    return None


def disagreements(game: str, seed: int, number: int, met: Counter[str]) -> Iterator[str]:
    """Tell all that is read otherwise than by the law on one position, and count what was met."""
    row, roll, rules = draw_position(game, seed, number)
    law = Law(row, roll, rules)
    plays = nardy.Position.from_row(row, rules=rules).plays(roll)
    rng = Random(f"wordings {seed} {game} {number}")

    def tell(text: str, wanted: Any, got: Any) -> str:
        board = nardy.Position.from_row_unchecked(row, rules=rules)
        return (
            f"{text!r}\n{board!r}\n{board}\n  roll {roll}\n  law: {wanted}\n  got: {got}\n"
            f"  python tools/wordings.py --game {game} --seed {seed} --first {number} --positions 1"
        )

    numberings = ("distance", "path") if game == "long" else ("distance",)
    if {tuple(play.after.row.tolist()) for play in plays} != law.plays.keys():
        yield tell("the after-states", sorted(law.plays), [str(play) for play in plays])
        return
    for play in plays:
        fault = canonical_fault(play, law) or text_fault(str(play), play)
        if fault:
            yield tell(str(play), fault, play.steps)
        for numbering in numberings:
            text = play.text(numbering=numbering)
            said = read(plays, text, numbering)
            if said.after != tuple(play.after.row.tolist()):
                yield tell(text, f"the canonical text ({numbering}) of {play.steps}", said)
    for text, wording, wanted in wordings(rng, law):
        met.update(wanted.reasons or {"right"})
        numbering = rng.choice(numberings)
        written = write(rng, wording, numbering)
        said = read(plays, written, numbering)
        if not agrees(said, wanted):
            yield tell(written, f"{text} {wording}: {wanted}", said)


def wordings(rng: Random, law: Law) -> Iterator[tuple[str, Wording, Answer]]:
    """Word some plays, then alter what was worded; with what the law makes of it."""
    afters = sorted(law.plays)
    some = rng.sample(afters, min(PLAYS, len(afters)))
    for after in some:
        ways = law.plays[after]
        for _ in range(OTHERS):
            wording = reword(rng, rng.choice(ways), law)
            wanted = law.read(wording.ways, wording.starred)
            yield "a wording", wording, wanted
            for _ in range(MUTANTS):
                altered = mutate(rng, wording, law)
                yield "an altered wording", altered, law.read(altered.ways, altered.starred)
    for _ in range(ATTEMPTS):
        wording = attempt(rng, law)
        yield "an attempt", wording, law.read(wording.ways)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare so many positions of each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--game", choices=GAMES, action="append")
    words = parser.parse_args(arguments)
    met: Counter[str] = Counter()
    for game in words.game or GAMES:
        for number in range(words.first, words.first + words.positions):
            for told in disagreements(game, words.seed, number, met):
                print(told)
                return 1
            if (number + 1) % 100 == 0:
                print(f"{game}: {number + 1} positions", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sorted(met.items())))
    print(f"agreed on {words.positions} positions of {' and '.join(words.game or GAMES)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
