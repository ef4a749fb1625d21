"""The header of a match as rules of the game, and rules as words of a header.

A tag ``Rules`` holds all of them, as a preset's name or as the game and the options that differ
from its defaults: ``long head=named head_doubles=4,6``. Without it the tags say what other programs
let them say: ``Variation``, ``Crawford``, ``Jacoby``, ``Beaver`` and ``CubeLimit``.
"""

from __future__ import annotations

from typing import Any, Final

from nardy.board import Side, row_of
from nardy.errors import InvalidNotation
from nardy.options import LONG, PRESETS, SHORT, Rules

__all__ = ["read_rules", "rules_of_tags", "start_of_variation", "variation_of", "write_rules"]

_VARIATIONS: Final = {"long": "LongNardy", "short": "Backgammon"}

# Starts that differ from the one of the rules, the same for both sides.
_STARTS: Final = {
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "longgammon": {24: 15},  # backgammon with all checkers on the far point: no long nardy
}


def variation_of(rules: Rules) -> str:
    """Return the word for the game in the tag ``Variation``.

    Examples
    --------
    >>> variation_of(nardy.LONG)
    'LongNardy'
    """
    return _VARIATIONS[rules.game]


def start_of_variation(variation: str) -> list[int] | None:
    """Return the row on which games of a variation of short nardy begin; None: the usual one.

    Raises
    ------
    InvalidNotation
        A variation that is not played here, such as HyperGammon.

    Examples
    --------
    >>> start_of_variation("LongGammon")[24]
    15
    """
    name = variation.strip().lower()
    if name in ("", "-", *(known.lower() for known in _VARIATIONS.values())):
        return None
    if name not in _STARTS:
        known = ", ".join([*_VARIATIONS.values(), "NackGammon", "LongGammon"])
        raise InvalidNotation(f"Variation must be one of {known} to be checked, not {variation!r}")
    side = Side(_STARTS[name], 0, 0)
    return row_of(side, side, "short")


def write_rules(rules: Rules) -> str:
    """Write rules as the tag ``Rules`` holds them.

    Examples
    --------
    >>> write_rules(nardy.LONG), write_rules(nardy.LONG.replace(head="named", head_doubles={4, 6}))
    ('long', 'long-az')
    >>> write_rules(nardy.SHORT.replace(resign=True, clock=(15, 90)))
    'short resign=true clock=15.0,90.0'
    """
    for name, preset in PRESETS.items():
        if preset == rules:
            return name
    return " ".join([rules.game, *(f"{k}={_text(v)}" for k, v in rules.options().items())])


def read_rules(text: str) -> Rules:
    """Read what :func:`write_rules` wrote.

    Raises
    ------
    InvalidNotation
        No preset and no game with options, or one that it does not have.

    Examples
    --------
    >>> read_rules("long-az block=free")
    Rules('long', head='named', head_doubles={4, 6}, block='free')
    """
    name, *settings = text.split() or [""]
    if name not in PRESETS:
        raise InvalidNotation(f"Rules must begin with one of {', '.join(PRESETS)}, not {text!r}")
    options: dict[str, Any] = {}
    for setting in settings:
        option, equals, value = setting.partition("=")
        if not equals:
            raise InvalidNotation(f"Rules must be a preset and OPTION=VALUE, not {setting!r}")
        options[option] = _value(option, value)
    try:
        return PRESETS[name].replace(**options)
    except (ValueError, TypeError) as error:
        raise InvalidNotation(f"Rules: {error}") from None


def rules_of_tags(tags: list[tuple[str, str]]) -> tuple[Rules, list[str]]:
    """Return the rules that a header asks for, and what of it cannot be read.

    Examples
    --------
    >>> rules_of_tags([("Variation", "Backgammon"), ("Jacoby", "On"), ("CubeLimit", "1024")])
    (Rules('short', cube_max=1024, jacoby=True), [])
    """
    said = {key.lower(): value.strip() for key, value in reversed(tags)}
    faults: list[str] = []
    if "rules" in said:
        try:
            rules = read_rules(said["rules"])
            variation = said.get("variation", "")
            is_long = variation.lower() == _VARIATIONS["long"].lower()
            if variation not in ("", "-") and is_long != (rules.game == "long"):
                faults.append(f"Rules are of {rules.game} nardy, Variation is {variation!r}")
            return rules, faults
        except InvalidNotation as error:
            faults.append(str(error))
    is_long = said.get("variation", "").lower() == _VARIATIONS["long"].lower()
    options: dict[str, Any] = {}
    for tag, option in (("crawford", "crawford"), ("jacoby", "jacoby"), ("beaver", "beaver")):
        word = said.get(tag, "-").lower()
        if word in ("on", "true", "yes", "1", "off", "false", "no", "0"):
            options[option] = word in ("on", "true", "yes", "1")
        elif word not in ("-", ""):
            faults.append(f"{tag.title()} must be On or Off, not {said[tag]!r}")
    limit = said.get("cubelimit", "-")
    if limit == "1":
        options["cube"] = False
    elif limit.isascii() and limit.isdecimal() and len(limit) < 9 and _is_cube(int(limit)):
        options["cube_max"] = int(limit)
    elif limit not in ("-", "", "0"):
        faults.append(f"CubeLimit must be a power of two, not {limit!r}")
    return (LONG if is_long else SHORT).replace(**options), faults


def _is_cube(value: int) -> bool:
    return value > 1 and not value & (value - 1)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _value(option: str, text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        numbers = [float(part) if "." in part else int(part) for part in text.split(",") if part]
    except ValueError:
        return text
    is_many = option in ("head_doubles", "clock")
    return numbers if is_many else numbers[0] if len(numbers) == 1 else text
