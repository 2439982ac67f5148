"""SEF: a static evaluation function of five named components, weighted by game phase.

Every component is the mover's less the opponent's, in tenths of a pawn; weights are in
tenths, so that the value is in hundredths of a pawn and always a whole number.
"""

from typing import NamedTuple

import numpy as np

from plies.core import compiled, inlined, lowest_bit, popcount
from plies.evaluators.chess.material import material_of
from plies.games.chess.attacks import KING_ATTACKS, attacked_by
from plies.games.chess.moves import count_moves
from plies.games.chess.playing import with_turn_passed
from plies.games.chess.state import EVERYWHERE, ONE, U, kings

# Tenths of a pawn.
PIECE_UNIT = 10
WEAKNESS = -5
CENTRE_PIECE = 5
MOVE = 1
SAFE_SQUARE = 2

CENTRE = U(0x0000001818000000)  # d4, e4, d5 and e5
FIRST_RANK = U(0xFF)
FILES = np.array([0x0101010101010101 << file for file in range(8)], np.uint64)


class Components(NamedTuple):
    """The five components: the mover's less the opponent's, in tenths of a pawn.

    material         pawn 10, knight and bishop 30, rook 50, queen 90
    pawn_structure   -5 for every pawn of a file beyond the first, and -5 for every pawn
                     without a pawn of its side on a neighbouring file
    centre           5 for every piece on d4, d5, e4 or e5, pawns and kings too
    mobility         1 for every legal move.  For the opponent, those it would have if it
                     were to move, without en passant; if the mover is in check, captures
                     of its king are among them.
    king_safety      2 for every square next to the king that no enemy piece attacks,
                     empty or not: a king behind its own pawns is safe.  The king
                     shields the square behind it from a piece that gives check.
    """

    material: int
    pawn_structure: int
    centre: int
    mobility: int
    king_safety: int


class Sef(NamedTuple):
    """The weights of the components by phase, in tenths.

    The game phase goes by the material of both sides in pawns, 78 at the start.  The study
    itself had the thresholds 20 and 10, which only a bare board falls below:
    `Sef(opening_above=20, middlegame_above=10)`.
    """

    opening_above: int = 62
    middlegame_above: int = 30
    opening_material: int = 10
    opening_pawn_structure: int = 2
    opening_centre: int = 5
    opening_mobility: int = 5
    opening_king_safety: int = 1
    middlegame_material: int = 10
    middlegame_pawn_structure: int = 3
    middlegame_centre: int = 3
    middlegame_mobility: int = 4
    middlegame_king_safety: int = 3
    endgame_material: int = 15
    endgame_pawn_structure: int = 2
    endgame_centre: int = 1
    endgame_mobility: int = 2
    endgame_king_safety: int = 5


@inlined
def weak_pawns(pawns):
    """Doubled pawns (all but one of a file) and isolated ones, which can count twice."""
    # Fold the ranks onto the first one: the files with a pawn.
    files = pawns | pawns >> U(32)
    files |= files >> U(16)
    files = (files | files >> U(8)) & FIRST_RANK
    beside = (files << ONE | files >> ONE) & FIRST_RANK
    isolated_pawns = 0
    alone = files & (beside ^ FIRST_RANK)
    while alone:
        isolated_pawns += popcount(pawns & FILES[lowest_bit(alone)])
        alone &= alone - ONE
    return popcount(pawns) - popcount(files) + isolated_pawns


@inlined
def safe_squares(state, side, other, other_turn):
    """The squares next to a side's king that the other side does not attack."""
    attacked = attacked_by(state, other, other_turn, side | other)
    return popcount(KING_ATTACKS[lowest_bit(kings(state) & side)] & (attacked ^ EVERYWHERE))


@compiled
def components(state):
    """The five components of a position, see `Components`."""
    mine, theirs, turn = state.mine, state.theirs, state.turn
    weak = weak_pawns(state.pawns & mine) - weak_pawns(state.pawns & theirs)
    moves = count_moves(state) - count_moves(with_turn_passed(state))
    safe = safe_squares(state, mine, theirs, turn ^ 1) - safe_squares(state, theirs, mine, turn)
    return Components(
        PIECE_UNIT * (material_of(state, mine) - material_of(state, theirs)),
        WEAKNESS * weak,
        CENTRE_PIECE * (popcount(mine & CENTRE) - popcount(theirs & CENTRE)),
        MOVE * moves,
        SAFE_SQUARE * safe,
    )


OPENING, MIDDLEGAME, ENDGAME = 0, 1, 2
FIRST_WEIGHT = Sef._fields.index("opening_material")  # then five by five, phase after phase


@compiled
def phase(weights, state):
    """OPENING, MIDDLEGAME or ENDGAME."""
    total = material_of(state, state.mine | state.theirs)
    if total > weights.opening_above:
        return OPENING
    return MIDDLEGAME if total > weights.middlegame_above else ENDGAME


@compiled
def weighted(weights, parts, stage):
    """The components times their weights in a phase, in hundredths of a pawn."""
    first = FIRST_WEIGHT + stage * len(parts)
    return (
        weights[first] * parts.material,
        weights[first + 1] * parts.pawn_structure,
        weights[first + 2] * parts.centre,
        weights[first + 3] * parts.mobility,
        weights[first + 4] * parts.king_safety,
    )


@compiled
def sef(weights, state):
    """The weighted sum of the components, in hundredths of a pawn."""
    return sum(weighted(weights, components(state), phase(weights, state)))


FEATURES = (*Components._fields, "phase", "own_pieces", "own_moves", "opponent_pieces")


@compiled
def sef_features(weights, state):
    """The weighted components, the phase, and the numbers of pieces and moves."""
    stage = phase(weights, state)
    return (
        *weighted(weights, components(state), stage),
        stage,
        popcount(state.mine),
        count_moves(state),
        popcount(state.theirs),
    )
