"""Bits of a board as int and as np.uint64, compiled and as plain Python."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.compiling.compiler import compiled
from plies.core.bits import (
    bit,
    byte_reversed,
    difference,
    has_bit,
    lowest_bit,
    mirrored,
    popcount,
    set_bits,
)
from plies.core.two_sides import NO_SPARE, side_inputs

pytestmark = pytest.mark.plain

# Cells of a board of 3 x 2 in rows of four bits, and where three mirrors put the cell (0, 0).
WIDTH, HEIGHT, UP = 3, 2, 4
CORNERS = {1: 1 << 2, 2: 1 << UP, 3: 1 << UP + 2}
boards = st.integers(0, 0b111_0_111).map(lambda bits: bits & 0b111_0_111)
squares = st.integers(0, 2**9 - 1)
turns = st.integers(0, 7)
ONE = np.uint64(1)
# Any 64 bits, as the number that an int field and that an np.uint64 field holds.
words = st.integers(0, 2**64 - 1)
signed = words.map(lambda number: number - 2**64 if number >= 2**63 else number)
sets = words.map(np.uint64) | signed


def cells(bits: Any) -> list[int]:
    """The squares of a set, by the digits of its number."""
    return [index for index, digit in enumerate(f"{int(bits) % 2**64:064b}"[::-1]) if digit == "1"]


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
def unsigned_answers(board):
    return popcount(board), lowest_bit(board), byte_reversed(board), difference(ONE, board)


@given(st.integers(1, 2**64 - 1))
def test_operations_on_64_squares_are_those_of_whole_numbers(number: int) -> None:
    board = np.uint64(number)
    plain = (popcount(board), lowest_bit(board), byte_reversed(board), difference(ONE, board))
    low = next(index for index in range(64) if number >> index & 1)
    swapped = int.from_bytes(number.to_bytes(8, "big"), "little")
    expected = (bin(number).count("1"), low, swapped, (1 - number) % 2**64)
    assert tuple(int(answer) for answer in plain) == expected
    assert tuple(int(answer) for answer in unsigned_answers(board)) == expected


@compiled
def set_answers(bits, square, turned):
    image = mirrored(bits, 8, 8, 8, turned)
    return popcount(bits), set_bits(bits), has_bit(bits, square), image, bit(square)


def plain_answers(bits: Any, square: int, turned: int) -> tuple[Any, ...]:
    image = mirrored(bits, 8, 8, 8, turned)
    return popcount(bits), set_bits(bits), has_bit(bits, square), image, bit(square)


@pytest.mark.parametrize("answers", [set_answers, plain_answers])
@given(bits=sets, square=st.integers(0, 63), turned=turns)
def test_every_set_of_64_squares_is_read_as_int_and_as_uint64(
    answers: Any, bits: Any, square: int, turned: int
) -> None:
    count, indices, has_square, image, alone = answers(bits, square, turned)
    expected = cells(bits)
    assert (count, indices.tolist(), has_square) == (len(expected), expected, square in expected)
    assert indices.dtype == np.int64
    assert int(alone) == 2**square
    seen = []
    for cell in expected:
        y, x = divmod(cell, 8)
        x, y = (7 - x if turned & 1 else x), (7 - y if turned & 2 else y)
        seen.append(x * 8 + y if turned & 4 else y * 8 + x)
    assert cells(image) == sorted(seen)
    kind_range = (0, 2**64) if isinstance(bits, np.unsignedinteger) else (-(2**63), 2**63)
    assert kind_range[0] <= int(image) < kind_range[1]


@given(sets.filter(lambda bits: int(bits) != 0))
def test_the_lowest_bit_is_the_first_of_the_set(bits: Any) -> None:
    assert lowest_bit(bits) == cells(bits)[0]


@given(words, words, st.integers(0, 3))
def test_inputs_of_64_squares_are_one_number_a_piece(mine: int, theirs: int, more: int) -> None:
    theirs &= ~mine
    numbers = side_inputs(np.uint64(mine), np.uint64(theirs), 64, NO_SPARE, more)
    expected = cells(mine) + [64 + cell for cell in cells(theirs)]
    assert numbers[: len(expected)].tolist() == expected
    assert len(numbers) == len(expected) + more


def test_inputs_leave_out_the_spare_column_of_uint64_boards() -> None:
    mine, theirs = np.uint64(0b100_0_001), np.uint64(0b001_0_010)
    assert side_inputs(mine, theirs, 6, UP, 0).tolist() == [0, 4 + 1, 6 + 1, 6 + 3]
