"""One side of the board, turned so that its own pawns move up.

What is written once for a side that moves up then serves both: for Black every set of
squares is turned over, rank by rank, before it is looked at.
"""

from typing import NamedTuple

import numpy as np

from plies.core import inlined, lowest_bit
from plies.core.bits import byte_reversed
from plies.games.chess.attacks import EIGHT, NOT_A, NOT_H
from plies.games.chess.state import NONE, ONE, U, kings

SIXTEEN, THIRTY_TWO = U(16), U(32)


class Camp(NamedTuple):
    """The pieces of one side, and what it needs to know of the other."""

    own: np.uint64
    other: np.uint64
    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    king: int  # its square
    other_pawns: np.uint64
    other_king: int


@inlined
def seen(board, turn):
    """A set of squares as the player `turn` sees it."""
    return byte_reversed(board) if turn else U(board)


@inlined
def camp(state, side, other, turn):
    """The camp of the pieces in `side`, which are those of the player `turn`."""
    own, enemy = seen(side, turn), seen(other, turn)
    pawns, royals = seen(state.pawns, turn), seen(kings(state), turn)
    diagonal, straight = seen(state.diagonal, turn) & own, seen(state.straight, turn) & own
    queens = diagonal & straight
    return Camp(
        own,
        enemy,
        pawns & own,
        seen(state.knights, turn) & own,
        diagonal ^ queens,
        straight ^ queens,
        queens,
        lowest_bit(royals & own),
        pawns & enemy,
        lowest_bit(royals & enemy),
    )


@inlined
def attacks_up(pawns):
    """What pawns that move up attack."""
    return (pawns & NOT_A) << U(7) | (pawns & NOT_H) << U(9)


@inlined
def attacks_down(pawns):
    return (pawns & NOT_A) >> U(9) | (pawns & NOT_H) >> U(7)


@inlined
def filled_up(board):
    """A set with every square above one of it."""
    board |= board << EIGHT
    board |= board << SIXTEEN
    return board | board << THIRTY_TWO


@inlined
def filled_down(board):
    board |= board >> EIGHT
    board |= board >> SIXTEEN
    return board | board >> THIRTY_TWO


@inlined
def beside(board):
    """The squares to the left and to the right."""
    return (board & NOT_A) >> ONE | (board & NOT_H) << ONE


@inlined
def has(board, other):
    return board & other != NONE
