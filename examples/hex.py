"""Hex, on a board whose cells have six neighbours.

The players take turns to put a stone on an empty cell.  X joins the lowest row to the highest,
O the leftmost column to the rightmost.  Whoever has an unbroken chain between those two sides
wins; there are no draws.  Many play with a swap rule for the first move; here there is none.

     3  . . .          b2 has the neighbours a2, c2, b1, c1, a3 and b3
    2  . X .
   1  . . O
      a b c
"""

from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, Board, Game, cell_name, compiled, read_rows, rows_text

NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


class State(NamedTuple):
    stones: np.ndarray  # cell (x, y) is entry y * size + x: 0 empty, 1 an X, 2 an O
    turn: int
    size: int


def initial(size: int = 11) -> State:
    if not 2 <= size <= 26:
        raise ValueError(f"size is 2 to 26, not {size}")
    return State(np.zeros(size * size, np.int64), 0, size)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.flatnonzero(state.stones == 0)


@compiled
def play(state, move):
    stones = state.stones.copy()  # the array of a state is never written into
    stones[move] = state.turn + 1
    return State(stones, 1 - state.turn, state.size)


@compiled
def has_chain(state, player):
    """Whether the player's two sides are joined: a flood from the first one."""
    size, is_open = state.size, state.stones == player + 1
    waiting = [index if player == 0 else index * size for index in range(size)]
    while waiting:
        cell = waiting.pop()
        if is_open[cell]:
            is_open[cell] = False
            y, x = divmod(cell, size)
            if (x if player else y) == size - 1:
                return True
            for dx, dy in NEIGHBOURS:
                if 0 <= x + dx < size and 0 <= y + dy < size:
                    waiting.append((y + dy) * size + x + dx)
    return False


@compiled
def outcome(state):
    return 1 - state.turn if has_chain(state, 1 - state.turn) else ONGOING


def board(state):
    cells = (divmod(cell, state.size) for cell in range(state.size**2))
    return Board({cell_name(x, y): (x + y / 2, y) for y, x in cells})


def pieces(state):
    names = board(state).points
    return {name: "XO"[stone - 1] for name, stone in zip(names, state.stones, strict=True) if stone}


def draw(state):
    rows = reversed(position_text(state).split("/"))
    lines = [f"{' ' * y}{y + 1:>2}  {' '.join(row)}" for y, row in enumerate(rows)]
    letters = " ".join(cell_name(x, 0)[0] for x in range(state.size))
    return "\n".join([*reversed(lines), f"    {letters}"])


def steps(state, move):
    return (cell_name(move % state.size, move // state.size),)


def position_text(state):
    return rows_text(board(state), pieces(state))


def parse_position(text, initial):
    names = board(initial).points
    stones = read_rows(text, board(initial), "XO")
    ahead = text.count("X") - text.count("O")
    if ahead not in (0, 1):
        raise ValueError("X begins, so there are as many X as O or one more")
    numbers = [".XO".index(stones.get(name, ".")) for name in names]
    return State(np.array(numbers, np.int64), ahead, initial.size)


GAME = Game(__name__, title="Hex")
