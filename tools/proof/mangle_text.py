"""Texts of games and ids that are damaged, badly meant or no texts at all: made from good ones."""

from collections.abc import Callable, Sequence
from random import Random

MOST_BYTES = 200_000
"""No damaged text is longer."""

NUMBERS = (
    *(b"0", b"-1", b"7", b"16", b"25", b"26", b"127", b"128", b"256", b"65536", b"4294967296"),
    *(b"9" * 19, b"9" * 400, b"9" * 5000, b"1e9", b"0x10", b"1_000", b"00", b"+3", b"1.5"),
    *("٣٤:".encode(), "²".encode(), "１２".encode()),  # digits to some, numbers to others
)
ODDITIES = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n", b"\x0b", b"\x0c", b"\x1a", b"\x1c"),
    *("\u2028".encode(), "\u0085".encode(), "\u00a0".encode(), b"\xed\xa0\x80", b"\t", b"\\"),
    *("Ж".encode(), "🎲".encode(), b'"', b"[", b"]", b"(", b")", b";", b":", b"/", b"*", b"%s"),
    *(b"{}", b"../../x", b"NaN", b"None", b"\x1b[2J", b"=" * 40),
)
WORDS = (
    *(b" Game 1", b" Game 99999999999999999999", b" 0 point match", b" 5 point match", b"Draw"),
    *(b" Doubles => 2", b" Doubles => 0", b" Doubles =>", b" Takes", b" Drops", b" Beavers => 4"),
    *(b" Raccoons", b"Wins 1 point", b"Wins 3 points and the match", b"Losses 2 point"),
    *(b"31: 8/5 6/5", b"66: bar/19(4)", b"11:", b"99: 1/0", b"21: Cannot Move", b"65: ????"),
    *(b" a : 0      b : 0", b"  1)", b" 99999999999) 31: 8/5 6/5", b'; [Variation "Hyper"]'),
    *(b'; [Rules "long"]', b'; [Rules "long head=named"]', b"; [Crawford", b"; x", b"25/0", b"(2)"),
    *(b"8/5*/4*", b"bar/bar", b"0/25", b"off/bar", b"8/5(9)", b"8//5", b"8/5/", b"/5", b"24/18(2)"),
)

Mutation = Callable[[Random, bytes, bytes], bytes]


def _span(rng: Random, data: bytes, most: int) -> tuple[int, int]:
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + rng.randint(1, most))


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True) or [b""]


# --- the damages: (random numbers, text, another text) -> text ------------------------------------


def flip(rng: Random, data: bytes, other: bytes) -> bytes:
    """Turn some bits."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8)) if data else 0):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def near(rng: Random, data: bytes, other: bytes) -> bytes:
    """Put another character of the notation in some places."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 2, 5)) if data else 0):
        found[rng.randrange(len(found))] = rng.choice(b'0123456789/:*()[];" barofBARwinsGame=>-\n')
    return bytes(found)


def cut(rng: Random, data: bytes, other: bytes) -> bytes:
    """Take some bytes out."""
    begin, end = _span(rng, data, rng.choice((1, 3, 20, 2000)))
    return data[:begin] + data[end:]


def truncate(rng: Random, data: bytes, other: bytes) -> bytes:
    """Lose the end, or the beginning."""
    at = rng.randrange(len(data) + 1)
    return data[:at] if rng.random() < 0.7 else data[at:]


def double(rng: Random, data: bytes, other: bytes) -> bytes:
    """Write some bytes twice, or much more often."""
    begin, end = _span(rng, data, rng.choice((1, 5, 60)))
    times = rng.choice((2, 2, 3, 100)) if rng.random() < 0.98 else 5000
    return data[:begin] + data[begin:end] * times + data[end:]


def insert(rng: Random, data: bytes, other: bytes) -> bytes:
    """Put in what does not belong there."""
    at = rng.randrange(len(data) + 1)
    odd = rng.choice(rng.choice((ODDITIES, WORDS, NUMBERS)))
    return data[:at] + odd + data[at:]


def number(rng: Random, data: bytes, other: bytes) -> bytes:
    """Write another number in place of a digit."""
    places = [at for at, byte in enumerate(data[:20_000]) if 48 <= byte < 58]
    if not places:
        return data
    at = rng.choice(places)
    return data[:at] + rng.choice(NUMBERS) + data[at + 1 :]


def lines(rng: Random, data: bytes, other: bytes) -> bytes:
    """Lose, repeat, swap or borrow lines."""
    found = _lines(data)
    at, to = rng.randrange(len(found)), rng.randrange(len(found))
    match rng.randrange(5):
        case 0:
            del found[at]
        case 1:
            found.insert(to, found[at])
        case 2:
            found[at], found[to] = found[to], found[at]
        case 3:
            found[at] = rng.choice(_lines(other))
        case _:
            found[min(at, to) : max(at, to)] = []
    return b"".join(found)


def cells(rng: Random, data: bytes, other: bytes) -> bytes:
    """Lose, repeat, swap or borrow the words of a line, or a whole column of it."""
    found = _lines(data)
    at = rng.randrange(len(found))
    gap = rng.choice((b" ", b"  "))
    words = found[at].split(gap)
    one, two = rng.randrange(len(words)), rng.randrange(len(words))
    match rng.randrange(4):
        case 0:
            del words[one]
        case 1:
            words.insert(two, words[one])
        case 2:
            words[one], words[two] = words[two], words[one]
        case _:
            words[one] = rng.choice(rng.choice(_lines(other)).split(gap))
    found[at] = gap.join(words)
    return b"".join(found)


def splice(rng: Random, data: bytes, other: bytes) -> bytes:
    """Go on with another text."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def blow_up(rng: Random, data: bytes, other: bytes) -> bytes:
    """Write something so often that what is slow for each of its bytes is found out."""
    piece = rng.choice((*WORDS, *ODDITIES, b" ", b"8/5 ", b"a", b"1", rng.choice(_lines(data))))
    room = rng.choice((2_000, 20_000, MOST_BYTES))
    end = rng.choice((b"", b"", b"\n", b"\r\n", b" "))
    at = rng.randrange(len(data) + 1)
    return data[:at] + (piece + end) * (room // len(piece + end)) + data[at:]


def recode(rng: Random, data: bytes, other: bytes) -> bytes:
    """Save the text in another coding, or with other ends of lines."""
    text = data.decode("utf-8", "replace")
    match rng.randrange(4):
        case 0:
            return text.encode(rng.choice(("utf-16", "utf-32", "utf-8-sig", "utf-16-le")))
        case 1:
            return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\r", b"\n\n", b"\x00", b"")))
        case 2:
            return rng.choice((data.upper(), data.lower(), data.swapcase()))
        case _:
            return data.replace(b" ", rng.choice((b"\t", b"", b"  ", "\u00a0".encode())))


def noise(rng: Random, data: bytes, other: bytes) -> bytes:
    """Forget the text."""
    return rng.randbytes(rng.choice((0, 1, 10, 100, 3000)))


MUTATIONS: Sequence[Mutation] = (
    *(flip, near, near, cut, truncate, double, insert, insert, number, number),
    *(lines, lines, lines, cells, cells, cells, splice, recode),
)
RARE: Sequence[Mutation] = (blow_up, noise)


# --- whole texts ----------------------------------------------------------------------------------


def disorder(rng: Random, seeds: Sequence[bytes]) -> bytes:
    """Write good lines of some texts, and good words, in any order."""
    pool = [line for text in rng.choices(seeds, k=3) for line in _lines(text)]
    found = []
    for _ in range(rng.choice((1, 5, 30, 200))):
        if rng.random() < 0.6:
            found.append(rng.choice(pool))
        else:
            gap = b" " * rng.choice((1, 2, 5, 30))
            found.append(gap.join(rng.choices(WORDS, k=rng.randint(1, 4))) + b"\n")
    if rng.random() < 0.5:
        found[:0] = _lines(rng.choice(seeds))[: rng.randint(0, 25)]
    return b"".join(found)


def damaged(rng: Random, seeds: Sequence[bytes]) -> bytes:
    """Make a text of good ones: sometimes left as it is, mostly damaged in one to six ways."""
    if rng.random() < 0.15:
        return disorder(rng, seeds)[:MOST_BYTES]
    data = rng.choice(seeds)
    if rng.random() < 0.3:  # the shorter it is, the more a damage matters
        found = _lines(data)
        at = rng.randrange(len(found))
        data = b"".join(found[at : at + rng.randint(1, 12)])
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 6))):
        mutation = rng.choice(RARE if rng.random() < 0.003 else MUTATIONS)
        data = mutation(rng, data, rng.choice(seeds))[:MOST_BYTES]
    return data


def smallest(data: bytes, is_bad: Callable[[bytes], bool], tries: int = 2000) -> bytes:
    """Take away whatever does not matter: pieces of half the text, of a quarter, of a byte."""
    size = max(1, len(data) // 2)
    while True:
        at, is_smaller = 0, False
        while at < len(data) and tries:
            tries -= 1
            shorter = data[:at] + data[at + size :]
            if is_bad(shorter):
                data, is_smaller = shorter, True
            else:
                at += size
        if not tries or (size == 1 and not is_smaller):
            return data
        size = max(1, size // 2)
