"""`plies.search` and `plies.perft`: one question, one answer."""

import random
from typing import Any

from plies.agents import agent
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.registry import game as find_game
from plies.search import perft as counting
from plies.search.decision import Decision
from plies.search.runner import StopFlag


def search(
    game: Game | str,
    state: Any,
    spec: Any,
    evaluator: Any = None,
    *,
    seed: int | None = None,
    stop: StopFlag | None = None,
) -> Decision:
    """The decision of an agent, by its spec, in a state of a game, or of the game of a spec.

    `evaluator` is one of the game's with weights of your own; `seed` makes random choices
    repeatable.  The times exclude compiling.
    """
    searcher = agent(spec, find_game(game), evaluator)
    try:
        searcher.prepare(state)
        return searcher.choose(state, random.Random(seed), stop)
    finally:
        searcher.close()


def perft(
    game: Game | str, state: Any, depth: int, nodes: int = 0, stop: StopFlag | None = None
) -> int:
    """The number of lines of play of exactly `depth` plies from a state.

    `nodes` limits the positions that it visits; 0 means no limit.  Where that or `stop` ends it
    early, it raises a `PliesError`: half a count proves nothing.
    """
    game = find_game(game)
    game.check_state(state)
    with explaining(game):
        return int(counting.count(counting.perft, state, depth, nodes, stop))
