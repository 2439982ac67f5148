"""Positions and moves of Seega as numbers."""

from typing import NamedTuple

STOP = 0  # no step ends where it began


class State(NamedTuple):
    """Cell (x, y) is bit y * (size + 1) + x; one spare column keeps steps from wrapping.

    A move places a piece (the index of the cell's bit), or steps (64 * index of the origin
    + index of the target), or is STOP.
    """

    mine: int  # the pieces of the player to move
    theirs: int
    turn: int
    to_place: int  # pieces still to be placed, of both players
    chaining: int  # the bit of the piece that may go on capturing, or 0
    quiet: int  # steps since the last capture
    size: int
    chain: int  # whether a piece that has captured may go on
    limit: int
