"""Reads positions out of any text with numbers in it."""

import re
from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled

BREAKS = ("text that is no position is refused",)


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


def position_text(state: State) -> str:
    return f"{state.heap} {state.turn}"


def parse_position(text: str, initial: State) -> State:
    numbers = [int(number) for number in re.findall(r"[0-9]+", text)]
    return initial._replace(heap=sum(numbers[:1]), turn=sum(numbers[1:2]))


GAME = Game(__name__, title="Take")
