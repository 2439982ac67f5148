"""Pawns: how they stand to each other, and how far passed ones have come."""

import numpy as np

from plies.core import inlined, lowest_bit, popcount
from plies.evaluators.chess.camp import attacks_down, beside, filled_down, filled_up, has
from plies.evaluators.chess.weights import OFFSETS
from plies.games.chess.attacks import EIGHT
from plies.games.chess.state import EVERYWHERE, ONE, U, bit

DOUBLED = OFFSETS["doubled"]
ISOLATED = OFFSETS["isolated"]
BACKWARD = OFFSETS["backward"]
PHALANX = OFFSETS["phalanx"]
SUPPORTED = OFFSETS["supported"]
PASSED = OFFSETS["passed"]
PASSED_BLOCKED = OFFSETS["passed_blocked"]
PASSED_ATTACKED = OFFSETS["passed_attacked"]
PASSED_FREE = OFFSETS["passed_free"]
PASSED_SUPPORTED = OFFSETS["passed_supported"]
PASSED_OWN_KING = OFFSETS["passed_own_king"]
PASSED_OTHER_KING = OFFSETS["passed_other_king"]

RANK = U(0xFF)
# The king's way to a passed pawn counts once from the fourth rank, twice from the fifth ...
URGENCY = np.array([0, 0, 0, 1, 2, 3, 4, 0], np.int64)


@inlined
def distance(one, other):
    """A king's steps between two squares."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


@inlined
def by_rank(table, first, pawns):
    """The weights of some pawns by the rank they have reached; `first` is for the first rank."""
    total = 0
    for rank in range(1, 7):
        total += table[first + rank] * popcount(pawns >> U(8 * rank) & RANK)
    return total


@inlined
def pawn_structure(table, camp, own_attacks):
    """Doubled, isolated, backward pawns; pawns beside each other or defended by each other."""
    pawns = camp.pawns
    files = filled_up(pawns) | filled_down(pawns)
    lonely = pawns & (beside(files) ^ EVERYWHERE)
    stops = (pawns ^ lonely) << EIGHT
    held = stops & attacks_down(camp.other_pawns)
    late = held & (filled_up(own_attacks) ^ EVERYWHERE)
    return (
        table[DOUBLED] * popcount(pawns & filled_down(pawns >> EIGHT))
        + table[ISOLATED] * popcount(lonely)
        + table[BACKWARD] * popcount(late)
        + by_rank(table, PHALANX, pawns & beside(pawns))
        + by_rank(table, SUPPORTED, pawns & own_attacks)
    )


@inlined
def passed_pawns(camp):
    """Pawns with no pawn ahead, and no enemy pawn ahead on a neighbouring file."""
    ahead = filled_down(camp.other_pawns >> EIGHT)
    barred = ahead | beside(ahead) | filled_down(camp.pawns >> EIGHT)
    return camp.pawns & (barred ^ EVERYWHERE)


@inlined
def passed_worth(table, camp, attacked, other_attacked):
    """Passed pawns by rank; whether the way is free and safe; how near the kings are."""
    total = 0
    pawns = passed_pawns(camp)
    while pawns:
        square = lowest_bit(pawns)
        pawns &= pawns - ONE
        rank, stop = square >> 3, square + 8
        way = filled_up(bit(stop))
        total += table[PASSED + rank]
        if has(bit(stop), camp.own | camp.other):
            total += table[PASSED_BLOCKED + rank]
        if has(way, other_attacked | camp.other):
            total += table[PASSED_ATTACKED + rank]
        if not has(bit(stop), other_attacked):
            total += table[PASSED_FREE + rank]
        if has(bit(stop) | bit(square), attacked):
            total += table[PASSED_SUPPORTED + rank]
        near = table[PASSED_OWN_KING + distance(camp.king, stop)]
        far = table[PASSED_OTHER_KING + distance(camp.other_king, stop)]
        total += URGENCY[rank] * (near + far)
    return total
