"""Fingerprints: a hash of everything that goes into a piece of compiled code.

Compiled code may be reused only while all that went into it is the same: the function's own
code, the functions it calls, and the numbers and arrays it refers to, which the compiler
freezes into the code.  The hash is of the objects themselves, not of their files, which
somebody may have edited since.  Docstrings, colours and sentences of errors are no part of it.

A function with an `@overload` counts by its overloads, not by its Python code.  Numba and NumPy
count by their versions (`plies.compiling.cache`).
"""

import hashlib
import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.types import Type
from numba.core.typing.templates import builtin_registry

PLAIN = (int, float, complex, str, bytes, slice, range, np.generic, np.dtype, type(None))
OURS = "plies.compiling."
VERSIONED = ("numba", "numpy", "llvmlite")
# What decides whether a function is compiled or loaded, not how it is compiled.
ASIDE = ("plies.core.answers", OURS + "cache", OURS + "cache_files", OURS + "fingerprint")
COMPREHENSIONS = ("comp>", "<genexpr>")
HAS_DOCSTRING = 0x4000000  # a flag of code since Python 3.14

_overloads: dict[FunctionType, list[Any]] = {}
_counted = 0  # entries of the compiler's list of functions that are in _overloads


def overloads_of(function: FunctionType) -> list[Any]:
    """The overloads of a function, as the compiler's templates."""
    global _counted
    known: list[Any] = builtin_registry.globals
    for other, kind in known[_counted:]:
        if isinstance(other, FunctionType):
            templates = getattr(kind, "templates", ())
            own = [each for each in templates if hasattr(each, "_overload_func")]
            _overloads.setdefault(other, []).extend(own)
    _counted = len(known)
    return _overloads.get(function, [])


def fingerprint(*values: Any) -> str:
    """The hash of functions, compiled or not, and of data, with all that they refer to."""
    hasher = _Hasher()
    for value in values:
        hasher.add(value)
    return hasher.digest.hexdigest()


class _Hasher:
    """Visits everything reachable once, in a fixed order, and feeds it to a hash."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.alive: list[Any] = []  # keeps the visited objects, so that no id is used again

    def feed(self, *parts: object) -> None:
        for part in parts:
            text = part if isinstance(part, bytes) else str(part).encode()
            self.digest.update(f"{len(text)}:".encode() + text)

    def add(self, value: Any) -> None:
        value = getattr(value, "_dispatcher", value)  # of a compiled ufunc
        value = getattr(value, "_defn", value)  # of an intrinsic
        if getattr(value, "targetoptions", {}).get("forceinline"):
            self.feed("inlined")
        value = getattr(value, "py_func", value)  # of a compiled function
        if isinstance(value, PLAIN):
            self.feed(type(value).__name__, repr(value))
            return
        if id(value) in self.seen:
            self.feed("again", self.seen[id(value)])
            return
        self.seen[id(value)] = len(self.seen)
        self.alive.append(value)
        if isinstance(value, np.ndarray):
            self.feed("array", value.dtype, value.shape, np.ascontiguousarray(value).tobytes())
        elif isinstance(value, (set, frozenset)):
            self.feed("set", *sorted(str(_address(item)) for item in value))
        elif isinstance(value, (tuple, list)):
            self.feed(type(value).__name__, len(value))
            for item in value:
                self.add(item)
        elif isinstance(value, FunctionType):
            self.add_function(value)
        elif isinstance(value, CodeType):
            self.add_code(value)
        elif isinstance(value, Type):
            self.feed("type", value)
        elif isinstance(value, type):
            self.add_class(value)
        else:
            self.feed(type(value), *_address(value))

    def add_function(self, function: FunctionType) -> None:
        self.feed("function", *_address(function))
        module = function.__module__ or ""
        if module.partition(".")[0] in VERSIONED or module in ASIDE:
            return
        templates = overloads_of(function)
        if not templates:
            self.add_body(function)
        for template in templates:
            inlining = getattr(template._inline, "value", template._inline)
            self.feed("overload", inlining, sorted(template._jit_options.items()))
            self.add(template._overload_func)

    def add_body(self, function: FunctionType) -> None:
        self.add(function.__code__)
        self.add(function.__defaults__)
        for cell in function.__closure__ or ():
            self.add(cell.cell_contents)
        names = sorted(set(_names(function.__code__)))
        for name in names:
            if name in function.__globals__:
                self.feed(name)
                self.add_global(function.__globals__[name], names)

    def add_global(self, value: Any, names: list[str]) -> None:
        """Add a global; of a module only what these names may take from it."""
        if not isinstance(value, ModuleType):
            self.add(value)
        elif id(value) not in self.seen:
            self.seen[id(value)] = len(self.seen)
            for name in names:
                if name in vars(value):
                    self.feed(name)
                    self.add_global(vars(value)[name], names)

    def add_code(self, code: CodeType) -> None:
        self.feed("code", code.co_code, code.co_names, code.co_varnames, code.co_argcount)
        self.feed(code.co_freevars, code.co_cellvars, code.co_flags, code.co_exceptiontable)
        for constant in code.co_consts[_has_docstring(code) :]:
            if isinstance(constant, frozenset):
                constant = tuple(sorted(constant, key=repr))
            self.add(constant)

    def add_class(self, cls: type) -> None:
        """The fields of a record, the members of an enumeration, else the name."""
        self.feed("class", getattr(cls, "_fields", None) or _address(cls))
        for name, kind in inspect.get_annotations(cls).items():
            self.feed(name, getattr(kind, "__name__", kind))
        if cls.__module__.startswith(OURS) and cls.__module__ not in ASIDE:
            # These classes decide how functions are compiled.
            for name, method in sorted(vars(cls).items()):
                if isinstance(method, FunctionType) and not hasattr(cls, "_fields"):
                    self.feed(name)
                    self.add_function(method)
        if issubclass(cls, Enum):
            for member in cls:
                self.add((member.name, member.value))


def _has_docstring(code: CodeType) -> bool:
    """Whether the first constant is the docstring of a function."""
    if sys.version_info >= (3, 14):
        return bool(code.co_flags & HAS_DOCSTRING)
    # Before, the first constant of a function was its docstring, or None.
    is_function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.endswith(COMPREHENSIONS)
    return bool(is_function) and isinstance(next(iter(code.co_consts), 0), str | None)


def _names(code: CodeType) -> Iterator[str]:
    """Names of globals and attributes, in nested functions, too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _address(value: Any) -> tuple[str, str]:
    return str(getattr(value, "__module__", "")), str(getattr(value, "__qualname__", ""))
