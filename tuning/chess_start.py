"""Where the tuning of the strong chess evaluation starts: rules of thumb, as formulas.

The same numbers are what the fit is drawn towards where positions say little.
"""

import numpy as np

from plies.core import compiled, lowest_bit
from plies.evaluators.chess.strong import tapered, terms
from plies.evaluators.chess.weights import DANGER_STEPS, packed_table
from plies.games.chess.piece_squares import pack
from plies.games.chess.state import ONE, sets_by_kind

PIECE_VALUES = {"pawn": 100, "knight": 320, "bishop": 330, "rook": 500, "queen": 900, "king": 0}


def _centrality(square: int) -> int:
    """0 in a corner, 6 in the centre."""
    file, rank = square % 8, square // 8
    return min(file, 7 - file) + min(rank, 7 - rank)


def _middlegame_value(kind: str, square: int) -> int:
    file, rank = square % 8, square // 8
    if kind == "pawn":
        return 4 * (rank - 1) + (10 if file in (3, 4) and rank in (3, 4) else 0)
    if kind == "king":
        return 15 * (file in (1, 2, 6)) - 20 * rank - 15 * (2 <= file <= 5)
    slope = {"knight": 8, "bishop": 4, "rook": 1, "queen": 1}[kind]
    return slope * (_centrality(square) - 3) - (10 if rank == 0 and kind != "rook" else 0)


def _endgame_value(kind: str, square: int) -> int:
    rank = square // 8
    if kind == "pawn":
        return 5 * (rank - 1)
    slope = {"knight": 6, "bishop": 3, "rook": 0, "queen": 3, "king": 10}[kind]
    return slope * (_centrality(square) - 3)


def placed(kind: str, square: int) -> tuple[int, int]:
    """What a white piece is worth on a square, middlegame and endgame."""
    worth = PIECE_VALUES[kind]
    return worth + _middlegame_value(kind, square), worth + _endgame_value(kind, square)


def _line(count: int, slope: int, middle: int) -> list[int]:
    return [slope * (index - middle) for index in range(count)]


MIDDLEGAME = {
    "tempo": [20],
    "bishop_pair": [25],
    "bishop_pawns": [-3],
    "knight_pawns": [3],
    "rook_pawns": [-3],
    "knight_outpost": [25],
    "bishop_outpost": [15],
    "minor_behind_pawn": [5],
    "rook_open": [30],
    "rook_half_open": [12],
    "space": [1],
    "knight_mobility": _line(9, 4, 4),
    "bishop_mobility": _line(14, 4, 6),
    "rook_mobility": _line(15, 2, 7),
    "queen_mobility": _line(28, 1, 14),
    "doubled": [-5],
    "isolated": [-10],
    "backward": [-8],
    "phalanx": [0, 3, 6, 10, 18, 30, 60, 0],
    "supported": [0, 0, 8, 8, 10, 25, 50, 0],
    "passed": [0, 0, 0, 10, 20, 40, 80, 0],
    "passed_blocked": [0, 0, 0, -5, -8, -15, -25, 0],
    "passed_attacked": [0, 0, 0, 0, -5, -10, -20, 0],
    "passed_free": [0, 0, 0, 0, 5, 10, 20, 0],
    "passed_supported": [0, 0, 0, 0, 5, 10, 20, 0],
    "passed_own_king_distance": [0] * 8,
    "passed_enemy_king_distance": [0] * 8,
    "pawn_threat": [40, 40],
    "push_threat": [10, 10],
    "hanging": [25, 25],
    "king_threat": [10, 10],
    "minor_threat": [5, 20, 30, 35, 5, 20, 30, 35],
    "rook_threat": [3, 12, 30, 3, 12, 30],
    "king_danger": [-min(units * units * 2 // 3, 400) for units in range(DANGER_STEPS)],
    "pawn_shield": [-25, 15, 8, -4, -10, -14, -18, 0, -20, 18, 10, 0, -8, -12, -16, 0],
    "pawn_storm": [0, 0, -25, -15, -5, 0, 0, 0, 0, 0, -20, -10, -4, 0, 0, 0],
    "blocked_pawn_storm": [0, 0, -10, -5, 0, 0, 0, 0],
}
ENDGAME = MIDDLEGAME | {
    "bishop_pair": [50],
    "rook_open": [12],
    "space": [0],
    "doubled": [-15],
    "isolated": [-12],
    "rook_mobility": _line(15, 4, 7),
    "queen_mobility": _line(28, 2, 14),
    "passed": [0, 5, 10, 25, 50, 90, 150, 0],
    "passed_blocked": [0, 0, 0, -10, -15, -30, -50, 0],
    "passed_attacked": [0, 0, 0, -5, -10, -25, -40, 0],
    "passed_free": [0, 0, 0, 5, 10, 25, 40, 0],
    "passed_own_king_distance": _line(8, -4, 0),
    "passed_enemy_king_distance": _line(8, 6, 0),
    "king_danger": [-min(units * units // 8, 80) for units in range(DANGER_STEPS)],
    "pawn_shield": [0] * 16,
    "pawn_storm": [0] * 16,
    "blocked_pawn_storm": [0] * 8,
}

TABLE = packed_table(MIDDLEGAME, ENDGAME)
PIECE_SQUARES = np.array(
    [pack(*placed(kind, square)) for kind in PIECE_VALUES for square in range(64)], np.int64
)


@compiled
def placement(state, side, turn):
    """What the pieces in `side`, of the player `turn`, are worth where they stand."""
    total = 0
    kinds = sets_by_kind(state)
    for kind in range(len(kinds)):
        pieces = kinds[kind] & side
        while pieces:
            total += PIECE_SQUARES[kind << 6 | lowest_bit(pieces) ^ 56 * turn]
            pieces &= pieces - ONE
    return total


@compiled
def start_value(state):
    """The strong evaluation with these weights instead of the tuned ones."""
    own, other = state.turn, state.turn ^ 1
    placed = placement(state, state.mine, own) - placement(state, state.theirs, other)
    return tapered(placed + terms(TABLE, state), state)
