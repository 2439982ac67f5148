"""Evaluator of Quixo: lines by the number of cubes on them."""

from typing import NamedTuple

import numpy as np

from plies.core import Evaluator, Features, compiled, inlined, popcount
from plies.games.quixo import LARGEST

# Two tables instead of a loop over the lines: CUBES cells at a time give the cubes on every
# line, packed as COUNT_BITS bits each; COUNTS of these at a time give the value.
CUBES = 7
COUNT_BITS = 3
COUNTS = 3
SOME_CUBES = (1 << CUBES) - 1
SOME_COUNTS = (1 << COUNTS * COUNT_BITS) - 1


class Lines(NamedTuple):
    """The weights of the mover's lines and of the opponent's."""

    own: int = 1
    other: int = 1


def line_value(cubes: int) -> int:
    """The value of a line with this number of a player's cubes."""
    return cubes * 3**cubes


def line_masks(n: int) -> list[int]:
    """The cells of every row, column and diagonal, as bits."""
    rows = [[y * n + x for x in range(n)] for y in range(n)]
    columns = [[y * n + x for y in range(n)] for x in range(n)]
    diagonals = [[y * n + y for y in range(n)], [y * n + n - 1 - y for y in range(n)]]
    return [sum(1 << cell for cell in line) for line in rows + columns + diagonals]


def _counts_of_cubes() -> np.ndarray:
    """[n, part of the board, cubes in it] -> cubes on every line, packed."""
    parts = -(-LARGEST * LARGEST // CUBES)
    table = np.zeros((LARGEST + 1, parts, 1 << CUBES), np.int64)
    cubes = np.arange(1 << CUBES)
    for n in range(LARGEST + 1):
        masks = line_masks(n)
        for cell in range(n * n):
            part, bit = divmod(cell, CUBES)
            through = [line for line, mask in enumerate(masks) if mask >> cell & 1]
            table[n, part] += (cubes >> bit & 1) * sum(1 << line * COUNT_BITS for line in through)
    return table


def _value_of_counts() -> np.ndarray:
    """Packed cubes of COUNTS lines -> the value of these lines."""
    table = np.zeros(SOME_COUNTS + 1, np.int64)
    for packed in range(len(table)):
        counts = [packed >> index * COUNT_BITS & 7 for index in range(COUNTS)]
        table[packed] = sum(line_value(count) for count in counts)
    return table


COUNTS_OF_CUBES = _counts_of_cubes()
VALUE_OF_COUNTS = _value_of_counts()


@inlined
def packed_counts(cubes, n):
    """The number of a player's cubes on every line, packed."""
    # Counts of different lines never carry into each other: COUNT_BITS hold up to 7.
    counts = 0
    part = 0
    while cubes:
        counts += COUNTS_OF_CUBES[n, part, cubes & SOME_CUBES]
        cubes >>= CUBES
        part += 1
    return counts


@compiled
def value_of_lines(cubes, n):
    """The value of one player's lines."""
    counts = packed_counts(cubes, n)
    value = 0
    while counts:
        value += VALUE_OF_COUNTS[counts & SOME_COUNTS]
        counts >>= COUNTS * COUNT_BITS
    return value


@compiled
def lines(weights, state):
    """m * 3**m for every line with m own cubes, less the same for the opponent."""
    own, other = value_of_lines(state.mine, state.n), value_of_lines(state.theirs, state.n)
    return weights.own * own - weights.other * other


# Features: lines by the number of a player's cubes on them; more than four count as four.
LENGTHS = (1, 2, 3, 4)
FEATURES = (
    *("own_cubes", *(f"own_lines_{length}" for length in LENGTHS)),
    *("other_cubes", *(f"other_lines_{length}" for length in LENGTHS)),
)


@compiled
def lines_by_length(cubes, n):
    """The numbers of lines with one, two, three, and four or more of a player's cubes."""
    counts = packed_counts(cubes, n)
    one = two = three = four = 0
    while counts:
        count = counts & 7
        one += count == 1
        two += count == 2
        three += count == 3
        four += count >= 4
        counts >>= COUNT_BITS
    return one, two, three, four


@compiled
def line_features(weights, state):
    """The cubes of each player and its lines by length."""
    return (
        popcount(state.mine),
        *lines_by_length(state.mine, state.n),
        popcount(state.theirs),
        *lines_by_length(state.theirs, state.n),
    )


EVALUATORS = {
    "lines": Evaluator(lines, Lines(), unit=150, features=Features(FEATURES, line_features))
}
