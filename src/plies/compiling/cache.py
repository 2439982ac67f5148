"""Compiled code on disk: one file for one function and one signature.

A file's name is a hash of everything that decides its content: the function with
all that it refers to, the argument types with the rules and evaluators behind them,
Numba and the processor.  So an edited rule is a different file, a reverted rule is
the old file again, and processes that start at the same time can only ever write
the same content under the same name.

Which files may be loaded is decided in `cache_files`: to load one is to run it.
What Numba keeps private is used here alone, but for the line of `compiler` that
hands a `DiskCache` to a dispatcher.
"""

import hashlib
import os
import pickle
import sys
from functools import cache as memo
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite.binding import parse_bitcode
from numba.core import config as numba_config
from numba.core import types
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

config: Any = numba_config  # its settings are made at run time

_announced: set[str] = set()
written: set[str] = set()  # files of compiled code that this process has written


@memo
def cache_version() -> str:
    """Of all that decides how any function is compiled; its own content has a fingerprint."""
    from plies.compiling.compiler import _compiled

    versions = [numba.__version__, np.__version__, sys.version]
    switches = [str(config.BOUNDSCHECK), str(config.OPT)]
    parts = [fingerprint(_compiled), *versions, *switches, *_processor()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@memo
def own_folder() -> Path | None:
    """Where compiled code is stored, None if there is no safe place for it."""
    return find_own_folder(cache_version())


@memo
def folders_to_read() -> tuple[Path, ...]:
    """Where compiled code may be loaded from, in the order in which it is looked for."""
    own = own_folder()
    return (*find_shared_folders(cache_version()), *([own] if own else ()))


def _processor() -> tuple[str, ...]:
    from numba.core.registry import cpu_target

    context: Any = cpu_target.target_context
    return tuple(str(part) for part in context.codegen().magic_tuple())


class DiskCache(_Cache):
    """The cache of one compiled function, as Numba's dispatcher expects it."""

    def __init__(self, dispatcher: Any):
        self._function = dispatcher.py_func

    @property
    def cache_path(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return str(own_folder() or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for these argument types, or None: then it is compiled."""
        code = self._load(sig)
        if code is not None:
            # Running code needs the memory manager, not all that compiling needs
            # (`refresh`), which takes longer than everything else here.
            rtsys.initialize(target_context)
            try:
                return _rebuilt(target_context, pickle.loads(code))
            except Exception as error:  # whatever a damaged file may hold: compile instead
                warn(f"ignored a cache file that cannot be used ({_one_line(error)})")
        target_context.refresh()
        _announce(sig)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store what was compiled; a folder that cannot be written costs only time."""
        folder = own_folder()
        is_portable = not (data.lifted or data.library.has_dynamic_globals)
        if folder is not None and is_portable and self._has_name():
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
        """The name of a file, and what the file says it is for.

        Both come from the code about to be compiled and from that of the games in its arguments.
        """
        function = self._function
        behind = [each for known in _classes_in(sig) for each in known.functions]
        source = fingerprint(function, *behind)
        address = f"{function.__module__}.{function.__qualname__}"
        identity = f"{cache_version()} {address} {source} {sig} {_fields_in(sig)}".encode()
        return f"{function.__name__}-{hashlib.sha256(identity).hexdigest()[:32]}.bin", identity

    def enable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of Numba's interface; files are immutable, so nothing is pending."""


def _rebuilt(target_context: Any, parts: Any) -> Any:
    """What `save_overload` stored, ready to run.

    Functions that call each other do so through pointers, which Numba sets when it compiles but
    not when it loads: such code would jump nowhere (Numba issue 6061).
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
    """What stands behind the state and evaluator classes in a signature."""
    text = str(sig)
    return [known for name, known in adopted.items() if f"{name}(" in text]


def _fields_in(kinds: Any) -> list[Any]:
    """The fields of the records in a signature, in order: its text has only their types."""
    records: Any = (types.NamedTuple, types.NamedUniTuple)
    arguments = getattr(kinds, "args", kinds)
    return [
        (kind.fields, _fields_in(kind.types)) for kind in arguments if isinstance(kind, records)
    ]


def _announce(sig: Any) -> None:
    """Say once for every game why the first answer takes a moment."""
    games = {known.owner for known in _classes_in(sig)} - {"plies"}
    if games <= _announced or os.environ.get("PLIES_QUIET"):
        return
    _announced.update(games)
    print(
        f"plies: compiling {', '.join(sorted(games))} for this machine"
        " (up to a minute, once for each use)",
        file=sys.stderr,
    )


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0][:120]
