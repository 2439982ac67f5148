"""The vocabulary: what a game file and a search are written with.

Names are loaded when they are first used, so that `plies.core.errors` and
`plies.core.spec` do not cost the start of the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "DRAW": "scores",
    "ONGOING": "scores",
    "SCORED": "scores",
    "Board": "board",
    "Evaluator": "verbs",
    "Features": "verbs",
    "Game": "contract",
    "cell_name": "board",
    "compiled": "compiler",
    "grid": "board",
    "inlined": "compiler",
    "lowest_bit": "bits",
    "mirrored": "bits",
    "popcount": "bits",
    "rows_text": "board",
    "set_bits": "bits",
}

if TYPE_CHECKING:
    from plies.core.bits import lowest_bit, mirrored, popcount, set_bits
    from plies.core.board import Board, cell_name, grid, rows_text
    from plies.core.compiler import compiled, inlined
    from plies.core.contract import Game
    from plies.core.scores import DRAW, ONGOING, SCORED
    from plies.core.verbs import Evaluator, Features

__all__ = [
    "DRAW",
    "ONGOING",
    "SCORED",
    "Board",
    "Evaluator",
    "Features",
    "Game",
    "cell_name",
    "compiled",
    "grid",
    "inlined",
    "lowest_bit",
    "mirrored",
    "popcount",
    "rows_text",
    "set_bits",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'plies.core' has no attribute {name!r}")
    return getattr(import_module(f"plies.core.{_HOMES[name]}"), name)
