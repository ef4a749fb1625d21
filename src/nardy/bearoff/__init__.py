"""Exact bear-offs of both games: one-sided and two-sided tables (docs/bearoff.md).

>>> table = nardy.bearoff.one_sided(points=6, checkers=15, rules=nardy.LONG)
>>> race = nardy.Position.from_points({6: 15}, {1: 15}, rules=nardy.LONG).row[None]
>>> table.mean(race).round(6), table.first_mean(race).round(6)
(array([12.266187]), array([1.616135]))

A table is built once, into the platform's cache or a folder of your own, and then opened. What a
table does not hold has no value: a ValueError names the row, and ``covers`` tells beforehand.
"""

from nardy.bearoff.onesided import Bearoff, OneSided, one_sided
from nardy.bearoff.placements import placement_count, placement_index, placements
from nardy.bearoff.twosided import EQUITIES, TwoSided, two_sided
from nardy.bearoff.variants import table_size

__all__ = [
    "EQUITIES",
    "Bearoff",
    "OneSided",
    "TwoSided",
    "one_sided",
    "placement_count",
    "placement_index",
    "placements",
    "table_size",
    "two_sided",
]
