"""Threats: attacks on pieces that are worth more or that are not defended enough.

Each weight is there twice: for the side that waits and for the side to move, which may
carry the threat out.
"""

from plies.core import inlined, popcount
from plies.core.bits import byte_reversed
from plies.evaluators.chess.sides import attacks_up, overlap
from plies.evaluators.chess.weights import OFFSETS
from plies.games.chess.attacks import EIGHT, KING_ATTACKS
from plies.games.chess.state import EVERYWHERE, U

THIRD_RANK = U(0xFF0000)


@inlined
def safe_pushes(us, ours, theirs):
    """Where pawns can step without being taken by a pawn or for nothing."""
    empty = (us.own | us.enemy) ^ EVERYWHERE
    steps = us.pawns << EIGHT & empty
    steps |= (steps & THIRD_RANK) << EIGHT & empty
    safe = ours.attacked | byte_reversed(theirs.attacked) ^ EVERYWHERE
    return steps & safe & (byte_reversed(theirs.by_pawns) ^ EVERYWHERE)


@inlined
def threats(table, us, them, ours, theirs, is_mover):
    """The value of our threats; `them` and `theirs` are seen from the enemy's side."""
    # The enemy's attacks are seen from its own side: flip them to ours.
    pawn_defended = byte_reversed(theirs.by_pawns)
    undefended = byte_reversed(theirs.attacked) ^ EVERYWHERE
    # Strongly defended: by a pawn, or twice where we attack only once.
    strong = pawn_defended | byte_reversed(theirs.twice) & (ours.twice ^ EVERYWHERE)
    weak = us.enemy & ours.attacked & (strong ^ EVERYWHERE)
    minors = byte_reversed(them.knights | them.bishops)
    rooks, queens = byte_reversed(them.rooks), byte_reversed(them.queens)
    pieces = minors | rooks | queens
    loose_pawns, loose_minors = us.enemy_pawns & undefended, minors & (pawn_defended ^ EVERYWHERE)
    by_minors, by_rooks = ours.by_knights | ours.by_bishops, ours.by_rooks
    # What a safe pawn push would attack next move.
    push_attacks = attacks_up(safe_pushes(us, ours, theirs))
    # Minor pieces and rooks threaten what is loose, and whatever is worth more than they are.
    minor, rook = OFFSETS.minor_threat + 4 * is_mover, OFFSETS.rook_threat + 3 * is_mover
    return (
        table[OFFSETS.pawn_threat + is_mover] * popcount(ours.by_pawns & pieces)
        + table[OFFSETS.push_threat + is_mover] * popcount(push_attacks & pieces)
        + table[OFFSETS.hanging + is_mover] * popcount(weak & (undefended | ours.twice & pieces))
        + table[OFFSETS.king_threat + is_mover] * overlap(KING_ATTACKS[us.king], weak)
        + table[minor] * popcount(by_minors & loose_pawns)
        + table[minor + 1] * popcount(by_minors & loose_minors)
        + table[minor + 2] * popcount(by_minors & rooks)
        + table[minor + 3] * popcount(by_minors & queens)
        + table[rook] * popcount(by_rooks & loose_pawns)
        + table[rook + 1] * popcount(by_rooks & loose_minors)
        + table[rook + 2] * popcount(by_rooks & queens)
    )
