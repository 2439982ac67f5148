"""Two heaps, equal when exchanged; the evaluator looks at the left one alone."""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Evaluator, Game, compiled

BREAKS = ("evaluators value images alike",)


class State(NamedTuple):
    left: int
    right: int
    turn: int


def initial(heap: int = 3) -> State:
    return State(heap, heap, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    moves = np.arange(2)
    return moves[int(state.left == 0) : 1 + int(state.right > 0)]


@compiled
def play(state, move):
    return State(state.left - (1 - move), state.right - move, 1 - state.turn)


@compiled
def outcome(state):
    return ONGOING if state.left + state.right > 0 else 1 - state.turn


@compiled
def symmetries(state):
    return state, State(state.right, state.left, state.turn)


@compiled
def left_heap(state):
    return state.left


GAME = Game(__name__, title="Two heaps", evaluators={"left": Evaluator(left_heap)})
