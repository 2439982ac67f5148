"""Bitboards: sets of squares as the bits of one int or np.uint64, compiled and in plain Python.

An int holds up to 63 squares, an np.uint64 all 64.  Both have the same operations, most of
them one machine instruction.  Inside rules an int that meets an np.uint64 becomes one.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from plies.compiling.compiler import compiled
from plies.compiling.unsigned import MODULUS, Word


def bit(square: int) -> np.uint64:
    """The set of one square, 0 to 63, as an np.uint64."""
    return Word(1) << square


def has_bit(bits: int | np.uint64, square: int) -> bool:
    """Whether a square is in a set."""
    return int(bits) >> int(square) & 1 == 1


def popcount(bits: int | np.uint64) -> int:
    """The number of set bits; of a negative number among its 64 bits."""
    return (int(bits) % MODULUS).bit_count()


def lowest_bit(bits: int | np.uint64) -> int:
    """The index of the lowest set bit of a nonzero number."""
    return (int(bits) & -int(bits)).bit_length() - 1


def set_bits(bits: int | np.uint64) -> np.ndarray:
    """The indices of the set bits in ascending order, as an int64 array."""
    pattern = int(bits) % MODULUS
    return np.array([index for index in range(64) if pattern >> index & 1], np.int64)


def byte_reversed(board: np.uint64) -> np.uint64:
    """64 squares with the order of their eight rows reversed."""
    return np.uint64(int.from_bytes(int(board).to_bytes(8, "little"), "big"))


def difference(minuend: np.uint64, subtrahend: np.uint64) -> np.uint64:
    """The difference of two unsigned numbers modulo 2**64."""
    return np.uint64((int(minuend) - int(subtrahend)) % MODULUS)


def mirrored(bits: Any, width: int, height: int, up: int, turned: int) -> Any:
    """The mirror image of a board with cell (x, y) at bit y * up + x.

    Bit 0 of `turned` mirrors left and right, bit 1 up and down, bit 2 a square board at its
    diagonal; so 0 to 7 are the eight images of a square.
    """
    image = 0
    for index in set_bits(bits).tolist():
        image |= 1 << int(_mirrored_index(index, width, height, up, turned))
    if isinstance(bits, np.unsignedinteger):
        return Word(image)
    return image - MODULUS if image >= MODULUS // 2 else image


@compiled
def _mirrored_index(index, width, height, up, turned):
    row, column = divmod(index, up)
    if turned & 1:
        column = width - 1 - column
    if turned & 2:
        row = height - 1 - row
    if turned & 4 and width == height:
        column, row = row, column
    return row * up + column


def _instruction(
    build: Callable[[Any, Any, Any], Any], answers: types.Type = types.int64
) -> Callable[..., Any]:
    """One machine instruction on a set of bits, for compiled code."""

    @intrinsic
    def instruction(typingctx, bits: Any = None):
        def generate(context, builder, signature, args):
            return build(context, builder, args[0])

        if not isinstance(bits, (types.Integer, types.Boolean)):
            raise TypingError(f"a set of bits is an int or np.uint64, not {bits}")
        return answers(types.uint64 if bits == types.uint64 else types.int64), generate

    return instruction


_ctpop = _instruction(lambda context, builder, bits: builder.ctpop(bits))
_cttz = _instruction(
    lambda context, builder, bits: builder.cttz(bits, context.get_constant(types.boolean, True))
)
_bswap = _instruction(lambda context, builder, bits: builder.bswap(bits), types.uint64)


@compiled
def _indices(bits):
    indices = np.empty(popcount(bits), np.int64)
    for place in range(len(indices)):
        indices[place] = lowest_bit(bits)
        bits &= bits - 1
    return indices


@compiled
def _image(bits, width, height, up, turned):
    image = bits & 0
    while bits:
        image |= 1 << _mirrored_index(lowest_bit(bits), width, height, up, turned)
        bits &= bits - 1
    return image


# What compiled code does instead of the functions above: `overload` calls the outer function
# with types, and compiles the inner one.
overload(bit)(lambda square: lambda square: np.uint64(1) << np.uint64(square))
overload(has_bit)(lambda bits, square: lambda bits, square: bits >> square & 1 != 0)
overload(popcount)(lambda bits: lambda bits: _ctpop(bits))
overload(lowest_bit)(lambda bits: lambda bits: _cttz(bits))
overload(byte_reversed)(lambda board: lambda board: _bswap(board))
overload(difference)(lambda minuend, subtrahend: lambda minuend, subtrahend: minuend - subtrahend)
overload(set_bits)(lambda bits: lambda bits: _indices(bits))
overload(mirrored)(
    lambda bits, width, height, up, turned: (
        lambda bits, width, height, up, turned: _image(bits, width, height, up, turned)
    )
)
