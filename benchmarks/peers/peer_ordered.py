"""Alpha-beta of chess with the moves in the order of their UCI text.

Programs list moves in different orders, and alpha-beta then visits different nodes.  In
one order all of them must visit the same.
"""

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import legal_moves, outcome, play
from plies.games.chess.state import kind_of, origin_of, placed_of, target_of
from plies.search.leaf import leaf_value

MOVE_BITS = 24
# By the kind of piece: nothing, then b, n, q, r.
PROMOTION_RANKS = np.array([0, 0, 2, 1, 4, 3, 0])


@compiled
def by_file(square):
    """Squares in the order of their names: a1, a2, ... a8, b1, ..."""
    return (square & 7) << 3 | square >> 3


@compiled
def in_order(moves):
    """The moves sorted by `e2e4`, `e7e8b`, ...: a number that sorts so, above each move."""
    named = np.empty_like(moves)
    for index, move in enumerate(moves):
        squares = by_file(origin_of(move)) << 6 | by_file(target_of(move))
        promoted = PROMOTION_RANKS[placed_of(move)] if placed_of(move) != kind_of(move) else 0
        named[index] = (squares << 3 | promoted) << MOVE_BITS | move
    named.sort()
    return named & (1 << MOVE_BITS) - 1


@compiled
def ordered_alphabeta(state, depth, alpha, beta, ply, evaluator, nodes):
    """The value of `state` for its mover, or a bound outside (alpha, beta); counts in nodes[0]."""
    nodes[0] += 1
    result = outcome(state)
    if result != ONGOING or depth == 0:
        return leaf_value(state, result, ply, evaluator)
    best = -INFINITY
    for move in in_order(legal_moves(state)):
        child = play(state, move)
        value = -ordered_alphabeta(child, depth - 1, -beta, -alpha, ply + 1, evaluator, nodes)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def nodes_and_value(state, depth: int, evaluator) -> tuple[int, int]:
    nodes = np.zeros(1, np.int64)
    value = ordered_alphabeta(state, depth, -INFINITY, INFINITY, 0, evaluator, nodes)
    return int(nodes[0]), int(value)
