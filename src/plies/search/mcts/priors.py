"""What evaluators say, as shares of a win."""

from math import exp

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import ONGOING
from plies.core.verbs import evaluate, mover, outcome, play
from plies.search.leaf import final_value


@inlined
def share_of_win(value, plan, work):
    """A value between -1 and 1: 0.5 for an opinion of the size `plan.scale`.

    Where no scale is given it is the average size of the opinions so far.
    """
    scale = plan.scale
    if scale == 0:
        scale = 1 + plan.opinions / max(work.evaluations, 1)
    return value / (scale + abs(value))


@inlined
def opinion(evaluator, state, plan, work):
    """What the evaluator thinks of a state, as a share of a win for its mover."""
    value = evaluate(evaluator, state)
    work.evaluations += 1
    plan.opinions += abs(value)
    return share_of_win(value, plan, work)


@compiled
def rate(evaluator, state, moves, weights, plan, work):
    """Fill in how likely each move is to be the best, summing up to 1.

    An evaluator rates moves by what it thinks of the positions they lead to; whoever has
    an opinion of moves as such gives the weights in another way, to the same effect.
    """
    player = mover(state)
    total = 0.0
    for index in range(len(moves)):
        child = play(state, moves[index])
        result = outcome(child)
        if result == ONGOING:
            share = opinion(evaluator, child, plan, work)
        else:
            share = share_of_win(final_value(child, result, 0), plan, work)
        if mover(child) != player:
            share = -share
        weights[index] = share / plan.temperature
    most = weights.max()  # taken off, so that no power is too great at a low temperature
    for index in range(len(moves)):
        weights[index] = exp(weights[index] - most)
        total += weights[index]
    for index in range(len(moves)):
        weights[index] /= total
