"""Keys mixed from all that a state may hold."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.compiling.compiler import compiled
from plies.core.keys import mix, mix_fields, mixed_key

pytestmark = pytest.mark.plain

signed = st.integers(-(2**63), 2**63 - 1)
words = st.integers(0, 2**64 - 1)
MASK = 2**64 - 1


def splitmix(numbers: list[int]) -> int:
    """Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014, figure 17."""
    key = 0
    for number in numbers:
        key = (key ^ number & MASK) + 0x9E3779B97F4A7C15 & MASK
        key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 & MASK
        key = (key ^ key >> 27) * 0x94D049BB133111EB & MASK
        key ^= key >> 31
    return key - 2**64 if key >> 63 else key


@compiled
def mixed(key, number):
    return mix(key, number)


@given(signed, signed | words.map(np.uint64))
def test_one_number_is_mixed_in_alike_compiled_and_not(key: int, number: Any) -> None:
    assert mix(key, number) == mixed(key, number)
    assert mix(0, number) == splitmix([int(number)])


@given(st.lists(signed, min_size=3, max_size=3))
def test_the_default_key_of_whole_numbers_is_splitmix(numbers: list[int]) -> None:
    assert mixed_key(tuple(numbers)) == mix_fields(0, numbers) == splitmix(numbers)


@given(signed, words, st.lists(signed, max_size=5))
def test_fields_of_any_kinds_have_a_default_key(turn: int, bits: int, heaps: list[int]) -> None:
    fields = (turn, np.uint64(bits), np.array(heaps, np.int64))
    expected = splitmix([turn, bits, len(heaps), *heaps])
    assert mixed_key(fields) == mix_fields(0, fields) == expected


def test_entries_do_not_slip_from_one_array_into_the_next() -> None:
    def key_of(*arrays: list[int]) -> int:
        return mixed_key(tuple(np.array(array, np.int64) for array in arrays))

    assert len({key_of([1, 2], []), key_of([1], [2]), key_of([], [1, 2])}) == 3
