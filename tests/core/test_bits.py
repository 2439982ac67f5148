"""Bits of a board, compiled and as plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.compiling.compiler import compiled
from plies.core.bits import byte_reversed, difference, lowest_bit, mirrored, popcount

pytestmark = pytest.mark.plain

# Cells of a board of 3 x 2 in rows of four bits, and where three mirrors put the cell (0, 0).
WIDTH, HEIGHT, UP = 3, 2, 4
CORNERS = {1: 1 << 2, 2: 1 << UP, 3: 1 << UP + 2}
boards = st.integers(0, 0b111_0_111).map(lambda bits: bits & 0b111_0_111)
squares = st.integers(0, 2**9 - 1)
turns = st.integers(0, 7)
ONE = np.uint64(1)


@pytest.mark.parametrize("turned", CORNERS)
def test_a_corner_is_seen_in_the_mirrored_corner(turned: int) -> None:
    assert mirrored(1, WIDTH, HEIGHT, UP, turned) == CORNERS[turned]


def test_the_diagonal_swaps_columns_and_rows_of_a_square_only() -> None:
    assert mirrored(0b010, 3, 3, 3, 4) == 1 << 3
    assert mirrored(0b010, WIDTH, HEIGHT, UP, 4) == 0b010


@given(boards, turns)
def test_mirroring_an_oblong_board_twice_changes_nothing(bits: int, turned: int) -> None:
    once = mirrored(bits, WIDTH, HEIGHT, UP, turned)
    assert mirrored(once, WIDTH, HEIGHT, UP, turned) == bits
    assert int(once).bit_count() == bits.bit_count()


@given(squares, turns, turns)
def test_images_of_images_are_images_of_the_square(bits: int, one: int, other: int) -> None:
    images = {mirrored(bits, 3, 3, 3, turned) for turned in range(8)}
    assert mirrored(mirrored(bits, 3, 3, 3, one), 3, 3, 3, other) in images


@compiled
def asked(board):
    return popcount(board), lowest_bit(board), byte_reversed(board), difference(ONE, board)


@given(st.integers(1, 2**64 - 1))
def test_operations_on_64_squares_are_those_of_whole_numbers(number: int) -> None:
    board = np.uint64(number)
    plain = (popcount(board), lowest_bit(board), byte_reversed(board), difference(ONE, board))
    low = next(index for index in range(64) if number >> index & 1)
    swapped = int.from_bytes(number.to_bytes(8, "big"), "little")
    expected = (bin(number).count("1"), low, swapped, (1 - number) % 2**64)
    assert tuple(int(answer) for answer in plain) == expected
    assert tuple(int(answer) for answer in asked(board)) == expected
