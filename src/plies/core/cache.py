"""Compiled code on disk: one file for one function and one signature.

A file's name is a hash of everything that decides its content: the function with
all that it refers to, the argument types with the rules and opinions behind them,
Numba and the processor.  So an edited rule is a different file, a reverted rule is
the old file again, and processes that start at the same time can only ever write
the same content under the same name.

What Numba keeps private is used here alone, but for the line of `compiler` that
hands a `DiskCache` to a dispatcher.
"""

import atexit
import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache as memo
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config as numba_config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from plies.core.classes import Adopted, adopted
from plies.core.fingerprint import core_fingerprint, fingerprint

DAYS_KEPT = 30
DAY_SECONDS = 24 * 3600
CACHE_IN_HOME = {"win32": "AppData/Local", "darwin": "Library/Caches"}

config: Any = numba_config  # its settings are made at run time

_announced: set[str] = set()
_warned: list[str] = []


@memo
def cache_folder() -> Path:
    """Where this version of the package keeps its compiled code."""
    versions = [numba.__version__, np.__version__, sys.version]
    switches = [str(config.BOUNDSCHECK), str(config.OPT)]
    parts = [core_fingerprint(), *versions, *switches, *_processor()]
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    return cache_root() / name


def cache_root() -> Path:
    """`$PLIES_CACHE_DIR`, or the user's cache folder."""
    if chosen := os.environ.get("PLIES_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32" and (chosen := os.environ.get("LOCALAPPDATA")):
        return Path(chosen) / "plies"
    if chosen := os.environ.get("XDG_CACHE_HOME"):
        return Path(chosen) / "plies"
    try:
        return Path.home() / CACHE_IN_HOME.get(sys.platform, ".cache") / "plies"
    except RuntimeError:
        return _homeless()


@memo
def _homeless() -> Path:
    """A folder for this process alone."""
    _warn("there is no home folder to keep compiled code in; set PLIES_CACHE_DIR")
    folder = Path(tempfile.mkdtemp(prefix="plies-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


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
        return str(cache_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for these argument types, or None: then it is compiled."""
        path = self._path(sig)
        content = _read(path) if path else None
        if content is not None:
            # Running code needs the memory manager, not all that compiling needs
            # (`refresh`), which takes longer than everything else here.
            rtsys.initialize(target_context)
            try:
                return CompileResult._rebuild(target_context, *pickle.loads(content))
            except Exception as error:  # whatever a damaged file may hold: compile instead
                _warn(f"ignored a cache file that cannot be used ({_one_line(error)})")
        target_context.refresh()
        _announce(sig)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled; a folder that cannot be written costs only time."""
        path = self._path(sig)
        is_portable = not (data.lifted or data.library.has_dynamic_globals)
        if path is not None and is_portable:
            try:
                _write(path, dumps(data._reduce()))
            except OSError as error:
                _warn(f"compiled code cannot be kept in {cache_folder()} ({error.strerror})")

    def _path(self, sig: Any) -> Path | None:
        """Named by the code about to be compiled and by that of the games in its arguments."""
        if "<" in self._function.__qualname__:  # <locals>, <lambda>: the compiler's own rule
            return None
        behind = [function for known in _classes_in(sig) for function in known.functions]
        content = f"{fingerprint(self._function, *behind)} {sig}"
        name = hashlib.sha256(content.encode()).hexdigest()[:32]
        return cache_folder() / f"{self._function.__name__}-{name}.bin"

    def enable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of Numba's interface; files are immutable, so nothing is pending."""


def _read(path: Path) -> bytes | None:
    """The content that `_write` put there, None if there is none or it is damaged."""
    try:
        stored = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        _warn(f"compiled code in {cache_folder()} cannot be read ({error.strerror})")
        return None
    _keep(path.parent)
    digest, content = stored[:32], stored[32:]
    if hashlib.sha256(content).digest() != digest:
        _warn(f"ignored a damaged file in {cache_folder()}; it is compiled again")
        return None
    return content


def _write(path: Path, content: bytes) -> None:
    """All or nothing: a reader sees the old file, the new file, or none."""
    _make_folder(path.parent)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _make_folder(folder: Path) -> None:
    """Create the folder of this version and forget versions not used for a month."""
    if folder.is_dir():
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    oldest = time.time() - DAYS_KEPT * DAY_SECONDS
    for other in folder.parent.iterdir():
        with suppress(OSError):  # another process may be doing the same
            if re.fullmatch(r"[0-9a-f]{16}", other.name) and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


@memo
def _keep(folder: Path) -> None:
    """Note that a folder is in use, once a day, so that it is not forgotten."""
    with suppress(OSError):
        if time.time() - folder.stat().st_mtime > DAY_SECONDS:
            os.utime(folder)


def _classes_in(sig: Any) -> list[Adopted]:
    """What stands behind the state and evaluator classes in a signature."""
    text = str(sig)
    return [known for name, known in adopted.items() if f"{name}(" in text]


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


def _warn(message: str) -> None:
    """Once: whatever is wrong with the cache, it costs only time."""
    if not _warned:
        print(f"plies: warning: {message}", file=sys.stderr)
    _warned.append(message)


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0][:120]
