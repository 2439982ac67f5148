"""The position of a Seega game as numbers, and its moves."""

from typing import NamedTuple

STOP = 0  # no step ends where it began


class State(NamedTuple):
    """Cell (x, y) is bit y * (size + 1) + x; one spare column keeps steps from wrapping.

    A move that places is the number of the cell's bit, a step is 64 * (the number of the
    bit it comes from) + (of the bit it goes to), and `stop` is STOP.
    """

    mine: int  # the pieces of the player to move
    theirs: int
    turn: int
    left: int  # how many pieces are still to be placed, both players together
    going: int  # the bit of the piece that may go on capturing, or 0
    quiet: int  # steps since the last capture
    size: int
    chain: int  # whether a piece that has captured may go on
    limit: int
