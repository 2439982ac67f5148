"""Compiled code on disk: a file for each function and signature, of each of two kinds.

A part (`.bc`) is code for other compiled functions, a program (`.bin`) what Python calls; see
`libraries`.  A file's name is a hash of everything that decides its content: the function with
all that it refers to, the argument types with the rules and evaluators behind them, Numba and
the processor.  So an edited rule has another file, a reverted rule has the old file again, and
processes that start together write the same code under the same name.

`cache_files` decides which files may be loaded: to load one is to run it.
"""

import hashlib
import itertools
import os
import pickle
import secrets
import sys
from collections.abc import Callable
from functools import cache as memo
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numba
import numpy as np
from numba.core import bytecode, types
from numba.core import config as numba_config
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
FORMAT = "3"

Kind = Literal[".bc", ".bin"]
PART: Kind = ".bc"
PROGRAM: Kind = ".bin"


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


class Address(NamedTuple):
    """Where code is on disk: a hash of all that decides what it is, and the function's name."""

    name: str
    digest: str

    @property
    def number(self) -> int:
        """What tells this function apart from others of the same name, in any process."""
        return int(self.digest[:15], 16)

    def file_name(self, kind: Kind) -> str:
        return f"{self.name}-{self.digest[:32]}{kind}"


class DiskCache:
    """The stored code of one function."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self._addresses: dict[Any, Address | None] = {}

    def address(self, arguments: Any) -> Address | None:
        """Where the code for these argument types is; None if it is not stored."""
        if arguments not in self._addresses:
            self._addresses[arguments] = self._find_address(arguments)
        return self._addresses[arguments]

    def _find_address(self, arguments: Any) -> Address | None:
        function = self.function
        if "<" in function.__qualname__:  # <locals>, <lambda>: many functions have this name
            return None
        rules = [each for known in classes_in(arguments) for each in known.functions]
        source = fingerprint(function, *rules)
        place = f"{function.__module__}.{function.__qualname__}"
        identity = f"{cache_version()} {place} {source} {arguments} {_fields_in(arguments)}"
        return Address(function.__name__, hashlib.sha256(identity.encode()).hexdigest())


def load(address: Address, kind: Kind, expected: type) -> Any:
    """What `save` stored, of the class expected; None if there is nothing that can be used."""
    name, identity = address.file_name(kind), f"{address.digest}{kind}".encode()
    stored = (read_code(folder / name, identity) for folder in folders_to_read())
    code = next((each for each in stored if each is not None), None)
    if code is None:
        return None
    try:
        content = pickle.loads(code)
        if not isinstance(content, expected):
            raise TypeError(f"it holds a {type(content).__name__}")
    except Exception as error:
        warn_unusable(error)
        return None
    return content


def save(address: Address, kind: Kind, content: Any) -> bool:
    """Store code; where the folder is read-only, that costs only time.

    False for what cannot be stored anywhere, because it refers to what only this process has.
    """
    folder = own_folder()
    if folder is None:
        return True
    try:
        code = dumps(content)
    except (AttributeError, TypeError, ValueError, pickle.PicklingError):
        return False
    identity = f"{address.digest}{kind}".encode()
    try:
        write_code(folder / address.file_name(kind), identity, code)
    except OSError as error:
        warn(f"compiled code cannot be kept in {folder} ({error.strerror})")
    return True


def warn_unusable(error: Exception) -> None:
    """A damaged file may hold anything: whoever asked for it compiles instead."""
    reason = f"{type(error).__name__}: {error}".partition("\n")[0][:120]
    warn(f"ignored a cache file that cannot be used ({reason})")


def classes_in(sig: Any) -> list[Adopted]:
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
