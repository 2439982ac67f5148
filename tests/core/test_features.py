"""Evaluators tell what they look at, games what is there, and records may hold arrays."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from game_samples import LAST, changed
from plies.compiling.compiler import compiled, is_interpreting
from plies.core.contract import Game
from plies.core.verbs import (
    Evaluator,
    Features,
    evaluate,
    feature_names,
    features,
    input_count,
    inputs,
    register_evaluator,
)
from plies.errors import BadGame
from plies.registry import game

pytestmark = pytest.mark.plain

INPUTS = """
@compiled
def inputs(state):
    return np.array([state.heap, 8 + state.turn])


@compiled
def input_count(state):
    return 10


"""


class Weights(NamedTuple):
    each: int = 3


class Inner(NamedTuple):
    bonus: int = 5


class Plain(NamedTuple):
    unused: int = 0


@compiled
def worth(weights, state):
    return weights.each * state.heap


@compiled
def parts(weights, state):
    return (state.heap, weights.each)


@compiled
def bonus(weights, state):
    return weights.bonus + state.heap


@compiled
def ask_features(evaluator, state):
    return features(evaluator, state)


@compiled
def ask_value(evaluator, state):
    return evaluate(evaluator, state)


@compiled
def ask_inputs(state):
    return inputs(state)


@compiled
def weighed(weights, state):
    """The opinion of the inner record, times the sum of an array."""
    total = 0.0
    for number in weights.numbers:
        total += number
    return round(total * evaluate(weights.inner, state))


@pytest.fixture
def take(tmp_path: Path) -> Game:
    return changed(tmp_path, (LAST, f"{INPUTS}{LAST}"))


def test_features_are_the_named_components_compiled_and_plain(take: Game):
    named = Features(("heap", "each"), parts)
    record = register_evaluator("test", "worth", Evaluator(worth, Weights(), features=named))
    state = take.initial()
    assert feature_names(record) == ("heap", "each")
    assert features(record, state) == ask_features(record, state) == (7, 3)


def test_an_evaluator_that_declares_no_features_has_its_value(take: Game):
    record = register_evaluator("test", "bonus", Evaluator(bonus, Inner()))
    state = take.initial()
    assert feature_names(record) == ("value",)
    assert features(record, state) == ask_features(record, state) == (12,)


def test_inputs_are_those_of_the_game_and_none_where_it_has_none(take: Game):
    state = take.initial()
    assert list(inputs(state)) == list(ask_inputs(state)) == [7, 8]
    assert input_count(state) == 10
    other = game("nim").initial()
    assert len(inputs(other)) == len(ask_inputs(other)) == input_count(other) == 0


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_a_record_may_hold_arrays_and_another_evaluator(take: Game, kind: Any):
    inner = register_evaluator("test", "bonus", Evaluator(bonus, Inner()))
    fields = [("inner", type(inner)), ("numbers", NDArray[kind])]
    cls: Any = NamedTuple("Weighed", fields)  # type: ignore[misc]
    record = cls(inner, np.array([0.5, 1.5], kind))
    record = register_evaluator("test", f"weighed_{kind.__name__}", Evaluator(weighed, record))
    assert evaluate(record, take.initial()) == ask_value(record, take.initial()) == 2 * 12
    other = cls(inner._replace(bonus=1), np.array([1.0], kind))
    assert ask_value(other, take.initial()) == 8


@pytest.mark.skipif(is_interpreting(), reason="types of answers are the compiler's")
def test_features_that_are_no_whole_numbers_are_refused(take: Game):
    @compiled
    def halves(weights, state):
        return (state.heap / 2, 1.0)

    named = Features(("half", "one"), halves)  # type: ignore[arg-type]
    record = register_evaluator("test", "halves", Evaluator(worth, Plain(), features=named))
    with pytest.raises(BadGame, match=r"halves .* whole numbers"):
        ask_features(record, take.initial())


@pytest.mark.parametrize("kind", ["NDArray[np.float64]", "tuple"])
def test_a_state_is_made_of_numbers_and_whole_arrays(tmp_path: Path, kind: str):
    header = "from numpy.typing import NDArray\n\n\nclass State"
    with pytest.raises(BadGame, match=r"State\.turn is a"):
        changed(tmp_path, ("class State", header), ("turn: int", f"turn: {kind}"))
