"""Quixo: take a cube from the border, make it yours and push it in again.

The board holds n x n cubes, all blank at first.  In your turn, take a cube from the border
that is blank or shows your own mark, never the opponent's.  Turn it to your mark and push it
in at an end of the row or column it came from, though not where you took it.  The cubes
between move one place towards the gap.  A full row, column or diagonal of your mark wins.

    5  . . . . .
    4  . . . . .        `a3-e3` takes the cube at a3 and pushes it in at e3:
    3  . . . . .        b3, c3, d3 and e3 move one place to the left
    2  . . . . .
    1  . . . . .        n=5 is the game as it is sold
       a b c d e

Where sources differ: a move that makes a line of the opponent's mark loses, even if it
also makes one of the mover's own (`double=mover-loses`, the official rule); with
`double=mover-wins` the mover wins.  The rules do not end a game in which nobody gets a
line; a match limits its length.

A position is written as its rows from the top and the mark to move:
`X.../..../..../...O X` for n=4.  Any arrangement of cubes may be set up.
"""

from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from plies.core import (
    ONGOING,
    Board,
    Game,
    cell_name,
    compiled,
    grid,
    mirrored,
    read_rows,
    rows_text,
)
from plies.core.two_sides import NO_SPARE, side_inputs

MARKS = "XO"
SMALLEST, LARGEST = 2, 7
DOUBLE_RULES = ("mover-loses", "mover-wins")


class State(NamedTuple):
    """Cube (x, y) is bit y * n + x."""

    mine: int  # the cubes of the player to move
    theirs: int
    turn: int
    n: int
    double: int  # whether the mover wins with lines of both marks, an index of DOUBLE_RULES


class Slide(NamedTuple):
    """One way to take a cube and push it in, as bits; a move is an index of these."""

    taken: int
    entry: int  # the cell where it is pushed in
    lane: int  # the cubes between, which move by one cell
    up: int  # bits by which they move up
    down: int  # bits by which they move down; one of the two is 0


def slides(n: int) -> list[Slide]:
    """Every slide of an n x n board, ordered by the cube taken."""
    result = []
    for y, x in product(range(n), repeat=2):
        ends = {(y, 0), (y, n - 1), (0, x), (n - 1, x)} - {(y, x)}
        is_inside = len(ends) == 4
        for row, column in () if is_inside else sorted(ends):
            taken, entry = y * n + x, row * n + column
            step = (1 if row == y else n) * (1 if entry > taken else -1)
            lane = sum(1 << cell for cell in range(taken + step, entry + step, step))
            result.append(Slide(1 << taken, 1 << entry, lane, max(-step, 0), max(step, 0)))
    return result


# SLIDES[n][move]; compiled code reads each field from an array of its own.
SLIDES = [slides(n) for n in range(LARGEST + 1)]


def _table(field: str) -> np.ndarray:
    """One field of all slides, by n and move."""
    table = np.zeros((LARGEST + 1, len(SLIDES[LARGEST])), np.int64)
    for n, moves in enumerate(SLIDES):
        table[n, : len(moves)] = [getattr(slide, field) for slide in moves]
    return table


def _masks(n: int) -> tuple[int, ...]:
    """Bitboards that `has_line` needs, in the order of the names below."""
    cells = (1 << n * n) - 1
    left = sum(1 << y * n for y in range(n))
    rising = sum(1 << y * n + y for y in range(n))
    falling = sum(1 << y * n + n - 1 - y for y in range(n))
    return cells, left, left << max(n - 1, 0), (1 << n) - 1, rising, falling


CELLS, LEFT, RIGHT, BOTTOM, RISING, FALLING = range(6)
MASKS = np.array([_masks(n) for n in range(LARGEST + 1)], np.int64)
COUNT = np.array([len(moves) for moves in SLIDES], np.int64)
TAKEN, ENTRY, LANE = _table("taken"), _table("entry"), _table("lane")
UP, DOWN = _table("up"), _table("down")


def initial(n: int = 5, double: Literal["mover-loses", "mover-wins"] = "mover-loses") -> State:
    """All cubes blank."""
    if not SMALLEST <= n <= LARGEST:
        raise ValueError(f"n is {SMALLEST} to {LARGEST}, not {n}")
    return State(0, 0, 0, n, DOUBLE_RULES.index(double))


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    moves = np.empty(COUNT[state.n], np.int64)
    count = 0
    # Without a branch: an illegal move is overwritten by the next one.
    for move in range(len(moves)):
        moves[count] = move
        count += state.theirs & TAKEN[state.n, move] == 0
    return moves[:count]


@compiled
def slide_cubes(cubes, n, move):
    """The cubes of one player after a slide, without the cube that is taken."""
    lane = LANE[n, move]
    shifted = (cubes & lane) << UP[n, move] >> DOWN[n, move]
    return cubes & ~(lane | TAKEN[n, move]) | shifted


@compiled
def play(state, move):
    mine = slide_cubes(state.mine, state.n, move) | ENTRY[state.n, move]
    theirs = slide_cubes(state.theirs, state.n, move)
    return State(theirs, mine, state.turn ^ 1, state.n, state.double)


@compiled
def has_line(cubes, n):
    """Whether a row, column or diagonal is full; all lines are tested at once.

    Rows: `gaps - left` borrows across a row up to its right end exactly when the row has no
    gap (carry propagation, as for sliding pieces in chess).  Columns: all rows are shifted
    onto the bottom one.
    """
    gaps = MASKS[n, CELLS] & ~cubes
    full_rows = gaps - MASKS[n, LEFT] & ~gaps & MASKS[n, RIGHT]
    below = gaps | gaps >> n
    below |= below >> 2 * n
    below |= below >> 4 * n
    full_columns = MASKS[n, BOTTOM] & ~below
    has_straight = full_rows | full_columns != 0
    return has_straight | (gaps & MASKS[n, RISING] == 0) | (gaps & MASKS[n, FALLING] == 0)


@compiled
def outcome(state):
    """A line wins; of lines of both marks `double` says whose counts."""
    mine = has_line(state.mine, state.n)
    theirs = has_line(state.theirs, state.n)
    if mine and not (theirs and state.double):
        return state.turn
    return state.turn ^ 1 if theirs else ONGOING


@compiled
def image(state, orientation):
    """The state under a symmetry of the square, numbered as in `mirrored`."""
    n = state.n
    mine = mirrored(state.mine, n, n, n, orientation)
    theirs = mirrored(state.theirs, n, n, n, orientation)
    return State(mine, theirs, state.turn, n, state.double)


@compiled
def symmetries(state):
    """The eight symmetries of the square."""
    upright = (state, image(state, 1), image(state, 2), image(state, 3))
    transposed = (image(state, 4), image(state, 5), image(state, 6), image(state, 7))
    return upright + transposed


@compiled
def inputs(state):
    """The mover's cube on cell c is input c, the opponent's is n * n + c."""
    return side_inputs(state.mine, state.theirs, state.n * state.n, NO_SPARE, 0)


@compiled
def input_count(state):
    return 2 * state.n * state.n


@compiled
def swap_players(state):
    """The same cubes, seen from the mover, with the other player to move."""
    return State(state.mine, state.theirs, state.turn ^ 1, state.n, state.double)


def board(state: State) -> Board:
    return grid(state.n, state.n, style="cubes")


def bits(state: State) -> dict[str, int]:
    """The bit of every cell, by name."""
    cells = product(range(state.n), repeat=2)
    return {cell_name(x, y): 1 << y * state.n + x for y, x in cells}


def pieces(state: State) -> dict[str, str]:
    sides = (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
    return {
        name: mark
        for cubes, mark in zip(sides, MARKS, strict=True)
        for name, bit in bits(state).items()
        if cubes & bit
    }


def steps(state: State, move: int) -> tuple[str, ...]:
    """The cell where the cube is taken and the one where it is pushed in."""
    slide = SLIDES[state.n][move]
    return tuple(_name(bit.bit_length() - 1, state.n) for bit in (slide.taken, slide.entry))


def _name(cell: int, n: int) -> str:
    return cell_name(cell % n, cell // n)


def motions(state: State, move: int) -> tuple[tuple[str, str], ...]:
    """The taken cube goes to its entry, the cubes between close the gap."""
    taken, entry = steps(state, move)
    slide = SLIDES[state.n][move]
    shift = slide.up - slide.down
    lane = (cell for cell in range(state.n**2) if slide.lane >> cell & 1)
    closing = ((_name(cell, state.n), _name(cell + shift, state.n)) for cell in lane)
    return ((taken, entry), *closing)


def position_text(state: State) -> str:
    return f"{rows_text(board(state), pieces(state))} {MARKS[state.turn]}"


def parse_position(text: str, initial: State) -> State:
    fields = text.split()
    if len(fields) != 2 or fields[1] not in tuple(MARKS):
        raise ValueError(
            "write the rows from the top with X, O and . joined by /, then the mark to move,"
            f" such as {position_text(initial)}"
        )
    cubes, cells = read_rows(fields[0], board(initial), MARKS), bits(initial)
    sides = [sum(cells[name] for name in cubes if cubes[name] == side) for side in MARKS]
    turn = MARKS.index(fields[1])
    return initial._replace(mine=sides[turn], theirs=sides[turn ^ 1], turn=turn)


GAME = Game(__name__, title="Quixo")
