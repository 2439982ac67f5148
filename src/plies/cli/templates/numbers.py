"""Race: who reaches the goal first?

The total begins at 0.  In turns, the players add 1, 2, ... up to `most` to it;
whoever reaches the goal wins.

This file is a complete game without a board.  Change it step by step into your
own; `plies check` tells which part of it no longer fits.
"""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Game, compiled


class State(NamedTuple):
    """All that the rules need to know, as whole numbers; options are part of it."""

    total: int
    turn: int  # who moves: 0 or 1
    goal: int
    most: int


def initial(goal: int = 21, most: int = 3) -> State:
    """The first position.  Its parameters are the options: `plies play FILE:goal=30`."""
    if not 1 <= most <= goal:
        raise ValueError("most is at least 1, and goal at least as much")
    return State(0, 0, goal, most)


# The rules: pure functions that are compiled to machine code.  They work with whole
# numbers and numpy arrays; a helper that they call needs @compiled, too.


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    """A move is a number of your choice, here what is added.  Only asked before the end."""
    return np.arange(1, min(state.most, state.goal - state.total) + 1)


@compiled
def play(state, move):
    """A new state; the old one stays as it is."""
    return State(state.total + move, 1 - state.turn, state.goal, state.most)


@compiled
def outcome(state):
    """ONGOING, DRAW, or who has won: the one who has just moved."""
    return 1 - state.turn if state.total == state.goal else ONGOING


# How it looks: plain Python.  A move is written as its number unless `steps` says more.


def position_text(state: State) -> str:
    return f"{state.total} {('first', 'second')[state.turn]}"


def parse_position(text: str, initial: State) -> State:
    """The opposite of `position_text`; everything that is no position is refused."""
    total, _, player = text.partition(" ")
    number = int(total) if total.isdecimal() else 0
    state = initial._replace(total=number, turn=int(player == "second"))
    if position_text(state) != text:
        raise ValueError("expected the total and who moves, such as `17 first`")
    fewest = -(-state.total // state.most)
    if state.total > state.goal or all(n % 2 != state.turn for n in range(fewest, state.total + 1)):
        raise ValueError("no game can come to that")
    return state


GAME = Game(__name__, title="Race")
