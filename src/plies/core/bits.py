"""Sets of squares as the bits of one number, int or np.uint64, compiled and in plain Python.

An int holds up to 63 squares, an np.uint64 all 64.  Both have the same operations, most of
them one machine instruction.  Inside rules an int that meets an np.uint64 becomes one.
"""

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
    """How many bits are set; of a negative number those of its 64 bits."""
    return (int(bits) % MODULUS).bit_count()


def lowest_bit(bits: int | np.uint64) -> int:
    """The index of the lowest set bit of a number that is not zero."""
    return (int(bits) & -int(bits)).bit_length() - 1


def set_bits(bits: int | np.uint64) -> np.ndarray:
    """The indices of the bits that are set, in ascending order, as an int64 array."""
    pattern = int(bits) % MODULUS
    return np.array([index for index in range(64) if pattern >> index & 1], np.int64)


def byte_reversed(board: np.uint64) -> np.uint64:
    """64 squares with the order of their eight rows reversed."""
    return np.uint64(int.from_bytes(int(board).to_bytes(8, "little"), "big"))


def difference(minuend: np.uint64, subtrahend: np.uint64) -> np.uint64:
    """The difference of two unsigned numbers modulo 2**64."""
    return np.uint64((int(minuend) - int(subtrahend)) % MODULUS)


def mirrored(bits: Any, width: int, height: int, up: int, turned: int) -> Any:
    """A board of bits, cell (x, y) at bit y * up + x, as it is seen after mirroring.

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
    if not isinstance(kind, (types.Integer, types.Boolean)):
        raise TypingError(f"a set of bits is an int or np.uint64, not {kind}")
    return types.uint64 if kind == types.uint64 else types.int64


@overload(bit)
def _bit(square):
    return lambda square: np.uint64(1) << np.uint64(square)


@overload(has_bit)
def _has_bit(bits, square):
    return lambda bits, square: bits >> square & 1 != 0


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


@overload(set_bits)
def _set_bits(bits):
    return lambda bits: _indices(bits)


@overload(mirrored)
def _mirrored(bits, width, height, up, turned):
    return lambda bits, width, height, up, turned: _image(bits, width, height, up, turned)


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
