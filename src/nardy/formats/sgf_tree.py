"""One tree of a file of GNU Backgammon: a game, and what it says of its match."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from nardy.board import BAR, Side, row_of
from nardy.formats.entries import (
    BEYOND,
    MOST_ENTRIES,
    Action,
    Entry,
    RawGame,
    RawMatch,
)
from nardy.formats.lines import LONGEST
from nardy.formats.properties import Properties, Property
from nardy.options import SHORT

__all__ = ["Tree"]

_PLAY: Final = re.compile(r"\s*([1-6])([1-6])\s*(.*?)\s*", re.DOTALL)
_LONGEST_PLAY: Final = 40
_INFO: Final = re.compile(r"\s*(length|game|ws|bs)\s*:\s*(\d{1,9})\s*", re.IGNORECASE)
_RESULT: Final = re.compile(r"\s*([WB])\s*\+\s*(\d{0,9})\s*([A-Z]*)\s*", re.IGNORECASE)
_NO_RESULT: Final = ("", "?", "void")
_DICE: Final = re.compile(r"\s*([1-6])\s*([1-6])\s*")
_POINTS: Final = re.compile(r"\s*([a-y])(?:\s*:\s*([a-y]))?\s*", re.IGNORECASE)
_SIDES: Final = {"w": 0, "white": 0, "1": 0, "b": 1, "black": 1, "2": 1}
_CHECKERS: Final = SHORT.checkers
_LARGEST_CUBE: Final = 1 << 32

# Properties that say something of the whole game, as the header of a match names them.
_TAGS: Final = {
    **{name: name for name in "AP BT CP GN ON OT SO TM US WT".split()},
    "AN": "Annotator",
    "BR": "Player 2 Elo",
    "DT": "EventDate",
    "EV": "Event",
    "PC": "Site",
    "RO": "Round",
    "WR": "Player 1 Elo",
}
# What the format itself needs, then analysis and remarks, statistics, marks for a drawing.
_SILENT: Final = frozenset(
    "FF CA ST SZ KM A DA LU MR C N V GS BM DM DO GB GW HO IT TE UC BL WL OB OW MN KO FG PM VW "
    "AR CR DD LB LN MA SL SQ TR".split()
)
_RULES: Final = frozenset(("crawford", "crawfordgame", "jacoby", "nocube", ""))
_MOST_TAGS: Final = 1000
_SET_UP: Final = "a position set up in the middle of a game is not kept"


class Tree:
    """One game, as far as its tree was read: a match of its own until it finds its place."""

    def __init__(self, pieces: Properties) -> None:
        self.pieces = pieces
        self.match = RawMatch()
        self.game = RawGame(1)
        self.told: set[str] = set()
        self.is_numbered = False
        self.is_main = True  # until the first variation is closed
        self.is_other_game = False
        self.has_anything = False
        self.nodes = 0
        self.rules: list[str] = []
        self.score: dict[str, int] = {}
        self.on_roll: int | None = None
        self.rolled: Entry | None = None
        self.is_unsure = False  # whether the last entry is a roll that may be a pass
        self.cube = 1
        self.offered = 1
        self.offers: list[int] = []
        self.setup: dict[int, list[int]] | None = None
        self.resigned: Entry | None = None
        self.handlers: dict[str, Callable[[str], None]] = {
            "W": lambda value: self._move(0, value),
            "B": lambda value: self._move(1, value),
            "PL": self._turn,
            "DI": self._roll,
            "CV": self._cube_value,
            "CP": self._cube_owner,
            "AE": self._empty,
            "AW": lambda value: self._men(0, value),
            "AB": lambda value: self._men(1, value),
            "MI": self._info,
            "RU": self._rule,
            "RE": self._result,
            "PW": lambda value: self._player(0, value),
            "PB": lambda value: self._player(1, value),
            "GC": self._comment,
        }

    def fault(self, what: str, text: str = "", *, is_contradiction: bool = False) -> None:
        """Report something at the place of what was read last."""
        line, column = self.pieces.place()
        kind: Final = "contradiction" if is_contradiction else "unreadable"
        self.match.report(kind, line, column, what, text.strip())

    def _fault_once(self, what: str, text: str) -> None:
        if what not in self.told and len(self.told) < _MOST_TAGS:
            self.told.add(what)
            self.fault(what, text)

    def take(self, piece: Property) -> None:
        """Take the next piece of the tree."""
        name, value, begins_node, fault = piece
        if fault:
            self.fault(fault, value)
        elif name == "(" and self.pieces.depth == 1:
            self.match.line = self.game.line = self.pieces.place()[0]
        elif name == ")":
            self.is_main = False
        elif not self.is_main:
            self._fault_once("a variation: left out", "")
        elif name != "(" and not self.is_other_game:
            self.nodes += begins_node
            self._property(name, value)

    def _property(self, name: str, value: str) -> None:
        if handler := self.handlers.get(name):
            self.has_anything = True
            handler(value)
        elif name == "GM":
            self.is_other_game = value.strip() != "6"
            if self.is_other_game:
                self.fault("is no game of backgammon, which is GM[6]", f"GM[{value}]")
        elif name in _TAGS:
            self._tag(_TAGS[name], self._text(value))
        elif name == "CA":
            self.pieces.charset = value
        elif name not in _SILENT:
            self._fault_once(f"the property {name[:9]} is not known", value)

    # --- the header

    def _text(self, value: str) -> str:
        text, fault = self.pieces.text(value)
        if len(text) > LONGEST:
            fault, text = f"is longer than {LONGEST:,} characters", text[:LONGEST]
        if fault:
            self.fault(fault, text)
        return text

    def _tag(self, name: str, value: str) -> None:
        if self._has_room(value):
            self.match.tags.append((name, " ".join(value.split())))

    def _comment(self, value: str) -> None:
        for line in self._text(value).splitlines():
            if line.strip() and self._has_room(line):
                self.match.comments.append(line.strip())

    def _rule(self, value: str) -> None:
        if self._has_room(value):
            self.rules.append(self._text(value))

    def _has_room(self, value: str) -> bool:
        if len(self.match.tags) + len(self.match.comments) + len(self.rules) < _MOST_TAGS:
            return True
        self._fault_once("too long a header", value)
        return False

    def _player(self, side: int, value: str) -> None:
        name = " ".join(self._text(value).split())
        one, other = self.match.players
        self.match.players = (one, name) if side else (name, other)
        self._tag(f"Player {side + 1}", name)

    def _info(self, value: str) -> None:
        found = _INFO.fullmatch(value)
        if found is None:
            self.fault("no length, number or score of a match", value)
            return
        name, number = found[1].lower(), int(found[2])
        if name == "length":
            self.match.length = number or None
        elif name == "game":
            self.game.number, self.is_numbered = number + 1, True
        else:
            self.score[name] = number

    def _result(self, value: str) -> None:
        word = value.strip().lower()
        found = _RESULT.fullmatch(value)
        if word in ("0", "draw"):
            self.game.declared = None, 0
        elif found is None:
            if word not in _NO_RESULT:
                self.fault("no result such as W+2", value)
        else:
            winner, how = _SIDES[found[1].lower()], found[3].upper()
            if found[2]:
                self.game.declared = winner, int(found[2])
            if how in ("R", "RESIGN"):
                place = self.pieces.place()
                self.resigned = Entry(1 - winner, "resign", None, None, None, *place)
            elif not found[2]:
                self.fault("a result without points", value)

    # --- the game

    def _append(self, entry: Entry) -> None:
        entries = self.game.entries
        if self.is_unsure:
            entries[-1] = entries[-1]._replace(words="pass")
            self.is_unsure = False
        if len(entries) < MOST_ENTRIES:
            entries.append(entry)
        else:
            self._fault_once(BEYOND, "")

    def _move(self, side: int, value: str) -> None:
        line, column = self.pieces.place()
        dice, words = _read_play(side, value) if len(value) <= _LONGEST_PLAY else (None, "")
        if dice is None:
            self._word(side, value.strip().lower(), line, column)
            return
        rolled, self.rolled = self.rolled, None
        is_rolled = False
        if rolled and rolled.dice:
            is_rolled = rolled.side == side and sorted(rolled.dice) == sorted(dice)
            if not is_rolled:
                self._append(rolled)
        # The program itself ends a game that stopped before a play with the roll, and no play.
        is_unsure = is_rolled and words == "pass"
        self._append(Entry(side, "play", dice, None if is_unsure else words, None, line, column))
        self.is_unsure = is_unsure and len(self.game.entries) < MOST_ENTRIES
        self.on_roll, self.offers = 1 - side, []

    def _word(self, side: int, word: str, line: int, column: int) -> None:
        """Take a word of the cube."""
        action: Action
        value = None
        if word == "double":
            is_new = not self.offers or self.offers[-1] == side
            self.offers = [side] if is_new else [*self.offers[-2:], side]
            self.offered = min(2 * (self.cube if is_new else self.offered), _LARGEST_CUBE)
            action = "double" if is_new else "beaver" if len(self.offers) == 2 else "raccoon"
            value = self.offered if is_new else None
        elif word == "take":
            action = "take"
            is_answer_to_raccoon = len(self.offers) > 2
            self.cube, self.offers = (self.offered if self.offers else self.cube), []
            if is_answer_to_raccoon:
                return  # it needs none
        elif word == "drop":
            action = "drop"
            self.offers = []
        else:
            self.fault("no dice, no word of the cube", word)
            return
        if self.rolled:
            self._append(self.rolled)
            self.rolled = None
        self._append(Entry(side, action, None, None, value, line, column))

    def _turn(self, value: str) -> None:
        side = _SIDES.get(value.strip().lower())
        if side is None:
            self.fault("no side to move", value)
        self.on_roll = side

    def _roll(self, value: str) -> None:
        found = _DICE.fullmatch(value)
        if found is None:
            self.fault("no dice", value)
            return
        if self.rolled:
            self.fault("other dice than before, for the same roll", value, is_contradiction=True)
        side, dice = self.on_roll or 0, (int(found[1]), int(found[2]))
        self.rolled = Entry(side, "play", dice, None, None, *self.pieces.place())

    # --- what a game can be made to begin with

    def _cube_value(self, value: str) -> None:
        number = int(value) if value.strip().isdecimal() and len(value) < 9 else 0
        if number < 1 or number & (number - 1):
            self.fault("no value of a cube", value)
            return
        self.cube = number
        if self.game.entries:
            self._fault_once("a cube set in the middle of a game is not kept", value)
        else:
            self.game.first_cube = number

    def _cube_owner(self, value: str) -> None:
        if self.nodes < 2 and value.strip().lower() not in ("b", "w", "c"):
            self._tag(_TAGS["CP"], self._text(value))
        elif value.strip().lower() != "c":
            self._fault_once("the owner of a cube that was set is not kept", value)

    def _empty(self, value: str) -> None:
        if self.game.entries:
            self._fault_once(_SET_UP, value)
        elif value.replace(" ", "") != "a:y":
            self._fault_once("points emptied one by one are not kept", value)
        else:
            self.setup = {0: [0] * 25, 1: [0] * 25}

    def _men(self, side: int, value: str) -> None:
        found = _POINTS.fullmatch(value)
        if self.game.entries:
            self._fault_once(_SET_UP, value)
        elif self.setup is None:
            self._fault_once("checkers added to the usual position are not kept", value)
        elif found is None:
            self.fault("no point", value)
        else:
            first = ord(found[1].lower()) - ord("a")
            for index in range(first, ord((found[2] or found[1]).lower()) - ord("a") + 1):
                self.setup[side][index] += 1

    def _row(self, mover: int) -> list[int] | None:
        """Return the position that was set up, as a side sees it; None for the usual one."""
        if self.setup is None:
            return None
        white, black = self.setup[0], self.setup[1]
        wrong = ""
        if max(sum(white), sum(black)) > _CHECKERS:
            wrong = f"more than {_CHECKERS} checkers of a side are set up"
        elif not any(white + black):
            wrong = "no checkers are set up"
        elif any(white[point] and black[point] for point in range(24)):
            wrong = "both sides are set up on one point"
        if wrong:
            self.fault(wrong)
            return None
        sides = [_side(white), _side([*reversed(black[:24]), black[24]])]
        return row_of(sides[mover], sides[1 - mover], "short")

    # --- the end

    def finish(self) -> None:
        """Make of it what is known only at the end."""
        game, match = self.game, self.match
        if self.rolled:
            self._append(self.rolled)
        if self.is_other_game or not self.has_anything:
            return
        match.games.append(game)
        game.row = self._row(game.entries[0].side if game.entries else self.on_roll or 0)
        if self.score:
            game.score = self.score.get("ws", 0), self.score.get("bs", 0)
        self._read_rules()
        if self.resigned:
            points = game.declared[1] if game.declared else 0
            value = points // self.cube if points in (self.cube * n for n in (1, 2, 3)) else None
            game.entries.append(self.resigned._replace(value=value))

    def _read_rules(self) -> None:
        """Read what the game is played by: a list of words, without those that do not hold."""
        words = [word.strip() for rule in self.rules for word in rule.split(":")]
        known = {word.lower() for word in words}
        variations = [word for word in words if word.lower() not in _RULES]
        self._tag("Variation", " ".join(variations) or "Backgammon")
        if not self.match.length:
            self._tag("Jacoby", "On" if "jacoby" in known else "Off")
        elif self.rules:
            self._tag("Crawford", "On" if "crawford" in known else "Off")
            self.game.is_crawford = "crawfordgame" in known
        if "nocube" in known:
            self._tag("CubeLimit", "1")


def _side(men: list[int]) -> Side:
    points = {point: men[point - 1] for point in range(24, 0, -1) if men[point - 1]}
    return Side(points, men[24], _CHECKERS - sum(men))


@lru_cache(maxsize=1 << 14)
def _read_play(side: int, value: str) -> tuple[tuple[int, int] | None, str]:
    """Read dice and pairs of letters; what are no such pairs is given as it stands."""
    found = _PLAY.fullmatch(value)
    if found is None:
        return None, ""
    dice, letters = (int(found[1]), int(found[2])), found[3].lower()
    if not letters:
        return dice, "pass"
    if len(letters) % 2 or not all("a" <= letter <= "z" for letter in letters):
        return dice, found[3]
    places = [_place(side, letter) for letter in letters]
    pairs = zip(places[::2], places[1::2], strict=True)
    return dice, " ".join(f"{origin}/{target}" for origin, target in pairs)


def _place(side: int, letter: str) -> str:
    index = ord(letter) - ord("a") + 1
    if index >= BAR:
        return "bar" if index == BAR else "off"
    return str(BAR - index if side else index)
