"""The rules of a game as one value: ``Rules``, its options and the named presets.

Vocabulary
----------
game
    ``"long"`` or ``"short"``; it is chosen when the value is made and is not an option.
option
    A named choice within a game (docs/rules.md §9). Many work around the board (cube, clock, who
    starts); those that shape legal play or the score of a finished board are ``Rules.codes``.
preset
    A ``Rules`` under a name, such as ``"long-fnr2026"``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial, total_ordering
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from nardy.errors import as_int, as_int_from

__all__ = ["LONG", "PRESETS", "SHORT", "Rules", "rules"]

# The named values of each option: the default stands first, and the place of a value in its list is
# its code in the kernel.
Game = Literal["long", "short"]
Opening = Literal["reroll", "use_rolloff"]
NextStarter = Literal["winner", "other", "roll"]
RaccoonOwner = Literal["raccooner", "beaverer"]
LastRoll = Literal["none", "second_player", "openspiel"]
Clock = Literal["blitz", "normal", "slow"] | tuple[float, float] | None
Head = Literal[
    "blocked",
    "blocked_double",
    "named",
    "listed",
    "any_double_first",
    "any_double",
    "none",
    "free",
]
HeadSide = Literal["both", "second"]
Block = Literal["ahead", "home", "never", "strict", "free"]
BlockCheck = Literal["step", "turn_end"]
Overshoot = Literal["farthest", "any", "exact"]
Koks = Literal["none", "first_quarter", "no_home"]

# --- checks: each returns the value to store, or raises an error that says what is allowed

Check = Callable[[str, Any], Any]


def _show(values: Iterable[object]) -> str:
    return ", ".join(repr(value) for value in values)


def _one_of(*allowed: str) -> Check:
    def check(name: str, value: object) -> object:
        if not isinstance(value, str):
            raise TypeError(f"{name} must be one of {_show(allowed)}, not {value!r}")
        if value not in allowed:
            raise ValueError(f"{name} must be one of {_show(allowed)}, not {value!r}")
        return str(value)

    return check


def _flag(name: str, value: object) -> object:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return value


def _int_from(low: int, high: int | None = None) -> Check:
    return lambda name, value: as_int_from(name, value, low, high)


def _int_of(*allowed: int) -> Check:
    def check(name: str, value: object) -> object:
        number = as_int(name, value, f"one of {_show(allowed)}")
        if number not in allowed:
            raise ValueError(f"{name} must be one of {_show(allowed)}, not {value!r}")
        return number

    return check


def _cube_max(name: str, value: object) -> object:
    if value is None:
        return None
    wanted = "None or a power of two"
    number = as_int(name, value, wanted)
    if number < 1 or number & (number - 1):
        raise ValueError(f"{name} must be {wanted}, not {value!r}")
    return number


def _doubles(name: str, value: Any) -> object:
    wanted = "a set of ints 1..6"
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be {wanted}, not {value!r}")
    faces = frozenset(as_int(f"{name}: each", face, "an int 1..6") for face in value)
    if not faces <= {1, 2, 3, 4, 5, 6}:
        raise ValueError(f"{name} must be {wanted}, not {value!r}")
    return faces


def _clock(name: str, value: Any) -> object:
    wanted = "None, 'blitz', 'normal', 'slow' or (seconds a turn, seconds in reserve)"
    if value is None:
        return None
    if isinstance(value, str):
        if value not in ("blitz", "normal", "slow"):
            raise ValueError(f"{name} must be {wanted}, not {value!r}")
        return str(value)
    if not isinstance(value, tuple | list):
        raise TypeError(f"{name} must be {wanted}, not {value!r}")
    if len(value) != 2:
        raise ValueError(f"{name} must be {wanted}, not {value!r}")
    if any(isinstance(part, bool) or not isinstance(part, int | float) for part in value):
        raise TypeError(f"{name} must be {wanted}, not {value!r}")
    try:
        allowance, reserve = (float(part) for part in value)
    except OverflowError:  # an int beyond all floats
        allowance = reserve = math.inf
    if not (math.isfinite(allowance + reserve) and min(allowance, reserve) >= 0):
        raise ValueError(f"{name} must be two finite numbers of seconds >= 0, not {value!r}")
    if allowance + reserve == 0:
        raise ValueError(f"{name} must leave some time to play, not {value!r}")
    return (allowance, reserve)


def _layout(name: str, value: object) -> object:
    if isinstance(value, str) and value == "off_board":
        raise ValueError(
            f"{name} must be 'head': {value!r} is named by a source that gives no rule"
        )
    return _one_of("head")(name, value)


# --- the table of docs/rules.md §9 --------------------------------------------


@dataclass(frozen=True, slots=True)
class _Option:
    games: tuple[str, ...]
    default: Any
    check: Check


def _choice(games: tuple[str, ...], values: Any) -> _Option:
    return _Option(games, get_args(values)[0], _one_of(*get_args(values)))


_BOTH: Final = ("long", "short")
_LONG: Final = ("long",)
_SHORT: Final = ("short",)

_OPTIONS: Final[Mapping[str, _Option]] = {
    "opening": _choice(_BOTH, Opening),
    "next_starter": _choice(_BOTH, NextStarter),
    "cube": _Option(_BOTH, False, _flag),
    "cube_from_turn": _Option(_BOTH, 2, _int_from(1)),
    "cube_max": _Option(_BOTH, None, _cube_max),
    "beaver": _Option(_BOTH, False, _flag),
    "raccoon": _Option(_BOTH, False, _flag),
    "raccoon_owner": _choice(_BOTH, RaccoonOwner),
    "jacoby": _Option(_BOTH, False, _flag),
    "crawford": _Option(_BOTH, True, _flag),
    "automatic_doubles": _Option(_BOTH, 0, _int_from(0, 1000)),
    "last_roll": _choice(_BOTH, LastRoll),
    "resign": _Option(_BOTH, False, _flag),
    "clock": _Option(_BOTH, None, _clock),
    "checkers": _Option(_LONG, 15, _int_from(5, 15)),
    "doubles_moves": _Option(_LONG, 4, _int_of(4, 2)),
    "head": _choice(_LONG, Head),
    "head_doubles": _Option(_LONG, frozenset({3, 4, 6}), _doubles),
    "head_side": _choice(_LONG, HeadSide),
    "block": _choice(_LONG, Block),
    "block_check": _choice(_LONG, BlockCheck),
    "bearoff_overshoot": _choice(_LONG, Overshoot),
    "bearoff_mandatory": _Option(_LONG, False, _flag),
    "koks": _choice(_LONG, Koks),
    "layout": _Option(_LONG, "head", _layout),
    "drinkgammon": _Option(_SHORT, False, _flag),
    "drink_doubles": _Option(_SHORT, False, _flag),
}
# The two defaults that differ between the games.
_SHORT_DEFAULTS: Final[Mapping[str, Any]] = {"opening": "use_rolloff", "cube": True}


def _default(game: str, name: str) -> Any:
    default = _OPTIONS[name].default
    return _SHORT_DEFAULTS.get(name, default) if game == "short" else default


def _checked(game: str, name: str, value: object) -> Any:
    """Return the value to store for an option that was set by name."""
    option = _OPTIONS.get(name)
    if option is None:
        own = (key for key, entry in _OPTIONS.items() if game in entry.games)
        raise ValueError(f"{name!r} is no option; those of {game} nardy are {', '.join(own)}")
    if game not in option.games:
        raise ValueError(f"{name!r} is an option of {option.games[0]} nardy, not of {game} nardy")
    return option.check(name, value)


@total_ordering
@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class Rules:
    """A game and its options: frozen, hashable, equal by value.

    Parameters
    ----------
    game : str
        ``"long"`` or ``"short"``.
    **options
        Any option of docs/rules.md §9 under its name there; the others hold their defaults. Every
        combination is accepted: an option without effect under another one simply has none.

    Attributes
    ----------
    game : str
    opening, next_starter, last_roll, resign
        Around the game: the first throw, who starts the next game, the last roll, giving up.
    cube, cube_from_turn, cube_max, beaver, raccoon, raccoon_owner, jacoby, crawford, \
automatic_doubles
        The doubling cube. Of automatic doubles there are 1000 at most.
    clock : None, str or tuple of two floats
        Seconds a turn and seconds in reserve, or one of the three named clocks.
    checkers, doubles_moves, head, head_doubles, head_side, block, block_check, bearoff_overshoot, \
bearoff_mandatory, koks, layout
        Long nardy only. Rules of short nardy hold the defaults here, without effect.
    drinkgammon, drink_doubles
        Short nardy only.
    codes : tuple of 11 ints
        What the kernel needs: game (long 0, short 1), checkers, doubles_moves, head, head_doubles
        as a mask of bits ``1 << face``, head_side, block, block_check, bearoff_overshoot,
        bearoff_mandatory, koks. A code is the place of the value in §9's list, the default first.

    Raises
    ------
    ValueError
        An unknown game, option or value, with those allowed; an option of the other game.
    TypeError
        A value of the wrong kind: a float for an int, an int for a bool, anything for a name.

    Notes
    -----
    Rules are ordered too, so that sorting positions is possible; the order has no meaning.

    Examples
    --------
    >>> Rules("long", head="named", head_doubles=[6, 4])
    Rules('long', head='named', head_doubles={4, 6})
    >>> Rules("long") == LONG
    True
    >>> SHORT.replace(head="none")
    Traceback (most recent call last):
        ...
    ValueError: 'head' is an option of long nardy, not of short nardy
    """

    game: Game
    opening: Opening
    next_starter: NextStarter
    cube: bool
    cube_from_turn: int
    cube_max: int | None
    beaver: bool
    raccoon: bool
    raccoon_owner: RaccoonOwner
    jacoby: bool
    crawford: bool
    automatic_doubles: int
    last_roll: LastRoll
    resign: bool
    clock: Clock
    checkers: int
    doubles_moves: int
    head: Head
    head_doubles: frozenset[int]
    head_side: HeadSide
    block: Block
    block_check: BlockCheck
    bearoff_overshoot: Overshoot
    bearoff_mandatory: bool
    koks: Koks
    layout: Literal["head"]
    drinkgammon: bool
    drink_doubles: bool
    codes: tuple[int, ...]
    # repr(self): two rules are equal exactly if their texts are, and a str keeps its own hash.
    _text: str

    def __init__(self, game: str, **options: Any) -> None:
        if isinstance(game, str) and game not in get_args(Game) and game in PRESETS:
            raise ValueError(f"{game!r} is a preset: nardy.rules({game!r}) returns it")
        _one_of(*get_args(Game))("game", game)
        # A frozen dataclass is filled by way of object.__setattr__.
        put = partial(object.__setattr__, self)
        put("game", str(game))
        for name in _OPTIONS:
            put(name, _default(game, name))
        for name, value in options.items():
            put(name, _checked(game, name, value))
        put("codes", _codes(self))
        changed = (f", {name}={_literal(value)}" for name, value in self._changed().items())
        put("_text", f"Rules({self.game!r}{''.join(changed)})")

    def replace(self, **options: Any) -> Rules:
        """Return the same rules with some options set anew.

        Examples
        --------
        >>> LONG.replace(block="home").replace(block_check="turn_end")
        Rules('long', block='home', block_check='turn_end')
        """
        if "game" in options:
            raise ValueError("the game is no option: start from nardy.LONG or nardy.SHORT")
        return Rules(self.game, **{**self._changed(), **options})

    def options(self) -> dict[str, Any]:
        """Return the options that differ from the game's defaults, as JSON can hold them.

        ``Rules(game, **options)`` is the same rules again.

        Examples
        --------
        >>> LONG.replace(head="named", head_doubles={6, 4}).options()
        {'head': 'named', 'head_doubles': [4, 6]}
        >>> Rules("long", **PRESETS["long-az"].options()) == PRESETS["long-az"]
        True
        """
        return {
            name: sorted(value)
            if isinstance(value, frozenset)
            else list(value)
            if isinstance(value, tuple)
            else value
            for name, value in self._changed().items()
        }

    def _changed(self) -> dict[str, Any]:
        """Return the options that differ from the game's defaults, in the order of §9."""
        values = ((name, getattr(self, name)) for name in _OPTIONS)
        return {name: value for name, value in values if value != _default(self.game, name)}

    def __repr__(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Rules) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return (self.codes, self._text) < (other.codes, other._text)

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor: what comes out of a pickle is checked, and old pickles stay good
        # when an option with a default is added.
        return partial(Rules, self.game, **self._changed()), ()


def _codes(chosen: Rules) -> tuple[int, ...]:
    if chosen.game == "short":
        return (1, 15, 4, 0, 0, 0, 0, 0, 0, 0, 0)
    return (
        0,
        chosen.checkers,
        chosen.doubles_moves,
        get_args(Head).index(chosen.head),
        sum(1 << face for face in chosen.head_doubles),
        get_args(HeadSide).index(chosen.head_side),
        get_args(Block).index(chosen.block),
        get_args(BlockCheck).index(chosen.block_check),
        get_args(Overshoot).index(chosen.bearoff_overshoot),
        int(chosen.bearoff_mandatory),
        get_args(Koks).index(chosen.koks),
    )


def _literal(value: object) -> str:
    """Write a stored value so that it evaluates back, the same for equal values."""
    if isinstance(value, frozenset) and value:
        return f"{{{_show(sorted(value))}}}"
    return repr(value)


# --- presets ------------------------------------------------------------------

LONG: Final = Rules("long")
"""Long nardy with the defaults of docs/rules.md §9."""

SHORT: Final = Rules("short")
"""Short nardy (backgammon) with the defaults of docs/rules.md §9."""

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "long": LONG,
        "long-fnr2026": LONG.replace(
            opening="use_rolloff", next_starter="roll", head="named", head_side="second", cube=True
        ),
        "long-ua": LONG.replace(block="home"),
        "long-by": LONG.replace(head="any_double", bearoff_overshoot="any"),
        "long-az": LONG.replace(head="named", head_doubles={4, 6}),
        "long-portal": LONG.replace(head="blocked_double"),
        "long-openspiel": LONG.replace(opening="use_rolloff", head="none"),
        "short": SHORT,
        "short-money": SHORT.replace(jacoby=True, beaver=True),
        "short-match": SHORT.replace(crawford=True),
    }
)
"""The named rules: ``nardy.rules(name)`` returns them."""


def rules(name_or_rules: str | Rules) -> Rules:
    """Return the rules of a preset; rules themselves pass through.

    Parameters
    ----------
    name_or_rules : str or Rules
        A key of :data:`PRESETS`, or rules that are returned as they are.

    Raises
    ------
    ValueError
        An unknown name; the message lists the known ones.
    TypeError
        Anything but a str or Rules.

    Examples
    --------
    >>> rules("long-ua")
    Rules('long', block='home')
    >>> rules(SHORT) is SHORT
    True
    """
    if isinstance(name_or_rules, Rules):
        return name_or_rules
    if not isinstance(name_or_rules, str):
        raise TypeError(f"rules must be Rules or the name of a preset, not {name_or_rules!r}")
    try:
        return PRESETS[name_or_rules]
    except KeyError:
        raise ValueError(
            f"rules must be Rules or one of {_show(PRESETS)}, not {name_or_rules!r}"
        ) from None
