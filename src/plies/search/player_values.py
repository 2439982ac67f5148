"""The value of a position without children for any one of the players."""

from plies.compiling.compiler import compiled
from plies.core.scores import DRAW, SCORED, lose_in, win_in
from plies.core.verbs import mover, payoff


@compiled
def result_for(player, state, result, ply):
    """The value for `player` of a state whose `outcome` is `result`.

    `ply` is the distance from the root: a winner prefers a nearer win, and everybody else a
    farther loss.  (Where three or more play, a loss is worth a draw in the end; the
    order of draws, late losses and early ones decides only what is equal otherwise.)
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
