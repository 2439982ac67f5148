"""The weights of the strong evaluation, but for those of `plies.games.chess.piece_squares`.

In centipawns, for the middlegame and for the endgame.  Lists go by count or by rank:
mobility by reachable squares, pawns by the rank they stand on, `king_danger` by half the
attack units, distances in king's steps, threats for the waiting side and the mover.
"""

from collections import namedtuple
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain

import numpy as np

from plies.games.chess.piece_squares import pack

DANGER_STEPS = 32

# fmt: off
MIDDLEGAME = {
    # The right to move.
    "tempo": [24],
    # Pieces: pairs, outposts, files; `space` counts safe squares behind the pawns.
    "bishop_pair": [63],
    "bishop_pawns": [-1],
    "knight_pawns": [16],
    "rook_pawns": [-6],
    "knight_outpost": [23],
    "bishop_outpost": [12],
    "minor_behind_pawn": [6],
    "rook_open": [30],
    "rook_half_open": [22],
    "space": [1],
    # Mobility, by the number of squares a piece can go to.
    "knight_mobility": [-14, 0, 6, 11, 19, 23, 32, 29, 25],
    "bishop_mobility": [-12, -2, 9, 15, 19, 24, 28, 20, 18, 14, 15, 17, 22, 26],
    "rook_mobility": [-48, -42, -36, -27, -28, -25, -18, -19, -11, -12, -8, -12, -14, -10, -6],
    "queen_mobility": [-25, -17, -15, -13, -10, -7, -6, -4, -2, -1, 0, 3, 0, 1, 5, 4, 0, 5, 3,
        5, 6, 10, 12, 11, 11, 12, 12, 13],
    # Pawn structure; phalanx and supported pawns by rank.
    "doubled": [-16],
    "isolated": [-9],
    "backward": [-1],
    "phalanx": [0, 5, 6, 9, 21, 36, 64, 0],
    "supported": [0, 0, 13, 5, 15, 36, 61, 0],
    # Passed pawns by rank, king distances in steps.
    "passed": [0, -7, -12, -6, 10, 32, 80, 0],
    "passed_blocked": [0, 16, 10, 2, -6, -10, -23, 0],
    "passed_attacked": [0, 3, 0, 0, 3, -3, -8, 0],
    "passed_free": [0, -7, -8, -8, 4, 7, 12, 0],
    "passed_supported": [0, 7, 2, 5, 15, 25, 38, 0],
    "passed_own_king_distance": [2, 2, 3, -2, -7, -11, -7, -12],
    "passed_enemy_king_distance": [5, -5, 3, -2, -11, -9, -5, -9],
    # Threats: of the waiting side, then of the mover.
    "pawn_threat": [59, 90],
    "push_threat": [14, 17],
    "hanging": [15, 27],
    "king_threat": [18, 29],
    "minor_threat": [11, 18, 56, 53, 10, 15, 79, 63],
    "rook_threat": [-7, 21, 58, 0, 23, 62],
    # King safety: danger by half the attack units; shield and storm by rank, king's file first.
    "king_danger": [3, 3, 3, -3, -6, -8, -13, -24, -35, -52, -70, -87, -104, -120, -131, -153, -172,
        -196, -220, -243, -269, -297, -325, -354, -385, -401, -400, -400, -400, -400, -400,
        -400],
    "pawn_shield": [-27, 18, 9, -1, -1, -29, -17, 0, -17, 9, 1, -2, -3, -5, -11, 0],
    "pawn_storm": [-16, -3, -20, -2, -5, 2, -2, 0, 0, -1, -36, -7, 3, 9, 5, 0],
    "blocked_pawn_storm": [0, 0, -18, 1, 3, -3, -4, 0],
}
ENDGAME = {
    "tempo": [14],
    "bishop_pair": [30],
    "bishop_pawns": [-6],
    "knight_pawns": [-2],
    "rook_pawns": [-12],
    "knight_outpost": [7],
    "bishop_outpost": [-7],
    "minor_behind_pawn": [15],
    "rook_open": [4],
    "rook_half_open": [13],
    "space": [-6],
    "knight_mobility": [-35, -30, -18, -6, -4, -7, 2, 3, 0],
    "bishop_mobility": [-41, -22, -4, 2, 1, 12, 9, 9, 11, 14, 18, 20, 25, 27],
    "rook_mobility": [-38, -32, -25, -15, -5, 2, 5, 6, 2, 7, 14, 19, 19, 25, 24],
    "queen_mobility": [-32, -31, -30, -29, -27, -24, -16, -9, -2, -1, 4, 8, 9, 12, 17, 18, 17,
        21, 18, 17, 16, 20, 20, 20, 21, 22, 24, 25],
    "doubled": [-5],
    "isolated": [-7],
    "backward": [-12],
    "phalanx": [0, -1, -6, 2, 8, 34, 66, 0],
    "supported": [0, 0, 11, 1, 15, 31, 57, 0],
    "passed": [0, 20, 20, 22, 41, 93, 161, 0],
    "passed_blocked": [0, 4, 3, -10, -26, -51, -70, 0],
    "passed_attacked": [0, -14, -16, -35, -39, -51, -51, 0],
    "passed_free": [0, 3, 3, 4, 19, 31, 40, 0],
    "passed_supported": [0, 5, 9, 7, 6, 14, 24, 0],
    "passed_own_king_distance": [9, 19, 1, -8, -11, -14, -14, -26],
    "passed_enemy_king_distance": [-1, 14, 17, 33, 44, 45, 42, 41],
    "pawn_threat": [46, 80],
    "push_threat": [17, 21],
    "hanging": [21, 55],
    "king_threat": [33, 20],
    "minor_threat": [-2, 21, 20, 32, -24, 21, 59, 48],
    "rook_threat": [29, 34, 15, 3, 22, 44],
    "king_danger": [11, 9, 6, 4, -5, -11, -10, -17, -18, -18, -19, -23, -21, -22, -21, -24, -27,
        -31, -35, -42, -48, -54, -59, -65, -70, -77, -79, -79, -80, -79, -80, -80],
    "pawn_shield": [-2, -1, -12, 2, 1, 4, 7, 0, 4, -1, -4, -3, -7, 4, 7, 0],
    "pawn_storm": [-2, 5, 1, 16, 5, 1, -4, 0, -2, 4, 1, 3, 0, -4, -8, 0],
    "blocked_pawn_storm": [0, 0, -12, 18, 5, -10, -15, 0],
}
# fmt: on


def packed_table(
    middlegame: Mapping[str, Sequence[int]], endgame: Mapping[str, Sequence[int]]
) -> np.ndarray:
    """All weights in a row, packed: middlegame and endgame in one number."""
    pairs = (zip(middlegame[name], endgame[name], strict=True) for name in middlegame)
    return np.array([pack(*pair) for pair in chain.from_iterable(pairs)], np.int64)


TABLE = packed_table(MIDDLEGAME, ENDGAME)
# The index in the table of the first weight of each name: `TABLE[OFFSETS.passed + rank]`.
Offsets = namedtuple("Offsets", MIDDLEGAME)
OFFSETS = Offsets(*accumulate([0, *map(len, MIDDLEGAME.values())][:-1]))
