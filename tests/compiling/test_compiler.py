"""`@compiled` and the classes that compiled code works on."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from game_samples import LAST, OUTCOME, PLAY, changed
from plies.compiling.compiler import compiled, inlined, interpreted, is_interpreting, name_class
from plies.core import verbs
from plies.core.verbs import Evaluator, register_evaluator
from plies.errors import BadGame
from plies.search.alphabeta import AlphaBeta, alphabeta
from plies.search.perft import count, perft
from plies.search.task import Task

double = compiled(lambda number: number * 2)
triple = compiled(lambda number: number * 3)


@inlined
def quadruple(number):
    return number * 4


@compiled
def successor(number):
    """The next number."""
    return number + 1


def test_a_compiled_function_answers_like_its_text():
    assert successor(41) == successor.py_func(41) == 42  # type: ignore[attr-defined]
    assert successor.__doc__ == "The next number."


def test_an_inlined_function_answers_alone_and_inside_its_caller():
    caller = compiled(lambda number: quadruple(number) + 1)
    assert (quadruple(3), caller(3)) == (12, 13)
    assert quadruple.targetoptions["forceinline"]  # type: ignore[attr-defined]
    assert not successor.targetoptions["forceinline"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("decorator", [compiled, inlined])
def test_while_interpreting_a_function_stays_plain_python(decorator: Callable[..., Any]):
    def plain(number):
        return number

    with interpreted():
        assert is_interpreting()
        assert not hasattr(decorator(plain), "py_func")
        assert decorator(plain)(7) == 7
    assert not is_interpreting()
    assert decorator(plain).py_func is plain


def test_interpreted_functions_count_without_warnings():
    with interpreted():

        @compiled
        def doubled(number):
            return number * np.uint64(2)

    assert doubled(np.uint64(2**63 + 1)) == 2


def test_functions_of_the_same_name_do_not_get_each_others_code_from_the_disk():
    """Two lambdas of one module are called the same and must not be kept under that name."""
    for function in (double, triple):
        assert function.disk.address((numba.int64,)) is None  # type: ignore[attr-defined]
    assert (double(7), triple(7)) == (14, 21)


def test_without_the_compiler_everything_is_plain_python():
    script = (
        "import plies\nfrom plies.compiling.compiler import is_interpreting\n"
        "game = plies.game('tictactoe')\nstate = game.initial()\n"
        "print(is_interpreting(), plies.perft(game, state, 2), game.key(state))"
    )

    def output(**variables: str) -> list[str]:
        command = [sys.executable, "-W", "error", "-c", script]
        environment = {**os.environ, **variables}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    plain, native = output(NUMBA_DISABLE_JIT="1"), output(NUMBA_DISABLE_JIT="0")
    assert plain == ["True", *native[1:]]
    # Nine first moves, eight answers to each.
    assert native[:2] == ["False", str(9 * 8)]


def test_classes_of_the_same_name_and_fields_are_different_to_the_compiler():
    def make() -> type:
        return NamedTuple("State", [("heap", int), ("turn", int)])  # type: ignore[misc]

    one, two = make(), make()
    name_class(one, "one", [successor])
    name_class(two, "two", [successor])
    assert numba.typeof(one(1, 2)) != numba.typeof(two(1, 2))
    assert str(numba.typeof(one(1, 2))) != str(numba.typeof(two(1, 2)))
    assert repr(one(1, 2)) == "one.State(heap=1, turn=2)"


def test_the_types_of_fields_are_those_of_the_annotations_whatever_the_values():
    class Mixed(NamedTuple):
        number: int
        is_set: bool
        weight: float
        bits: np.uint64
        cells: np.ndarray

    name_class(Mixed, "mixed", [])
    cells = np.zeros(3, np.int64)
    kinds = {
        numba.typeof(Mixed(0, False, 0, np.uint64(0), cells)),
        numba.typeof(Mixed(2**40, True, 1.5, 2**63, cells)),  # type: ignore[arg-type]
    }
    fields = "int64, int64, float64, uint64, array(int64, 1d, C)"
    assert [str(kind).partition("(")[2] for kind in kinds] == [f"{fields})"]


def test_a_field_that_is_no_number_is_refused():
    class State(NamedTuple):
        name: str

    with pytest.raises(BadGame, match=r"name .* str"):
        name_class(State, "named", [])


@pytest.mark.parametrize(
    ("rule", "answer"),
    [(PLAY, "State(state.heap - move, state.turn == 0)"), (OUTCOME, "-1.0")],
)
def test_a_rule_that_would_compile_a_kernel_twice_is_refused(
    tmp_path: Path, rule: str, answer: str
):
    """The second version of a recursive kernel crashes the process that reads it from disk."""
    file = changed(tmp_path, (rule, f"return {answer}"))
    with pytest.raises(BadGame, match=r"play .* bool|outcome .* float64"):
        count(perft, file.initial(), 3)


def test_an_evaluator_with_fractions_is_refused(tmp_path: Path):
    half = (
        "from plies.core import Evaluator\n@compiled\ndef half(state):\n    return state.heap / 2\n"
    )
    last = LAST.replace(")", ', evaluators={"half": Evaluator(half)})')
    file = changed(tmp_path, (LAST, half + last))
    before = len(alphabeta.signatures)  # type: ignore[attr-defined]
    with pytest.raises(BadGame, match=r"half .* float64"):
        AlphaBeta(depth=2).decide(Task(file.initial(), file.evaluator("half")))
    assert len(alphabeta.signatures) == before  # type: ignore[attr-defined]


class Weights(NamedTuple):
    factor: int


class Others(NamedTuple):
    factor: int


@compiled
def times(weights, state):
    return weights.factor * state.heap


@compiled
def minus(weights, state):
    return -weights.factor * state.heap


def test_evaluators_with_the_same_class_of_weights_must_be_the_same_function():
    class State(NamedTuple):
        heap: int

    name_class(State, "weighed", [])
    first = register_evaluator("weighed", "times", Evaluator(times, Weights(2)))
    twice = register_evaluator("weighed", "twice", Evaluator(times, Weights(4)))
    other = register_evaluator("weighed", "minus", Evaluator(minus, Others(2)))
    values = [verbs.evaluate(record, State(3)) for record in (first, twice, other)]
    assert values == [6, 12, -6]
    with pytest.raises(BadGame, match=r"minus .* class of weights"):
        register_evaluator("weighed", "minus", Evaluator(minus, Weights(2)))


def test_an_evaluator_registered_twice_is_the_same_record():
    """A second class of the same name would be kept on disk by reference to this process."""

    def nothing(state: Any) -> int:
        return 0

    records = [register_evaluator("owner", "nothing", Evaluator(nothing)) for _ in range(2)]
    assert type(records[0]) is type(records[1])


def test_weights_are_a_named_tuple():
    with pytest.raises(BadGame, match=r"times .* NamedTuple .*3"):
        register_evaluator("owner", "times", Evaluator(times, 3))


def test_linear_algebra_works_although_scipy_is_imported_late():
    @compiled
    def measures(matrix):
        return np.dot(matrix, matrix).sum() + np.cov(matrix)[0, 0] + np.linalg.det(matrix)

    matrix = np.array([[2.0, 1.0], [0.0, 3.0]])
    # The entries of the square are 4, 5, 0, 9; the first row has the variance 1/2; 2 * 3 - 0.
    assert measures(matrix) == pytest.approx(18 + 0.5 + 6)
