"""Compiled code on disk: one file for one function and one signature.

A file's name is a hash of everything that decides its content: the function with all that it
refers to, the argument types with the rules and evaluators behind them, Numba and the
processor.  So an edited rule has another file, a reverted rule has the old file again, and
processes that start together write the same code under the same name.

`cache_files` decides which files may be loaded: to load one is to run it.  Only this module
uses private parts of Numba, and one line of `compiler` that gives a `DiskCache` to a dispatcher.
"""

import hashlib
import itertools
import os
import pickle
import secrets
import sys
from functools import cache as memo
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite.binding import parse_bitcode
from numba.core import bytecode, types
from numba.core import config as numba_config
from numba.core.caching import _Cache
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from plies.compiling.cache_files import (
    find_own_folder,
    find_shared_folders,
    read_code,
    warn,
    write_code,
)
from plies.compiling.classes import Adopted, adopted
from plies.compiling.fingerprint import fingerprint

config: Any = numba_config  # Numba adds its settings at run time

# Part of the name of the folder; another number when stored code must not be used any more.
FORMAT = "2"

_announced: set[str] = set()
written: set[str] = set()  # names of the files that this process has written


@memo
def cache_version() -> str:
    """The hash of all that decides how any function is compiled."""
    from plies.compiling.compiler import _compiled

    versions = [numba.__version__, np.__version__, sys.version]
    switches = [str(config.BOUNDSCHECK), str(config.OPT)]
    parts = [FORMAT, fingerprint(_compiled), *versions, *switches, *_processor()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@memo
def own_folder() -> Path | None:
    """The folder for compiled code, None if there is no safe one."""
    return find_own_folder(cache_version())


@memo
def folders_to_read() -> tuple[Path, ...]:
    """The folders from which compiled code may be loaded, in this order."""
    own = own_folder()
    return (*find_shared_folders(cache_version()), *([own] if own else ()))


def _processor() -> tuple[str, ...]:
    from numba.core.registry import cpu_target

    context: Any = cpu_target.target_context
    return tuple(str(part) for part in context.codegen().magic_tuple())


def number_at_random() -> None:
    """Let the functions that this process compiles have numbers that no other process gives.

    The number is all that tells two closures of one definition apart in the names of machine
    code.  Numba counts from 1 in every process: of two processes' code a third would load two
    functions under one name, and all calls would go to the first (Numba issue 10486).
    """
    bytecode.FunctionIdentity._unique_ids = itertools.count(secrets.randbits(64))


number_at_random()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=number_at_random)


class DiskCache(_Cache):
    """The cache of one compiled function, as Numba's dispatcher expects it."""

    def __init__(self, dispatcher: Any):
        self._dispatcher, self._function = dispatcher, dispatcher.py_func
        self._has_second_signature = False  # of a recursive function

    @property
    def cache_path(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return str(own_folder() or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for these argument types; None lets Numba compile it."""
        code = self._load(sig)
        if code is not None:
            # To run code we need the memory manager only.  Compiling needs `refresh`, too, which
            # takes longer than everything else here.
            rtsys.initialize(target_context)
            try:
                return _rebuild(target_context, pickle.loads(code))
            except Exception as error:  # a damaged file may hold anything: compile instead
                reason = f"{type(error).__name__}: {error}".partition("\n")[0][:120]
                warn(f"ignored a cache file that cannot be used ({reason})")
        target_context.refresh()
        _announce(sig)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store compiled code; where the folder is read-only, that costs only time."""
        folder = own_folder()
        # The signatures of a recursive function call each other through pointers that only this
        # process has (Numba issue 6061).
        if self._dispatcher.is_compiling.counter > 1:
            self._has_second_signature = True
            arguments = getattr(sig, "args", sig)
            has_float = any(isinstance(kind, types.Float) for kind in arguments)
            why = "a float, which / makes" if has_float else "other types, such as of 0 or True"
            warn(
                f"every process compiles {self._function.__name__} anew, because it calls itself"
                f" with {why}; pass variables of one type"
            )
        is_portable = not (data.lifted or data.library.has_dynamic_globals)
        is_portable = is_portable and self._has_name() and not self._has_second_signature
        if folder is not None and is_portable:
            name, identity = self._entry(sig)
            try:
                write_code(folder / name, identity, dumps(data._reduce()))
                written.add(name)
            except OSError as error:
                warn(f"compiled code cannot be kept in {folder} ({error.strerror})")

    def _load(self, sig: Any) -> bytes | None:
        if not self._has_name():
            return None
        name, identity = self._entry(sig)
        stored = (read_code(folder / name, identity) for folder in folders_to_read())
        return next((code for code in stored if code is not None), None)

    def _has_name(self) -> bool:
        return "<" not in self._function.__qualname__  # <locals>, <lambda>: the compiler's rule

    def _entry(self, sig: Any) -> tuple[str, bytes]:
        """The name of a file, and the identity that its content begins with.

        Both come from the code to be compiled and that of the games in its arguments.
        """
        function = self._function
        rules = [each for known in _classes_in(sig) for each in known.functions]
        source = fingerprint(function, *rules)
        address = f"{function.__module__}.{function.__qualname__}"
        identity = f"{cache_version()} {address} {source} {sig} {_fields_in(sig)}".encode()
        return f"{function.__name__}-{hashlib.sha256(identity).hexdigest()[:32]}.bin", identity

    def flush(self) -> None:
        """Numba asks for these three: this cache is always on, and its files never change."""

    enable = disable = flush


def _rebuild(target_context: Any, parts: Any) -> Any:
    """The code that `save_overload` stored, ready to run.

    Functions that call each other do so through pointers.  Numba sets them when it compiles but
    not when it loads, and such code would jump nowhere (Numba issue 6061).
    """
    _, kind, content = parts[0]
    if kind != "object" or RuntimeLinker.PREFIX.encode() not in content[0]:
        return CompileResult._rebuild(target_context, *parts)
    codegen = target_context.codegen()
    module = parse_bitcode(content[1])
    codegen._rtlinker.scan_unresolved_symbols(module, codegen._engine)
    result = CompileResult._rebuild(target_context, *parts)
    codegen._scan_and_fix_unresolved_refs(module)
    return result


def _classes_in(sig: Any) -> list[Adopted]:
    """The functions behind the state and evaluator classes in a signature."""
    text = str(sig)
    return [known for name, known in adopted.items() if f"{name}(" in text]


def _fields_in(kinds: Any) -> list[Any]:
    """The field names of the records in a signature, whose own text has only their types."""
    records: Any = (types.NamedTuple, types.NamedUniTuple)
    arguments = getattr(kinds, "args", kinds)
    return [
        (kind.fields, _fields_in(kind.types)) for kind in arguments if isinstance(kind, records)
    ]


def _announce(sig: Any) -> None:
    """Tell the user, once for every game, why the first answer takes a moment."""
    games = {known.owner for known in _classes_in(sig)} - {"plies"}
    if games <= _announced or os.environ.get("PLIES_QUIET"):
        return
    _announced.update(games)
    print(
        f"plies: compiling {', '.join(sorted(games))} for this machine"
        " (up to a minute, once for each use)",
        file=sys.stderr,
    )
