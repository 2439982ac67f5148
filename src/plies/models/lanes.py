"""Sums of many small numbers at once: SIMD within a register (Lamport 1975).

Each active input of a position (the game's `inputs`) adds a row of numbers.  A row is cut
into groups of `GROUP` numbers, four words of four lanes, which are added without unpacking.
A sum must stay within its lane: from 0 to `LANE`.
"""

import numpy as np

from plies.compiling.compiler import inlined
from plies.core.memory import load

LANES, LANE_BITS = 4, 16
LANE = (1 << LANE_BITS) - 1
WORDS = 4
GROUP = WORDS * LANES


def groups_of(count: int) -> int:
    """The number of groups that `count` numbers fill."""
    return -(-count // GROUP)


def pack_rows(rows: np.ndarray) -> np.ndarray:
    """Rows [input, number] packed as words [group, input, word]."""
    inputs, count = rows.shape
    groups = groups_of(count)
    padded = np.pad(rows.astype(np.int64), ((0, 0), (0, groups * GROUP - count)))
    lanes = padded.reshape(inputs, groups, WORDS, LANES) << np.arange(LANES) * LANE_BITS
    return lanes.sum(axis=3).transpose(1, 0, 2)


@inlined
def sum_rows(address, active, start, sums):
    """Four words: `sums` plus the rows of the active inputs in the group from `start` on."""
    first, second, third, fourth = sums
    for number in active:
        row = start + number * WORDS
        first += load(address, row)
        second += load(address, row + 1)
        third += load(address, row + 2)
        fourth += load(address, row + 3)
    return first, second, third, fourth
