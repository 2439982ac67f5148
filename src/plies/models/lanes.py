"""Sums of many small numbers at once: four of them are packed into a word.

What is on in a position (the game's `inputs`) adds a row of numbers each.  Rows are kept in
groups of `AT_ONCE` numbers, four words of four lanes, which are summed without unpacking.
A sum must stay within its lane: from 0 to `LANE`.
"""

from typing import Any

import numpy as np
from numba.extending import overload

from plies.compiling.compiler import inlined
from plies.core import verbs
from plies.core.memory import load
from plies.core.verbs import rule_of

LANES, LANE_BITS = 4, 16
LANE = (1 << LANE_BITS) - 1
WORDS = 4
AT_ONCE = WORDS * LANES


def groups_of(count: int) -> int:
    """How many groups so many numbers make."""
    return -(-count // AT_ONCE)


def packed(rows: np.ndarray) -> np.ndarray:
    """Rows of numbers, [input, number], as words: [group, input, word]."""
    inputs, count = rows.shape
    groups = groups_of(count)
    padded = np.pad(rows.astype(np.int64), ((0, 0), (0, groups * AT_ONCE - count)))
    lanes = padded.reshape(inputs, groups, WORDS, LANES) << np.arange(LANES) * LANE_BITS
    return lanes.sum(axis=3).transpose(1, 0, 2)


def has_inputs(state: Any, count: int) -> bool:
    """Whether a state has so many inputs; of a board of another size it has not, and the rows
    of its inputs may be outside the arrays.
    """
    return verbs.input_count(state) == count


@overload(has_inputs)
def _choose_has_inputs(state, count):
    own = rule_of(state, "input_count")
    if own is None:
        return lambda state, count: count == 0
    return lambda state, count: own(state) == count


@inlined
def summed(address, on, place, sums):
    """Four words: `sums`, and to them the rows of the inputs that are on, of the group that
    begins at `place`.
    """
    first, second, third, fourth = sums
    for number in on:
        row = place + number * WORDS
        first += load(address, row)
        second += load(address, row + 1)
        third += load(address, row + 2)
        fourth += load(address, row + 3)
    return first, second, third, fourth
