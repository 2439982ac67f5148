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

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.contract import Game
from plies.core.memory import load
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import Evaluator, register_evaluator
from plies.models.columns import check_arrays
from plies.models.files import BadModel, Model
from plies.models.held import held
from plies.models.lanes import (
    AT_ONCE,
    LANE,
    LANE_BITS,
    LANES,
    WORDS,
    groups_of,
    has_inputs,
    packed,
    summed,
)
from plies.models.logits import THOUSAND, UNIT

ARRAYS = {"steps": np.int64, "starts": np.int64, "values": np.float64}
MOST_VALUE = 1000  # of one entry, in logits


class Tuples(NamedTuple):
    """Where the arrays are in memory, their patterns in groups."""

    steps: int  # packed
    starts: int
    values: int
    groups: int
    inputs: int


@compiled
def tuples_value(model, state):
    """The sum of the tables, in thousandths, for the mover; 0 of another board."""
    if not has_inputs(state, model.inputs):
        return 0
    on = verbs.inputs(state)
    total = 0
    pattern = 0
    for group in range(model.groups):
        for word in summed(model.steps, on, group * model.inputs * WORDS, (0, 0, 0, 0)):
            for lane in range(LANES):
                number = word >> lane * LANE_BITS & LANE
                total += load(model.values, load(model.starts, pattern + lane) + number)
            pattern += LANES
    return total


def check(model: Model) -> None:
    """No number of a pattern may lead outside its table."""
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
    is_inside = starts.min() >= 0 and starts.max() < len(values)  # so that the sum is no overflow
    if not is_inside or (starts + largest).max() >= len(values):
        raise BadModel("one of its patterns leads out of its table")
    if abs(values).max() > MOST_VALUE:
        raise BadModel(f"an entry of its tables is larger than {MOST_VALUE}")
    if patterns * abs(thousandths(values)).max() > MAX_EVALUATION:
        raise BadModel("its patterns together say more than an opinion may be")


def largest_numbers(steps: np.ndarray, points: int) -> np.ndarray:
    """Of every pattern, where at most one of the two sides is on a point."""
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
    # Whatever a game's inputs are, no lane leads further than this.
    table = np.pad(thousandths(values), (0, LANE + 1))
    nothing = np.full(groups * AT_ONCE - patterns, len(values))  # what spare patterns look up
    record = Tuples(
        steps=held(packed(steps.reshape(inputs, patterns))),
        starts=held(np.append(starts, nothing)),
        values=held(table),
        groups=groups,
        inputs=inputs,
    )
    return register_evaluator(game.name, "tuples", Evaluator(tuples_value, record, unit=UNIT))
