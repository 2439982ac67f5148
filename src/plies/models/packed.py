"""What networks and n-tuple tables share: rows of numbers that the active inputs add up.

Sums are of many small numbers at once: SIMD within a register (Lamport 1975).  Each active
input of a position (the game's `inputs`) adds a row of numbers.  A row is cut into groups of
`GROUP` numbers, four words of four lanes, which are added without unpacking.  A sum must stay
within its lane: from 0 to `LANE`.

Values are learned in logits: the hyperbolic tangent is the expected result.  0 is a draw, 1
logit an expected result of 0.76, where a win is 1.  Evaluators answer whole numbers, so
theirs are in thousandths of a logit.
"""

import hashlib

import numpy as np

from plies.compiling.compiler import inlined
from plies.core.memory import load

THOUSAND = 1000
UNIT = 300  # thousandths of a logit, a small but clear advantage: an expected result of 0.29

LANES, LANE_BITS = 4, 16
LANE = (1 << LANE_BITS) - 1
WORDS = 4
GROUP = WORDS * LANES

_arrays: dict[bytes, np.ndarray] = {}  # never freed: a record may live as long as the process


def address_of(array: np.ndarray) -> int:
    """The address of a copy of the array that never moves; equal contents share one copy.

    Compiled code gets the address instead of the array: an array in a record is
    reference-counted at every call that takes the record, which costs alpha-beta several
    times what a small evaluator costs.
    """
    content = np.array(array, order="C").ravel()
    digest = hashlib.blake2b(content.data, person=content.dtype.str.encode()).digest()
    return _arrays.setdefault(digest, content).ctypes.data


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
