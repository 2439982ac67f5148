"""Keys: a 64-bit hash of a state, by which tables find it again."""

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload

from plies.compiling.compiler import compiled
from plies.compiling.unsigned import MODULUS

# The finaliser of splitmix64 (Steele, Lea & Flood 2014) and its step between numbers.
STEP = np.uint64(0x9E3779B97F4A7C15)
FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)


def mix(key: int, number: int) -> int:
    """A key with one more number mixed in; the first one is mixed into 0."""
    mixed = (int(key) ^ int(number)) % MODULUS + int(STEP)
    for shift, factor in zip(SHIFTS, FACTORS, strict=False):
        mixed %= MODULUS
        mixed = (mixed ^ mixed >> int(shift)) * int(factor)
    mixed %= MODULUS
    mixed ^= mixed >> int(SHIFTS[2])
    return mixed - MODULUS if mixed >= MODULUS // 2 else mixed


@overload(mix)
def _mix(key, number):
    def mixed_in(key, number):
        mixed = (np.uint64(key) ^ np.uint64(number)) + STEP
        mixed = (mixed ^ (mixed >> SHIFTS[0])) * FACTORS[0]
        mixed = (mixed ^ (mixed >> SHIFTS[1])) * FACTORS[1]
        return np.int64(mixed ^ (mixed >> SHIFTS[2]))

    return mixed_in


@compiled
def mixed_key(state):
    """The default key of a state: all its fields and array entries, mixed in their order."""
    return mix_fields(0, state)


def mix_fields(key: int, fields: Any) -> int:
    """A key with the fields of a record mixed in."""
    for field in fields:
        key = mix_field(key, field)
    return key


def mix_field(key: int, field: Any) -> int:
    """A key with one field mixed in; for an array its length and every entry."""
    if isinstance(field, np.ndarray):
        return mix_fields(mix(key, len(field)), field)
    return mix(key, field)


@overload(mix_field)
def _mix_field(key, field):
    if isinstance(field, types.Array):
        return lambda key, field: mix_fields(mix(key, len(field)), field)
    return lambda key, field: mix(key, field)


@overload(mix_fields)
def _mix_fields(key, fields):
    """The compiler unrolls fields of several types: the first one, then the others."""
    if isinstance(fields, types.BaseTuple) and not isinstance(fields, types.UniTuple):
        if len(fields) == 0:
            return lambda key, fields: key
        return lambda key, fields: mix_fields(mix_field(key, fields[0]), fields[1:])

    def mix_all(key, fields):
        for field in fields:
            key = mix_field(key, field)
        return key

    return mix_all
