"""Masks that confine move generation to the legal moves of a position.

Only legal moves are generated, so that none has to be tried and taken back.  Three masks
see to that: the king may not step on an attacked square; in check, a move must capture the
checking piece or step between it and the king, and in double check only the king moves; a
pinned piece stays on the line of its pin.
"""

from typing import NamedTuple

import numpy as np

from plies.core import compiled, inlined
from plies.core.bits import lowest_bit
from plies.games.chess.attacks import (
    BETWEEN,
    EIGHT,
    KNIGHT_ATTACKS,
    NINE,
    NOT_A,
    NOT_H,
    PAWN_ATTACKS,
    SEVEN,
    STRAIGHT_LINES,
    attacked_by,
    attackers,
    bishop_attacks,
    rook_attacks,
)
from plies.games.chess.state import (
    BLACK_LONG,
    BLACK_SHORT,
    EVERYWHERE,
    NONE,
    ONE,
    WHITE,
    WHITE_LONG,
    WHITE_SHORT,
    bit,
    kings,
)

# Where a pawn that takes its first single step arrives, by player.
STEPPED = np.array([0xFF << 16, 0xFF << 40], np.uint64)

SHORT, LONG = 0, 1  # the wings, towards the h-file and the a-file
# [wing, player]: the castling right, the squares that must be empty, those not attacked.
RIGHTS = np.array([[WHITE_SHORT, BLACK_SHORT], [WHITE_LONG, BLACK_LONG]], np.int64)
MUST_BE_EMPTY = np.array([[0x60, 0x60 << 56], [0x0E, 0x0E << 56]], np.uint64)
MUST_BE_SAFE = np.array([[0x70, 0x70 << 56], [0x1C, 0x1C << 56]], np.uint64)


class Masks(NamedTuple):
    """The occupied squares, and where the mover's king and other pieces may go."""

    occupied: np.uint64
    king: int  # the square of the mover's king
    danger: np.uint64  # squares that the king may not enter: attacked by the opponent
    targets: np.uint64  # squares that other pieces may enter; in check those that end it
    straight_pins: np.uint64  # lines from the king to rooks and queens that pin a piece
    diagonal_pins: np.uint64


@inlined
def masks_of(state):
    """The masks of a position."""
    mine, theirs = state.mine, state.theirs
    occupied = mine | theirs
    royal = kings(state) & mine
    king = lowest_bit(royal)
    # The king is transparent: it cannot retreat along the line of the check.
    danger = attacked_by(state, theirs, state.turn ^ 1, occupied ^ royal)
    leapers = (
        KNIGHT_ATTACKS[king] & state.knights | PAWN_ATTACKS[state.turn << 6 | king] & state.pawns
    )
    checkers = leapers & theirs
    # Sliders that would attack the king if its own side had no other pieces: with none
    # in between they give check, with exactly one that piece is pinned.
    snipers = rook_attacks(king, theirs) & state.straight
    snipers = (snipers | bishop_attacks(king, theirs) & state.diagonal) & theirs
    pins = NONE
    while snipers:
        sniper = lowest_bit(snipers)
        snipers &= snipers - ONE
        between = BETWEEN[king << 6 | sniper]
        blockers = between & mine
        if blockers == NONE:
            checkers |= bit(sniper)
        elif blockers & (blockers - ONE) == NONE:
            pins |= between | bit(sniper)
    # In check, other pieces may only capture the checker or step in between.
    targets = EVERYWHERE ^ mine
    if checkers != NONE:
        checker = lowest_bit(checkers)
        is_double = checkers & (checkers - ONE) != NONE
        targets = NONE if is_double else bit(checker) | BETWEEN[king << 6 | checker]
    straight = pins & STRAIGHT_LINES[king]
    return Masks(occupied, king, danger, targets, straight, pins ^ straight)


@inlined
def shifted(pawns, turn):
    """The squares one step ahead."""
    return pawns << EIGHT if turn == WHITE else pawns >> EIGHT


@inlined
def towards_a(pawns, turn):
    """The squares that pawns attack towards the a-file."""
    return (pawns & NOT_A) << SEVEN if turn == WHITE else (pawns & NOT_A) >> NINE


@inlined
def towards_h(pawns, turn):
    """The squares that pawns attack towards the h-file."""
    return (pawns & NOT_H) << NINE if turn == WHITE else (pawns & NOT_H) >> SEVEN


@inlined
def pawn_targets(state, masks):
    """The targets of pawn moves: single steps, double steps, captures to the left and right.

    A pinned pawn stays on the line of its pin; all pinned pawns are shifted at once, which
    is safe because no shift leads from one pin line to another.
    """
    turn = state.turn
    empty = EVERYWHERE ^ masks.occupied
    straight, diagonal = masks.straight_pins, masks.diagonal_pins
    pawns = state.pawns & state.mine
    steppers = pawns & (EVERYWHERE ^ diagonal)
    free = steppers & (EVERYWHERE ^ straight)
    steps = (shifted(free, turn) | shifted(steppers & straight, turn) & straight) & empty
    doubles = shifted(steps & STEPPED[turn], turn) & empty & masks.targets
    takers = pawns & (EVERYWHERE ^ straight)
    free = takers & (EVERYWHERE ^ diagonal)
    pinned = takers & diagonal
    victims = state.theirs & masks.targets
    left = (towards_a(free, turn) | towards_a(pinned, turn) & diagonal) & victims
    right = (towards_h(free, turn) | towards_h(pinned, turn) & diagonal) & victims
    return steps & masks.targets, doubles, left, right


@compiled
def is_legal_en_passant(state, king, taker, target):
    """Whether the mover's king is safe after a pawn on `taker` captures en passant.

    Two pawns leave one rank at once, which no pin mask covers: so the capture is tried.
    """
    victim = bit(target ^ 8)
    occupied = (state.mine | state.theirs) ^ bit(taker) ^ victim | bit(target)
    theirs = state.theirs ^ victim
    return attackers(state, theirs, state.turn ^ 1, king, occupied) == NONE


@compiled
def en_passant_takers(state, king):
    """The pawns that may legally capture en passant."""
    legal = NONE
    if state.en_passant:
        target = state.en_passant
        takers = PAWN_ATTACKS[(state.turn ^ 1) << 6 | target] & state.pawns & state.mine
        while takers:
            taker = lowest_bit(takers)
            takers &= takers - ONE
            if is_legal_en_passant(state, king, taker, target):
                legal |= bit(taker)
    return legal


@inlined
def may_castle(state, masks, wing):
    """Whether castling is legal on a wing, SHORT or LONG."""
    turn = state.turn
    obstacles = masks.occupied & MUST_BE_EMPTY[wing, turn] | masks.danger & MUST_BE_SAFE[wing, turn]
    return obstacles == NONE and state.castling & RIGHTS[wing, turn] != 0
