"""One side's pieces, seen so that its own pawns move up the board.

Every term of the evaluation is written once, for a side that moves up.  For Black each
bitboard is flipped vertically (the bytes of the word are reversed) before it is used.
"""

from typing import NamedTuple

import numpy as np

from plies.core import inlined, lowest_bit
from plies.core.bits import byte_reversed
from plies.games.chess.attacks import EIGHT, NOT_A, NOT_H
from plies.games.chess.state import NONE, ONE, U, kings

SIXTEEN, THIRTY_TWO = U(16), U(32)


class Side(NamedTuple):
    """The pieces of one side, and what its terms need of the enemy."""

    own: np.uint64
    enemy: np.uint64
    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    king: int  # its square
    enemy_pawns: np.uint64
    enemy_king: int


@inlined
def oriented(board, turn):
    """A bitboard as the player `turn` sees it."""
    return byte_reversed(board) if turn else U(board)


@inlined
def side_of(state, own_pieces, enemy_pieces, turn):
    """The side of the player `turn`, who owns `own_pieces`."""
    own, enemy = oriented(own_pieces, turn), oriented(enemy_pieces, turn)
    pawns, royals = oriented(state.pawns, turn), oriented(kings(state), turn)
    diagonal = oriented(state.diagonal, turn) & own
    straight = oriented(state.straight, turn) & own
    queens = diagonal & straight
    return Side(
        own,
        enemy,
        pawns & own,
        oriented(state.knights, turn) & own,
        diagonal ^ queens,
        straight ^ queens,
        queens,
        lowest_bit(royals & own),
        pawns & enemy,
        lowest_bit(royals & enemy),
    )


@inlined
def attacks_up(pawns):
    """The squares that pawns moving up attack."""
    return (pawns & NOT_A) << U(7) | (pawns & NOT_H) << U(9)


@inlined
def attacks_down(pawns):
    """The squares that pawns moving down attack."""
    return (pawns & NOT_A) >> U(9) | (pawns & NOT_H) >> U(7)


# Kogge-Stone fills: three shifts by 1, 2 and 4 ranks instead of a loop over seven.


@inlined
def filled_up(board):
    """A bitboard with every square above one of its squares."""
    board |= board << EIGHT
    board |= board << SIXTEEN
    return board | board << THIRTY_TWO


@inlined
def filled_down(board):
    """A bitboard with every square below one of its squares."""
    board |= board >> EIGHT
    board |= board >> SIXTEEN
    return board | board >> THIRTY_TWO


@inlined
def beside(board):
    """The squares to the left and to the right."""
    return (board & NOT_A) >> ONE | (board & NOT_H) << ONE


@inlined
def overlap(board, other):
    return board & other != NONE
