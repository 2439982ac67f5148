"""The vocabulary: what a game file and a search are written with.

Names are loaded when they are first used, so that `plies.errors` and
`plies.core.spec` do not cost the start of the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_NAMES = {
    "plies.compiling.compiler": "compiled inlined",
    "plies.core.bits": "bit has_bit lowest_bit mirrored popcount set_bits",
    "plies.core.contract": "Game",
    "plies.core.keys": "mix",
    "plies.core.scores": "DRAW ONGOING SCORED",
    "plies.core.verbs": "Evaluator Features capture_gain count_moves evaluate has_null_move "
    "has_symmetries has_tactical_moves is_tactical key legal_moves mover "
    "must_respond null_move outcome payoff play static_exchange symmetries "
    "tactical_moves threatens",
    "plies.drawing.board": "Board cell_name grid read_rows rows_text",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

if TYPE_CHECKING:
    from plies.compiling.compiler import compiled, inlined
    from plies.core.bits import bit, has_bit, lowest_bit, mirrored, popcount, set_bits
    from plies.core.contract import Game
    from plies.core.keys import mix
    from plies.core.scores import DRAW, ONGOING, SCORED
    from plies.core.verbs import (
        Evaluator,
        Features,
        capture_gain,
        count_moves,
        evaluate,
        has_null_move,
        has_symmetries,
        has_tactical_moves,
        is_tactical,
        key,
        legal_moves,
        mover,
        must_respond,
        null_move,
        outcome,
        payoff,
        play,
        static_exchange,
        symmetries,
        tactical_moves,
        threatens,
    )
    from plies.drawing.board import Board, cell_name, grid, read_rows, rows_text

__all__ = [
    "DRAW",
    "ONGOING",
    "SCORED",
    "Board",
    "Evaluator",
    "Features",
    "Game",
    "bit",
    "capture_gain",
    "cell_name",
    "compiled",
    "count_moves",
    "evaluate",
    "grid",
    "has_bit",
    "has_null_move",
    "has_symmetries",
    "has_tactical_moves",
    "inlined",
    "is_tactical",
    "key",
    "legal_moves",
    "lowest_bit",
    "mirrored",
    "mix",
    "mover",
    "must_respond",
    "null_move",
    "outcome",
    "payoff",
    "play",
    "popcount",
    "read_rows",
    "rows_text",
    "set_bits",
    "static_exchange",
    "symmetries",
    "tactical_moves",
    "threatens",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'plies.core' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
