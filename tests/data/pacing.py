"""Two kings pace to and fro for ever: the shortest game that only repeats itself."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled


class State(NamedTuple):
    first: int
    second: int
    turn: int


def initial() -> State:
    return State(0, 0, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.zeros(1, np.int64)


@compiled
def play(state, move):
    if state.turn == 0:
        return State(1 - state.first, state.second, 1)
    return State(state.first, 1 - state.second, 0)


@compiled
def outcome(state):
    return ONGOING


GAME = Game(__name__, title="Pacing")
