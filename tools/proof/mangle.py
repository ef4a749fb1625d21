"""JSON texts that a careless or malicious client sends: made from good ones by small wrongs."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

# What no place in a state asks for, or few do.
ODD: list[Any] = [
    *(None, True, False, [], {}, "", "x", "null", "\u0000", "\ud800", "0", "1", [[]], {"": 0}),
    *(0, 1, -1, 2, 3, 15, 16, 127, 128, -128, 255, 2**31, 2**63, 2**64, -(2**64), 10**400),
    *(0.0, -0.0, 1.0, 1.5, 1e308, float("inf"), float("-inf"), float("nan")),
    *("long", "short", "6-5", "24/18", "pass", "take", [6, 5], [0] * 32, [1, 2, 3]),
]

Path = tuple[Any, ...]


def places(value: Any, at: Path = ()) -> list[Path]:
    """List the ways to everything inside a JSON value, itself too."""
    found = [at]
    entries: Any = ()
    if isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    for key, inner in entries:
        found += places(inner, (*at, key))
    return found


def get(value: Any, at: Path) -> Any:
    """Return what lies at the end of a way."""
    for key in at:
        value = value[key]
    return value


def near(value: Any, rng: Random) -> Any:
    """Return a value of the same kind: what a slip of the hand, or a cheat, would write."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-2, -1, 1, 2, 10))
    if isinstance(value, float):
        return value * rng.choice((-1.0, 0.5, 2.0)) + rng.choice((0.0, 1.0))
    if isinstance(value, str) and value:
        place = rng.randrange(len(value))
        return value[:place] + rng.choice(("", "0", "9", "a", " ", "/", "é")) + value[place + 1 :]
    if isinstance(value, list) and value:
        shuffled = rng.sample(value, len(value))
        return rng.choice((shuffled, value[:-1], [*value, value[-1]], value[1:]))
    return value


def tamper(value: Any, rng: Random) -> Any:
    """Change one place of a JSON value: another value, another name, one missing or too many."""
    value = deepcopy(value)
    at = rng.choice(places(value))
    if not at:
        return rng.choice(ODD)
    home, key = get(value, at[:-1]), at[-1]
    match rng.randrange(7):
        case 0:
            home[key] = rng.choice(ODD)
        case 1 | 2:
            home[key] = near(home[key], rng)
        case 3:
            del home[key]
        case 4:
            home[key] = deepcopy(get(value, rng.choice(places(value))))
        case 5 if isinstance(home, dict):
            home[rng.choice(("", "extra", "version", "__class__", key + "s"))] = home.pop(key)
        case 5:
            home.insert(key, deepcopy(home[key]))
        case _:
            home[key] = [home[key]] if rng.random() < 0.5 else {str(key): home[key]}
    return value


def scratch(text: str, rng: Random) -> str:
    """Damage the text itself: cut, doubled, a character changed, nested without end."""
    place, end = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
    match rng.randrange(6):
        case 0:
            return text[:place]
        case 1:
            return text[:place] + text[end:]
        case 2:
            return text[:end] + text[place:]
        case 3:
            return (
                text[:place]
                + rng.choice('{}[]",:0123456789-+.eEnatlsru\\ \n\x00é')
                + text[place + 1 :]
            )
        case 4:
            return (
                text[:place] + rng.choice(("NaN", "Infinity", "9" * 5000, "[" * 3000)) + text[end:]
            )
        case _:
            return rng.choice(("", " ", "null", "[]", "{}", '""', "[" * 200_000, '{"a":' * 200_000))


def mangled(text: str, rng: Random) -> str:
    """Return a JSON text that is wrong in one to three ways (or, by chance, still right)."""
    if rng.random() < 0.25:
        return scratch(text, rng)
    value = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        value = tamper(value, rng) if isinstance(value, dict | list) else value
    return json.dumps(value)
