"""Alpha-beta for any two-player game: change it step by step into your own search.

plies match tictactoe THIS_FILE:depth=4 alphabeta:depth=3
"""

from dataclasses import dataclass
from typing import ClassVar

import plies
from plies.core import ONGOING, compiled, legal_moves, mover, outcome, play
from plies.search.kernel import INFINITY, enter, evaluate_leaf, save_line


# The kernel is compiled once for every game.  Values are from the side of the player to move.
@compiled
def alphabeta(state, depth, alpha, beta, ply, evaluator, work):
    """The value of `state` for its mover: exact inside (alpha, beta), otherwise a bound."""
    if not enter(work, ply):  # counts a node; False once time or nodes are used up
        return 0
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return evaluate_leaf(state, result, ply, evaluator, work)
    player = mover(state)
    best = -INFINITY
    for move in legal_moves(state):
        child = play(state, move)
        if mover(child) == player:  # in some games the same player moves again
            value = alphabeta(child, depth - 1, alpha, beta, ply + 1, evaluator, work)
        else:
            value = -alphabeta(child, depth - 1, -beta, -alpha, ply + 1, evaluator, work)
        if work.is_stopped:  # the value means nothing
            break
        if value > best:
            best = value
            save_line(work, ply, move)
            alpha = max(alpha, value)
            if alpha >= beta:
                work.cutoffs += 1
                break
    return best


@dataclass(frozen=True)
class MySearch(plies.Search):
    """Alpha-beta to a fixed depth, or within the time for a move."""

    depth: int = 4  # 0: as deep as `seconds` or the clock of the match allow
    seconds: float = 0.0
    nodes: int = 0
    eval: str = ""  # which evaluator of the game; a file of yours, too

    is_exact: ClassVar[bool] = True  # its values are those of minimax: `plies check` compares

    def decide(self, task):
        if self.depth and not self.seconds:
            return task.best_by(alphabeta, self.depth, nodes=self.nodes)
        return task.best_in_time(alphabeta, self.seconds, depth=self.depth, nodes=self.nodes)
