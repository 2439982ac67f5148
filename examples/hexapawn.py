"""Hexapawn: chess with nothing but pawns, on a board of `size` x `size` cells.

White's pawns begin on the first row and move up, Black's on the last and move down.
A pawn goes one step straight ahead onto an empty cell, or one step diagonally ahead
onto an enemy pawn, which is taken.  Whoever reaches the far row has won; whoever has
no move has lost.

    3  B B B
    2  . . .      size=3 is Martin Gardner's game of 1962; 3 to 7 are possible
    1  W W W
       a b c      a2-b3 goes from a2 to b3

A position is its rows from the top and whose turn it is: `BBB/W../.WW b`.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from plies.core import (
    ONGOING,
    Board,
    Game,
    cell_name,
    compiled,
    grid,
    lowest_bit,
    popcount,
    read_rows,
    rows_text,
)


class State(NamedTuple):
    """Cell (x, y) is bit y * (size + 1) + x + 1: a spare column keeps pawns from wrapping."""

    white: int
    black: int
    turn: int  # 0 White, 1 Black
    size: int


def initial(size: int = 3) -> State:
    if not 3 <= size <= 7:
        raise ValueError(f"size is 3 to 7, not {size}")
    row = (1 << size) - 1 << 1
    return State(row, row << (size - 1) * (size + 1), 0, size)


@compiled
def mover(state):
    return state.turn


@compiled
def sides(state):
    """The pawns of the mover, those of the other, and how far ahead a pawn of the mover goes."""
    if state.turn == 0:
        return state.white, state.black, state.size + 1
    return state.black, state.white, -state.size - 1


@compiled
def legal_moves(state):
    """A move is from * 64 + to."""
    own, other, ahead = sides(state)
    moves = np.empty(3 * popcount(own), np.int64)
    count = 0
    while own:
        start = lowest_bit(own)
        own &= own - 1
        for target in range(start + ahead - 1, start + ahead + 2):
            is_straight = target == start + ahead
            is_taken = (state.white | state.black) >> target & 1 == 1
            if (is_straight and not is_taken) or (not is_straight and other >> target & 1):
                moves[count] = start * 64 + target
                count += 1
    return moves[:count]


@compiled
def play(state, move):
    start, target = 1 << move // 64, 1 << move % 64
    if state.turn == 0:
        return State(state.white ^ start | target, state.black & ~target, 1, state.size)
    return State(state.white & ~target, state.black ^ start | target, 0, state.size)


@compiled
def outcome(state):
    last_row = (1 << state.size) - 1 << (state.size - 1) * (state.size + 1) + 1
    first_row = (1 << state.size) - 1 << 1
    if state.white & last_row:
        return 0
    if state.black & first_row:
        return 1
    return ONGOING if len(legal_moves(state)) else state.turn ^ 1


@compiled
def mirrored(pawns, size):
    """Left and right exchanged."""
    result = 0
    while pawns:
        cell = lowest_bit(pawns)
        pawns &= pawns - 1
        column = cell % (size + 1)
        result |= 1 << cell + size + 1 - 2 * column
    return result


@compiled
def symmetries(state):
    white, black = mirrored(state.white, state.size), mirrored(state.black, state.size)
    return state, State(white, black, state.turn, state.size)


def board(state: State) -> Board:
    return grid(state.size, state.size)


def pieces(state: State) -> dict[str, str]:
    cells = cell_bits(state.size).items()
    white = {name: "W" for name, bit in cells if state.white & bit}
    return white | {name: "B" for name, bit in cells if state.black & bit}


def cell_bits(size: int) -> dict[str, int]:
    """The bit of every cell, by name."""
    cells = product(range(size), repeat=2)
    return {cell_name(x, y): 1 << y * (size + 1) + x + 1 for y, x in cells}


def steps(state: State, move: int) -> tuple[str, ...]:
    places = (divmod(cell, state.size + 1) for cell in divmod(move, 64))
    return tuple(cell_name(x - 1, y) for y, x in places)


def position_text(state: State) -> str:
    return f"{rows_text(board(state), pieces(state))} {'wb'[state.turn]}"


def parse_position(text: str, initial: State) -> State:
    rows, _, turn = text.partition(" ")
    if turn not in ("w", "b"):
        raise ValueError(f"write the rows and who moves, w or b: {position_text(initial)}")
    pawns, bits = read_rows(rows, board(initial), "WB"), cell_bits(initial.size)
    white, black = (sum(bits[name] for name in pawns if pawns[name] == side) for side in "WB")
    if max(popcount(white), popcount(black)) > initial.size:
        raise ValueError(f"there are at most {initial.size} pawns of each side")
    return State(white, black, "wb".index(turn), initial.size)


GAME = Game(__name__, title="Hexapawn", marks=("W", "B"))
