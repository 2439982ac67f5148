"""Evaluations on the scale of simulated games, and the move priors made from them."""

from math import exp

from plies.compiling.compiler import compiled, inlined
from plies.core.scores import ONGOING
from plies.core.verbs import evaluate, mover, outcome, play
from plies.search.leaf import final_value


@inlined
def expected_result(value, plan, work):
    """A value squashed into -1 to 1: 0.5 for an evaluation of the size `plan.scale`.

    Where no scale is given it is the average size of the evaluations so far.
    """
    scale = plan.scale
    if scale == 0:
        scale = 1 + plan.total_size / max(work.evaluations, 1)
    return value / (scale + abs(value))


@inlined
def evaluate_result(evaluator, state, plan, work):
    """The result that the evaluator expects, -1 to 1, for the mover of a state."""
    value = evaluate(evaluator, state)
    work.evaluations += 1
    plan.total_size += abs(value)
    return expected_result(value, plan, work)


@compiled
def fill_priors(evaluator, state, moves, priors, plan, work):
    """Fill in how likely each move is to be the best, summing up to 1.

    The priors are a softmax of the evaluations of the positions that the moves lead to; a
    lower `plan.temperature` is greedier.
    """
    player = mover(state)
    total = 0.0
    for index in range(len(moves)):
        child = play(state, moves[index])
        result = outcome(child)
        if result == ONGOING:
            expected = evaluate_result(evaluator, child, plan, work)
        else:
            expected = expected_result(final_value(child, result, 0), plan, work)
        if mover(child) != player:
            expected = -expected
        priors[index] = expected / plan.temperature
    greatest = priors.max()  # subtracted, so that no power overflows at a low temperature
    for index in range(len(moves)):
        priors[index] = exp(priors[index] - greatest)
        total += priors[index]
    for index in range(len(moves)):
        priors[index] /= total
