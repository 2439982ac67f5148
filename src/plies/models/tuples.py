"""N-tuple networks (Lucas 2008): tables looked up by the contents of some points, and added.

A pattern is a list of points.  Their contents are a number to the base three: 0 for an
empty point, 1 for a piece of the mover, 2 for one of the opponent.

    steps    [input * patterns + pattern] what an input of the game adds to a pattern's number
    starts   of each pattern, where its table begins in `values`; patterns may share tables
    values   the tables, one after another; the sum over the patterns is the value for the
             mover, in logits: its hyperbolic tangent is the expected result, 1 a win, -1 a loss

The card gives the number of `points` of the board; of two inputs that far apart at most one
is active.  As an evaluator it counts in thousandths of a logit.
"""

from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.contract import Game
from plies.core.memory import load
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import Evaluator, register_evaluator
from plies.models.files import BadModel, Model, check_arrays
from plies.models.packed import (
    GROUP,
    LANE,
    LANE_BITS,
    LANES,
    THOUSAND,
    UNIT,
    WORDS,
    address_of,
    groups_of,
    pack_rows,
    sum_rows,
)

ARRAYS = {"steps": np.int64, "starts": np.int64, "values": np.float64}
MOST_VALUE = 1000  # of one entry, in logits


class Tuples(NamedTuple):
    """Addresses of the arrays, whose patterns are in groups."""

    steps: int  # packed
    starts: int
    values: int
    groups: int
    inputs: int


@compiled
def tuples_value(model, state):
    """The value of a state for its mover: the sum of its table entries."""
    if verbs.input_count(state) != model.inputs:  # a board of another size
        return 0
    active = verbs.inputs(state)
    total = 0
    pattern = 0
    for group in range(model.groups):
        # Each lane becomes the number of one pattern, an index into its table.
        for word in sum_rows(model.steps, active, group * model.inputs * WORDS, (0, 0, 0, 0)):
            for lane in range(LANES):
                number = word >> lane * LANE_BITS & LANE
                total += load(model.values, load(model.starts, pattern + lane) + number)
            pattern += LANES
    return total


def check(model: Model) -> None:
    """No number of a pattern may lead out of its table, nor the sum out of its range."""
    check_arrays(model, ARRAYS)
    steps, starts, values = (model.arrays[name] for name in ARRAYS)
    points, patterns = model.card["points"], len(starts)
    if type(points) is not int or points < 1 or patterns == 0:
        raise BadModel("it has no patterns, or no points")
    if len(steps) % patterns or len(steps) < 2 * points * patterns or steps.min() < 0:
        raise BadModel("its steps do not fit its patterns and points")
    cut = steps.clip(max=LANE + 1)  # sums of larger ones may overflow
    largest = largest_numbers(cut.reshape(-1, patterns), points)
    if largest.max() > LANE:
        raise BadModel(f"one of its patterns has more than {LANE + 1} numbers")
    is_inside = starts.min() >= 0 and starts.max() < len(values)  # so that the sum cannot overflow
    if not is_inside or (starts + largest).max() >= len(values):
        raise BadModel("one of its patterns leads out of its table")
    if abs(values).max() > MOST_VALUE:
        raise BadModel(f"an entry of its tables is larger than {MOST_VALUE}")
    if patterns * abs(thousandths(values)).max() > MAX_EVALUATION:
        raise BadModel("the values of its patterns are too large together")


def largest_numbers(steps: np.ndarray, points: int) -> np.ndarray:
    """The largest number of each pattern, with at most one side on a point."""
    sides = np.maximum(steps[:points], steps[points : 2 * points])
    return sides.sum(axis=0) + steps[2 * points :].sum(axis=0)


def thousandths(values: np.ndarray) -> np.ndarray:
    return np.rint(values * THOUSAND).astype(np.int64)


def evaluator(model: Model, game: Game) -> Any:
    steps, starts, values = (model.arrays[name] for name in ARRAYS)
    inputs, patterns = verbs.input_count(game.initial()), len(starts)
    if len(steps) != inputs * patterns:
        raise BadModel(f"it has {len(steps) // patterns} inputs, {game.spec} has {inputs}")
    board = game.board(game.initial())
    points = len(board.points) if board else 0
    if model.card["points"] != points:
        raise BadModel(f"it is for {model.card['points']} points, {game.spec} has {points}")
    groups = groups_of(patterns)
    # Whatever inputs a game has, no lane leads further than this.
    table = np.pad(thousandths(values), (0, LANE + 1))
    spare = np.full(groups * GROUP - patterns, len(values))  # where spare lanes look up 0
    record = Tuples(
        steps=address_of(pack_rows(steps.reshape(inputs, patterns))),
        starts=address_of(np.append(starts, spare)),
        values=address_of(table),
        groups=groups,
        inputs=inputs,
    )
    return register_evaluator(game.name, "tuples", Evaluator(tuples_value, record, unit=UNIT))
