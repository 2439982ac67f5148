"""Which squares a piece attacks.

Kings, knights and pawns look up a table.  Sliding pieces use hyperbola quintessence (the
"o ^ (o - 2r)" trick of Aleks Peczkowski and Gerd Isenberg): on a line, `occupied - slider`
borrows through the empty squares up to the first blocker above the slider; the same with
the bytes reversed finds the first blocker below.  That works on files and diagonals; a
rank lies within one byte and is looked up by its six inner squares (first-rank attacks).
"""

from collections.abc import Iterable

import numpy as np

from plies.core import compiled, inlined
from plies.core.bits import byte_reversed, difference, lowest_bit
from plies.games.chess.state import NONE, WHITE, U, bit, kings

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _square(file: int, rank: int) -> int:
    """The number of a square, 0 to 63, or -1 off the board."""
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else -1


def _set(squares: Iterable[int]) -> int:
    return sum(1 << square for square in squares if square >= 0)


def _ray(square: int, step: tuple[int, int]) -> list[int]:
    """The squares from a square (not included) to the edge."""
    file, rank = square % 8 + step[0], square // 8 + step[1]
    squares = []
    while (reached := _square(file, rank)) >= 0:
        squares.append(reached)
        file, rank = file + step[0], rank + step[1]
    return squares


def _table(sets: Iterable[int]) -> np.ndarray:
    return np.array([U(squares) for squares in sets], np.uint64)


def _leaps(steps: Iterable[tuple[int, int]]) -> np.ndarray:
    steps = tuple(steps)
    return _table(
        _set(_square(square % 8 + file, square // 8 + rank) for file, rank in steps)
        for square in range(64)
    )


def _line(*steps: tuple[int, int]) -> np.ndarray:
    return _table(sum(_set(_ray(square, step)) for step in steps) for square in range(64))


def _rank_attacks() -> np.ndarray:
    """[file * 64 + the six inner squares occupied] -> attacked squares of the first rank."""
    table = []
    for file in range(8):
        for inner in range(64):
            attacked = 0
            for step in (1, -1):
                for square in range(file + step, 8 if step > 0 else -1, step):
                    attacked |= 1 << square
                    if inner << 1 >> square & 1:
                        break
            table.append(attacked)
    return _table(table)


def _between() -> np.ndarray:
    """[square * 64 + other] -> the squares between two squares of a line, else none."""
    table = np.zeros(64 * 64, np.uint64)
    for square in range(64):
        for step in STRAIGHT + DIAGONAL:
            ray = _ray(square, step)
            for index, other in enumerate(ray):
                table[square * 64 + other] = U(_set(ray[:index]))
    return table


KNIGHT_ATTACKS = _leaps(KNIGHT_STEPS)
KING_ATTACKS = _leaps(STRAIGHT + DIAGONAL)
PAWN_ATTACKS = np.concatenate((_leaps(((-1, 1), (1, 1))), _leaps(((-1, -1), (1, -1)))))
FILES, RISING, FALLING = (
    _line((0, 1), (0, -1)),
    _line((1, 1), (-1, -1)),
    _line((1, -1), (-1, 1)),
)
STRAIGHT_LINES, DIAGONAL_LINES = _line(*STRAIGHT), _line(*DIAGONAL)
RANK_ATTACKS = _rank_attacks()
BETWEEN = _between()

FILE_A, FILE_H = U(_set(range(0, 64, 8))), U(_set(range(7, 64, 8)))
NOT_A, NOT_H = ~FILE_A, ~FILE_H
SEVEN, EIGHT, NINE, SIXTY_THREE = U(7), U(8), U(9), U(63)


@inlined
def _line_attacks(slider, occupied, line):
    """A slider's attacks on a file or diagonal; `line` does not contain the slider."""
    # Above the slider by subtraction, below it by the same on the board upside down.
    blockers = occupied & line
    above = difference(blockers, slider)
    below = difference(byte_reversed(blockers), byte_reversed(slider))
    return (above ^ byte_reversed(below)) & line


@inlined
def bishop_attacks(square, occupied):
    slider = bit(square)
    return _line_attacks(slider, occupied, RISING[square]) | _line_attacks(
        slider, occupied, FALLING[square]
    )


@inlined
def rook_attacks(square, occupied):
    # The edge squares of a rank block nothing, so six inner bits suffice as an index.
    first = U(square & 56)
    inner = np.int64((occupied >> (first + U(1))) & SIXTY_THREE)
    along = RANK_ATTACKS[(square & 7) << 6 | inner] << first
    return along | _line_attacks(bit(square), occupied, FILES[square])


@inlined
def pawn_attacks(pawns, turn):
    """The squares that a side's pawns attack, all at once."""
    # The masks keep captures from wrapping around the edge files.
    if turn == WHITE:
        return (pawns & NOT_A) << SEVEN | (pawns & NOT_H) << NINE
    return (pawns & NOT_A) >> NINE | (pawns & NOT_H) >> SEVEN


@inlined
def attacked_by(state, side, turn, occupied):
    """All squares that the pieces in `side`, which belong to the player `turn`, attack."""
    attacked = pawn_attacks(state.pawns & side, turn)
    knights = state.knights & side
    while knights:
        attacked |= KNIGHT_ATTACKS[lowest_bit(knights)]
        knights &= knights - U(1)
    sliders = state.diagonal & side
    while sliders:
        attacked |= bishop_attacks(lowest_bit(sliders), occupied)
        sliders &= sliders - U(1)
    sliders = state.straight & side
    while sliders:
        attacked |= rook_attacks(lowest_bit(sliders), occupied)
        sliders &= sliders - U(1)
    return attacked | KING_ATTACKS[lowest_bit(kings(state) & side)]


@compiled
def attackers(state, side, turn, square, occupied):
    """The pieces in `side`, which belong to the player `turn`, that attack a square.

    Looked at from the square: a knight there would attack exactly the knights attacking it.
    """
    pawns = PAWN_ATTACKS[(turn ^ 1) << 6 | square] & state.pawns
    return (pawns | attacking_pieces(state, square, occupied)) & side


@inlined
def attacking_pieces(state, square, occupied):
    """The pieces of either side but pawns that attack a square."""
    knights = KNIGHT_ATTACKS[square] & state.knights
    diagonal = bishop_attacks(square, occupied) & state.diagonal
    straight = rook_attacks(square, occupied) & state.straight
    return knights | diagonal | straight | KING_ATTACKS[square] & kings(state)


@compiled
def is_in_check(state):
    """Whether the king of the player to move is attacked."""
    king = lowest_bit(kings(state) & state.mine)
    occupied = state.mine | state.theirs
    return attackers(state, state.theirs, state.turn ^ 1, king, occupied) != NONE
