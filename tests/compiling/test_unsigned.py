"""An int that meets an np.uint64 becomes one, compiled and as plain Python."""

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.compiling.compiler import compiled, interpreted, name_class
from plies.compiling.unsigned import Word

pytestmark = pytest.mark.plain

words = st.integers(0, 2**64 - 1)
signed = st.integers(-(2**63), 2**63 - 1)
CALCULATIONS: list[Callable[[Any, Any], Any]] = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.and_,
    operator.or_,
    operator.xor,
]


@compiled
def calculated(first, second):
    return (
        first + second,
        first - second,
        first * second,
        first & second,
        first | second,
        first ^ second,
    )


@compiled
def in_place(first, second):
    first &= second
    first |= 5
    first ^= second
    first += 1
    first -= second
    first *= 3
    return first


@compiled
def unary_and_shifts(bits, square):
    return ~bits, -bits, bits & -bits, bits & (bits - 1), bits >> square, bits << square


@compiled
def begun_with_zero(bits, square):
    """A variable that is an int first."""
    collected = 0
    if bits >> 63:
        collected |= bits
    collected |= 1 << square
    return collected >> 1


@compiled
def extremes(bits, number):
    return min(number, bits), max(bits, number, 1), min(bits, bits)


@compiled
def moves_up_to(bits):
    return np.arange(1, min(bits, 3) + 1)


def bits_of(numbers: Any) -> list[int]:
    return [int(number) % 2**64 for number in numbers]


def expected_of(first: int, second: int) -> list[int]:
    return [function(first, second) % 2**64 for function in CALCULATIONS]


@given(words, signed)
def test_mixed_calculations_count_modulo_two_to_the_64(bits: int, number: int) -> None:
    expected = expected_of(bits, number)
    for answers in (
        calculated(np.uint64(bits), number) if not is_plain() else expected,
        calculated(Word(bits), number),
        calculated(Word(bits), np.int64(number)),
        calculated(Word(bits), Word(number % 2**64)),
    ):
        assert list(map(int, answers)) == expected
    reflected = expected_of(number, bits)
    for answers in (
        calculated(np.int64(number), Word(bits)),
        calculated(number, Word(bits)),
        [function(np.int64(number), Word(bits)) for function in CALCULATIONS],
        [function(np.uint64(number % 2**64), Word(bits)) for function in CALCULATIONS],
    ):
        assert list(map(int, answers)) == reflected


def is_plain() -> bool:
    return not hasattr(calculated, "py_func")


def plain(function: Any) -> Any:
    """The Python text of a compiled function."""
    return getattr(function, "py_func", function)


@given(words, signed, st.integers(0, 63))
def test_compiled_is_what_plain_python_says(bits: int, number: int, square: int) -> None:
    word = Word(bits)
    assert int(in_place(word, number)) == int(plain(in_place)(word, number))
    compiled_answers = unary_and_shifts(word, square)
    assert bits_of(compiled_answers) == bits_of(plain(unary_and_shifts)(word, np.int64(square)))
    assert int(compiled_answers[0]) == 2**64 - 1 - bits
    assert int(compiled_answers[4]) == bits >> square
    collected = begun_with_zero(word, square)
    assert int(collected) == int(plain(begun_with_zero)(word, square))
    assert int(collected) == ((bits if bits >> 63 else 0) | 1 << square) >> 1


@given(words, st.integers(0, 2**63 - 1))
def test_the_least_and_the_greatest_of_both_kinds_are_whole_numbers(bits: int, number: int) -> None:
    answers = extremes(np.uint64(bits), number)
    assert answers == (min(bits, number), max(bits, number, 1), bits)
    assert not any(isinstance(answer, float) for answer in answers)


def test_moves_are_counted_up_to_a_field_of_64_bits() -> None:
    moves = moves_up_to(np.uint64(2))
    assert moves.tolist() == [1, 2]
    assert is_plain() or moves.dtype == np.int64


@given(words, signed)
def test_comparisons_are_those_of_whole_numbers(bits: int, number: int) -> None:
    for compare in (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge):
        assert compare(Word(bits), number) == compare(bits, number)
        assert compare(np.int64(number), Word(bits)) == compare(number, bits)
    assert hash(Word(bits)) == hash(bits)


@pytest.mark.parametrize("distance", [-1, 64])
def test_a_shift_without_meaning_is_refused(distance: int) -> None:
    with pytest.raises(ValueError, match=f"shift by {distance}"):
        operator.lshift(Word(1), distance)
    with pytest.raises(ValueError, match=f"shift by {distance}"):
        operator.rshift(Word(1), np.int64(distance))


def test_a_fraction_does_not_mix_with_a_set_of_bits() -> None:
    functions: list[Callable[[Any, Any], Any]] = [operator.and_, operator.add, operator.floordiv]
    for function in functions:
        with pytest.raises(TypeError):
            function(Word(3), 0.5)


def test_an_int_that_is_shifted_stays_one_of_64_bits() -> None:
    assert 1 << Word(63) == -(2**63)
    assert type(1 << Word(3)) is int


def test_a_plain_state_holds_words_however_it_was_built() -> None:
    class State(NamedTuple):
        bits: np.uint64
        turn: int

    with interpreted():
        name_class(State, "words", [])
    state = State(0, 1)  # type: ignore[arg-type]
    for built in (state, state._replace(bits=2**63), State(*state), State(bits=7, turn=0)):  # type: ignore[arg-type]
        assert type(built) is State
        assert type(built.bits) is Word
        assert type(built.turn) is int
    assert int(~state.bits) == 2**64 - 1
