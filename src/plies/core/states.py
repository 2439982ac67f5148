"""What a state must be for compiled code to read it right.

Compiled code trusts the annotations of `State`: it cuts off a fraction, and reads an array of
another type or layout as other numbers.  So a state from Python code is checked before any
rule sees it.

States are values, but compiled code does not ask whether an array is read-only.  So `Game` hands
out states whose arrays are (`read_only`), which stops Python code from changing a state, and code
of users gets a copy (`fresh`).
"""

from functools import cache
from typing import Any

import numpy as np

RANGES = {np.uint64: (0, 2**64 - 1)}
FIELD_KINDS = "int, np.uint64 or a 1-D int64 array (docs/writing-a-game.md#arrays)"
NO_NUMBERS = "-"  # the text of an array without entries
INT64 = (-(2**63), 2**63 - 1)
PLAIN_ARRAY = "a contiguous int64 array of one dimension"


def state_problem(kind: type, state: Any) -> str:
    """What is wrong with what should be a State of this class; empty if nothing.

    The text continues a sentence that begins with the name of the function.
    """
    if type(state) is not kind:
        return f"answers {state!r}, not a State"
    for name, declared in kind.__annotations__.items():
        value = getattr(state, name)
        if declared is np.ndarray:
            if not _is_plain_array(value):
                return f"makes {name} {_describe(value)}, expected {PLAIN_ARRAY}"
        elif not _is_whole(value, *RANGES.get(declared, INT64)):
            return f"makes {name} {value!r}, expected a whole number of 64 bits"
    return ""


def read_only(state: Any) -> Any:
    """The state with arrays that cannot be written into; whoever made an array still can."""
    indices = _array_indices(type(state))
    if not indices:
        return state
    fields = [*state]
    for index in indices:
        fields[index] = _read_only_view(fields[index])
    return tuple.__new__(type(state), fields)


@cache
def _array_indices(kind: type) -> tuple[int, ...]:
    """Which fields of a state class are declared as arrays."""
    declared = getattr(kind, "__annotations__", {}).values()
    return tuple(index for index, field in enumerate(declared) if field is np.ndarray)


def _read_only_view(field: Any) -> Any:
    if not isinstance(field, np.ndarray) or not field.flags.writeable:
        return field
    view = field.view()
    view.setflags(write=False)
    return view


def fresh(state: Any) -> Any:
    """A copy that shares no array with the state, for code that might write into one."""
    arrays = {
        name: value.copy()
        for name, value in zip(state._fields, state, strict=True)
        if isinstance(value, np.ndarray)
    }
    return state._replace(**arrays) if arrays else state


def state_text(state: Any) -> str:
    """The fields as numbers, the entries of an array joined by commas: `0 1,2,3 17`."""
    return " ".join(_field_text(field) for field in state)


def read_state(text: str, initial: Any) -> Any:
    """Inverse of `state_text`; arrays are as long as those of the initial state."""
    parts, names = text.split(), initial._fields
    if len(parts) != len(names):
        raise ValueError(f"expected {len(names)} fields ({', '.join(names)})")
    return type(initial)(*map(_read_field, names, initial, parts))


def _field_text(field: Any) -> str:
    if isinstance(field, np.ndarray):
        return ",".join(map(str, field.tolist())) or NO_NUMBERS
    return str(int(field))


def _read_field(name: str, first: Any, text: str) -> Any:
    if not isinstance(first, np.ndarray):
        return int(text)
    numbers = [] if text == NO_NUMBERS else [int(part) for part in text.split(",")]
    if len(numbers) != len(first):
        raise ValueError(f"{name} has {len(numbers)} numbers, expected {len(first)}")
    if any(not INT64[0] <= number <= INT64[1] for number in numbers):
        raise ValueError(f"{name} has a number of more than 64 bits")
    return np.array(numbers, np.int64)


def inputs_problem(numbers: Any, count: int) -> str:
    """What is wrong with the inputs of a position, `count` in all; empty if nothing.

    Learners use them as indices into arrays, where a wrong one would corrupt memory.
    """
    if not _is_plain_array(numbers):
        return f"inputs answers {_describe(numbers)}, expected {PLAIN_ARRAY}"
    strange = [int(number) for number in numbers if not 0 <= number < count]
    if strange:
        return f"inputs answers {strange[0]}, expected numbers from 0 to {count - 1}"
    if len(set(numbers.tolist())) < len(numbers):
        return "inputs answers a number twice, expected each once"
    return ""


def _is_plain_array(value: Any) -> bool:
    if not isinstance(value, np.ndarray):
        return False
    return value.dtype == np.int64 and value.ndim == 1 and value.flags.c_contiguous


def _describe(value: Any) -> str:
    """`an array of float64`, `a slice with gaps`: what stands where a plain array should."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.ndim != 1:
        return f"an array of {value.ndim} dimensions"
    return f"an array of {value.dtype}" if value.dtype != np.int64 else "a slice with gaps"


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, (int, np.integer)) and low <= int(value) <= high
