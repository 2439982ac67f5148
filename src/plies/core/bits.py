"""Bit operations as one machine instruction each, and the same in plain Python."""

from numba import types
from numba.extending import intrinsic, overload


def popcount(bits: int) -> int:
    """How many bits of a non-negative number are set."""
    return int(bits).bit_count()


def lowest_bit(bits: int) -> int:
    """The index of the lowest set bit of a number that is not zero."""
    return (int(bits) & -int(bits)).bit_length() - 1


@intrinsic
def _ctpop(typingctx, bits):
    def generate(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(typingctx, bits):
    def generate(context, builder, signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@overload(popcount)
def _popcount(bits):
    return lambda bits: _ctpop(bits)


@overload(lowest_bit)
def _lowest_bit(bits):
    return lambda bits: _cttz(bits)
