"""Threats: attacks on pieces that are worth more or that are not defended enough.

Each weight is there twice: for the side that waits and for the side to move, which may
carry the threat out.
"""

from plies.core import inlined, popcount
from plies.core.bits import byte_reversed
from plies.evaluators.chess.camp import attacks_up, has
from plies.evaluators.chess.weights import OFFSETS
from plies.games.chess.attacks import EIGHT, KING_ATTACKS
from plies.games.chess.state import EVERYWHERE, U

PAWN_THREAT = OFFSETS["pawn_threat"]
PUSH_THREAT = OFFSETS["push_threat"]
HANGING = OFFSETS["hanging"]
KING_THREAT = OFFSETS["king_threat"]
MINOR_THREAT = OFFSETS["minor_threat"]
ROOK_THREAT = OFFSETS["rook_threat"]

THIRD_RANK = U(0xFF0000)


@inlined
def safe_pushes(camp, mine, theirs):
    """Where pawns can step without being taken by a pawn or for nothing."""
    empty = (camp.own | camp.other) ^ EVERYWHERE
    steps = camp.pawns << EIGHT & empty
    steps |= (steps & THIRD_RANK) << EIGHT & empty
    safe = mine.attacked | byte_reversed(theirs.attacked) ^ EVERYWHERE
    return steps & safe & (byte_reversed(theirs.by_pawns) ^ EVERYWHERE)


@inlined
def threats(table, camp, rival, mine, theirs, is_mover):
    """What the threats of a side are worth; `rival` and `theirs` are seen from over there."""
    pawn_held = byte_reversed(theirs.by_pawns)
    loose = byte_reversed(theirs.attacked) ^ EVERYWHERE
    firm = pawn_held | byte_reversed(theirs.twice) & (mine.twice ^ EVERYWHERE)
    weak = camp.other & mine.attacked & (firm ^ EVERYWHERE)
    minors = byte_reversed(rival.knights | rival.bishops)
    rooks, queens = byte_reversed(rival.rooks), byte_reversed(rival.queens)
    pieces = minors | rooks | queens
    soft_pawns, soft_minors = camp.other_pawns & loose, minors & (pawn_held ^ EVERYWHERE)
    by_minors, by_rooks = mine.by_knights | mine.by_bishops, mine.by_rooks
    pushed = attacks_up(safe_pushes(camp, mine, theirs))
    minor, rook = MINOR_THREAT + 4 * is_mover, ROOK_THREAT + 3 * is_mover
    return (
        table[PAWN_THREAT + is_mover] * popcount(mine.by_pawns & pieces)
        + table[PUSH_THREAT + is_mover] * popcount(pushed & pieces)
        + table[HANGING + is_mover] * popcount(weak & (loose | mine.twice & pieces))
        + table[KING_THREAT + is_mover] * has(KING_ATTACKS[camp.king], weak)
        + table[minor] * popcount(by_minors & soft_pawns)
        + table[minor + 1] * popcount(by_minors & soft_minors)
        + table[minor + 2] * popcount(by_minors & rooks)
        + table[minor + 3] * popcount(by_minors & queens)
        + table[rook] * popcount(by_rooks & soft_pawns)
        + table[rook + 1] * popcount(by_rooks & soft_minors)
        + table[rook + 2] * popcount(by_rooks & queens)
    )
