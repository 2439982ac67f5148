"""`@compiled`: the one decorator of everything that runs at native speed.

Rules of games, evaluators and search kernels all use it.  It compiles on first use, releases
the interpreter lock, and stores the result in the cache of `plies.compiling.cache`.  Inside
`interpreted()` functions stay plain Python, to load a game file a second time and compare.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np
from numba.core import types
from numba.extending import typeof_impl
from numpy.typing import NDArray

from plies.compiling.cache import config
from plies.compiling.classes import adopt
from plies.compiling.functions import CompiledFunction
from plies.compiling.interrupts import postpone_interrupts
from plies.compiling.unsigned import Word, record_types
from plies.errors import BadGame

F = TypeVar("F", bound=Callable[..., Any])

_interpreting: ContextVar[bool] = ContextVar("interpreting", default=False)

# The types of fields: of a state, and, with a few more, of an evaluator.
STATE_TYPES: dict[Any, types.Type] = {
    int: types.int64,
    bool: types.int64,
    np.uint64: types.uint64,
    np.ndarray: types.Array(types.int64, 1, "C"),
}
FIELD_TYPES: dict[Any, types.Type] = {
    **STATE_TYPES,
    float: types.float64,
    NDArray[np.float64]: types.Array(types.float64, 1, "C"),
    NDArray[np.float32]: types.Array(types.float32, 1, "C"),
}

postpone_interrupts()


def compiled(function: F) -> F:
    """Compile a pure function of numbers, tuples and arrays on its first call."""
    return _compiled(function, is_inlined=False)


def inlined(function: F) -> F:
    """Like `compiled`, for a part of a hot function: the compiler copies its code to the caller."""
    return _compiled(function, is_inlined=True)


def _compiled(function: F, is_inlined: bool) -> F:
    if is_interpreting():
        return np.errstate(over="ignore")(function)  # no warnings: compiled code gives none
    options = {"nopython": True, "nogil": True, "forceinline": is_inlined}
    return CompiledFunction(function, {}, options)  # type: ignore[return-value]


@contextmanager
def interpreted() -> Iterator[None]:
    """While this lasts, `@compiled` leaves functions plain Python."""
    token = _interpreting.set(True)
    try:
        yield
    finally:
        _interpreting.reset(token)


def is_interpreting() -> bool:
    return _interpreting.get() or bool(config.DISABLE_JIT)


def name_class(
    cls: type[NamedTuple], owner: str, functions: Sequence[Callable[..., Any]], part: str = ""
) -> None:
    """Prepare a state or evaluator class for compiled code.

    The compiler knows classes by their bare name alone, so every class gets one that no other
    rules or evaluators (`functions`) have.  The annotations fix the types of the fields, so that
    0 and 2**63 are the same type.  A field may itself be of a class that was named before.

    In Python two records with arrays are equal, and hash alike, where their contents are equal.
    """
    full_name = f"{owner}.{cls.__name__}"
    cls.__annotations__ = get_type_hints(cls)  # before the class moves to another module
    cls.__repr__ = lambda self: _repr(self, full_name)  # type: ignore[method-assign]
    _check_fields(cls)
    adopt(cls, owner, functions, part)
    if is_interpreting() and np.uint64 in cls.__annotations__.values():
        _make_words(cls)
    if _has_arrays(cls) and cls.__eq__ is tuple.__eq__:  # else its author defined equality
        _compare_contents(cls)
    if not config.DISABLE_JIT:
        numba_type = record_types[cls] = _tuple_type(cls)
        typeof_impl.register(cls)(lambda value, context: numba_type)


def _repr(record: Any, full_name: str) -> str:
    fields = ", ".join(f"{name}={getattr(record, name)!r}" for name in record._fields)
    return f"{full_name}({fields})"


def _make_words(cls: type[NamedTuple]) -> None:
    """Let np.uint64 fields calculate in plain Python as they do in compiled code."""
    kinds = [Word if kind is np.uint64 else None for kind in cls.__annotations__.values()]
    plain = cls.__new__

    @wraps(plain)
    def new(kind: Any, *fields: Any, **named: Any) -> Any:
        values = plain(kind, *fields, **named)
        pairs = zip(kinds, values, strict=True)
        return tuple.__new__(kind, (word(value) if word else value for word, value in pairs))

    cls.__new__ = new  # type: ignore[method-assign]
    # `_replace` calls this one.
    cls._make = classmethod(lambda kind, fields: kind(*fields))  # type: ignore[assignment]


def _has_arrays(cls: type[NamedTuple]) -> bool:
    kinds = map(FIELD_TYPES.get, cls.__annotations__.values())
    return any(isinstance(kind, types.Array) for kind in kinds)


def _compare_contents(cls: Any) -> None:
    """Two arrays have no one truth value, and none has a hash: compare and hash their entries."""

    def is_equal(self: Any, other: object) -> bool:
        return type(other) is cls and _contents(self) == _contents(other)

    cls.__eq__ = is_equal
    cls.__ne__ = lambda self, other: not is_equal(self, other)
    cls.__hash__ = lambda self: hash(_contents(self))


def _contents(record: Any) -> tuple[Any, ...]:
    return tuple(_comparable(field) for field in record)


def _comparable(field: Any) -> Any:
    if isinstance(field, np.ndarray):
        return field.dtype.str, field.shape, field.tobytes()
    return field


def _check_fields(cls: type[NamedTuple]) -> None:
    for name, annotation in cls.__annotations__.items():
        if annotation not in FIELD_TYPES and not hasattr(annotation, "_fields"):
            kind = getattr(annotation, "__name__", annotation)
            raise BadGame(f"field {name} of {cls.__qualname__} is a {kind}, not a number")


def _tuple_type(cls: type[NamedTuple]) -> types.Type:
    known = FIELD_TYPES | record_types
    fields = [known[annotation] for annotation in cls.__annotations__.values()]
    if len(set(fields)) == 1:
        return types.NamedUniTuple(fields[0], len(fields), cls)
    return types.NamedTuple(fields, cls)
