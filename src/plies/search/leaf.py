"""The value of a position without children: the game is over, or it is the horizon."""

from plies.compiling.compiler import compiled
from plies.core.scores import DRAW, ONGOING, SCORED, lose_in, win_in
from plies.core.verbs import evaluate, mover, payoff


@compiled
def evaluate_leaf(state, result, ply, evaluator, work):
    """The value of a leaf, for its mover; counts it.

    `result` is its `outcome`, ONGOING at the horizon, where the evaluator decides; `ply` is
    the distance from the root, so that nearer wins are worth more.
    """
    work.leaves += 1
    work.evaluations += result == ONGOING
    return leaf_value(state, result, ply, evaluator)


@compiled
def leaf_value(state, result, ply, evaluator):
    """The same without counting."""
    if result == ONGOING:
        return evaluate(evaluator, state)
    return final_value(state, result, ply)


@compiled
def final_value(state, result, ply):
    """The value, for the mover, of a state whose `outcome` is `result`."""
    return result_for(mover(state), state, result, ply)


@compiled
def result_for(player, state, result, ply):
    """The value for `player` of a state whose `outcome` is `result`.

    A winner prefers a nearer win, and everybody else a farther loss.  (Where three or more
    play, a loss is worth a draw in the end; the order of draws, late losses and early ones
    decides only what is equal otherwise.)
    """
    if result == DRAW:
        return 0
    if result == SCORED:
        return payoff(state, player)
    return win_in(ply) if result == player else lose_in(ply)


@compiled
def evaluation_for(player, state, evaluation, players):
    """The value for `player` of a state that is worth `evaluation` to its mover.

    Of two players the other one has the opposite.  Of more it is not known at whose expense
    the mover's advantage is, so that the others have 0.
    """
    if player == mover(state):
        return evaluation
    return -evaluation if players == 2 else 0
