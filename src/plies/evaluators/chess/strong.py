"""The strong evaluation: piece-square sums that `play` keeps up to date, and terms of the leaf.

A tapered evaluation: every weight has a middlegame and an endgame value, and the result
lies between the two sums by the pieces that are left (the game phase).  The terms are
those of the chess programming wiki; `tuning/chess_strong.py` fitted the numbers.
"""

import numpy as np

from plies.core import compiled, inlined, lowest_bit, popcount
from plies.core.bits import byte_reversed
from plies.evaluators.chess.king import king_danger, pawn_shield
from plies.evaluators.chess.material import MINOR, material_of
from plies.evaluators.chess.pawns import distance, passed_pawn_terms, pawn_structure
from plies.evaluators.chess.pieces import LIGHT, attacks_of, positional_terms
from plies.evaluators.chess.sides import overlap, side_of
from plies.evaluators.chess.threats import threats
from plies.evaluators.chess.weights import OFFSETS, TABLE
from plies.games.chess.piece_squares import endgame_of, middlegame_of
from plies.games.chess.state import NONE, kings

ALL_PIECES = 24  # game phase at the start: minor pieces count 1, rooks 2, queens 4

# Scale factors: how much of a lead counts, in sixty-fourths.
FULL, HALF, QUARTER, NO_WIN = 64, 32, 16, 0
MOP_UP = 10  # per step that a bare king is nearer to the edge or to the enemy king
EDGE_DISTANCE = np.array([min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) for s in range(64)], np.int64)


@inlined
def side_terms(table, us, them, ours, theirs, is_mover):
    """The terms of one side, packed: middlegame and endgame in one number."""
    return (
        ours.total
        + positional_terms(table, us)
        + pawn_structure(table, us, ours.by_pawns)
        + passed_pawn_terms(table, us, ours.attacked, byte_reversed(theirs.attacked))
        + threats(table, us, them, ours, theirs, is_mover)
        + king_danger(table, us, ours, theirs)
        + pawn_shield(table, us)
    )


@compiled
def terms(table, state):
    """All terms but the piece-square sums: the mover's less the opponent's, packed."""
    turn = state.turn
    us = side_of(state, state.mine, state.theirs, turn)
    them = side_of(state, state.theirs, state.mine, turn ^ 1)
    ours, theirs = attacks_of(table, us), attacks_of(table, them)
    own_terms = side_terms(table, us, them, ours, theirs, 1)
    return own_terms - side_terms(table, them, us, theirs, ours, 0) + table[OFFSETS.tempo]


@inlined
def phase_of(state):
    """The game phase: ALL_PIECES at the start (at most), 0 with pawns only."""
    queens = state.diagonal & state.straight
    minors = popcount(state.knights) + popcount(state.diagonal)
    return min(minors + 2 * popcount(state.straight) + popcount(queens), ALL_PIECES)


@inlined
def has_opposite_bishops(state):
    """Whether the only pieces are one bishop each, on squares of different colours."""
    bishops = state.diagonal
    if state.knights | state.straight != NONE or popcount(bishops) != 2:
        return False
    return popcount(bishops & state.mine) == 1 and popcount(bishops & LIGHT) == 1


@compiled
def scale_factor(state, is_ahead):
    """How much of a lead counts where winning is hard; `is_ahead`: the mover has the lead."""
    ahead = state.mine if is_ahead else state.theirs
    # With pawns a lead can win, but bishops of opposite colours often hold the draw.
    if overlap(state.pawns, ahead):
        return HALF if has_opposite_bishops(state) else FULL
    # Without pawns and rooks: one minor piece cannot mate, two knights hardly ever can.
    if state.straight == NONE:
        minors = popcount(state.knights | state.diagonal)
        if state.pawns == NONE and minors <= 1:
            return NO_WIN
        if not overlap(state.diagonal, ahead) and popcount(state.knights & ahead) <= 2:
            return QUARTER
    # Without pawns a lead of a minor piece or less, such as rook against bishop, is a draw.
    other = state.mine ^ state.theirs ^ ahead
    return FULL if material_of(state, ahead) - material_of(state, other) > MINOR else QUARTER


@compiled
def mop_up(state):
    """Mop-up (Slate & Atkin 1977): drive a bare king to the edge; 0 while both have pieces."""
    royals = kings(state)
    king, other = lowest_bit(royals & state.mine), lowest_bit(royals & state.theirs)
    closeness = 7 - distance(king, other)
    if state.theirs & royals == state.theirs:
        return MOP_UP * (closeness + 3 - EDGE_DISTANCE[other])
    if state.mine & royals == state.mine:
        return -MOP_UP * (closeness + 3 - EDGE_DISTANCE[king])
    return 0


@compiled
def tapered(total, state):
    """The value of packed terms: both halves weighted by the game phase, then scaled."""
    phase = phase_of(state)
    value = middlegame_of(total) * phase + endgame_of(total) * (ALL_PIECES - phase)
    value = (value + mop_up(state) * ALL_PIECES) * scale_factor(state, value > 0)
    return value // (FULL * ALL_PIECES)


@compiled
def strong(state):
    """The mover's advantage in hundredths of a pawn."""
    piece_squares = -state.placement if state.turn else state.placement
    return tapered(piece_squares + terms(TABLE, state), state)


@compiled
def placement(state):
    """The piece-square sums alone, which cost nothing here: the quick evaluation of `strong`."""
    return tapered(-state.placement if state.turn else state.placement, state)
