"""A simulated game (rollout) from a leaf to its end, and its reward for every player."""

from typing import NamedTuple

from plies.compiling.compiler import inlined
from plies.core.scores import DRAW, ONGOING, SCORED
from plies.core.verbs import legal_moves, mover, outcome, payoff, play
from plies.search.mcts.priors import evaluate_result
from plies.search.mcts.tree import reward_scale
from plies.search.random_numbers import random_below
from plies.search.workspace import enter, report_no_moves


class Ending(NamedTuple):
    """How a simulation ended: a result of the rules, or ONGOING and a `value` for `player`."""

    result: int
    player: int
    value: float


@inlined
def roll_out(state, result, ply, plan, work):
    """The state after random moves until the game is over or `plan.plies` are played."""
    plies = 0
    while result == ONGOING and plies < plan.plies and enter(work):
        moves = legal_moves(state)
        if len(moves) == 0:
            report_no_moves(work, ply)
            break
        state = play(state, moves[random_below(len(moves), plan)])
        result = outcome(state)
        plies += 1
    return state, result


@inlined
def ending_of(state, result, evaluator, tree, plan, work):
    """The ending of a rollout: a result of the rules, or the evaluator's expectation."""
    if result != ONGOING:
        return Ending(result, 0, 0.0)
    expected = evaluate_result(evaluator, state, plan, work)
    return Ending(result, mover(state), expected * reward_scale(tree))


@inlined
def reward(state, ending, player, tree, plan):
    """The reward of a player.

    1 for a win, 0 for a draw, -1 for a loss, which is 0 where more than two play; payoffs as
    they are.  An expectation for one player is shared out among the others with its sign turned.
    """
    if ending.result == SCORED:
        own = float(payoff(state, player))
        tree.least = min(tree.least, own)
        tree.greatest = max(tree.greatest, own)
        return own
    if ending.result == DRAW:
        return 0.0
    if ending.result != ONGOING:
        return 1.0 if ending.result == player else (-1.0 if plan.players == 2 else 0.0)
    return ending.value if ending.player == player else -ending.value / (plan.players - 1)
