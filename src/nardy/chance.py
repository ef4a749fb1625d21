"""Chance of many games side by side: the words of each, and where each game stands in them.

Game i of a seed is the one of ``nardy.playouts``: Philox 4x64-10 with the key ``(seed, i)``, word t
for turn t (docs/architecture.md).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from nardy.dice import DICE_OF_36, SeededDice
from nardy.nardy_core import game_words

__all__ = ["THROWS", "Chances"]

THROWS: Final[NDArray[np.int8]] = np.array(DICE_OF_36, np.int8)
"""int8 (36, 2), read-only: the throws of two dice, each as likely."""

THROWS.flags.writeable = False

# Words of a game drawn at once: most games are over before they run out.
_WORDS: Final = 128
# Of 32 bits, those by which some throws of 36 would be likelier than others (dice.fair).
_UNFAIR: Final = 2**32 % 36


class Chances:
    """The dice of games `first` .. of a seed, each thrown as its game goes on.

    Examples
    --------
    >>> chances = Chances(7, 0, 2)
    >>> dice, _ = chances.throw(np.array([0, 1]))
    >>> dice.tolist(), nardy.SeededDice(7, 1).at(0)
    ([[6, 3], [3, 5]], (3, 5))
    """

    def __init__(self, seed: int, first: int, games: int) -> None:
        self.seed = seed
        self.first = first
        self._at = np.zeros(games, np.int64)
        self._words = np.zeros((games, _WORDS), np.uint64)
        self._block = np.full(games, -1)

    def __len__(self) -> int:
        return len(self._at)

    def throw(self, games: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.uint64]]:
        """Throw in these games: dice (k, 2), and the words that they came from."""
        at = self._at[games]
        self._fill(games[self._block[games] != at // _WORDS])
        words = self._words[games, at % _WORDS]
        scaled = (words >> np.uint64(32)) * np.uint64(36)
        dice = THROWS[(scaled >> np.uint64(32)).astype(np.int64)]
        for place in np.flatnonzero((scaled & np.uint64(2**32 - 1)) < _UNFAIR).tolist():
            stream = SeededDice(self.seed, self.first + int(games[place]))
            dice[place] = stream.at(int(at[place]))
        self._at[games] += 1
        return dice, words

    def pass_over_doubles(self) -> None:
        """Go on in each game to the first throw of two different dice."""
        games = np.arange(len(self))
        while len(games):
            dice, _ = self.throw(games)
            self._at[games] -= dice[:, 0] != dice[:, 1]
            games = games[dice[:, 0] == dice[:, 1]]

    def _fill(self, games: NDArray[np.int64]) -> None:
        """Draw the words of these games from where each stands."""
        for game in games.tolist():
            block = int(self._at[game]) // _WORDS
            self._words[game] = game_words(
                1, _WORDS, seed=self.seed, first=self.first + game, turn=block * _WORDS
            )
            self._block[game] = block
