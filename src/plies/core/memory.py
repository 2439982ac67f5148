"""Numbers in memory by their address.

An array handed from call to call costs a count of its users each time, and its length
cannot be part of a record; an address is one more number.  Whoever uses one keeps the
array alive meanwhile and never asks for a number beyond its end.

    load(address, index)            the int64 at that place
    store(address, index, number)   puts one there
    prefetch(address, index)        it will be read soon: changes nothing but the time
"""

import ctypes
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

BYTES = 8


def load(address: Any, index: Any) -> Any:
    """The number `index` places after an address."""
    return ctypes.c_int64.from_address(int(address) + BYTES * int(index)).value


def store(address: Any, index: Any, number: Any) -> None:
    """Put a number `index` places after an address."""
    ctypes.c_int64.from_address(int(address) + BYTES * int(index)).value = int(number)


def prefetch(address: Any, index: Any) -> None:
    """Let the processor fetch the number `index` places after an address."""


def _place(builder: Any, context: Any, address: Any, index: Any) -> Any:
    kind = context.get_value_type(types.int64).as_pointer()
    return builder.gep(builder.inttoptr(address, kind), [index])


@intrinsic
def _load(typingctx, address: Any = None, index: Any = None):
    def generate(context, builder, signature, args):
        return builder.load(_place(builder, context, *args))

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _store(typingctx, address: Any = None, index: Any = None, number: Any = None):
    def generate(context, builder, signature, args):
        builder.store(args[2], _place(builder, context, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@intrinsic
def _prefetch(typingctx, address: Any = None, index: Any = None):
    def generate(context, builder, signature, args):
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        place = builder.bitcast(_place(builder, context, *args), byte)
        builder.call(fetch, [place, word(0), word(3), word(1)])  # to read, soon, data
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@overload(load, inline="always")
def _choose_load(address, index):
    return lambda address, index: _load(address, index)


@overload(store, inline="always")
def _choose_store(address, index, number):
    return lambda address, index, number: _store(address, index, number)


@overload(prefetch, inline="always")
def _choose_prefetch(address, index):
    return lambda address, index: _prefetch(address, index)
