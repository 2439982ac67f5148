"""Evaluators of Seega: captures alone, and a positional evaluation of both phases."""

from typing import NamedTuple

import numpy as np

from plies.core import Evaluator, Features, compiled, inlined, popcount
from plies.core.verbs import Measure
from plies.games.seega.cells import CELLS, CENTRE, SIZES, captured, neighbours


@compiled
def basic(state):
    """The number of pieces the mover has captured; its own losses do not count."""
    if state.to_place:
        return 0
    return state.size * state.size // 2 - popcount(state.theirs)


class Improved(NamedTuple):
    """Weights; each term counts for its player and against the other.

    `partner`: a step into the empty centre captures a piece beside it if the cell behind
    that piece, two from the centre, is the player's own.  On the board of five these cells
    are the middles of the border.
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
    danger: int = 3  # an own piece that an enemy piece, itself safe, could capture next
    boring: int = 10  # against the player with fewer pieces, at the limit of quiet steps


class Tuned(NamedTuple):
    """The weights of `Improved` in tenths, tuned by games of `plies train weights`."""

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
    """The bits at a distance right, left, above and below the centre; 0 off the board."""
    bits = [int(CENTRE[size]) << distance, int(CENTRE[size]) >> distance]
    up = (size + 1) * distance
    bits += [int(CENTRE[size]) << up, int(CENTRE[size]) >> up]
    return [bit & int(CELLS[size]) for bit in bits]


def _border(size: int) -> int:
    """The cells at the edge of the board."""
    inner = sum(((1 << size - 2) - 1) << y * (size + 1) + 1 for y in range(1, size - 1))
    return int(CELLS[size]) & ~inner


def _by_size(rows: list[list[int]]) -> np.ndarray:
    """[size, direction] -> bit; 0 for sizes without a board."""
    table = np.zeros((SIZES[-1] + 1, 4), np.int64)
    for size, row in zip(SIZES, rows, strict=True):
        table[size] = row
    return table


NEAR = _by_size([_beside(size, 1) for size in SIZES])
FAR = _by_size([_beside(size, 2) for size in SIZES])
BORDER = np.array([_border(size) if size in SIZES else 0 for size in range(SIZES[-1] + 1)])


@inlined
def placement_features(own, size):
    """Of one player's pieces: beside the centre (at most two), partners, on the border, backed."""
    beside = partners = backed = far = 0
    for direction in range(4):
        far |= own & FAR[size, direction]
    for direction in range(4):
        if own & NEAR[size, direction]:
            beside += 1
            partners += far & ~FAR[size, direction] != 0
            backed += far & FAR[size, direction] != 0
    return min(beside, 2), partners, popcount(own & BORDER[size]), backed


@compiled
def placement_value(weights, own, size, is_first):
    """The value of one player's pieces while pieces are placed."""
    beside, partners, border, backed = placement_features(own, size)
    value = weights.beside * beside + weights.partner * partners
    value += weights.border * border
    return value + weights.backed * backed * is_first


@inlined
def piece_features(state):
    """The mover's lead in pieces, on the centre and in contacts; threats and dangers."""
    mine, theirs, size = state.mine, state.theirs, state.size
    up = size + 1
    empty = CELLS[size] & ~(mine | theirs)
    lead = popcount(mine) - popcount(theirs)
    centre = popcount(mine & CENTRE[size]) - popcount(theirs & CENTRE[size])
    contacts = popcount(theirs & neighbours(mine, up)) - popcount(mine & neighbours(theirs, up))
    # All cells that a piece could step to are tried at once: a threat counts each victim once.
    targets = captured(empty & neighbours(mine, up), mine, theirs, size)
    # Enemies that can be captured now pose no danger: they will be gone.
    safe = theirs & ~targets
    dangers_of_mine = captured(empty & neighbours(safe, up), theirs, mine, size)
    return lead, centre, contacts, popcount(targets), popcount(dangers_of_mine)


@compiled
def movement_value(weights, state):
    """The value of the pieces to the mover, once all have been placed."""
    lead, centre, contacts, threats, dangers = piece_features(state)
    value = weights.piece * lead + weights.centre * centre + weights.contact * contacts
    value += weights.threat * threats - weights.danger * dangers
    # The leader gains, or with a negative weight loses, as the quiet steps run out.
    boring = weights.boring * state.quiet // state.limit
    return value + (boring if lead > 0 else -boring if lead < 0 else 0)


@compiled
def improved(weights, state):
    """The mover's advantage by placement, contacts and possible captures."""
    if state.to_place == 0:
        return movement_value(weights, state)
    own = placement_value(weights, state.mine, state.size, state.turn == 0)
    return own - placement_value(weights, state.theirs, state.size, state.turn == 1)


FEATURES = (
    *("left", "own_pieces", "other_pieces", "beside", "partner", "border", "backed"),
    *("centre", "contact", "threat", "danger", "quiet"),
)


@compiled
def improved_features(weights, state):
    """The terms of `Improved`: the mover's less the opponent's, where both have them.

    While pieces are placed the last five are 0, later the four before them.  `left` is the
    number of pieces still to be placed, `quiet` of the steps since the last capture.
    """
    pieces = (state.to_place, popcount(state.mine), popcount(state.theirs))
    if state.to_place == 0:
        _, centre, contacts, threats, dangers = piece_features(state)
        return (*pieces, 0, 0, 0, 0, centre, contacts, threats, dangers, state.quiet)
    own, other = (
        placement_features(state.mine, state.size),
        placement_features(state.theirs, state.size),
    )
    return (
        *pieces,
        own[0] - other[0],
        own[1] - other[1],
        own[2] - other[2],
        own[3] * (state.turn == 0) - other[3] * (state.turn == 1),
        *(0, 0, 0, 0, 0),
    )


PARTS = Features(FEATURES, improved_features)
PIECE = "piece"
EVALUATORS = {
    "improved": Evaluator(
        improved, Improved(), unit=5, features=PARTS, measure=Measure(Improved().piece, PIECE)
    ),
    "basic": Evaluator(basic, measure=Measure(1, PIECE)),
    "tuned": Evaluator(
        improved, Tuned(), unit=50, features=PARTS, measure=Measure(Tuned().piece, PIECE)
    ),
}
