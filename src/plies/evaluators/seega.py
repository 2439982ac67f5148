"""Opinions about Seega: captures alone, and a two-phase judgement of position."""

from typing import NamedTuple

import numpy as np

from plies.core import Evaluator, Features, compiled, inlined, popcount
from plies.games.seega.cells import CELLS, CENTRE, SIZES, captured, neighbours


@compiled
def basic(state):
    """How many pieces the mover has captured; what the mover has lost does not count."""
    if state.left:
        return 0
    return state.size * state.size // 2 - popcount(state.theirs)


class Improved(NamedTuple):
    """What counts for a player, and against the other.

    A step into the empty centre captures a piece beside it if the cell behind that piece,
    two from the centre, is the player's own: that is what `partner` is about.  On the
    board of five these cells are the middles of the border.
    """

    # While pieces are placed:
    beside: int = 3  # a piece beside the centre, the first two of them
    partner: int = 3  # such a piece with an own piece across the centre or to its side
    border: int = 2  # a piece on the border
    backed: int = 2  # a piece beside the centre with an own piece behind it, X only
    # Afterwards:
    piece: int = 10  # a piece more than the opponent has
    centre: int = 2  # a piece on the centre
    contact: int = 1  # an enemy piece that stands next to an own piece
    threat: int = 3  # an enemy piece that the mover can capture now
    danger: int = 3  # a piece of the mover's that the opponent could capture next, by a
    # piece that the mover cannot capture now
    boring: int = 10  # against the player with fewer pieces, at the limit of quiet steps


class Tuned(NamedTuple):
    """The weights of `Improved` in tenths, as `plies train weights` found them by games."""

    beside: int = 4
    partner: int = -49
    border: int = -7
    backed: int = 69
    piece: int = 200
    centre: int = 9
    contact: int = 18
    threat: int = 95
    danger: int = 41
    boring: int = -134


def _beside(size: int, distance: int) -> list[int]:
    """The bits that far from the centre, right, left, up and down of it; 0 off the board."""
    bits = [int(CENTRE[size]) << distance, int(CENTRE[size]) >> distance]
    up = (size + 1) * distance
    bits += [int(CENTRE[size]) << up, int(CENTRE[size]) >> up]
    return [bit & int(CELLS[size]) for bit in bits]


def _border(size: int) -> int:
    """The cells at the edge of the board."""
    inner = sum(((1 << size - 2) - 1) << y * (size + 1) + 1 for y in range(1, size - 1))
    return int(CELLS[size]) & ~inner


def _by_size(rows: list[list[int]]) -> np.ndarray:
    """[size, direction] -> bit, with nothing for sizes that no board has."""
    table = np.zeros((SIZES[-1] + 1, 4), np.int64)
    for size, row in zip(SIZES, rows, strict=True):
        table[size] = row
    return table


NEAR = _by_size([_beside(size, 1) for size in SIZES])
FAR = _by_size([_beside(size, 2) for size in SIZES])
BORDER = np.array([_border(size) if size in SIZES else 0 for size in range(SIZES[-1] + 1)])


@inlined
def placed(own, size):
    """Of one player's pieces: beside the centre (at most two), partners, at the border, backed."""
    beside = partners = backed = far = 0
    for way in range(4):
        far |= own & FAR[size, way]
    for way in range(4):
        if own & NEAR[size, way]:
            beside += 1
            partners += far & ~FAR[size, way] != 0
            backed += far & FAR[size, way] != 0
    return min(beside, 2), partners, popcount(own & BORDER[size]), backed


@compiled
def placement(weights, own, size, is_first):
    """What one player's pieces are worth while pieces are placed."""
    beside, partners, border, backed = placed(own, size)
    value = weights.beside * beside + weights.partner * partners
    value += weights.border * border
    return value + weights.backed * backed * is_first


@inlined
def standing(state):
    """The mover's lead in pieces, on the centre and in contacts; threats, and dangers."""
    mine, theirs, size = state.mine, state.theirs, state.size
    up = size + 1
    empty = CELLS[size] & ~(mine | theirs)
    lead = popcount(mine) - popcount(theirs)
    centre = popcount(mine & CENTRE[size]) - popcount(theirs & CENTRE[size])
    touched = popcount(theirs & neighbours(mine, up)) - popcount(mine & neighbours(theirs, up))
    threatened = captured(empty & neighbours(mine, up), mine, theirs, size)
    firm = theirs & ~threatened
    endangered = captured(empty & neighbours(firm, up), theirs, mine, size)
    return lead, centre, touched, popcount(threatened), popcount(endangered)


@compiled
def balance(weights, state):
    """What the pieces on the board are worth to the mover once all have been placed."""
    lead, centre, touched, threats, dangers = standing(state)
    value = weights.piece * lead + weights.centre * centre + weights.contact * touched
    value += weights.threat * threats - weights.danger * dangers
    boring = weights.boring * state.quiet // state.limit
    return value + (boring if lead > 0 else -boring if lead < 0 else 0)


@compiled
def improved(weights, state):
    """The mover's advantage, by where the pieces stand and what they can capture."""
    if state.left == 0:
        return balance(weights, state)
    own = placement(weights, state.mine, state.size, state.turn == 0)
    return own - placement(weights, state.theirs, state.size, state.turn == 1)


FEATURES = (
    *("left", "own_pieces", "other_pieces", "beside", "partner", "border", "backed"),
    *("centre", "contact", "threat", "danger", "quiet"),
)


@compiled
def improved_features(weights, state):
    """What `Improved` weighs; while pieces are placed the last five are 0, later the four before.

    Those that both players have are the mover's less the opponent's; `left` is how many
    pieces are still to be placed, `quiet` how many steps ago the last was captured.
    """
    pieces = (state.left, popcount(state.mine), popcount(state.theirs))
    if state.left == 0:
        _, centre, touched, threats, dangers = standing(state)
        return (*pieces, 0, 0, 0, 0, centre, touched, threats, dangers, state.quiet)
    own, other = placed(state.mine, state.size), placed(state.theirs, state.size)
    return (
        *pieces,
        own[0] - other[0],
        own[1] - other[1],
        own[2] - other[2],
        own[3] * (state.turn == 0) - other[3] * (state.turn == 1),
        *(0, 0, 0, 0, 0),
    )


PARTS = Features(FEATURES, improved_features)
EVALUATORS = {
    "improved": Evaluator(improved, Improved(), unit=5, features=PARTS),
    "basic": Evaluator(basic),
    "tuned": Evaluator(improved, Tuned(), unit=50, features=PARTS),
}
