"""Two players of a zero-sum game both win something."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, SCORED, Game, compiled

BREAKS = ("a decided game pays every player",)


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
    return ONGOING if state.heap > 0 else SCORED


@compiled
def payoff(state, player):
    return 1 if player == state.turn else 2


GAME = Game(__name__, title="Take")
