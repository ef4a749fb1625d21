"""Matches as GNU Backgammon keeps them, in Smart Game Format: a tree for each game.

    (;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[one]PB[other]RU[Crawford]RE[B+2R]
    ;W[31hefe]                          31: 8/5 6/5, of player 1
    ;B[52lqsu]                          52: 13/8 6/4, of player 2
    ;W[double]                          and take, drop: a double upon a double is a beaver
    ;PL[B]DI[66])                       rolled, and not played

Points are letters, ``a`` to ``x`` for White's 1 to 24, ``y`` the bar and ``z`` off. White is player
1. The points of a result are those that are won, cube and all. Of variations the first is the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from nardy.formats.entries import MOST_ENTRIES, RawMatch
from nardy.formats.properties import Properties
from nardy.formats.sgf_tree import Tree

__all__ = ["read_sgf"]


def read_sgf(stream: IO[Any]) -> Iterator[RawMatch]:
    r"""Read matches one after the other, in bounded memory.

    Trees with the same players and length that follow one another by number and score are one
    match. Of a double, the value is counted from the cube that the game began with.

    Parameters
    ----------
    stream : open file, of bytes or of text

    Yields
    ------
    RawMatch
        Whatever cannot be kept is among its faults, what is repeated in each game only once.

    Examples
    --------
    >>> import io
    >>> text = "(;GM[6]MI[length:3][game:0]PW[x]PB[o]RE[W+2R];W[31hefe];B[42qusu];W[66])"
    >>> [match] = read_sgf(io.StringIO(text))
    >>> match.length, match.players, [entry.words for entry in match.games[0].entries]
    (3, ('x', 'o'), ['8/5 6/5', '8/4 6/4', 'pass', None])
    >>> match.games[0].declared, match.games[0].entries[-1].action
    ((0, 2), 'resign')
    """
    pieces = Properties(stream)
    session = _Session()
    tree = Tree(pieces)
    is_opened = False
    for piece in pieces:
        is_next = is_opened and piece.begins_node and piece.name in ("FF", "GM")
        if is_next:
            # No variation begins so: it is the next game.
            tree.fault("a game that is not closed before the next one")
            pieces.depth = 1
            before, tree = session.add(tree)
            if before:
                yield before
        is_opened = piece.name == "(" and pieces.depth > 1
        tree.take(piece)
        if piece.name == ")" and not pieces.depth:
            before, tree = session.add(tree)
            if before:
                yield before
    if pieces.depth:
        tree.fault("the text ends within a game")
    before, tree = session.add(tree)
    if before:
        yield before
    if last := session.end(tree):
        yield last


class _Session:
    """The match that is being read, which takes one game after the other."""

    def __init__(self) -> None:
        self.match: RawMatch | None = None
        self.told: set[str] = set()
        self.size = 0

    def add(self, tree: Tree) -> tuple[RawMatch | None, Tree]:
        """Take a tree as the next game, or as the first of a match.

        Return the match before it, if that is complete, and a tree for what follows.
        """
        tree.finish()
        following = Tree(tree.pieces)
        before, new = self.match, tree.match
        if not new.games:
            # What was wrong with it is told with the game that follows.
            following.match.faults = new.faults
            following.match.unlisted_faults = new.unlisted_faults
            return None, following
        size = len(new.games[0].entries) + 1
        is_next = before is not None and _follows(before, tree)
        if before is not None and is_next and self.size <= MOST_ENTRIES:
            if not tree.is_numbered:
                new.games[0].number = before.games[-1].number + 1
            before.games += new.games
            self._tell(tree)
            self.size += size
            return None, following
        if is_next:
            what = f"goes on from the match before, which has {MOST_ENTRIES:,} entries"
            new.report("unreadable", new.line, 1, what)
        self.match, self.told, self.size = new, tree.told, size
        return before, following

    def end(self, tree: Tree) -> RawMatch | None:
        """Return the last match, with what stood behind it."""
        if self.match:
            self._tell(tree)
            return self.match
        return tree.match if tree.match.faults else None

    def _tell(self, tree: Tree) -> None:
        """Add the faults of a tree to those of its match."""
        match = self.match
        assert match is not None
        for fault in tree.match.faults:
            if fault.what not in self.told:
                for line in range(fault.line, fault.line + fault.lines):
                    match.report(fault.kind, line, fault.column, fault.what, fault.text)
        match.unlisted_faults += tree.match.unlisted_faults
        self.told |= tree.told


def _follows(match: RawMatch, tree: Tree) -> bool:
    """Tell whether a tree is the next game of a match."""
    last, game = match.games[-1], tree.match.games[0]
    if (match.players, match.length) != (tree.match.players, tree.match.length):
        return False
    if tree.is_numbered and game.number != last.number + 1:
        return False
    if last.score is None or game.score is None:
        return last.score is game.score
    # Whether the scores are right is a matter of the rules; here it counts that they go on.
    return all(one <= other for one, other in zip(last.score, game.score, strict=True))
