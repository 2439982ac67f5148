"""Notakto: noughts and crosses without the noughts.

In turns, both players put a cross on an empty cell.  Whoever completes a row, a
column or a diagonal of three loses.

    3  . . .
    2  . . .
    1  . . .
       a b c

This file is a complete game.  Change it step by step into your own;
`plies check` tells which part of it no longer fits.
"""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Board, Game, cell_name, compiled, grid, popcount, rows_text

# Rows, columns and diagonals as sets of cells: cell (x, y) is bit y * 3 + x.
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


class State(NamedTuple):
    """All that the rules need to know, as whole numbers."""

    crosses: int  # the cells with a cross
    turn: int  # who moves: 0 or 1


def initial() -> State:
    """The first position.  With `initial(size: int = 3)` the game would have an option."""
    return State(0, 0)


# The rules: pure functions that are compiled to machine code.  They work with whole
# numbers and numpy arrays; a helper that they call needs @compiled, too.


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    """A move is a number of your choice, here the cell.  Only asked while a game goes on."""
    moves = np.empty(9 - popcount(state.crosses), np.int64)
    count = 0
    for cell in range(9):
        if not state.crosses >> cell & 1:
            moves[count] = cell
            count += 1
    return moves


@compiled
def play(state, move):
    """A new state; the old one stays as it is."""
    return State(state.crosses | 1 << move, 1 - state.turn)


@compiled
def outcome(state):
    """ONGOING, DRAW, or who has won: the mover, as the other one has made the line."""
    for line in LINES:
        if state.crosses & line == line:
            return state.turn
    return ONGOING


# How it looks: plain Python.  Drawings, prompts and notation all follow from this.


def board(state: State) -> Board:
    return grid(3, 3)


def pieces(state: State) -> dict[str, str]:
    return {name: "X" for cell, name in enumerate(board(state).points) if state.crosses >> cell & 1}


def steps(state: State, move: int) -> tuple[str, ...]:
    """The points to click or type, one after the other."""
    return (cell_name(move % 3, move // 3),)


def position_text(state: State) -> str:
    return rows_text(board(state), pieces(state))


def parse_position(text: str, initial: State) -> State:
    """The opposite of `position_text`; everything that is no position is refused."""
    cells = [cell for cell, mark in enumerate("".join(text.split("/")[::-1])) if mark == "X"]
    state = State(sum(1 << cell for cell in cells), len(cells) % 2)
    if position_text(state) != text:
        raise ValueError("expected three rows of X and . from the top, such as X../.X./...")
    before = [state._replace(crosses=state.crosses & ~(1 << cell)) for cell in cells]
    if cells and all(outcome(earlier) != ONGOING for earlier in before):
        raise ValueError("the game was over before the last cross")
    return state


GAME = Game(__name__, title="Notakto", marks=("X", "X"))
