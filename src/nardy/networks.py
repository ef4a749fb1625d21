"""Network: chances of a board from a small network, the same to the last bit wherever it is asked.

The first layer is a table: a line of weights for each count in each column of a row, so the sum of
some twelve lines takes the place of a product. One hidden layer of rectified units, five outputs
through the logistic function, then what the rules know for certain (docs/networks.md).
"""

from __future__ import annotations

import hashlib
import os
import zlib
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from nardy import options
from nardy.nardy_core import network_values
from nardy.options import Rules
from nardy.outfile import replaced

__all__ = ["LINES", "OUTPUTS", "Network", "input_lines", "network"]

LINES: Final = 808
"""Of the table: 31 counts of 24 points, then 16 each of own off, own bar, their off, their bar."""

OUTPUTS: Final = 8
"""Columns of the second layer: five chances, and room for a vector."""

_POINT_LINES: Final = 24 * 31


def input_lines(rows: NDArray[np.int8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lines of the table that rows add up, as pairs (row, line).

    Examples
    --------
    >>> row, line = input_lines(nardy.Position.start("long").row[None])
    >>> line  # 15 own checkers on 24, 15 of the opponent on 12
    array([341, 743])
    """
    columns = np.array([*range(1, 25), 0, 25, 26, 27])
    bases = np.array(
        [*(31 * p + 15 for p in range(24)), *(_POINT_LINES + 16 * k for k in range(4))]
    )
    counts = rows[:, columns].astype(np.int64)
    row, place = np.nonzero(counts)
    return row, bases[place] + counts[row, place]


class Network:
    """A network of one hidden layer, which is an evaluator: rows in, chances out.

    Parameters
    ----------
    table : ndarray of float32, shape (808, units)
    bias : ndarray of float32, shape (units,)
    second : ndarray of float32, shape (units + 1, 8)
        As ``nardy.nardy_core.network_values`` takes them; kept, not copied.
    rules : Rules or str
        The game it is for. The chances follow its options (koks, checkers).

    Examples
    --------
    >>> network = nardy.network("short")
    >>> start = nardy.Position.start("short")
    >>> network(start.row[None]).shape
    (1, 5)
    """

    __slots__ = ("bias", "rules", "second", "table", "threads")

    def __init__(
        self,
        table: NDArray[np.float32],
        bias: NDArray[np.float32],
        second: NDArray[np.float32],
        *,
        rules: Rules | str,
        threads: int = 1,
    ) -> None:
        for name, array in (("table", table), ("bias", bias), ("second", second)):
            is_floats = isinstance(array, np.ndarray) and array.dtype == np.float32
            if is_floats and not np.isfinite(array).all():
                raise ValueError(f"{name}: wanted finite weights; got NaN or infinity")
        self.table: NDArray[np.float32] = table
        self.bias: NDArray[np.float32] = bias
        self.second: NDArray[np.float32] = second
        self.rules: Rules = options.rules(rules)
        self.threads: int = threads
        self(np.empty((0, 32), np.int8))  # which checks the weights

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the five chances of the side to roll: float32 (m, 5)."""
        return network_values(
            rows,
            rules=self.rules,
            table=self.table,
            bias=self.bias,
            second=self.second,
            threads=self.threads,
        )

    @property
    def identity(self) -> str:
        """What tells these weights from others.

        Examples
        --------
        >>> nardy.network("long").identity == nardy.network("long-ua").identity
        True
        """
        digest = hashlib.sha256()
        for array in (self.table, self.bias, self.second):
            digest.update(np.ascontiguousarray(array, "<f4").tobytes())
        return f"network {digest.hexdigest()[:32]}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the weights as ``.npz``, and the game they are for.

        Examples
        --------
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "mine.npz")
        ...     nardy.network("long").save(path)
        ...     nardy.Network.load(path, rules="long-ua").rules
        Rules('long', block='home')
        """
        with replaced(path, binary=True) as stream:
            np.savez_compressed(
                stream,
                table=self.table,
                bias=self.bias,
                second=self.second,
                game=np.array(self.rules.game),
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, rules: Rules | str | None = None) -> Network:
        """Read what :meth:`save` wrote.

        Parameters
        ----------
        path : str or path
        rules : Rules or str, optional
            Of the same game; its defaults without.

        Raises
        ------
        ValueError
            No such weights, or of the other game.

        Examples
        --------
        >>> nardy.Network.load(__file__)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        ValueError: path: ... holds no network
        """
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
                table, bias, second = stored["table"], stored["bias"], stored["second"]
                game = str(stored["game"])
        except (KeyError, ValueError, TypeError, EOFError, BadZipFile, zlib.error):
            raise ValueError(f"path: {os.fspath(path)} holds no network") from None
        chosen = options.rules(game if rules is None else rules)
        if chosen.game != game:
            raise ValueError(f"rules: the network is for {game} nardy, not {chosen!r}")
        return cls(table, bias, second, rules=chosen)


@lru_cache(maxsize=4)
def _shipped(game: str) -> Network:
    with as_file(files("nardy").joinpath("data", f"{game}.npz")) as path:
        return Network.load(path)


def network(rules: Rules | str) -> Network:
    """Return the network that the library brings for a game, trained by self-play.

    Parameters
    ----------
    rules : Rules or str
        Of either game. It was trained under the defaults, and plays under any options.

    Examples
    --------
    >>> chances = nardy.network("long")(nardy.Position.start("long").row[None])[0]
    >>> bool(0.4 < chances[0] < 0.7), float(chances[2])
    (True, 0.0)
    """
    chosen = options.rules(rules)
    shipped = _shipped(chosen.game)
    return Network(shipped.table, shipped.bias, shipped.second, rules=chosen)
