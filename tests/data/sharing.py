"""Take one to three seeds; to take three is noisy.  Who takes the last seed wins."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled


class State(NamedTuple):
    seeds: int
    turn: int


def initial() -> State:
    return State(7, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.arange(1, min(state.seeds, 3) + 1)


@compiled
def play(state, move):
    return State(state.seeds - move, 1 - state.turn)


@compiled
def outcome(state):
    return 1 - state.turn if state.seeds == 0 else ONGOING


@compiled
def is_tactical(state, move):
    return move == 3


GAME = Game(__name__, title="Sharing")
