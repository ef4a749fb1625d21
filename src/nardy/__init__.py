"""Long nardy and short nardy (backgammon): exact rules, fast batches."""

from nardy.dice import ROLL_WEIGHTS, ROLLS
from nardy.errors import IllegalPlay, InvalidNotation, InvalidPosition
from nardy.nardy_core import build_info
from nardy.options import LONG, PRESETS, SHORT, Rules, rules

__version__: str = build_info()["version"]

__all__ = [
    "LONG",
    "PRESETS",
    "ROLLS",
    "ROLL_WEIGHTS",
    "SHORT",
    "IllegalPlay",
    "InvalidNotation",
    "InvalidPosition",
    "Rules",
    "build_info",
    "rules",
]
