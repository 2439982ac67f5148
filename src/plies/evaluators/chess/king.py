"""The safety of the king: attacks on it, and the pawns before it."""

from plies.core import inlined, lowest_bit, popcount
from plies.core.bits import byte_reversed
from plies.evaluators.chess.weights import DANGERS, OFFSETS
from plies.games.chess.attacks import (
    FILE_A,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from plies.games.chess.state import EVERYWHERE, NONE, U

DANGER = OFFSETS["danger"]
SHELTER = OFFSETS["shelter"]
STORM = OFFSETS["storm"]
BLOCKED_STORM = OFFSETS["blocked_storm"]

# What a check that the attacked side cannot answer by a capture adds to the danger.
KNIGHT_CHECK, BISHOP_CHECK, ROOK_CHECK, QUEEN_CHECK = 8, 5, 9, 7
WEAK_SQUARE = 2  # a square next to the king that is attacked and that only the king defends


@inlined
def danger(table, camp, mine, theirs):
    """What the attack of the other side on the king of this one costs; `camp` is of the king."""
    occupied = camp.own | camp.other
    straight = rook_attacks(camp.king, occupied ^ camp.queens)
    diagonal = bishop_attacks(camp.king, occupied ^ camp.queens)
    attacked, twice = byte_reversed(theirs.attacked), byte_reversed(theirs.twice)
    # Next to the king and defended by nothing else.
    single = mine.attacked & (mine.twice ^ EVERYWHERE) & KING_ATTACKS[camp.king]
    safe = mine.attacked ^ EVERYWHERE | single & twice
    safe &= camp.other ^ EVERYWHERE
    knights = KNIGHT_ATTACKS[camp.king] & byte_reversed(theirs.by_knights) & safe
    bishops = diagonal & byte_reversed(theirs.by_bishops) & safe
    rooks = straight & byte_reversed(theirs.by_rooks) & safe
    queens = (straight | diagonal) & byte_reversed(theirs.by_queens) & safe
    units = (
        theirs.units
        + WEAK_SQUARE * popcount(single & attacked)
        + KNIGHT_CHECK * (knights != NONE)
        + BISHOP_CHECK * (bishops != NONE)
        + ROOK_CHECK * (rooks != NONE)
        + QUEEN_CHECK * (queens != NONE)
    )
    return table[DANGER + min(units >> 1, DANGERS - 1)]


@inlined
def shelter(table, camp):
    """Own pawns before the king and enemy pawns that come near, on three files."""
    total = 0
    middle = min(max(camp.king & 7, 1), 6)
    above = EVERYWHERE << U(camp.king & 56)
    for file in range(middle - 1, middle + 2):
        line = FILE_A << U(file) & above
        own, other = line & camp.pawns, line & camp.other_pawns
        side = 8 * (file != camp.king & 7)
        shield = lowest_bit(own) >> 3 if own else 0
        enemy = lowest_bit(other) >> 3 if other else 0
        total += table[SHELTER + side + shield]
        if shield and enemy == shield + 1:
            total += table[BLOCKED_STORM + enemy]
        else:
            total += table[STORM + side + enemy]
    return total
