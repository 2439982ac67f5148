"""Moves a piece off the board."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Board, Game, compiled, grid

BREAKS = ("what moves goes from point to point",)


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


def board(state: State) -> Board:
    return grid(2, 1)


def motions(state: State, move: int) -> tuple[tuple[str, str], ...]:
    return (("a1", "c1"),)


GAME = Game(__name__, title="Take")
