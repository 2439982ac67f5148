"""`plies.search` and `plies.perft`: one question, one answer."""

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
    spec: str,
    stop: StopFlag | None = None,
    evaluator: Any = None,
) -> Decision:
    """What the agent of that spec would play in a state of a game, or of its spec, and why.

    `evaluator` is one of the game's with weights of one's own.  The times do not contain the
    compiler's.
    """
    searcher = agent(spec, _game_of(game), evaluator)
    try:
        searcher.prepare(state)
        return searcher.choose(state, stop=stop)
    finally:
        searcher.close()


def perft(
    game: Game | str, state: Any, depth: int, nodes: int = 0, stop: StopFlag | None = None
) -> int:
    """How many lines of play of exactly `depth` plies begin in a state.

    Half a count proves nothing: where `nodes` (a limit on the positions looked at, 0
    means none) or `stop` ends it early, the answer is a `PliesError` that says so.
    """
    game = _game_of(game)
    game.check_state(state)
    with explaining(game):
        return int(counting.count(counting.perft, state, depth, nodes, stop))


def _game_of(game: Game | str) -> Game:
    return find_game(game) if isinstance(game, str) else game
