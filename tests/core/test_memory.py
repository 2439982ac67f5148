"""Numbers are found in memory where they were put, by compiled code and by plain Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plies.compiling.compiler import compiled
from plies.core.memory import load, prefetch, store

NUMBERS = st.integers(-(2**63), 2**63 - 1)


@compiled
def put(address, index, number):
    prefetch(address, index)
    store(address, index, number)
    return load(address, index)


@compiled
def get(address, index):
    return load(address, index)


@given(numbers=st.lists(NUMBERS, min_size=3, max_size=9), index=st.integers(0, 8), new=NUMBERS)
def test_one_number_is_replaced_and_its_neighbours_are_not(
    numbers: list[int], index: int, new: int
) -> None:
    index %= len(numbers)
    expected = [*numbers[:index], new, *numbers[index + 1 :]]
    for put_there in (put, store):
        array = np.array(numbers, np.int64)
        answer = put_there(array.ctypes.data, index, new)
        assert answer in (new, None)
        assert array.tolist() == expected
        places = range(len(numbers))
        assert [get(array.ctypes.data, place) for place in places] == expected
        assert [load(array.ctypes.data, place) for place in places] == expected


def test_asking_for_a_number_soon_changes_nothing() -> None:
    array = np.arange(4)
    prefetch(array.ctypes.data, 2)
    assert array.tolist() == [0, 1, 2, 3]
