"""Minimax to a fixed depth: every line is looked at, nothing is cut."""

from typing import Any

from plies.core.compiler import compiled
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import legal_moves, mover, outcome, play
from plies.search.decision import Decision
from plies.search.leaf import leaf_value
from plies.search.runner import StopFlag, decide
from plies.search.workspace import enter, get_stuck, remember


@compiled
def minimax(state, depth, ply, evaluator, work):
    """The value of `state`, for its mover, when both play best for `depth` plies.

    Of equally good moves the first is taken.  When `work.is_stopped` the value
    covers only the moves that were finished.
    """
    if not enter(work):
        return 0
    work.length[ply] = ply
    result = outcome(state)
    if result != ONGOING or depth == 0:
        work.leaves += 1
        return leaf_value(state, result, ply, evaluator)
    best = -INFINITY
    player = mover(state)
    moves = legal_moves(state)
    if len(moves) == 0:
        get_stuck(work, ply)
    for move in moves:
        child = play(state, move)
        value = minimax(child, depth - 1, ply + 1, evaluator, work)
        if mover(child) != player:
            value = -value
        if work.is_stopped:
            work.path[ply] = move
            break
        if value > best:
            best = value
            remember(work, ply, move)
    return best


def search(
    state: Any, depth: int, evaluator: Any, nodes: int = 0, stop: StopFlag | None = None
) -> Decision:
    """The best move by minimax."""
    return decide(minimax, 0, evaluator, state=state, depth=depth, nodes=nodes, stop=stop)
