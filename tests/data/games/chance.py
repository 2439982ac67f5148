"""Leaves something to chance."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled

BREAKS = ("rules answer the same when called twice", "compiled rules equal the interpreted")


class State(NamedTuple):
    heap: int
    turn: int
    luck: int


def initial(heap: int = 7) -> State:
    return State(heap, 0, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.arange(1, min(state.heap, 2) + 1)


@compiled
def play(state, move):
    return State(state.heap - move, 1 - state.turn, np.random.randint(0, 2**40))


@compiled
def outcome(state):
    return ONGOING if state.heap > 0 else 1 - state.turn


GAME = Game(__name__, title="Take")
