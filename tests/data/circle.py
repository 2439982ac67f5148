"""Four places in a circle, on which play can go on for ever.

At places 0 and 2 one goes a step forward or back, at 1 and 3 forward.  With `exits` the
first player can leave at place 2, and has then won.
"""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled

OUTSIDE = 4


class State(NamedTuple):
    place: int
    turn: int
    exits: int


def initial(exits: int = 0) -> State:
    return State(0, 0, exits)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    if state.place % 2:
        return np.array([(state.place + 1) % 4])
    if state.exits and state.place == 2 and state.turn == 0:
        return np.array([1, 3, OUTSIDE])
    return np.array([1, 3])


@compiled
def play(state, move):
    return State(move, 1 - state.turn, state.exits)


@compiled
def outcome(state):
    return 1 - state.turn if state.place == OUTSIDE else ONGOING


GAME = Game(__name__, title="Circle")
