"""A simulated game from a leaf to its end, and what it is worth to whom."""

from typing import NamedTuple

from plies.compiling.compiler import inlined
from plies.core.scores import DRAW, ONGOING, SCORED
from plies.core.verbs import legal_moves, mover, outcome, payoff, play
from plies.search.mcts.priors import opinion
from plies.search.mcts.tree import spread
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
    """What a game is worth that has ended, or that is to be judged by the evaluator."""
    if result != ONGOING:
        return Ending(result, 0, 0.0)
    share = opinion(evaluator, state, plan, work)
    return Ending(result, mover(state), share * spread(tree))


@inlined
def reward(state, ending, player, tree, plan):
    """What a player gets.

    1 for a win, 0 for a draw, -1 for a loss, which is 0 where more than two play; payoffs as
    they are.  An opinion of one player's chances is bad news for the others.
    """
    if ending.result == SCORED:
        found = float(payoff(state, player))
        tree.least = min(tree.least, found)
        tree.greatest = max(tree.greatest, found)
        return found
    if ending.result == DRAW:
        return 0.0
    if ending.result != ONGOING:
        return 1.0 if ending.result == player else (-1.0 if plan.players == 2 else 0.0)
    return ending.value if ending.player == player else -ending.value / (plan.players - 1)
