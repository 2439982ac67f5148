"""What a position without children is worth to any one of the players."""

from plies.compiling.compiler import compiled
from plies.core.scores import DRAW, SCORED, lose_in, win_in
from plies.core.verbs import mover, payoff


@compiled
def result_for(player, state, result, ply):
    """What `player` has of a state whose `outcome` is `result`.

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
def evaluation_for(player, state, opinion, players):
    """What `player` has of a state of which the evaluator, for the mover, has this opinion.

    Of two players the other one has the opposite.  Of more it is not known who would
    pay for what the mover has, so that the others have nothing.
    """
    if player == mover(state):
        return opinion
    return -opinion if players == 2 else 0
