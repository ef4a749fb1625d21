"""Read every play of many positions back: as it writes itself, and in twenty other right wordings.

    python tools/right_words.py --positions 100000 --game long --seed 1

or `make wordings` for both games, an hour. Half the positions are of random play, half are built to
hold blocks, blots and men that bear off; the options of long nardy change with every position
built. Ends with 1 on the first play that is read as another one. `tools/wordings.py` holds fewer
texts, right and wrong, against the reference.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from random import Random

import nardy
from proof import option_sets
from proof.boards import CONSTRUCTIONS

OTHERS = 20
"""Wordings of each play besides its own."""


def positions(game: str, count: int, seed: int) -> Iterator[nardy.Position]:
    """Draw positions that are valid and not over."""
    rng = Random(f"{game} {seed}")
    usual = nardy.rules(game)
    met = iter(nardy.random_rows(count, rules=usual, seed=seed))
    for number in range(count):
        position = nardy.Position.from_row(next(met), rules=usual)
        while number % 2 and (position.rules is usual or position.status() or position.is_over):
            rules = option_sets.draw(rng, game)
            if rules is usual:
                rules = usual.replace()
            row = rng.choice(CONSTRUCTIONS[game])(rng, rules)
            position = nardy.Position.from_row_unchecked(row, rules=rules)
        yield position


def reworded(rng: Random, play: nardy.Play, hits: tuple[int, ...], path: bool) -> str:
    """Word a play: any order, a checker's half-moves joined or not, hits said or not."""
    # Each checker's way: the places of its first and last half-move in the play, and its points.
    ways = [(k, k, step) for k, step in enumerate(play.steps)]
    rng.shuffle(ways)
    for _ in range(rng.randrange(len(ways) or 1)):
        joints = [
            (a, b) for a in ways for b in ways if a[2][-1] == b[2][0] and a[1] < b[0] and b[2][0]
        ]
        if joints:
            front, back = rng.choice(joints)
            ways.remove(back)
            # A hit on the way must be said; what else is on it need not.
            keep = front[2] if back[2][0] in hits or rng.random() < 0.3 else front[2][:-1]
            ways[ways.index(front)] = front[0], back[1], (*keep, *back[2][1:])
    words = [way_text(rng, points, hits, path) for _, _, points in ways]
    if len(words) > 1 and words[-1] == words[-2] and rng.random() < 0.5:
        words[-2:] = [f"{words[-1]}(2)"]
    return rng.choice((" ", "  ", ", ", "\t")).join(words) or rng.choice(("pass", "PASS"))


def way_text(rng: Random, way: tuple[int, ...], hits: tuple[int, ...], path: bool) -> str:
    """Write the landings of one checker."""
    places = [place_text(rng, point, path) for point in way]
    star = rng.choice(("*", "", " *"))
    landed = [f"{place}{star if at in hits else ''}" for place, at in zip(places, way, strict=True)]
    return rng.choice(("/", "/", " / ")).join([places[0], *landed[1:]])


def place_text(rng: Random, point: int, path: bool) -> str:
    """Name a point in one of its ways."""
    if point == 0:
        return rng.choice(("off", "OFF", "25" if path else "0"))
    if point == 25:
        return rng.choice(("bar", "Bar", "25"))
    return str(25 - point if path else point)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the words of the command line and try that many positions."""
    parser = argparse.ArgumentParser(description="Read right wordings of every play back.")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--game", choices=("long", "short"), default="long")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rng = Random(options.seed)
    began, texts, found = time.monotonic(), 0, 0
    for number, position in enumerate(positions(options.game, options.positions, options.seed)):
        plays = position.plays((rng.randint(1, 6), rng.randint(1, 6)))
        for play in plays:
            found += 1
            hits = play.hits
            wordings = [(str(play), "distance")]
            if options.game == "long":
                wordings.append((play.text(numbering="path"), "path"))
            for _ in range(OTHERS):
                path = options.game == "long" and rng.random() < 0.3
                words = reworded(rng, play, hits, path)
                wordings.append((words, "path" if path else "distance"))
            for words, numbering in wordings:
                texts += 1
                try:
                    read: object = plays.find(words, numbering=numbering)
                except ValueError as error:
                    read = error
                if read != play:
                    print(f"{words!r} is read as {read!r}, not as {play!r} of {position!r}")
                    return 1
        if (number + 1) % 5000 == 0:
            print(f"{number + 1:,} positions, {found:,} plays, {texts:,} texts", flush=True)
    seconds = time.monotonic() - began
    print(f"{options.game}: {found:,} plays, {texts:,} texts read back, {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
