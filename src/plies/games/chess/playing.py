"""Making a move: bitboards, rights, Zobrist key and piece-square sum are updated together.

Branches are rare, because a mispredicted one costs more than a few operations done in
vain.  Masks such as `turn & 1` change nothing; they show the compiler that an index is
not negative, so that it leaves out the test for it.
"""

import random

import numpy as np

from plies.core import compiled, inlined
from plies.core.bits import lowest_bit
from plies.games.chess.attacks import PAWN_ATTACKS
from plies.games.chess.masks import is_legal_en_passant
from plies.games.chess.piece_squares import PIECE_SQUARES
from plies.games.chess.state import (
    ALL_RIGHTS,
    BISHOP,
    BLACK,
    BLACK_LONG,
    BLACK_SHORT,
    CASTLING,
    CLOCK,
    DOUBLE_STEP,
    EN_PASSANT,
    EVERYWHERE,
    KINDS,
    KNIGHT,
    NONE,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    WHITE_LONG,
    WHITE_SHORT,
    State,
    U,
    bit,
    captured_of,
    kind_of,
    kings,
    origin_of,
    placed_of,
    sets_by_kind,
    special_of,
    target_of,
)

# Square of a king or rook at home -> the castling rights that its moving or capture ends.
ENDED_RIGHTS = {
    0: WHITE_LONG,
    4: WHITE_SHORT | WHITE_LONG,
    7: WHITE_SHORT,
    56: BLACK_LONG,
    60: BLACK_SHORT | BLACK_LONG,
    63: BLACK_SHORT,
}
# Target of a castling king -> where the rook stands before and after, and its player.
ROOK_MOVES = {6: (7, 5, WHITE), 2: (0, 3, WHITE), 62: (63, 61, BLACK), 58: (56, 59, BLACK)}


def _random_numbers(count: int, seed: str) -> np.ndarray:
    """Numbers for Zobrist hashing (Zobrist 1970): a key is the exclusive or of its parts'."""
    source = random.Random(seed)
    return np.array([source.randrange(-(2**63), 2**63) for _ in range(count)], np.int64)


def _piece_keys() -> np.ndarray:
    """[(player * 8 + kind) * 64 + square]; 0 for no kind."""
    keys = _random_numbers(2 * 8 * 64, "chess pieces").reshape(2, 8, 64)
    keys[:, [kind for kind in range(8) if kind not in KINDS]] = 0
    return keys.reshape(-1)


def _castling_keys() -> np.ndarray:
    """[rights]: the keys of single rights combined, so that lost rights are one look-up."""
    single = _random_numbers(4, "chess castling").tolist()
    keys = [0] * (ALL_RIGHTS + 1)
    for rights in range(ALL_RIGHTS + 1):
        for index, number in enumerate(single):
            keys[rights] ^= number if rights >> index & 1 else 0
    return np.array(keys, np.int64)


PIECE_KEYS = _piece_keys()
CASTLING_KEYS = _castling_keys()
EN_PASSANT_KEYS = _random_numbers(64, "chess en passant")
EN_PASSANT_KEYS[0] = 0
(TURN_KEY,) = _random_numbers(1, "chess turn").tolist()

RIGHTS_LEFT = np.array([ALL_RIGHTS & ~ENDED_RIGHTS.get(square, 0) for square in range(64)])
ROOK_HOPS = np.zeros(64, np.uint64)
HOP_KEYS = np.zeros(64, np.int64)
HOP_PIECE_SQUARES = np.zeros(64, np.int64)
for _target, (_before, _after, _player) in ROOK_MOVES.items():
    _rook = (_player * 8 + ROOK) << 6
    ROOK_HOPS[_target] = U(1 << _before | 1 << _after)
    HOP_KEYS[_target] = PIECE_KEYS[_rook | _before] ^ PIECE_KEYS[_rook | _after]
    HOP_PIECE_SQUARES[_target] = PIECE_SQUARES[_rook | _after] - PIECE_SQUARES[_rook | _before]


# Bits by kind.
MOVES_DIAGONALLY = 1 << BISHOP | 1 << QUEEN
MOVES_STRAIGHT = 1 << ROOK | 1 << QUEEN


@compiled
def play(state, move):
    # Step 1. Unpack the move; en passant captures a pawn beside the origin.
    origin, target = origin_of(move), target_of(move)
    kind, placed, captured = kind_of(move), placed_of(move), captured_of(move)
    special, turn = special_of(move), state.turn & 1
    victim = target ^ (special == EN_PASSANT) << 3
    emptied = bit(origin) | U(captured != 0) << U(victim)
    unchanged, shift = emptied ^ EVERYWHERE, U(target)
    # Step 2. Indices of the three changed pieces in tables by player, kind and square.
    own = turn << 9
    before, after = own | kind << 6 | origin, own | placed << 6 | target
    lost = (own ^ 1 << 9) | captured << 6 | victim
    # Step 3. Castling rights and the Zobrist key, updated incrementally.
    rights = state.castling & RIGHTS_LEFT[origin] & RIGHTS_LEFT[target]
    zobrist = state.zobrist ^ PIECE_KEYS[before] ^ PIECE_KEYS[after] ^ PIECE_KEYS[lost]
    zobrist ^= CASTLING_KEYS[(state.castling ^ rights) & ALL_RIGHTS]
    zobrist ^= EN_PASSANT_KEYS[state.en_passant & 63]
    is_quiet = (kind != PAWN) & (captured == 0)
    clock = state.clock + 1 if is_quiet else state.clock - (state.clock & CLOCK - 1)
    # Step 4. The sets without origin and victim, with the target; the sides change places.
    child = State(
        state.pawns & unchanged | U(placed == PAWN) << shift,
        state.knights & unchanged | U(placed == KNIGHT) << shift,
        state.diagonal & unchanged | U(MOVES_DIAGONALLY >> placed & 1) << shift,
        state.straight & unchanged | U(MOVES_STRAIGHT >> placed & 1) << shift,
        state.theirs & unchanged,
        state.mine & unchanged | ONE << shift,
        turn ^ 1,
        rights,
        0,
        clock + turn * CLOCK,
        zobrist ^ TURN_KEY,
        state.placement - PIECE_SQUARES[before] + PIECE_SQUARES[after] - PIECE_SQUARES[lost],
    )
    # Step 5. What is rare: the rook of a castling king, a pawn that can be captured en passant.
    if special == CASTLING:
        return with_rook_moved(child, target)
    if special == DOUBLE_STEP and en_passant_pawns(child, target ^ 8) != NONE:
        return with_en_passant(child, target ^ 8)
    return child


@compiled
def with_rook_moved(state, target):
    """The state after the king has castled to `target`, once the rook has followed."""
    hop = ROOK_HOPS[target]
    return State(
        state.pawns,
        state.knights,
        state.diagonal,
        state.straight ^ hop,
        state.mine,
        state.theirs ^ hop,
        state.turn,
        state.castling,
        state.en_passant,
        state.clock,
        state.zobrist ^ HOP_KEYS[target],
        state.placement + HOP_PIECE_SQUARES[target],
    )


@inlined
def en_passant_pawns(state, target):
    """The mover's pawns that attack a square just stepped over."""
    return PAWN_ATTACKS[(state.turn ^ 1) << 6 | target] & state.pawns & state.mine


@compiled
def with_en_passant(state, target):
    """The state with the en passant square `target`, if a capture there is legal at all.

    Otherwise positions that allow the same moves would have different keys.
    """
    takers = en_passant_pawns(state, target)
    king = lowest_bit(kings(state) & state.mine)
    is_possible = False
    while takers:
        is_possible |= is_legal_en_passant(state, king, lowest_bit(takers), target)
        takers &= takers - ONE
    if not is_possible:
        return state
    return replaced(state, target, state.clock, state.zobrist ^ EN_PASSANT_KEYS[target])


@inlined
def with_turn_passed(state):
    """The same board with the other side to move, as after a null move."""
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


@compiled
def replaced(state, en_passant, clock, zobrist):
    """The state with another en passant square, clock and key."""
    return State(
        state.pawns,
        state.knights,
        state.diagonal,
        state.straight,
        state.mine,
        state.theirs,
        state.turn,
        state.castling,
        en_passant,
        clock,
        zobrist,
        state.placement,
    )


@compiled
def piece_sums(state):
    """The Zobrist key and the piece-square sum, added up anew from all pieces."""
    zobrist = CASTLING_KEYS[state.castling] ^ EN_PASSANT_KEYS[state.en_passant]
    zobrist ^= TURN_KEY * state.turn
    placement = 0
    boards = sets_by_kind(state)
    for index in range(len(boards)):
        for side in range(2):
            pieces = boards[index] & (state.mine if side == 0 else state.theirs)
            own = (state.turn ^ side) << 9 | (index + 1) << 6
            while pieces:
                square = lowest_bit(pieces)
                pieces &= pieces - ONE
                zobrist ^= PIECE_KEYS[own | square]
                placement += PIECE_SQUARES[own | square]
    return zobrist, placement
