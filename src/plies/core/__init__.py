"""The vocabulary: what a game file and a search are written with."""

from plies.core.bits import lowest_bit, popcount
from plies.core.board import Board, cell_name, grid, rows_text
from plies.core.compiled import compiled
from plies.core.contract import Game
from plies.core.scores import DRAW, ONGOING, SCORED
from plies.core.verbs import Evaluator

__all__ = [
    "DRAW",
    "ONGOING",
    "SCORED",
    "Board",
    "Evaluator",
    "Game",
    "cell_name",
    "compiled",
    "grid",
    "lowest_bit",
    "popcount",
    "rows_text",
]
