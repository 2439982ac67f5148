"""Pieces of a kind that belongs to no player."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Board, Game, cell_name, compiled, grid

BREAKS = ("every piece is somebodys or declared neutral",)


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
    return grid(7, 1)


def pieces(state: State) -> dict[str, str]:
    return {cell_name(stone, 0): "o" for stone in range(state.heap)}


GAME = Game(__name__, title="Take", marks=("X", "O"), neutral="#")
