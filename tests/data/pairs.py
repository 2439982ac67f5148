"""Take one to `k` objects, twice in a row before it is the other's turn; the last one wins."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled


class State(NamedTuple):
    left: int
    turn: int
    rest: int  # moves that the player still has
    k: int


def initial(left: int = 3, k: int = 1) -> State:
    return State(left, 0, 2, k)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.arange(1, min(state.k, state.left) + 1)


@compiled
def play(state, move):
    if state.rest == 2:
        return State(state.left - move, state.turn, 1, state.k)
    return State(state.left - move, 1 - state.turn, 2, state.k)


@compiled
def outcome(state):
    if state.left > 0:
        return ONGOING
    return state.turn if state.rest == 1 else 1 - state.turn


@compiled
def swap_players(state):
    return State(state.left, 1 - state.turn, state.rest, state.k)


GAME = Game(__name__, title="Pairs")
