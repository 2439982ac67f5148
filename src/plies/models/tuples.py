"""Pattern tables (n-tuples): what is seen on some points of the board, looked up and added.

A pattern is a list of points; what stands there is a number to the base of three, with 0 for
an empty point, 1 for a piece of the mover and 2 for one of the opponent.

    steps    [input * patterns + pattern] what an input of the game adds to a pattern's number
    starts   of every pattern, where its table begins in `values`; tables may be shared
    values   the tables, one after another; the sum over the patterns is the value for the
             mover, in logits: its hyperbolic tangent is what is expected, 1 a win, -1 a loss

The card says how many `points` the board has: of two inputs that are so far apart only one
is on.  As an evaluator it counts in thousandths of a logit.
"""

from typing import Any, NamedTuple

import numpy as np

from plies.core import hints
from plies.core.compiler import compiled
from plies.core.contract import Game
from plies.core.memory import load
from plies.core.verbs import Evaluator, register_evaluator
from plies.models.columns import check_arrays
from plies.models.files import BadModel, Model
from plies.models.held import held

ARRAYS = {"steps": np.int64, "starts": np.int64, "values": np.float64}
THOUSAND = 1000
UNIT = 300
LANES, LANE_BITS = 4, 16  # the numbers of so many patterns are packed into a word
LANE = (1 << LANE_BITS) - 1
WORDS = 4  # that are summed at once
MOST_VALUE = 10_000  # of one entry, in logits


class Tuples(NamedTuple):
    """Where the arrays are in memory; the patterns are looked at in groups of 16."""

    packed: int  # [group, input, word] the steps of four patterns
    starts: int  # [group, word, lane]
    values: int
    groups: int
    inputs: int


@compiled
def tables_sum(model, word, place):
    """The entries of the four patterns whose numbers are packed into a word."""
    total = 0
    for lane in range(LANES):
        number = word >> lane * LANE_BITS & LANE
        total += load(model.values, load(model.starts, place + lane) + number)
    return total


@compiled
def tuples_value(model, state):
    """The sum of the tables, in thousandths, for the mover."""
    on = hints.inputs(state)
    total = 0
    for group in range(model.groups):
        first = second = third = fourth = 0
        for number in on:
            place = (group * model.inputs + number) * WORDS
            first += load(model.packed, place)
            second += load(model.packed, place + 1)
            third += load(model.packed, place + 2)
            fourth += load(model.packed, place + 3)
        place = group * WORDS * LANES
        total += tables_sum(model, first, place) + tables_sum(model, second, place + 4)
        total += tables_sum(model, third, place + 8) + tables_sum(model, fourth, place + 12)
    return total


def check(model: Model) -> None:
    """No number of a pattern may lead outside its table."""
    check_arrays(model, ARRAYS)
    steps, starts, values = (model.arrays[name] for name in ARRAYS)
    points = model.card["points"]
    patterns = len(starts)
    inputs = len(steps) // max(patterns, 1)
    if not isinstance(points, int) or points < 1 or patterns == 0 or inputs < 2 * points:
        raise BadModel("it has no patterns, or no points")
    if len(steps) != inputs * patterns or steps.min() < 0:
        raise BadModel("its steps do not fit its patterns")
    largest = largest_numbers(steps.reshape(inputs, patterns), points)
    if largest.max() > LANE:
        raise BadModel(f"a pattern has more than {LANE + 1} numbers")
    if starts.min() < 0 or (starts + largest).max() >= len(values):
        raise BadModel("a pattern leads out of its table")
    if abs(values).max() > MOST_VALUE:
        raise BadModel(f"an entry of its tables is larger than {MOST_VALUE}")


def largest_numbers(steps: np.ndarray, points: int) -> np.ndarray:
    """Of every pattern, where at most one of the two sides is on a point."""
    sides = np.maximum(steps[:points], steps[points : 2 * points])
    return sides.sum(axis=0) + steps[2 * points :].sum(axis=0)


def evaluator(model: Model, game: Game) -> Any:
    steps, starts, values = (model.arrays[name] for name in ARRAYS)
    inputs = hints.input_count(game.initial())
    patterns = len(starts)
    if len(steps) != inputs * patterns:
        raise BadModel(f"it has {len(steps) // patterns} inputs, {game.name} has {inputs}")
    at_once = WORDS * LANES
    groups = -(-patterns // at_once)
    spare = groups * at_once - patterns  # patterns that are always 0, and look up a 0
    table = np.append(np.rint(values * THOUSAND).astype(np.int64), 0)
    all_starts = np.append(starts, np.full(spare, len(values), np.int64))
    padded = np.pad(steps.reshape(inputs, patterns), ((0, 0), (0, spare)))
    lanes = padded.reshape(inputs, groups, WORDS, LANES) << np.arange(LANES) * LANE_BITS
    packed = lanes.sum(axis=3).transpose(1, 0, 2)
    record = Tuples(held(packed), held(all_starts), held(table), groups, inputs)
    return register_evaluator(game.name, "tuples", Evaluator(tuples_value, record, unit=UNIT))
