"""Bit operations, most of them one machine instruction, and the same in plain Python.

Sets of up to 62 points are best kept in int64.  For sets of 64 squares, np.uint64: every
constant that meets one must be np.uint64 too, because int64 and uint64 do not mix.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from plies.compiling.compiler import compiled


def popcount(bits: int | np.uint64) -> int:
    """How many bits of a non-negative number are set."""
    return int(bits).bit_count()


def lowest_bit(bits: int | np.uint64) -> int:
    """The index of the lowest set bit of a number that is not zero."""
    return (int(bits) & -int(bits)).bit_length() - 1


def byte_reversed(board: np.uint64) -> np.uint64:
    """64 squares with the order of their eight rows reversed."""
    return np.uint64(int.from_bytes(int(board).to_bytes(8, "little"), "big"))


def difference(minuend: np.uint64, subtrahend: np.uint64) -> np.uint64:
    """The difference of two unsigned numbers modulo 2**64."""
    return np.uint64((int(minuend) - int(subtrahend)) % 2**64)


@intrinsic
def _ctpop(typingctx, bits: Any = None):
    def generate(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(_word(bits)), generate


@intrinsic
def _cttz(typingctx, bits: Any = None):
    def generate(context, builder, signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(_word(bits)), generate


@intrinsic
def _bswap(typingctx, board: Any = None):
    def generate(context, builder, signature, args):
        return builder.bswap(args[0])

    return types.uint64(types.uint64), generate


def _word(kind: types.Type) -> types.Type:
    return types.uint64 if kind == types.uint64 else types.int64


@overload(popcount)
def _popcount(bits):
    return lambda bits: _ctpop(bits)


@overload(lowest_bit)
def _lowest_bit(bits):
    return lambda bits: _cttz(bits)


@overload(byte_reversed)
def _byte_reversed(board):
    return lambda board: _bswap(board)


@overload(difference)
def _difference(minuend, subtrahend):
    return lambda minuend, subtrahend: minuend - subtrahend


@compiled
def set_bits(bits):
    """The indices of the bits that are set, in ascending order, as an int64 array."""
    found = np.empty(popcount(bits), np.int64)
    for index in range(len(found)):
        found[index] = lowest_bit(bits)
        bits &= bits - 1
    return found


@compiled
def mirrored(bits, width, height, up, turned):
    """A board of bits, cell (x, y) at bit y * up + x, as it is seen after mirroring.

    Bit 0 of `turned` mirrors left and right, bit 1 up and down, bit 2 a square board at its
    diagonal; so 0 to 7 are the eight images of a square.
    """
    image = 0
    while bits:
        row, column = divmod(lowest_bit(bits), up)
        bits &= bits - 1
        if turned & 1:
            column = width - 1 - column
        if turned & 2:
            row = height - 1 - row
        if turned & 4 and width == height:
            column, row = row, column
        image |= 1 << row * up + column
    return image
