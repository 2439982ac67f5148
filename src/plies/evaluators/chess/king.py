"""King safety: attack units against the king, its pawn shield and the pawn storm against it."""

from plies.core import inlined, lowest_bit, popcount
from plies.core.bits import byte_reversed
from plies.evaluators.chess.weights import DANGER_STEPS, OFFSETS
from plies.games.chess.attacks import (
    FILE_A,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from plies.games.chess.state import EVERYWHERE, NONE, U

# Attack units of a safe check: one that the attacked side cannot answer by a capture.
KNIGHT_CHECK, BISHOP_CHECK, ROOK_CHECK, QUEEN_CHECK = 8, 5, 9, 7
WEAK_SQUARE = 2  # units: a square next to the king, attacked, and defended by the king only


@inlined
def king_danger(table, us, ours, theirs):
    """The cost of the enemy's attack on our king, by the number of attack units.

    Danger grows faster than the number of attackers, so the units look up a curve.
    """
    occupied = us.own | us.enemy
    # Our queens are left out: a check through a queen's square is still a check.
    straight = rook_attacks(us.king, occupied ^ us.queens)
    diagonal = bishop_attacks(us.king, occupied ^ us.queens)
    attacked, twice = byte_reversed(theirs.attacked), byte_reversed(theirs.twice)
    king_only = ours.attacked & (ours.twice ^ EVERYWHERE) & KING_ATTACKS[us.king]
    # A check is safe for the attacker on squares we cannot recapture on: undefended ones, or
    # those that only our king defends and that are attacked twice.
    safe = ours.attacked ^ EVERYWHERE | king_only & twice
    safe &= us.enemy ^ EVERYWHERE
    knights = KNIGHT_ATTACKS[us.king] & byte_reversed(theirs.by_knights) & safe
    bishops = diagonal & byte_reversed(theirs.by_bishops) & safe
    rooks = straight & byte_reversed(theirs.by_rooks) & safe
    queens = (straight | diagonal) & byte_reversed(theirs.by_queens) & safe
    units = (
        theirs.units
        + WEAK_SQUARE * popcount(king_only & attacked)
        + KNIGHT_CHECK * (knights != NONE)
        + BISHOP_CHECK * (bishops != NONE)
        + ROOK_CHECK * (rooks != NONE)
        + QUEEN_CHECK * (queens != NONE)
    )
    return table[OFFSETS.king_danger + min(units >> 1, DANGER_STEPS - 1)]


@inlined
def pawn_shield(table, us):
    """Own pawns before the king and enemy pawns storming it, on the king's three files."""
    total = 0
    # A king on the edge is judged by the same three files as one beside it.
    middle = min(max(us.king & 7, 1), 6)
    above = EVERYWHERE << U(us.king & 56)
    for file in range(middle - 1, middle + 2):
        line = FILE_A << U(file) & above
        own, enemy = line & us.pawns, line & us.enemy_pawns
        neighbour = 8 * (file != us.king & 7)  # weights of the neighbouring files come second
        shield = lowest_bit(own) >> 3 if own else 0  # ranks; 0: no pawn
        storm = lowest_bit(enemy) >> 3 if enemy else 0
        total += table[OFFSETS.pawn_shield + neighbour + shield]
        # A storming pawn that meets the shield is blocked, and much less dangerous.
        if shield and storm == shield + 1:
            total += table[OFFSETS.blocked_pawn_storm + storm]
        else:
            total += table[OFFSETS.pawn_storm + neighbour + storm]
    return total
