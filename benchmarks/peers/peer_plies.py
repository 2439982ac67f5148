"""plies itself, asked by `peer_run` as the others are."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import plies
from peer_ordered import nodes_and_value
from peer_search import EXPLORATION
from peer_worker import Run, Task, serve, timed
from plies.search.perft import bulk_perft, count, perft

HERE = Path(__file__).resolve().parent
SPECS = {
    "chess": "chess",
    "connect_four": str(HERE.parents[1] / "examples" / "connect_four.py"),
    "morris": "morris:board=24",
    "tictactoe": "tictactoe",
    "plain tictactoe": str(HERE / "peer_tictactoe.py"),
}


def count_lines(game: str, fen: str, depth: int, is_bulk: bool) -> Run:
    _, state = position(game, fen)
    kernel = bulk_perft if is_bulk else perft
    return timed(lambda: (int(count(kernel, state, depth)), None))


def solve(prefers_faster: bool) -> Run:
    game, state = position("tictactoe" if prefers_faster else "plain tictactoe")
    return timed(thinking("alphabeta:depth=9", game, state))


def search(fen: str, depth: int, is_sorted: bool) -> Run:
    game, state = position("chess", fen)
    if is_sorted:
        evaluator = game.evaluator("material")
        return timed(lambda: nodes_and_value(state, depth, evaluator))
    return timed(thinking(f"alphabeta:depth={depth},eval=material", game, state))


def simulate(game: str, simulations: int, longest: int) -> Run:
    """UCT from the start with one random rollout a simulation, without proving anything."""
    rules, state = position(game)
    options = f"simulations={simulations},plies={longest},c={EXPLORATION},solver=false,reuse=false"
    agent = plies.agent(f"mcts:{options}", rules)
    return timed(lambda: (agent.choose(state, Random(1)).simulations, None))


def position(name: str, text: str = "") -> tuple[plies.Game, Any]:
    game = plies.game(SPECS[name])
    return game, game.parse_position(text) if text else game.initial()


def thinking(spec: str, game: plies.Game, state: Any) -> Callable[[], tuple[int, int | None]]:
    agent = plies.agent(spec, game)

    def think() -> tuple[int, int | None]:
        decision = agent.choose(state)
        return decision.nodes, decision.value

    return think


TASKS: dict[str, Task] = {
    "perft": count_lines,
    "solve": solve,
    "alphabeta": search,
    "mcts": simulate,
}

if __name__ == "__main__":
    with ThreadPoolExecutor(1) as pool:  # where a search needs no thread of its own
        pool.submit(serve, plies.__version__, TASKS).result()
