"""Othello (Reversi) on 8 x 8 squares.

Black moves first.  Place a disc so that it encloses straight, unbroken lines of the opponent's
discs between itself and your own; all of them change colour.  If you cannot, you pass.  When
neither player can, each disc more than the opponent's is a point.

    8  56 57 58 59 60 61 62 63     a square is the number of a bit; all 64 are needed,
    1   0  1  2  3  4  5  6  7     so the sets of discs are np.uint64
        a  b  c  d  e  f  g  h
"""

from typing import NamedTuple

import numpy as np

from plies.core import (
    ONGOING,
    SCORED,
    Evaluator,
    Game,
    bit,
    compiled,
    grid,
    popcount,
    read_rows,
    rows_text,
    set_bits,
)

BOARD = grid(8, 8)
NAMES = list(BOARD.points)
PASS = 64  # a move is the number of a square, or this
INNER = np.uint64(0x7E7E7E7E7E7E7E7E)  # all but the columns a and h: lines do not go round the edge
CORNERS = bit(0) | bit(7) | bit(56) | bit(63)
STEPS = (1, 7, 8, 9)  # along a row, a diagonal, a column, the other diagonal; up and down


class State(NamedTuple):
    mine: np.uint64  # the discs of the player to move
    theirs: np.uint64
    turn: int


def initial() -> State:
    return State(bit(28) | bit(35), bit(27) | bit(36), 0)


@compiled
def lines(start, theirs, step):
    """The opponent's discs in unbroken lines from `start`, upwards and downwards."""
    middle = theirs if step == 8 else theirs & INNER
    up, down = middle & start << step, middle & start >> step
    for _ in range(5):  # six discs fit between two others; the first is there already
        up |= middle & up << step
        down |= middle & down >> step
    return up, down


@compiled
def placeable(mine, theirs):
    """The squares on which a disc would enclose others."""
    squares = 0
    for step in STEPS:
        up, down = lines(mine, theirs, step)
        squares |= up << step | down >> step
    return squares & ~(mine | theirs)


@compiled
def enclosed(mine, theirs, square):
    """The discs that change their colour."""
    discs = 0
    for step in STEPS:
        up, down = lines(bit(square), theirs, step)
        if up << step & mine:
            discs |= up
        if down >> step & mine:
            discs |= down
    return discs


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    squares = placeable(state.mine, state.theirs)
    return set_bits(squares) if squares else np.array([PASS])


@compiled
def play(state, move):
    if move == PASS:
        return State(state.theirs, state.mine, 1 - state.turn)
    turned = enclosed(state.mine, state.theirs, move)
    return State(state.theirs ^ turned, state.mine | turned | bit(move), 1 - state.turn)


@compiled
def outcome(state):
    can_go_on = placeable(state.mine, state.theirs) | placeable(state.theirs, state.mine)
    return ONGOING if can_go_on else SCORED


@compiled
def payoff(state, player):
    lead = popcount(state.mine) - popcount(state.theirs)
    return lead if player == state.turn else -lead


@compiled
def mobility(state):
    """Corners are never turned, and a player with few moves must give them away."""
    corners = popcount(state.mine & CORNERS) - popcount(state.theirs & CORNERS)
    own, other = placeable(state.mine, state.theirs), placeable(state.theirs, state.mine)
    return 10 * corners + popcount(own) - popcount(other)


def board(state):
    return BOARD


def pieces(state):
    black, white = (state.theirs, state.mine) if state.turn else (state.mine, state.theirs)
    return {NAMES[s]: mark for discs, mark in ((black, "B"), (white, "W")) for s in set_bits(discs)}


def steps(state, move):
    return ("pass",) if move == PASS else (NAMES[move],)


def position_text(state):
    return f"{rows_text(BOARD, pieces(state))} {'BW'[state.turn]}"


def parse_position(text, initial):
    rows, _, turn = text.partition(" ")
    if turn not in ("B", "W"):
        raise ValueError(f"write the rows and who moves, B or W: {position_text(initial)}")
    discs = read_rows(rows, BOARD, "BW")
    masks = [sum(1 << NAMES.index(n) for n in discs if discs[n] == mark) for mark in "BW"]
    black, white = map(np.uint64, masks)
    return State(black, white, 0) if turn == "B" else State(white, black, 1)


GAME = Game(
    __name__, title="Othello", marks=("B", "W"), evaluators={"mobility": Evaluator(mobility)}
)
