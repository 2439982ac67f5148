"""The value of a position without children."""

from plies.compiling.compiler import compiled
from plies.core.scores import ONGOING
from plies.core.verbs import evaluate, mover
from plies.search.player_values import result_for


@compiled
def evaluate_leaf(state, result, ply, evaluator, work):
    """The value of a leaf, for its mover; counts it."""
    work.leaves += 1
    work.evaluations += result == ONGOING
    return leaf_value(state, result, ply, evaluator)


@compiled
def leaf_value(state, result, ply, evaluator):
    """The value, for the mover, of a state that is over or at the horizon."""
    if result == ONGOING:
        return evaluate(evaluator, state)
    return final_value(state, result, ply)


@compiled
def final_value(state, result, ply):
    """The value, for the mover, of a state whose `outcome` is `result`.

    `ply` is the distance from the root, so that nearer wins are worth more.
    """
    return result_for(mover(state), state, result, ply)
