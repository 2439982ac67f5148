"""plies: write a board game once, in one Python file; play and search it at native speed.

    >>> import plies
    >>> game = plies.game("tictactoe")
    >>> plies.search(game, game.initial(), "alphabeta:depth=9").value
    0

Importing the package is cheap: the compiler is loaded by the first name that
needs it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from plies.version import __version__

_NAMES = {
    "plies.agents": "Agent agent",
    "plies.api": "perft search",
    "plies.compiling.compiler": "compiled",
    "plies.core.contract": "Game",
    "plies.core.scores": "DRAW ONGOING SCORED",
    "plies.core.verbs": "Evaluator",
    "plies.errors": "PliesError",
    "plies.match": "play_game",
    "plies.records": "GameRecord",
    "plies.registry": "game game_names",
    "plies.search.decision": "Decision",
    "plies.search.search": "Search",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

if TYPE_CHECKING:
    from plies.agents import Agent, agent
    from plies.api import perft, search
    from plies.compiling.compiler import compiled
    from plies.core.contract import Game
    from plies.core.scores import DRAW, ONGOING, SCORED
    from plies.core.verbs import Evaluator
    from plies.errors import PliesError
    from plies.match import play_game
    from plies.records import GameRecord
    from plies.registry import game, game_names
    from plies.search.decision import Decision
    from plies.search.search import Search

__all__ = [
    "DRAW",
    "ONGOING",
    "SCORED",
    "Agent",
    "Decision",
    "Evaluator",
    "Game",
    "GameRecord",
    "PliesError",
    "Search",
    "__version__",
    "agent",
    "compiled",
    "game",
    "game_names",
    "perft",
    "play_game",
    "search",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'plies' has no attribute {name!r}")
    if name == "search":  # both a function and the package of methods
        return import_module("plies.search")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
