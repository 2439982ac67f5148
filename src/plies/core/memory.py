"""Numbers in memory by their address.

An array handed from call to call costs a count of its users each time, and its length
cannot be part of a record; an address is one more number.  If you use one, keep the array alive
meanwhile, and never go beyond its end.
"""

import ctypes
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

BYTES = 8


def load(address: Any, index: Any) -> Any:
    """The int64 at `index` places after an address."""
    return ctypes.c_int64.from_address(int(address) + BYTES * int(index)).value


def store(address: Any, index: Any, number: Any) -> None:
    """Put an int64 at `index` places after an address."""
    ctypes.c_int64.from_address(int(address) + BYTES * int(index)).value = int(number)


def prefetch(address: Any, index: Any) -> None:
    """Let the processor fetch that number soon; changes nothing but the time."""


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


overload(load, inline="always")(lambda address, index: lambda address, index: _load(address, index))
overload(store, inline="always")(
    lambda address, index, number: lambda address, index, number: _store(address, index, number)
)
overload(prefetch, inline="always")(
    lambda address, index: lambda address, index: _prefetch(address, index)
)
