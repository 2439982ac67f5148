"""Static exchange evaluation (SEE): what a capture wins or loses on its square.

Both sides capture there in turn, the least valuable piece first, and either may stop.
Pins are ignored, and a king takes part only where nothing can recapture it.
"""

import numpy as np

from plies.core import compiled, inlined
from plies.core.bits import lowest_bit
from plies.games.chess.attacks import (
    PAWN_ATTACKS,
    attacking_pieces,
    bishop_attacks,
    rook_attacks,
)
from plies.games.chess.state import (
    BISHOP,
    EVERYWHERE,
    KING,
    KNIGHT,
    NONE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    bit,
    captured_of,
    kind_of,
    origin_of,
    placed_of,
    target_of,
)

# Centipawns by kind of piece.
PIECE_VALUES = np.array([0, 100, 325, 325, 500, 950, 20000, 0], np.int64)


@compiled
def capture_gain(state, move):
    """The immediate material gain of a capture or promotion, in centipawns.

    In the order MVV-LVA (most valuable victim, least valuable attacker): of captures of
    equal victims the cheapest attacker comes first.  Underpromotions come last.
    """
    kind, placed = kind_of(move), placed_of(move)
    gain = PIECE_VALUES[captured_of(move)] - kind
    if placed != kind:
        return gain + (PIECE_VALUES[QUEEN] if placed == QUEEN else 0) - PIECE_VALUES[PAWN]
    return gain


@compiled
def static_exchange(state, move):
    """The material that a capture wins once all captures on its square are played out.

    A piece that captures one of equal or higher value cannot lose: its gain is enough.
    """
    kind = kind_of(move)
    if PIECE_VALUES[captured_of(move)] >= PIECE_VALUES[kind] or placed_of(move) != kind:
        return capture_gain(state, move)
    target = target_of(move)
    occupied = (state.mine | state.theirs) ^ bit(origin_of(move))
    attackers = attackers_of_both(state, target, occupied)
    loss = recapture_gain(state, target, occupied, attackers, state.theirs, PIECE_VALUES[kind])
    return PIECE_VALUES[captured_of(move)] - loss


@compiled
def recapture_gain(state, target, occupied, attackers, side, victim):
    """What `side` wins by recapturing a piece of value `victim`; 0 if it should not."""
    capturers = attackers & occupied & side
    if capturers == NONE:
        return 0
    capturer, kind = least_valuable(state, capturers)
    other = side ^ state.mine ^ state.theirs
    # A king cannot capture a defended piece.
    if kind == KING and attackers & occupied & other != NONE:
        return 0
    occupied ^= capturer
    # Moving a piece away uncovers the sliders behind it (x-ray attacks).
    if kind != KNIGHT and kind != ROOK:
        attackers |= bishop_attacks(target, occupied) & state.diagonal
    if kind >= ROOK:
        attackers |= rook_attacks(target, occupied) & state.straight
    return max(
        0, victim - recapture_gain(state, target, occupied, attackers, other, PIECE_VALUES[kind])
    )


@inlined
def attackers_of_both(state, square, occupied):
    """All pieces of either side that attack a square."""
    white, black = (state.mine, state.theirs) if state.turn == WHITE else (state.theirs, state.mine)
    pawns = (PAWN_ATTACKS[64 | square] & white | PAWN_ATTACKS[square] & black) & state.pawns
    return pawns | attacking_pieces(state, square, occupied)


@inlined
def least_valuable(state, capturers):
    """The least valuable piece of a set that is not empty, as a set, and its kind."""
    queens = state.diagonal & state.straight
    kind = PAWN
    pieces = capturers & state.pawns
    if pieces == NONE:
        pieces, kind = capturers & state.knights, KNIGHT
    if pieces == NONE:
        pieces, kind = capturers & state.diagonal & (EVERYWHERE ^ queens), BISHOP
    if pieces == NONE:
        pieces, kind = capturers & state.straight & (EVERYWHERE ^ queens), ROOK
    if pieces == NONE:
        pieces, kind = capturers & queens, QUEEN
    if pieces == NONE:
        pieces, kind = capturers, KING
    return bit(lowest_bit(pieces)), kind
