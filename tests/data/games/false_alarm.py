"""Every move is said to threaten, but only a heap of one must be answered."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled

BREAKS = ("threats must be answered",)


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
    return np.arange(1, min(state.heap, 2) + 1)


@compiled
def play(state, move):
    return State(state.heap - move, 1 - state.turn)


@compiled
def outcome(state):
    return ONGOING if state.heap > 0 else 1 - state.turn


@compiled
def must_respond(state):
    return state.heap == 1


@compiled
def threatens(state, move):
    return move > 0


GAME = Game(__name__, title="Take")
