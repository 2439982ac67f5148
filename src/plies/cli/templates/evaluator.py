"""An evaluator with weights: change it step by step into one for your game.

    plies match tictactoe alphabeta:depth=2,eval=THIS_FILE alphabeta:depth=2

A search asks it what a position is worth that it does not search further.
"""

from typing import NamedTuple

from plies.core import compiled, count_moves, mover

# GAME = "quixo" refuses every other game; without it any game whose State fits is welcome.
UNIT = 10  # what a small but clear advantage is worth


class Weights(NamedTuple):
    """What is tuned by `plies train weights GAME --eval THIS_FILE --out tuned.npz`."""

    move: int = 2
    first: int = 1


WEIGHTS = Weights()


@compiled
def evaluate(weights, state):
    """The value for the player to move, a whole number: here, the more moves the better.

    Read the fields of the game's State instead, such as state.mine.
    """
    return weights.move * count_moves(state) + weights.first * (mover(state) == 0)
