"""Never ends."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled


class State(NamedTuple):
    heap: int
    turn: int


def initial(heap: int = 7) -> State:
    return State(heap, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.arange(1, 3)


@compiled
def play(state, move):
    return State((state.heap + move) % 8, 1 - state.turn)


@compiled
def outcome(state):
    return ONGOING if state.heap >= 0 else 1 - state.turn


GAME = Game(__name__, title="Take")
