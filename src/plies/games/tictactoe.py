"""Tic-tac-toe: be the first with three marks in a row; and m,n,k-games in general.

The players take turns to put their mark on an empty cell of a board of
`width` x `height` cells.  Whoever first has `k` marks in an unbroken row,
column or diagonal wins; a full board without such a line is a draw.

    3  . . .
    2  . . .
    1  . . .
       a b c        width=3, height=3, k=3 is the children's game

Where sources differ: a line longer than `k` also wins (free-style rule).  A board
has at most 26 columns and, with a spare column, fits into 62 bits:
(width + 1) * height <= 62.

A position is written as its rows from the top and the mark to move: `X.O/.X./... O`.
"""

from typing import NamedTuple

from plies.core import (
    DRAW,
    ONGOING,
    Board,
    Game,
    cell_name,
    compiled,
    grid,
    mirrored,
    popcount,
    read_rows,
    rows_text,
    set_bits,
)
from plies.core.two_sides import side_inputs

MARKS = "XO"
WIDEST = 26  # columns are letters


class State(NamedTuple):
    """Cell (x, y) is bit y * up + x; a spare column keeps lines from wrapping around."""

    mine: int  # the marks of the player to move
    theirs: int
    turn: int
    cells: int  # every cell of the board
    up: int  # from a cell to the one above: width + 1
    k: int


def initial(width: int = 3, height: int = 3, k: int = 3) -> State:
    """The empty board."""
    if min(width, height, k) < 1 or width > WIDEST or (width + 1) * height > 62:
        raise ValueError(
            f"width is 1 to {WIDEST}, height and k are at least 1,"
            " and (width + 1) * height is at most 62"
        )
    if k > max(width, height):
        raise ValueError(f"no line of {k} fits on {width} x {height} cells")
    row = (1 << width) - 1
    cells = sum(row << y * (width + 1) for y in range(height))
    return State(0, 0, 0, cells, width + 1, k)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return set_bits(state.cells & ~(state.mine | state.theirs))


@compiled
def play(state, move):
    mine = state.mine | 1 << move
    return State(state.theirs, mine, state.turn ^ 1, state.cells, state.up, state.k)


@compiled
def has_line(marks, up, k):
    """Whether k marks are in line: a bit that survives k - 1 shifts begins such a line."""
    # After i shifts a bit says that i + 1 marks follow each other; the spare column stops rows.
    across = upward = rising = falling = marks
    for _ in range(k - 1):
        across &= across >> 1
        upward &= upward >> up
        rising &= rising >> up + 1
        falling &= falling >> up - 1
    return (across | upward | rising | falling) != 0


@compiled
def outcome(state):
    """Only the player who has just moved can have made a line."""
    if has_line(state.theirs, state.up, state.k):
        return state.turn ^ 1
    return DRAW if state.mine | state.theirs == state.cells else ONGOING


@compiled
def image(state, orientation):
    """The state under a symmetry of the board, numbered as in `mirrored`."""
    width = state.up - 1
    height = popcount(state.cells) // width
    mine = mirrored(state.mine, width, height, state.up, orientation)
    theirs = mirrored(state.theirs, width, height, state.up, orientation)
    return State(mine, theirs, state.turn, state.cells, state.up, state.k)


@compiled
def symmetries(state):
    """The eight symmetries of a square board; the four of an oblong one, each twice."""
    upright = (state, image(state, 1), image(state, 2), image(state, 3))
    transposed = (image(state, 4), image(state, 5), image(state, 6), image(state, 7))
    return upright + transposed


@compiled
def inputs(state):
    """The mover's marks, then the opponent's; cells are numbered row by row from the bottom."""
    return side_inputs(state.mine, state.theirs, popcount(state.cells), state.up, 0)


@compiled
def input_count(state):
    return 2 * popcount(state.cells)


def board(state: State) -> Board:
    width = state.up - 1
    return grid(width, popcount(state.cells) // width)


def bits(state: State) -> dict[str, int]:
    """The bit of every cell, by name."""
    places = (divmod(int(cell), state.up) for cell in set_bits(state.cells))
    return {cell_name(x, y): 1 << y * state.up + x for y, x in places}


def pieces(state: State) -> dict[str, str]:
    sides = (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
    return {
        name: mark
        for marks, mark in zip(sides, MARKS, strict=True)
        for name, bit in bits(state).items()
        if marks & bit
    }


def steps(state: State, move: int) -> tuple[str, ...]:
    y, x = divmod(move, state.up)
    return (cell_name(x, y),)


def position_text(state: State) -> str:
    return f"{rows_text(board(state), pieces(state))} {MARKS[state.turn]}"


def parse_position(text: str, initial: State) -> State:
    """Refuses positions that cannot arise."""
    fields = text.split()
    if len(fields) != 2 or fields[1] not in tuple(MARKS):
        raise ValueError(
            "write the rows from the top with X, O and . joined by /, then the mark to move,"
            " such as X.O/.X./... O"
        )
    placed = read_rows(fields[0], board(initial), MARKS)
    cells = bits(initial)
    sides = [sum(cells[name] for name in placed if placed[name] == side) for side in MARKS]
    turn = MARKS.index(fields[1])
    state = initial._replace(mine=sides[turn], theirs=sides[turn ^ 1], turn=turn)
    _refuse_impossible(state)
    return state


def _refuse_impossible(state: State) -> None:
    """Refuse marks that do not alternate, and lines older than the last mark."""
    mark, other = MARKS[state.turn], MARKS[state.turn ^ 1]
    if popcount(state.theirs) - popcount(state.mine) != state.turn:
        counts = ("as many X as O", "one X more than O")[state.turn]
        raise ValueError(f"with {mark} to move there must be {counts}")
    if has_line(state.mine, state.up, state.k):
        raise ValueError(f"{mark} has a line already and cannot be to move")
    lasts = [1 << cell for cell in range(state.cells.bit_length()) if state.theirs >> cell & 1]
    if lasts and all(has_line(state.theirs & ~last, state.up, state.k) for last in lasts):
        raise ValueError(f"{other} has lines that no single last mark can complete")


GAME = Game(__name__, title="Tic-tac-toe")
