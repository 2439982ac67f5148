"""A small network as whole numbers: one layer of units between the game's inputs and a value.

    weights  [input * units + unit] what an input that is on adds to a unit
    biases   what every unit has before
    outputs  what every unit gives to the value, and last what the value has before

A unit is cut to the range from 0 to 1, then squared.  Weights and biases are in steps of
1 / `grain` (in the card, a power of two), outputs in steps of 1 / 2**20.  The value is that
of the mover, in logits: its hyperbolic tangent is what is expected, 1 a win, -1 a loss.  As
an evaluator it counts in thousandths of a logit.

All sums are exact, so that the order of additions makes no difference.
"""

from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.contract import Game
from plies.core.memory import load
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

ARRAYS = {"weights": np.int64, "biases": np.int64, "outputs": np.int64}
OUTPUT_BITS = 20
MOST_GRAIN_BITS = 10
MOST_OUTPUT = 64 << OUTPUT_BITS
MOST_UNITS = 256
# Of all outputs together, so that thousandths of the finest steps are numbers of 64 bits.
MOST_TOGETHER = (1 << 63) // THOUSAND >> 2 * MOST_GRAIN_BITS
MIDDLE = (LANE + 1) // 2  # stands for 0 in a lane


class Network(NamedTuple):
    """Where the arrays are in memory, their units in groups."""

    weights: int  # packed
    biases: int  # packed; with MIDDLE added
    outputs: int
    groups: int
    inputs: int
    grain_bits: int
    bias: int  # of the value


@compiled
def network_total(model, on):
    """The value of what is on, in steps of 1 / (2**20 * grain**2)."""
    total = model.bias
    unit = 0
    grain = 1 << model.grain_bits
    for group in range(model.groups):
        place = group * WORDS
        begin = (
            load(model.biases, place),
            load(model.biases, place + 1),
            load(model.biases, place + 2),
            load(model.biases, place + 3),
        )
        for word in summed(model.weights, on, place * model.inputs, begin):
            for lane in range(LANES):
                number = (word >> lane * LANE_BITS & LANE) - MIDDLE
                number = min(max(number, 0), grain)
                total += number * number * load(model.outputs, unit + lane)
            unit += LANES
    return total


@compiled
def network_value(model, state):
    """What the network says of a state, in thousandths, for the mover; 0 of another board."""
    if not has_inputs(state, model.inputs):
        return 0
    total = network_total(model, verbs.inputs(state))
    return total * THOUSAND >> OUTPUT_BITS + 2 * model.grain_bits


def check(model: Model) -> None:
    """No sum may leave its lane, nor the value its range."""
    check_arrays(model, ARRAYS)
    weights, biases, outputs = (model.arrays[name] for name in ARRAYS)
    grain, units = model.card["grain"], len(biases)
    if type(grain) is not int or grain not in [1 << bits for bits in range(MOST_GRAIN_BITS + 1)]:
        raise BadModel(f"its grain is no power of two up to {1 << MOST_GRAIN_BITS}")
    if not 1 <= units <= MOST_UNITS or len(outputs) != units + 1 or len(weights) % units:
        raise BadModel("its layers do not fit each other")
    if not (is_within(weights, MIDDLE) and is_within(biases, MIDDLE)):
        raise BadModel("one of its weights is too large")
    if (abs(weights.reshape(-1, units)).sum(axis=0) + abs(biases)).max() >= MIDDLE:
        raise BadModel("the weights of a unit are too large together")
    if not is_within(outputs, MOST_OUTPUT):
        raise BadModel(f"one of its outputs is larger than {MOST_OUTPUT >> OUTPUT_BITS}")
    if abs(outputs).sum() > MOST_TOGETHER:
        raise BadModel(f"its outputs are larger than {MOST_TOGETHER >> OUTPUT_BITS} together")


def is_within(numbers: np.ndarray, most: int) -> bool:
    """Whether none is larger; the most negative number has no absolute value."""
    return bool(((numbers >= -most) & (numbers <= most)).all())


def network_record(model: Model) -> Network:
    """A checked model as the kernel takes it."""
    weights, biases, outputs = (model.arrays[name] for name in ARRAYS)
    units = len(biases)
    groups = groups_of(units)
    rows = weights.reshape(-1, units)
    begin = np.pad(biases, (0, groups * AT_ONCE - units)) + MIDDLE
    grain_bits = int(model.card["grain"]).bit_length() - 1
    return Network(
        weights=held(packed(rows)),
        biases=held(packed(begin[None, :])),
        outputs=held(np.pad(outputs[:-1], (0, groups * AT_ONCE - units))),
        groups=groups,
        inputs=len(rows),
        grain_bits=grain_bits,
        bias=int(outputs[-1]) << 2 * grain_bits,
    )


def evaluator(model: Model, game: Game) -> Any:
    record, inputs = network_record(model), verbs.input_count(game.initial())
    if record.inputs != inputs:
        raise BadModel(f"it has {record.inputs} inputs, {game.spec} has {inputs}")
    return register_evaluator(game.name, "network", Evaluator(network_value, record, unit=UNIT))


def answers(model: Model, rows: np.ndarray) -> np.ndarray:
    """The values, in logits, of many positions; `rows` holds 1 for every input that is on."""
    record = network_record(model)
    steps = 1 << OUTPUT_BITS + 2 * record.grain_bits
    return np.array([network_total(record, np.flatnonzero(row)) / steps for row in rows])
