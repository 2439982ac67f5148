"""What chess tells a search: captures and promotions, what they win, checks, passing.

A capture is judged by the exchange on its square: both sides capture there in turn, the
least piece first, and either may stop.  Pins do not count, and a king takes part only
where nothing can capture it back.
"""

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
from plies.games.chess.limits import Limits, en_passant_takers, limits, pawn_targets
from plies.games.chess.moves import (
    EN_PASSANT_MOVES,
    KING_MOVES,
    LAST_RANKS,
    add_pawn_moves,
    add_piece_moves,
    add_slider_moves,
)
from plies.games.chess.playing import EN_PASSANT_KEYS, TURN_KEY
from plies.games.chess.state import (
    BISHOP,
    CAPTURED_SHIFT,
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
    State,
    bit,
    captured_of,
    header,
    kind_of,
    kings,
    origin_of,
    placed_of,
    target_of,
)

# In hundredths of a pawn, by kind.
WORTHS = np.array([0, 100, 325, 325, 500, 950, 20000, 0], np.int64)


@compiled
def is_tactical(state, move):
    return (captured_of(move) != 0) | (placed_of(move) != kind_of(move))


@compiled
def tactical_moves(state):
    """The captures and promotions, as `legal_moves` would list them among the others."""
    within = limits(state)
    king = within.king
    pawns = pawn_targets(state, within)
    steps, _, left, right = pawns
    prey = within.targets & state.theirs
    moves = np.empty(most_noisy_moves(state, steps, left | right), np.int64)
    targets = KING_ATTACKS[king] & state.theirs & (EVERYWHERE ^ within.danger)
    count = add_piece_moves(moves, 0, state, header(KING, KING, 0) | king, targets)
    if within.targets == NONE:
        return moves[:count]
    pins = within.straight_pins | within.diagonal_pins
    knights = state.knights & state.mine & (EVERYWHERE ^ pins)
    while knights:
        origin = lowest_bit(knights)
        knights &= knights - ONE
        targets = KNIGHT_ATTACKS[origin] & prey
        count = add_piece_moves(moves, count, state, header(KNIGHT, KNIGHT, 0) | origin, targets)
    confined = Limits(
        within.occupied, king, within.danger, prey, within.straight_pins, within.diagonal_pins
    )
    count = add_slider_moves(moves, count, state, confined)
    up = 8 if state.turn == WHITE else -8
    count = add_pawn_moves(moves, count, state, left, up - 1)
    count = add_pawn_moves(moves, count, state, right, up + 1)
    count = add_pawn_moves(moves, count, state, steps & LAST_RANKS, up)
    if state.en_passant:
        takers = en_passant_takers(state, king)
        head = header(PAWN, PAWN, EN_PASSANT) | PAWN << CAPTURED_SHIFT
        while takers:
            moves[count] = head | lowest_bit(takers) | state.en_passant << TARGET_SHIFT
            takers &= takers - ONE
            count += 1
    return moves[:count]


@inlined
def most_noisy_moves(state, steps, captures):
    """No fewer than there are: a piece captures in eight directions at most."""
    pieces = state.knights | state.diagonal | state.straight
    promotions = popcount((steps | captures) & LAST_RANKS)
    count = KING_MOVES + EN_PASSANT_MOVES + 8 * popcount(pieces & state.mine)
    return count + 2 * popcount(captures) + 9 * promotions


@compiled
def capture_gain(state, move):
    """What a capture or promotion takes at once, in hundredths of a pawn.

    Of equal prey the least piece that takes it comes first.  Becoming something less than
    a queen is hardly ever good.
    """
    kind, placed = kind_of(move), placed_of(move)
    prey = WORTHS[captured_of(move)] - kind
    if placed != kind:
        return prey + (WORTHS[QUEEN] if placed == QUEEN else 0) - WORTHS[PAWN]
    return prey


@compiled
def static_exchange(state, move):
    """What is left when both sides go on capturing on the target as long as it pays.

    A piece that captures one of no less worth loses nothing: no need to look further.
    """
    kind = kind_of(move)
    if WORTHS[captured_of(move)] >= WORTHS[kind] or placed_of(move) != kind:
        return capture_gain(state, move)
    target = target_of(move)
    occupied = (state.mine | state.theirs) ^ bit(origin_of(move))
    hunters = attackers_of_both(state, target, occupied)
    lost = retaken(state, target, occupied, hunters, state.theirs, WORTHS[kind])
    return WORTHS[captured_of(move)] - lost


@compiled
def retaken(state, target, occupied, hunters, side, standing):
    """What `side` wins by capturing a piece worth `standing`, or 0 if it had better not."""
    takers = hunters & occupied & side
    if takers == NONE:
        return 0
    taker, kind = least_of(state, takers)
    other = side ^ state.mine ^ state.theirs
    if kind == KING and hunters & occupied & other != NONE:
        return 0
    occupied ^= taker
    if kind != KNIGHT and kind != ROOK:
        hunters |= bishop_attacks(target, occupied) & state.diagonal
    if kind >= ROOK:
        hunters |= rook_attacks(target, occupied) & state.straight
    return max(0, standing - retaken(state, target, occupied, hunters, other, WORTHS[kind]))


@inlined
def attackers_of_both(state, square, occupied):
    """All pieces of either side that attack a square."""
    white, black = (state.mine, state.theirs) if state.turn == WHITE else (state.theirs, state.mine)
    pawns = (PAWN_ATTACKS[64 | square] & white | PAWN_ATTACKS[square] & black) & state.pawns
    knights = KNIGHT_ATTACKS[square] & state.knights
    diagonal = bishop_attacks(square, occupied) & state.diagonal
    straight = rook_attacks(square, occupied) & state.straight
    return pawns | knights | diagonal | straight | KING_ATTACKS[square] & kings(state)


@inlined
def least_of(state, takers):
    """The piece of least worth in a set that is not empty, as a set, and its kind."""
    queens = state.diagonal & state.straight
    kind = PAWN
    found = takers & state.pawns
    if found == NONE:
        found, kind = takers & state.knights, KNIGHT
    if found == NONE:
        found, kind = takers & state.diagonal & (EVERYWHERE ^ queens), BISHOP
    if found == NONE:
        found, kind = takers & state.straight & (EVERYWHERE ^ queens), ROOK
    if found == NONE:
        found, kind = takers & queens, QUEEN
    if found == NONE:
        found, kind = takers, KING
    return bit(lowest_bit(found)), kind


@compiled
def must_respond(state):
    return is_in_check(state)


@compiled
def threatens(state, move):
    """Whether a move gives check, by the piece that moves or one that stands behind it."""
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
    behind = state.mine & (EVERYWHERE ^ bit(origin))
    if STRAIGHT_LINES[origin] & royal != NONE:
        return rook_attacks(king, occupied) & state.straight & behind != NONE
    if DIAGONAL_LINES[origin] & royal != NONE:
        return bishop_attacks(king, occupied) & state.diagonal & behind != NONE
    return False


@compiled
def null_move(state):
    """The other side to move; not in check, and not with king and pawns only, where having
    to move may be what loses."""
    pieces = state.knights | state.diagonal | state.straight
    if pieces & state.mine == NONE or is_in_check(state):
        return state
    return State(
        state.pawns,
        state.knights,
        state.diagonal,
        state.straight,
        state.theirs,
        state.mine,
        state.turn ^ 1,
        state.castling,
        0,
        state.clock + 1,
        state.zobrist ^ TURN_KEY ^ EN_PASSANT_KEYS[state.en_passant & 63],
        state.placement,
    )
