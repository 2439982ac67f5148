"""Pawn structure (doubled, isolated, backward, connected pawns) and passed pawns."""

import numpy as np

from plies.core import inlined, lowest_bit, popcount
from plies.evaluators.chess.sides import attacks_down, beside, filled_down, filled_up, overlap
from plies.evaluators.chess.weights import OFFSETS
from plies.games.chess.attacks import EIGHT
from plies.games.chess.state import EVERYWHERE, ONE, U, bit

RANK = U(0xFF)
# King distances to a passed pawn count once on the fourth rank, twice on the fifth, ...
URGENCY = np.array([0, 0, 0, 1, 2, 3, 4, 0], np.int64)


@inlined
def distance(one, other):
    """A king's steps between two squares (Chebyshev distance)."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


@inlined
def by_rank(table, first, pawns):
    """The weights of some pawns by their rank; `first` is the weight of the first rank."""
    total = 0
    for rank in range(1, 7):
        total += table[first + rank] * popcount(pawns >> U(8 * rank) & RANK)
    return total


@inlined
def pawn_structure(table, us, own_attacks):
    """Doubled, isolated and backward pawns; phalanxes and supported pawns by rank."""
    pawns = us.pawns
    files = filled_up(pawns) | filled_down(pawns)
    isolated = pawns & (beside(files) ^ EVERYWHERE)
    stops = (pawns ^ isolated) << EIGHT
    # Backward: an enemy pawn guards the stop square, and no own pawn can ever guard it.
    guarded = stops & attacks_down(us.enemy_pawns)
    backward = guarded & (filled_up(own_attacks) ^ EVERYWHERE)
    return (
        table[OFFSETS.doubled] * popcount(pawns & filled_down(pawns >> EIGHT))
        + table[OFFSETS.isolated] * popcount(isolated)
        + table[OFFSETS.backward] * popcount(backward)
        + by_rank(table, OFFSETS.phalanx, pawns & beside(pawns))
        + by_rank(table, OFFSETS.supported, pawns & own_attacks)
    )


@inlined
def passed_pawns(us):
    """Pawns that no pawn ahead blocks and no enemy pawn can capture on their way."""
    front = filled_down(us.enemy_pawns >> EIGHT)
    barred = front | beside(front) | filled_down(us.pawns >> EIGHT)
    return us.pawns & (barred ^ EVERYWHERE)


@inlined
def passed_pawn_terms(table, us, attacked, enemy_attacked):
    """Passed pawns by rank; a way that is free and safe; the distances of both kings."""
    total = 0
    pawns = passed_pawns(us)
    while pawns:
        square = lowest_bit(pawns)
        pawns &= pawns - ONE
        rank, stop = square >> 3, square + 8
        way = filled_up(bit(stop))
        total += table[OFFSETS.passed + rank]
        if overlap(bit(stop), us.own | us.enemy):
            total += table[OFFSETS.passed_blocked + rank]
        if overlap(way, enemy_attacked | us.enemy):
            total += table[OFFSETS.passed_attacked + rank]
        if not overlap(bit(stop), enemy_attacked):
            total += table[OFFSETS.passed_free + rank]
        if overlap(bit(stop) | bit(square), attacked):
            total += table[OFFSETS.passed_supported + rank]
        own_king = table[OFFSETS.passed_own_king_distance + distance(us.king, stop)]
        enemy_king = table[OFFSETS.passed_enemy_king_distance + distance(us.enemy_king, stop)]
        total += URGENCY[rank] * (own_king + enemy_king)
    return total
