"""Opinions about Quixo."""

from typing import NamedTuple

import numpy as np

from plies.core import Evaluator, Features, compiled, inlined, popcount
from plies.games.quixo import LARGEST

# A player's cubes are looked up CUBES at a time.  That gives the number of cubes on
# every line, packed into COUNT_BITS each, and these are looked up COUNTS at a time.
CUBES = 7
COUNT_BITS = 3
COUNTS = 3
SOME_CUBES = (1 << CUBES) - 1
SOME_COUNTS = (1 << COUNTS * COUNT_BITS) - 1


class Lines(NamedTuple):
    """How much the mover's lines and the opponent's weigh."""

    own: int = 1
    other: int = 1


def line_worth(cubes: int) -> int:
    """What a line with that many cubes of a player is worth to that player."""
    return cubes * 3**cubes


def line_masks(n: int) -> list[int]:
    """The cells of every row, column and diagonal, as bits."""
    rows = [[y * n + x for x in range(n)] for y in range(n)]
    columns = [[y * n + x for y in range(n)] for x in range(n)]
    diagonals = [[y * n + y for y in range(n)], [y * n + n - 1 - y for y in range(n)]]
    return [sum(1 << cell for cell in line) for line in rows + columns + diagonals]


def _counts_of_cubes() -> np.ndarray:
    """[n, part of the board, cubes in it] -> the packed number of them on every line."""
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


def _worth_of_counts() -> np.ndarray:
    """Packed numbers of cubes -> what these lines are worth together."""
    table = np.zeros(SOME_COUNTS + 1, np.int64)
    for packed in range(len(table)):
        counts = [packed >> index * COUNT_BITS & 7 for index in range(COUNTS)]
        table[packed] = sum(line_worth(count) for count in counts)
    return table


COUNTS_OF_CUBES = _counts_of_cubes()
WORTH_OF_COUNTS = _worth_of_counts()


@inlined
def packed_counts(cubes, n):
    """How many of one player's cubes are on every line."""
    counts = 0
    part = 0
    while cubes:
        counts += COUNTS_OF_CUBES[n, part, cubes & SOME_CUBES]
        cubes >>= CUBES
        part += 1
    return counts


@compiled
def worth(cubes, n):
    """What one player's lines are worth together."""
    counts = packed_counts(cubes, n)
    total = 0
    while counts:
        total += WORTH_OF_COUNTS[counts & SOME_COUNTS]
        counts >>= COUNTS * COUNT_BITS
    return total


@compiled
def lines(weights, state):
    """m * 3^m for every line with m own cubes on it, less the same for the opponent."""
    own, other = worth(state.mine, state.n), worth(state.theirs, state.n)
    return weights.own * own - weights.other * other


# Lines by the number of a player's cubes on them; longer ones count as the longest.
LENGTHS = (1, 2, 3, 4)
FEATURES = (
    *("own_cubes", *(f"own_lines_{length}" for length in LENGTHS)),
    *("other_cubes", *(f"other_lines_{length}" for length in LENGTHS)),
)


@compiled
def lines_by_length(cubes, n):
    """How many lines have one, two, three, and four or more of a player's cubes."""
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
    """The cubes and the lines of either player, by their length."""
    return (
        popcount(state.mine),
        *lines_by_length(state.mine, state.n),
        popcount(state.theirs),
        *lines_by_length(state.theirs, state.n),
    )


EVALUATORS = {
    "lines": Evaluator(lines, Lines(), unit=150, features=Features(FEATURES, line_features))
}
