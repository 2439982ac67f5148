"""Move generation: the legal moves of a position, listed or only counted."""

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
from plies.games.chess.masks import (
    LONG,
    SHORT,
    en_passant_takers,
    masks_of,
    may_castle,
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
    """BISHOP, ROOK or QUEEN, 0 for a piece that does not slide; without branches."""
    goes_straight = state.straight & piece != NONE
    goes_diagonally = state.diagonal & piece != NONE
    return BISHOP * goes_diagonally + ROOK * goes_straight - 2 * (goes_diagonally & goes_straight)


@inlined
def captured_kind(state, square):
    """The kind of a piece that is not a king; the other sets do not overlap."""
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
    """Append captures or single steps of pawns that come from `ahead` squares before."""
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
def add_all_pawn_moves(moves, count, state, masks, pawns):
    """Append every pawn move; `pawns` are the targets of `pawn_targets`."""
    steps, doubles, left, right = pawns
    up = 8 if state.turn == WHITE else -8
    promotions = steps & LAST_RANKS
    count = add_pawn_moves(moves, count, state, left, up - 1)
    count = add_pawn_moves(moves, count, state, right, up + 1)
    count = add_pawn_moves(moves, count, state, promotions, up)
    count = add_pawn_steps(moves, count, steps ^ promotions, up, 0)
    count = add_pawn_steps(moves, count, doubles, 2 * up, DOUBLE_STEP)
    return add_en_passant(moves, count, state, masks.king)


@inlined
def add_en_passant(moves, count, state, king):
    """Append the captures en passant."""
    if state.en_passant:
        takers = en_passant_takers(state, king)
        head = header(PAWN, PAWN, EN_PASSANT) | PAWN << CAPTURED_SHIFT
        while takers:
            moves[count] = head | lowest_bit(takers) | state.en_passant << TARGET_SHIFT
            takers &= takers - ONE
            count += 1
    return count


@inlined
def add_knight_moves(moves, count, state, masks):
    """Append the moves of knights; a pinned knight has none."""
    pins = masks.straight_pins | masks.diagonal_pins
    knights = state.knights & state.mine & (EVERYWHERE ^ pins)
    while knights:
        origin = lowest_bit(knights)
        knights &= knights - ONE
        targets = KNIGHT_ATTACKS[origin] & masks.targets
        count = add_piece_moves(moves, count, state, header(KNIGHT, KNIGHT, 0) | origin, targets)
    return count


@inlined
def add_slider_moves(moves, count, state, masks):
    """Append the moves of bishops, rooks and queens; a queen moves as a bishop and as a rook."""
    straight, diagonal = masks.straight_pins, masks.diagonal_pins
    # A piece pinned along a file or rank has no diagonal move, and the other way round.
    movers = state.diagonal & state.mine & (EVERYWHERE ^ straight)
    while movers:
        origin = lowest_bit(movers)
        movers &= movers - ONE
        targets = bishop_attacks(origin, masks.occupied) & masks.targets
        if bit(origin) & diagonal:
            targets &= diagonal
        kind = slider_kind(state, bit(origin))
        count = add_piece_moves(moves, count, state, header(kind, kind, 0) | origin, targets)
    movers = state.straight & state.mine & (EVERYWHERE ^ diagonal)
    while movers:
        origin = lowest_bit(movers)
        movers &= movers - ONE
        targets = rook_attacks(origin, masks.occupied) & masks.targets
        if bit(origin) & straight:
            targets &= straight
        kind = slider_kind(state, bit(origin))
        count = add_piece_moves(moves, count, state, header(kind, kind, 0) | origin, targets)
    return count


@inlined
def most_moves(state, pawns):
    """An upper bound of the number of moves, quicker to allocate than the record of 218."""
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
    masks = masks_of(state)
    king = masks.king
    pawns = pawn_targets(state, masks)
    moves = np.empty(most_moves(state, pawns), np.int64)
    targets = KING_ATTACKS[king] & (EVERYWHERE ^ (state.mine | masks.danger))
    count = add_piece_moves(moves, 0, state, header(KING, KING, 0) | king, targets)
    if masks.targets == NONE:  # double check
        return moves[:count]
    count = add_knight_moves(moves, count, state, masks)
    count = add_slider_moves(moves, count, state, masks)
    count = add_all_pawn_moves(moves, count, state, masks, pawns)
    # In check castling is impossible: its king's square must not be attacked either.
    head = header(KING, KING, CASTLING) | king
    if may_castle(state, masks, SHORT):
        moves[count] = head | king + 2 << TARGET_SHIFT
        count += 1
    if may_castle(state, masks, LONG):
        moves[count] = head | king - 2 << TARGET_SHIFT
        count += 1
    return moves[:count]


@compiled
def has_moves(state):
    """Whether there is a legal move.

    Mostly a shortcut answers: out of check, a pawn that no line from the king reaches
    cannot be pinned, so if it can step there is a move.
    """
    king = lowest_bit(kings(state) & state.mine)
    occupied = state.mine | state.theirs
    straight, diagonal = rook_attacks(king, occupied), bishop_attacks(king, occupied)
    leapers = (
        KNIGHT_ATTACKS[king] & state.knights | PAWN_ATTACKS[state.turn << 6 | king] & state.pawns
    )
    sliders = straight & state.straight | diagonal & state.diagonal
    unpinnable = state.pawns & state.mine & (EVERYWHERE ^ (straight | diagonal))
    if (leapers | sliders) & state.theirs == NONE and shifted(unpinnable, state.turn) & (
        EVERYWHERE ^ occupied
    ):
        return True
    return count_moves(state) > 0


@compiled
def count_moves(state):
    """The number of legal moves, by popcounts instead of a list."""
    masks = masks_of(state)
    danger = state.mine | masks.danger
    count = popcount(KING_ATTACKS[masks.king] & (EVERYWHERE ^ danger))
    if masks.targets == NONE:  # double check
        return count
    straight, diagonal = masks.straight_pins, masks.diagonal_pins
    knights = state.knights & state.mine & (EVERYWHERE ^ (straight | diagonal))
    while knights:
        count += popcount(KNIGHT_ATTACKS[lowest_bit(knights)] & masks.targets)
        knights &= knights - ONE
    movers = state.diagonal & state.mine & (EVERYWHERE ^ straight)
    while movers:
        origin = lowest_bit(movers)
        movers &= movers - ONE
        line = diagonal if bit(origin) & diagonal else EVERYWHERE
        count += popcount(bishop_attacks(origin, masks.occupied) & masks.targets & line)
    movers = state.straight & state.mine & (EVERYWHERE ^ diagonal)
    while movers:
        origin = lowest_bit(movers)
        movers &= movers - ONE
        line = straight if bit(origin) & straight else EVERYWHERE
        count += popcount(rook_attacks(origin, masks.occupied) & masks.targets & line)
    count += count_pawn_moves(state, masks)
    return count + may_castle(state, masks, SHORT) + may_castle(state, masks, LONG)


@inlined
def count_pawn_moves(state, masks):
    """The number of pawn moves; a promotion counts as four."""
    steps, doubles, left, right = pawn_targets(state, masks)
    count = popcount(steps) + popcount(doubles) + popcount(left) + popcount(right)
    if (steps | left | right) & LAST_RANKS:
        for targets in (steps, left, right):
            count += 3 * popcount(targets & LAST_RANKS)
    return count + popcount(en_passant_takers(state, masks.king))
