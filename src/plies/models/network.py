"""A small network in integers: one hidden layer between the game's inputs and a value.

    weights  [input * units + unit] what an active input adds to a unit
    biases   where every unit begins
    outputs  the weight of every unit in the value, and last the value's own bias

A unit is clipped to the range from 0 to 1, then squared (SCReLU).  Sparse inputs, integers
and additions only are the ideas of NNUE (Nasu 2018), without its incremental updates.

Weights and biases are in steps of 1 / `grain` (in the card, a power of two), outputs in
steps of 1 / 2**20.  The value is the mover's, in logits: its hyperbolic tangent is the
expected result, 1 a win, -1 a loss.  As an evaluator it counts in thousandths of a logit.

All sums are exact, so the order of additions makes no difference.
"""

from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.contract import Game
from plies.core.memory import load
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

ARRAYS = {"weights": np.int64, "biases": np.int64, "outputs": np.int64}
OUTPUT_BITS = 20
MOST_GRAIN_BITS = 10
MOST_OUTPUT = 64 << OUTPUT_BITS
MOST_UNITS = 256
# Of all outputs together, so that thousandths of the finest steps fit into 64 bits.
MOST_TOGETHER = (1 << 63) // THOUSAND >> 2 * MOST_GRAIN_BITS
MIDDLE = (LANE + 1) // 2  # stands for 0 in a lane


class Network(NamedTuple):
    """Addresses of the arrays, whose units are in groups."""

    weights: int  # packed
    biases: int  # packed; with MIDDLE added
    outputs: int
    groups: int
    inputs: int
    grain_bits: int
    bias: int  # of the value, in its finest steps


@compiled
def network_total(model, active):
    """The value of the active inputs, in steps of 1 / (2**20 * grain**2)."""
    total = model.bias
    unit = 0
    grain = 1 << model.grain_bits
    for group in range(model.groups):
        start = group * WORDS
        begin = (
            load(model.biases, start),
            load(model.biases, start + 1),
            load(model.biases, start + 2),
            load(model.biases, start + 3),
        )
        # Lanes cannot hold negative numbers, so MIDDLE stands for 0.
        for word in sum_rows(model.weights, active, start * model.inputs, begin):
            for lane in range(LANES):
                number = (word >> lane * LANE_BITS & LANE) - MIDDLE
                number = min(max(number, 0), grain)
                # SCReLU: clipped to 0 ... 1 (`grain`), then squared.
                total += number * number * load(model.outputs, unit + lane)
            unit += LANES
    return total


@compiled
def network_value(model, state):
    """The value of a state for its mover, in thousandths of a logit."""
    if verbs.input_count(state) != model.inputs:  # a board of another size
        return 0
    total = network_total(model, verbs.inputs(state))
    return total * THOUSAND >> OUTPUT_BITS + 2 * model.grain_bits


def check(model: Model) -> None:
    """No sum may overflow its lane, nor the value its range."""
    check_arrays(model, ARRAYS)
    weights, biases, outputs = (model.arrays[name] for name in ARRAYS)
    grain, units = model.card["grain"], len(biases)
    if type(grain) is not int or grain not in [1 << bits for bits in range(MOST_GRAIN_BITS + 1)]:
        raise BadModel(f"its grain is not a power of two up to {1 << MOST_GRAIN_BITS}")
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
    """Whether all absolute values are at most this; abs() overflows for the lowest number."""
    return bool(((numbers >= -most) & (numbers <= most)).all())


def network_record(model: Model) -> Network:
    """A checked model as the kernel takes it."""
    weights, biases, outputs = (model.arrays[name] for name in ARRAYS)
    units = len(biases)
    groups = groups_of(units)
    rows = weights.reshape(-1, units)
    begin = np.pad(biases, (0, groups * GROUP - units)) + MIDDLE
    grain_bits = int(model.card["grain"]).bit_length() - 1
    return Network(
        weights=address_of(pack_rows(rows)),
        biases=address_of(pack_rows(begin[None, :])),
        outputs=address_of(np.pad(outputs[:-1], (0, groups * GROUP - units))),
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


def predictions(model: Model, rows: np.ndarray) -> np.ndarray:
    """The values in logits of many positions; `rows` holds 1 for every active input."""
    record = network_record(model)
    steps = 1 << OUTPUT_BITS + 2 * record.grain_bits
    return np.array([network_total(record, np.flatnonzero(row)) / steps for row in rows])
