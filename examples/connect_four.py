"""Connect four.

Stones fall into seven columns of six cells (a1 at the lower left) and rest on those below.
Whoever first has four in an unbroken row, column or diagonal wins; a full board without is a
draw.  A move is named by the cell in which the stone comes to rest.
"""

from typing import NamedTuple

from plies.core import DRAW, ONGOING, Game, cell_name, compiled, grid, set_bits

BOARD = grid(7, 6)
FLOOR = sum(1 << 7 * column for column in range(7))
CELLS = FLOOR * 0b111111
# Seven bits to a column: the seventh stays empty, so that no line goes on in the next.
BITS = {cell_name(x, y): 1 << 7 * x + y for x in range(7) for y in range(6)}


class State(NamedTuple):
    mine: int  # the stones of the player to move
    both: int
    turn: int


def initial() -> State:
    return State(0, 0, 0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return set_bits(state.both + FLOOR & CELLS)  # adding carries into the lowest empty cell


@compiled
def play(state, move):
    return State(state.both ^ state.mine, state.both | 1 << move, state.turn ^ 1)


@compiled
def has_four(stones):
    for step in (1, 6, 7, 8):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@compiled
def outcome(state):
    if has_four(state.both ^ state.mine):
        return state.turn ^ 1
    return DRAW if state.both == CELLS else ONGOING


def board(state):
    return BOARD


def pieces(state):
    first = state.mine if state.turn == 0 else state.both ^ state.mine
    return {name: "X" if first & bit else "O" for name, bit in BITS.items() if state.both & bit}


def steps(state, move):
    return (cell_name(*divmod(move, 7)),)


GAME = Game(__name__, title="Connect four")
