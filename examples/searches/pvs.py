"""Principal variation search (Marsland & Campbell 1982): alpha-beta that trusts its first move.

All moves but the first are searched with a zero window, which only says whether they are
better; the few that are get a second search.  It plays every two-player game:

    plies match chess examples/searches/pvs.py:depth=4 alphabeta:depth=4
"""

from dataclasses import dataclass
from typing import ClassVar

import plies
from plies.core import ONGOING, compiled, legal_moves, mover, outcome, play
from plies.search.kernel import INFINITY, enter, evaluate_leaf, save_line


@compiled
def pvs(state, depth, alpha, beta, ply, evaluator, work):
    """The value of `state` for its mover: exact inside (alpha, beta), otherwise a bound."""
    if not enter(work, ply):
        return 0
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    player = mover(state)
    best = -INFINITY
    high = beta  # the first move gets the whole window, the others a zero window above the best
    for move in legal_moves(state):
        child = play(state, move)
        if mover(child) == player:  # in some games the same player moves again
            value = pvs(child, depth - 1, alpha, high, ply + 1, evaluator, work)
            if high <= value < beta:
                value = pvs(child, depth - 1, alpha, beta, ply + 1, evaluator, work)
        else:
            value = -pvs(child, depth - 1, -high, -alpha, ply + 1, evaluator, work)
            if high <= value < beta:
                value = -pvs(child, depth - 1, -beta, -alpha, ply + 1, evaluator, work)
        if work.is_stopped:
            break
        if value > best:
            best = value
            save_line(work, ply, move)
            alpha = max(alpha, value)
            if alpha >= beta:
                work.cutoffs += 1
                break
        high = alpha + 1
    return best


@dataclass(frozen=True)
class Pvs(plies.Search):
    """Principal variation search to a fixed depth."""

    depth: int = 4
    eval: str = ""  # the evaluator; `task.best_by` uses it
    nodes: int = 0

    is_exact: ClassVar[bool] = True  # its values are those of minimax: `plies check` compares

    def decide(self, task):
        return task.best_by(pvs, self.depth, nodes=self.nodes)
