"""A move is written as what the other player would say."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled

BREAKS = ("notations read back",)


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


def move_notation(state: State, move: int) -> str:
    return str(3 - move)


GAME = Game(__name__, title="Take")
