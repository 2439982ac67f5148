"""The legal moves of a position, listed or only counted."""

import numpy as np

from plies.core import compiled, inlined
from plies.core.bits import lowest_bit, popcount
from plies.games.chess.attacks import (
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from plies.games.chess.limits import (
    en_passant_takers,
    limits,
    may_castle_long,
    may_castle_short,
    pawn_targets,
    shifted,
)
from plies.games.chess.state import (
    BISHOP,
    CAPTURED_SHIFT,
    CASTLING,
    DOUBLE_STEP,
    EN_PASSANT,
    EVERYWHERE,
    KING,
    KNIGHT,
    NONE,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    TARGET_SHIFT,
    WHITE,
    U,
    bit,
    header,
    kings,
)

KING_MOVES, EN_PASSANT_MOVES = 10, 2  # castling included
LAST_RANKS = U(0xFF000000000000FF)


@inlined
def slider_kind(state, piece):
    """BISHOP, ROOK or QUEEN, 0 for a piece that does not slide."""
    goes_straight = state.straight & piece != NONE
    goes_diagonally = state.diagonal & piece != NONE
    return BISHOP * goes_diagonally + ROOK * goes_straight - 2 * (goes_diagonally & goes_straight)


@inlined
def captured_kind(state, square):
    """The kind of a piece that is not a king; the sets overlap nowhere."""
    piece = bit(square)
    kind = PAWN * (state.pawns & piece != NONE) + KNIGHT * (state.knights & piece != NONE)
    return kind + slider_kind(state, piece)


@inlined
def add_piece_moves(moves, count, state, head, targets):
    """Append the moves of one piece, captures first; `head` holds all but the target."""
    captures = targets & state.theirs
    targets ^= captures
    while captures:
        target = lowest_bit(captures)
        captures &= captures - ONE
        captured = captured_kind(state, target)
        moves[count] = head | target << TARGET_SHIFT | captured << CAPTURED_SHIFT
        count += 1
    while targets:
        moves[count] = head | lowest_bit(targets) << TARGET_SHIFT
        targets &= targets - ONE
        count += 1
    return count


@inlined
def add_pawn_moves(moves, count, state, targets, ahead):
    """Append the captures or single steps of pawns, each from `ahead` squares before."""
    head = header(PAWN, PAWN, 0)
    promotions = targets & LAST_RANKS
    targets ^= promotions
    while targets:
        target = lowest_bit(targets)
        targets &= targets - ONE
        captured = captured_kind(state, target)
        squares = target - ahead | target << TARGET_SHIFT
        moves[count] = head | squares | captured << CAPTURED_SHIFT
        count += 1
    while promotions:
        target = lowest_bit(promotions)
        promotions &= promotions - ONE
        captured = captured_kind(state, target)
        squares = target - ahead | target << TARGET_SHIFT | captured << CAPTURED_SHIFT
        for placed in range(QUEEN, PAWN, -1):
            moves[count] = header(PAWN, placed, 0) | squares
            count += 1
    return count


@inlined
def add_pawn_steps(moves, count, targets, ahead, special):
    """Append steps to empty squares before the last rank."""
    head = header(PAWN, PAWN, special)
    while targets:
        target = lowest_bit(targets)
        targets &= targets - ONE
        moves[count] = head | target - ahead | target << TARGET_SHIFT
        count += 1
    return count


@inlined
def add_all_pawn_moves(moves, count, state, within, found):
    steps, doubles, left, right = found
    up = 8 if state.turn == WHITE else -8
    promotions = steps & LAST_RANKS
    count = add_pawn_moves(moves, count, state, left, up - 1)
    count = add_pawn_moves(moves, count, state, right, up + 1)
    count = add_pawn_moves(moves, count, state, promotions, up)
    count = add_pawn_steps(moves, count, steps ^ promotions, up, 0)
    count = add_pawn_steps(moves, count, doubles, 2 * up, DOUBLE_STEP)
    if state.en_passant:
        takers = en_passant_takers(state, within.king)
        head = header(PAWN, PAWN, EN_PASSANT) | PAWN << CAPTURED_SHIFT
        while takers:
            moves[count] = head | lowest_bit(takers) | state.en_passant << TARGET_SHIFT
            takers &= takers - ONE
            count += 1
    return count


@inlined
def add_slider_moves(moves, count, state, within):
    """Bishops, rooks and queens; a queen comes twice, as a bishop and as a rook."""
    straight, diagonal = within.straight_pins, within.diagonal_pins
    movers = state.diagonal & state.mine & (EVERYWHERE ^ straight)
    while movers:
        origin = lowest_bit(movers)
        movers &= movers - ONE
        targets = bishop_attacks(origin, within.occupied) & within.targets
        if bit(origin) & diagonal:
            targets &= diagonal
        kind = slider_kind(state, bit(origin))
        count = add_piece_moves(moves, count, state, header(kind, kind, 0) | origin, targets)
    movers = state.straight & state.mine & (EVERYWHERE ^ diagonal)
    while movers:
        origin = lowest_bit(movers)
        movers &= movers - ONE
        targets = rook_attacks(origin, within.occupied) & within.targets
        if bit(origin) & straight:
            targets &= straight
        kind = slider_kind(state, bit(origin))
        count = add_piece_moves(moves, count, state, header(kind, kind, 0) | origin, targets)
    return count


@inlined
def most_moves(state, pawns):
    """No fewer than there are; a list of the usual length is quicker to allocate than 218."""
    steps, doubles, left, right = pawns
    promotions = (steps | left | right) & LAST_RANKS
    count = KING_MOVES + EN_PASSANT_MOVES + popcount(steps) + popcount(doubles)
    count += popcount(left) + popcount(right) + 9 * popcount(promotions)
    count += 8 * popcount(state.knights & state.mine)
    return (
        count
        + 13 * popcount(state.diagonal & state.mine)
        + 14 * popcount(state.straight & state.mine)
    )


@compiled
def legal_moves(state):
    within = limits(state)
    king = within.king
    pawns = pawn_targets(state, within)
    moves = np.empty(most_moves(state, pawns), np.int64)
    targets = KING_ATTACKS[king] & (EVERYWHERE ^ (state.mine | within.danger))
    count = add_piece_moves(moves, 0, state, header(KING, KING, 0) | king, targets)
    if within.targets == NONE:
        return moves[:count]
    pins = within.straight_pins | within.diagonal_pins
    knights = state.knights & state.mine & (EVERYWHERE ^ pins)
    while knights:
        origin = lowest_bit(knights)
        knights &= knights - ONE
        targets = KNIGHT_ATTACKS[origin] & within.targets
        count = add_piece_moves(moves, count, state, header(KNIGHT, KNIGHT, 0) | origin, targets)
    count = add_slider_moves(moves, count, state, within)
    count = add_all_pawn_moves(moves, count, state, within, pawns)
    head = header(KING, KING, CASTLING) | king
    if may_castle_short(state, within):
        moves[count] = head | king + 2 << TARGET_SHIFT
        count += 1
    if may_castle_long(state, within):
        moves[count] = head | king - 2 << TARGET_SHIFT
        count += 1
    return moves[:count]


@compiled
def has_moves(state):
    """Whether there is a legal move; mostly a pawn that cannot be pinned answers at once."""
    king = lowest_bit(kings(state) & state.mine)
    occupied = state.mine | state.theirs
    straight, diagonal = rook_attacks(king, occupied), bishop_attacks(king, occupied)
    near = KNIGHT_ATTACKS[king] & state.knights | PAWN_ATTACKS[state.turn << 6 | king] & state.pawns
    far = straight & state.straight | diagonal & state.diagonal
    unseen = state.pawns & state.mine & (EVERYWHERE ^ (straight | diagonal))
    if (near | far) & state.theirs == NONE and shifted(unseen, state.turn) & (
        EVERYWHERE ^ occupied
    ):
        return True
    return count_moves(state) > 0


@compiled
def count_moves(state):
    """How many legal moves there are, without making a list."""
    within = limits(state)
    danger = state.mine | within.danger
    count = popcount(KING_ATTACKS[within.king] & (EVERYWHERE ^ danger))
    if within.targets == NONE:
        return count
    straight, diagonal = within.straight_pins, within.diagonal_pins
    knights = state.knights & state.mine & (EVERYWHERE ^ (straight | diagonal))
    while knights:
        count += popcount(KNIGHT_ATTACKS[lowest_bit(knights)] & within.targets)
        knights &= knights - ONE
    movers = state.diagonal & state.mine & (EVERYWHERE ^ straight)
    while movers:
        origin = lowest_bit(movers)
        movers &= movers - ONE
        line = diagonal if bit(origin) & diagonal else EVERYWHERE
        count += popcount(bishop_attacks(origin, within.occupied) & within.targets & line)
    movers = state.straight & state.mine & (EVERYWHERE ^ diagonal)
    while movers:
        origin = lowest_bit(movers)
        movers &= movers - ONE
        line = straight if bit(origin) & straight else EVERYWHERE
        count += popcount(rook_attacks(origin, within.occupied) & within.targets & line)
    return count + count_pawn_moves(state, within) + count_castlings(state, within)


@inlined
def count_pawn_moves(state, within):
    """A promotion is four moves."""
    steps, doubles, left, right = pawn_targets(state, within)
    count = popcount(steps) + popcount(doubles) + popcount(left) + popcount(right)
    if (steps | left | right) & LAST_RANKS:
        for targets in (steps, left, right):
            count += 3 * popcount(targets & LAST_RANKS)
    return count + popcount(en_passant_takers(state, within.king))


@inlined
def count_castlings(state, within):
    return int(may_castle_short(state, within)) + int(may_castle_long(state, within))
