"""Plays by writing into the array of the state it was given."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled


class State(NamedTuple):
    heaps: np.ndarray
    turn: int


def initial(heap: int = 7) -> State:
    return State(np.array([heap]), 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.arange(1, min(state.heaps[0], 2) + 1)


@compiled
def play(state, move):
    state.heaps[0] -= move
    return State(state.heaps, 1 - state.turn)


@compiled
def outcome(state):
    return ONGOING if state.heaps[0] > 0 else 1 - state.turn


@compiled
def key(state):
    return state.heaps[0] * 2 + state.turn


def position_text(state: State) -> str:
    return f"{state.heaps[0]} {state.turn}"


def parse_position(text: str, initial: State) -> State:
    heap, turn = (int(part) for part in text.split())
    return initial._replace(heaps=np.array([heap]), turn=turn)


GAME = Game(__name__, title="Take")
