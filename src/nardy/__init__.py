"""Long nardy and short nardy (backgammon): exact rules, fast batches.

A game is a ``Rules``, a board with its rules a ``Position``, and for speed a board is a row of 32
int8 in an array. Everything is seen by the side to move.

>>> import numpy as np
>>> import nardy
>>> start = nardy.Position.start(nardy.LONG)
>>> rows, offsets = nardy.after_states(
...     start.row[np.newaxis], np.array([[6, 6]], np.int8), rules=nardy.LONG
... )
>>> nardy.Position.from_row(rows[0], rules=nardy.LONG).flip()
Position.from_points(own={24: 13, 18: 2}, opponent={24: 15}, rules=Rules('long'))
>>> nardy.perft(start, 2)
489
>>> nardy.Position.from_gnubg_id("4HPwATDgc/ABMA") == nardy.Position.start(nardy.SHORT)
True

Other rules are options or presets: ``nardy.LONG.replace(head="named")``,
``nardy.rules("long-fnr2026")``. ``nardy.reference`` plays both games once more in plain Python.
"""

from nardy import bearoff, draw, formats, reference
from nardy.board import Status
from nardy.bots import Bot, Ranked
from nardy.clocks import CLOCKS, Clock
from nardy.cube import Cube
from nardy.dice import ROLL_WEIGHTS, ROLLS, ScriptedDice, SeededDice, opening_weights
from nardy.duels import Duel, duel
from nardy.encodings import FEATURES
from nardy.endings import Result
from nardy.equity import MatchEquity
from nardy.errors import (
    ACTION_REASONS,
    REASONS,
    IllegalAction,
    IllegalPlay,
    InvalidNotation,
    InvalidPosition,
    InvalidState,
)
from nardy.exact import RandomGames, Tables
from nardy.files import read, write
from nardy.games import Game
from nardy.matches import Match
from nardy.nardy_core import (
    after_states,
    after_states_all_rolls,
    build_info,
    counts,
    counts_all_rolls,
    features,
    flip,
    half_moves,
    is_race,
    mean_over_rolls,
    outcomes,
    perft,
    playouts,
    random_rows,
    segment_argmax,
    segment_max,
    segment_mean,
)
from nardy.networks import Network, network
from nardy.options import LONG, PRESETS, SHORT, Rules, rules
from nardy.players import Pips, Runner, Spread, Uniform
from nardy.plays import Play, Plays
from nardy.position import Position
from nardy.recording import record_of
from nardy.replays import GameRecord, MatchRecord, Node
from nardy.rolled import PlaysRollout, RolledPlay, Rollout, RolloutInterrupted
from nardy.rollouts import rollout, rollout_plays
from nardy.search import Search, Searched
from nardy.stakes import MatchPlay, Money
from nardy.states import from_json, to_json
from nardy.turn import HALF_MOVES, Turn
from nardy.values import CHANCES, Checked, check_evaluator, equities

__version__: str = build_info()["version"]

__all__ = [
    "ACTION_REASONS",
    "CHANCES",
    "CLOCKS",
    "FEATURES",
    "HALF_MOVES",
    "LONG",
    "PRESETS",
    "REASONS",
    "ROLLS",
    "ROLL_WEIGHTS",
    "SHORT",
    "Bot",
    "Checked",
    "Clock",
    "Cube",
    "Duel",
    "Game",
    "GameRecord",
    "IllegalAction",
    "IllegalPlay",
    "InvalidNotation",
    "InvalidPosition",
    "InvalidState",
    "Match",
    "MatchEquity",
    "MatchPlay",
    "MatchRecord",
    "Money",
    "Network",
    "Node",
    "Pips",
    "Play",
    "Plays",
    "PlaysRollout",
    "Position",
    "RandomGames",
    "Ranked",
    "Result",
    "RolledPlay",
    "Rollout",
    "RolloutInterrupted",
    "Rules",
    "Runner",
    "ScriptedDice",
    "Search",
    "Searched",
    "SeededDice",
    "Spread",
    "Status",
    "Tables",
    "Turn",
    "Uniform",
    "after_states",
    "after_states_all_rolls",
    "bearoff",
    "build_info",
    "check_evaluator",
    "counts",
    "counts_all_rolls",
    "draw",
    "duel",
    "equities",
    "features",
    "flip",
    "formats",
    "from_json",
    "half_moves",
    "is_race",
    "mean_over_rolls",
    "network",
    "opening_weights",
    "outcomes",
    "perft",
    "playouts",
    "random_rows",
    "read",
    "record_of",
    "reference",
    "rollout",
    "rollout_plays",
    "rules",
    "segment_argmax",
    "segment_max",
    "segment_mean",
    "to_json",
    "write",
]
