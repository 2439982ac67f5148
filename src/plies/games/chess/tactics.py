"""Optional rules for searches: captures and promotions, checks, the null move."""

import numpy as np

from plies.core import compiled, inlined
from plies.core.bits import lowest_bit, popcount
from plies.games.chess.attacks import (
    BETWEEN,
    DIAGONAL_LINES,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    PAWN_ATTACKS,
    STRAIGHT_LINES,
    bishop_attacks,
    is_in_check,
    rook_attacks,
)
from plies.games.chess.masks import Masks, masks_of, pawn_targets
from plies.games.chess.moves import (
    EN_PASSANT_MOVES,
    KING_MOVES,
    LAST_RANKS,
    add_en_passant,
    add_knight_moves,
    add_pawn_moves,
    add_piece_moves,
    add_slider_moves,
)
from plies.games.chess.playing import with_turn_passed
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
    header,
    kind_of,
    kings,
    origin_of,
    placed_of,
    target_of,
)


@compiled
def is_tactical(state, move):
    """Whether a move is a capture or a promotion."""
    return (captured_of(move) != 0) | (placed_of(move) != kind_of(move))


@compiled
def tactical_moves(state):
    """The captures and promotions, in the order of `legal_moves`."""
    masks = masks_of(state)
    king = masks.king
    pawns = pawn_targets(state, masks)
    steps, _, left, right = pawns
    victims = masks.targets & state.theirs
    moves = np.empty(most_tactical_moves(state, steps, left | right), np.int64)
    targets = KING_ATTACKS[king] & state.theirs & (EVERYWHERE ^ masks.danger)
    count = add_piece_moves(moves, 0, state, header(KING, KING, 0) | king, targets)
    if masks.targets == NONE:
        return moves[:count]
    straight, diagonal = masks.straight_pins, masks.diagonal_pins
    captures_only = Masks(masks.occupied, king, masks.danger, victims, straight, diagonal)
    count = add_knight_moves(moves, count, state, captures_only)
    count = add_slider_moves(moves, count, state, captures_only)
    up = 8 if state.turn == WHITE else -8
    count = add_pawn_moves(moves, count, state, left, up - 1)
    count = add_pawn_moves(moves, count, state, right, up + 1)
    count = add_pawn_moves(moves, count, state, steps & LAST_RANKS, up)
    count = add_en_passant(moves, count, state, king)
    return moves[:count]


@inlined
def most_tactical_moves(state, steps, captures):
    """An upper bound of their number: a piece captures in eight directions at most."""
    pieces = state.knights | state.diagonal | state.straight
    promotions = popcount((steps | captures) & LAST_RANKS)
    count = KING_MOVES + EN_PASSANT_MOVES + 8 * popcount(pieces & state.mine)
    return count + 2 * popcount(captures) + 9 * promotions


@compiled
def must_respond(state):
    """Whether the mover is in check."""
    return is_in_check(state)


@compiled
def threatens(state, move):
    """Whether a move gives check, by the moving piece or by one it uncovers.

    Rare cases are left out: castling, and what a capture en passant uncovers.
    """
    origin, target, placed = origin_of(move), target_of(move), placed_of(move)
    royal = kings(state) & state.theirs
    king = lowest_bit(royal)
    occupied = (state.mine | state.theirs) & (EVERYWHERE ^ bit(origin)) | bit(target)
    if placed == KNIGHT and KNIGHT_ATTACKS[target] & royal != NONE:
        return True
    if placed == PAWN and PAWN_ATTACKS[state.turn << 6 | target] & royal != NONE:
        return True
    is_straight = STRAIGHT_LINES[target] & royal != NONE
    is_diagonal = DIAGONAL_LINES[target] & royal != NONE
    reaches = (is_straight & (placed in (ROOK, QUEEN))) | (
        is_diagonal & (placed in (BISHOP, QUEEN))
    )
    if reaches and BETWEEN[king << 6 | target] & occupied == NONE:
        return True
    # A discovered check: the mover has left the line between the king and a slider.
    behind = state.mine & (EVERYWHERE ^ bit(origin))
    if STRAIGHT_LINES[origin] & royal != NONE:
        return rook_attacks(king, occupied) & state.straight & behind != NONE
    if DIAGONAL_LINES[origin] & royal != NONE:
        return bishop_attacks(king, occupied) & state.diagonal & behind != NONE
    return False


@compiled
def null_move(state):
    """The state with the other side to move; the state itself where passing is unsound.

    That is in check, and with king and pawns alone, where zugzwang is common.
    """
    pieces = state.knights | state.diagonal | state.straight
    if pieces & state.mine == NONE or is_in_check(state):
        return state
    return with_turn_passed(state)
