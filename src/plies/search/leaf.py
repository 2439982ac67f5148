"""What a position without children is worth."""

from plies.core.compiler import compiled
from plies.core.scores import DRAW, ONGOING, SCORED, lose_in, win_in
from plies.core.verbs import evaluate, mover, payoff


@compiled
def counted_leaf(state, result, ply, evaluator, work):
    """The value of a leaf, which is counted."""
    work.leaves += 1
    if result == ONGOING:
        work.evaluations += 1
        return evaluate(evaluator, state)
    return final_value(state, result, ply)


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
    if result == DRAW:
        return 0
    if result == SCORED:
        return payoff(state, mover(state))
    if result == mover(state):
        return win_in(ply)
    return lose_in(ply)
