"""The strong evaluation: what `play` keeps of the pieces, and what is seen at the leaf.

Every weight counts twice, early and late in the game, and the value lies between the two
sums by how many pieces are left.  `tuning/chess_strong.py` found the numbers.
"""

import numpy as np

from plies.core import compiled, inlined, lowest_bit, popcount
from plies.core.bits import byte_reversed
from plies.evaluators.chess.camp import camp, has
from plies.evaluators.chess.king import danger, shelter
from plies.evaluators.chess.material import MINOR, worth
from plies.evaluators.chess.pawns import distance, passed_worth, pawn_structure
from plies.evaluators.chess.pieces import LIGHT, reach, standing
from plies.evaluators.chess.threats import threats
from plies.evaluators.chess.weights import OFFSETS, TABLE
from plies.games.chess.placement import early_of, late_of
from plies.games.chess.state import NONE, kings

TEMPO = OFFSETS["tempo"]
ALL_PIECES = 24  # the phase at the start: minor pieces count 1, rooks 2, queens 4

# Parts of the value that count, in sixty-fourths.
FULL, HALF, SLIGHT, NOTHING = 64, 32, 16, 0
CHASE = 10  # for every step that a bare king is nearer to the edge or to the enemy king
FROM_EDGE = np.array([min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) for s in range(64)], np.int64)


@inlined
def one_side(table, own, rival, mine, theirs, is_mover):
    """What one side's pieces do, early and late in one number."""
    return (
        mine.total
        + standing(table, own)
        + pawn_structure(table, own, mine.by_pawns)
        + passed_worth(table, own, mine.attacked, byte_reversed(theirs.attacked))
        + threats(table, own, rival, mine, theirs, is_mover)
        + danger(table, own, mine, theirs)
        + shelter(table, own)
    )


@compiled
def terms(table, state):
    """The weights of all that is seen in a position, the mover's less the opponent's."""
    turn = state.turn
    own = camp(state, state.mine, state.theirs, turn)
    rival = camp(state, state.theirs, state.mine, turn ^ 1)
    mine, theirs = reach(table, own), reach(table, rival)
    ours = one_side(table, own, rival, mine, theirs, 1)
    return ours - one_side(table, rival, own, theirs, mine, 0) + table[TEMPO]


@inlined
def phase_of(state):
    """ALL_PIECES or more at the start, 0 with pawns only."""
    queens = state.diagonal & state.straight
    minors = popcount(state.knights) + popcount(state.diagonal)
    return min(minors + 2 * popcount(state.straight) + popcount(queens), ALL_PIECES)


@inlined
def has_opposite_bishops(state):
    """Whether one bishop each, on squares of different colours, are all the pieces left."""
    bishops = state.diagonal
    if state.knights | state.straight != NONE or popcount(bishops) != 2:
        return False
    return popcount(bishops & state.mine) == 1 and popcount(bishops & LIGHT) == 1


@compiled
def part_that_counts(state, is_ahead):
    """How much of a lead is left where it is hard to win with; `is_ahead` is of the mover."""
    ahead = state.mine if is_ahead else state.theirs
    if has(state.pawns, ahead):
        return HALF if has_opposite_bishops(state) else FULL
    if state.straight == NONE:
        minors = popcount(state.knights | state.diagonal)
        if state.pawns == NONE and minors <= 1:
            return NOTHING
        if not has(state.diagonal, ahead) and popcount(state.knights & ahead) <= 2:
            return SLIGHT
    other = state.mine ^ state.theirs ^ ahead
    return FULL if worth(state, ahead) - worth(state, other) > MINOR else SLIGHT


@compiled
def chase(state):
    """What drives a bare king to the edge; 0 while both sides have pieces."""
    royals = kings(state)
    king, other = lowest_bit(royals & state.mine), lowest_bit(royals & state.theirs)
    apart = 7 - distance(king, other)
    if state.theirs & royals == state.theirs:
        return CHASE * (apart + 3 - FROM_EDGE[other])
    if state.mine & royals == state.mine:
        return -CHASE * (apart + 3 - FROM_EDGE[king])
    return 0


@compiled
def tapered(total, state):
    """The value of a sum of weights, early and late in one number, in a position."""
    phase = phase_of(state)
    value = early_of(total) * phase + late_of(total) * (ALL_PIECES - phase)
    value = (value + chase(state) * ALL_PIECES) * part_that_counts(state, value > 0)
    return value // (FULL * ALL_PIECES)


@compiled
def strong(state):
    """The mover's advantage in hundredths of a pawn."""
    kept = -state.placement if state.turn else state.placement
    return tapered(kept + terms(TABLE, state), state)


@compiled
def placement(state):
    """What the pieces are worth where they stand, which `play` keeps: quick, and rough."""
    return tapered(-state.placement if state.turn else state.placement, state)
