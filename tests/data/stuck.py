"""A race to nine whose rules are broken on purpose: at four nobody can move and nobody has won."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled


class State(NamedTuple):
    total: int
    turn: int


def initial() -> State:
    return State(0, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.arange(1, 1 if state.total == 4 else 4)


@compiled
def play(state, move):
    return State(state.total + move, 1 - state.turn)


@compiled
def outcome(state):
    return 1 - state.turn if state.total >= 9 else ONGOING


GAME = Game(__name__, title="Stuck")
