"""Puts a truth value where a whole number belongs."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled

BREAKS = ("play leads to states of this game",)


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
    return State(state.heap - move, state.turn == 0)


@compiled
def outcome(state):
    return ONGOING if state.heap > 0 else int(state.turn == 0)


GAME = Game(__name__, title="Take")
