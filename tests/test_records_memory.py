"""Files of any size are read in bounded memory: a hundred megabytes of each kind."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("resource", reason="what a process has used is not told on this system")

# Memory that a process may need beyond what it has after reading one match, in megabytes: what the
# longest match that is read as one takes, 100,000 plays, and the longest line of JSON.
ROOM = 400

READ = """
import io, itertools, resource, sys
import nardy

kind, megabytes = sys.argv[1], int(sys.argv[2])
match = nardy.Match("short", length=1, seed=1)
match.game.play_out()
texts = {}
for form in ("mat", "json"):
    stream = io.StringIO()
    nardy.write(match, stream, form=form)
    texts[form] = stream.getvalue().encode()
head, _, body = texts["mat"].partition(b" 1 point match")
game = body[body.index(b" Game") :]
turns = game[game.index(b"  2)") : game.index(b"Wins")].rsplit(b"\\n", 1)[0] + b"\\n"
first, repeated = {
    "matches": (b"", texts["mat"]),
    "records of JSON": (b"", texts["json"]),
    "one session": (head + b" 0 point match\\n", game),
    "one game": (head + b" 0 point match\\n Game 1\\n x : 0   y : 0\\n", turns),
    "one line": (head, b"13/8 "),
    "one line of JSON": (b"{", b'"games": [[], '),
    "one object of JSON": (b"{\\n", b'"games":\\n[[],\\n'),
    "a header": (b"", b'; [Event "x"]\\n'),
    "remarks": (b"", b"; x\\n"),
    "no match": (b"", b"milk\\n\\nbread\\n 1) \\n"),
    "bytes": (b"", bytes(range(1, 256))),
}[kind]


class Stream(io.RawIOBase):
    left = megabytes << 20
    waiting = first

    def readable(self):
        return True

    def readinto(self, room):
        while len(self.waiting) < len(room) and self.left > 0:
            piece = repeated * (1 + 65536 // len(repeated))
            self.left -= len(piece)
            self.waiting += piece
        done = min(len(room), len(self.waiting))
        room[:done], self.waiting = self.waiting[:done], self.waiting[done:]
        return done


def used():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


for _ in nardy.read(io.BytesIO(texts["mat"] + texts["json"])):
    pass
before, found, faults = used(), 0, 0
for match in nardy.read(io.BufferedReader(Stream())):
    found += len(match.games)
    faults += len(match.faults)
print(found, faults, used() - before)
"""

KINDS = {
    "matches": (True, False),
    "records of JSON": (True, False),
    "one session": (True, True),
    "one game": (True, True),
    "one line": (False, True),
    "one line of JSON": (False, True),
    "one object of JSON": (False, True),
    "a header": (False, True),
    "remarks": (False, True),
    "no match": (False, True),
    "bytes": (False, True),
}


def check(kind: str, megabytes: int) -> None:
    command = [sys.executable, "-c", READ, kind, str(megabytes)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    games, faults, used = map(int, told)
    assert (games > 0, faults > 0) == KINDS[kind]
    assert used < ROOM, f"{used} MB for {megabytes} MB of {kind}"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_read_in_bounded_memory(kind: str) -> None:
    check(kind, 8)


@pytest.mark.proof
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_megabytes_are_read_in_bounded_memory(kind: str) -> None:
    check(kind, 100)
