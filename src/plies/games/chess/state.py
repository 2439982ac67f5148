"""Chess positions as bitboards, and moves as numbers.

8  56 57 58 59 60 61 62 63        a square is the number of a bit:
7  48 49 50 51 52 53 54 55        a1 is bit 0, b1 bit 1, h8 bit 63
6  40 41 42 43 44 45 46 47
5  32 33 34 35 36 37 38 39
4  24 25 26 27 28 29 30 31
3  16 17 18 19 20 21 22 23
2   8  9 10 11 12 13 14 15
1   0  1  2  3  4  5  6  7
    a  b  c  d  e  f  g  h
"""

from typing import NamedTuple

import numpy as np

from plies.core import inlined

U = np.uint64
NONE, ONE = U(0), U(1)  # every constant that meets a bitboard is a uint64, too
EVERYWHERE = U(2**64 - 1)

WHITE, BLACK = 0, 1
NO_KIND, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(7)
KINDS = range(PAWN, KING + 1)

# Castling rights are four bits.
WHITE_SHORT, WHITE_LONG, BLACK_SHORT, BLACK_LONG = 1, 2, 4, 8
ALL_RIGHTS = 15

# Special moves.
EN_PASSANT, CASTLING, DOUBLE_STEP = 1, 2, 3


class State(NamedTuple):
    """Bitboards by kind and by side, and everything else that the legal moves depend on.

    Queens are in two sets and kings in none of the four, because move generation asks for
    all diagonal or all straight sliders.  `zobrist` and `placement` follow from the rest;
    `play` updates them incrementally.
    """

    pawns: np.uint64
    knights: np.uint64
    diagonal: np.uint64  # bishops and queens
    straight: np.uint64  # rooks and queens
    mine: np.uint64  # the pieces of the player to move
    theirs: np.uint64
    turn: int  # WHITE or BLACK
    castling: int  # castling rights, four bits
    en_passant: int  # where a pawn may capture en passant, 0 where no such move is legal
    clock: int  # plies since the last capture or pawn move + CLOCK * number of the move
    zobrist: int  # the key
    placement: int  # packed piece-square sum, White's less Black's (`piece_squares.py`)


CLOCK = 1 << 16


@inlined
def kings(state):
    """Both kings: the pieces in none of the sets by kind."""
    others = state.pawns | state.knights | state.diagonal | state.straight
    return (state.mine | state.theirs) & (others ^ EVERYWHERE)


@inlined
def sets_by_kind(state):
    """The pawns, knights, bishops, rooks, queens and kings of both sides."""
    queens = state.diagonal & state.straight
    bishops, rooks = state.diagonal ^ queens, state.straight ^ queens
    return state.pawns, state.knights, bishops, rooks, queens, kings(state)


# A move is a number: origin, target, kind of piece, kind of captured piece, kind of the
# piece placed on the target (another one after a promotion), special move.  It holds more
# than it must, so that playing and ordering moves need not look at the board.
TARGET_SHIFT, KIND_SHIFT, CAPTURED_SHIFT, PLACED_SHIFT, SPECIAL_SHIFT = 6, 12, 15, 18, 21


@inlined
def origin_of(move):
    return move & 63


@inlined
def target_of(move):
    return move >> TARGET_SHIFT & 63


@inlined
def kind_of(move):
    return move >> KIND_SHIFT & 7


@inlined
def captured_of(move):
    return move >> CAPTURED_SHIFT & 7


@inlined
def placed_of(move):
    return move >> PLACED_SHIFT & 7


@inlined
def special_of(move):
    return move >> SPECIAL_SHIFT


@inlined
def header(kind, placed, special):
    """The part of a move that does not depend on the squares."""
    return kind << KIND_SHIFT | placed << PLACED_SHIFT | special << SPECIAL_SHIFT


@inlined
def bit(square):
    return ONE << U(square)
