"""Names for contents: which sources does a piece of compiled code come from?

Compiled code may be reused only while every source that went into it is the
same.  The package's own sources are one fingerprint (it names the cache
folder); a module outside the package has its own, made of its text, of the
text of what it imports that is not installed software, and of the numbers and arrays among
their globals, because the compiler freezes those into the code.
"""

import hashlib
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

PACKAGE = Path(__file__).resolve().parent.parent
# Layers that may hold compiled code: editing others leaves every cache entry valid.
COMPILED = ("core", "evaluators", "games", "search")


@cache
def package_fingerprint() -> str:
    """Of every source in the package that compiled code can come from."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        if relative.parts[0] in COMPILED:
            digest.update(f"{relative.as_posix()}\0".encode())
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def module_fingerprint(name: str) -> str | None:
    """Of a module and all that its compiled functions may depend on.

    None when that cannot be known (a console, a notebook cell): such code is
    compiled anew by every process.  Read anew every time, because a module that
    is still being imported has not got all its globals yet.
    """
    module = sys.modules.get(name)
    if module is None or source_path(module) is None:
        return None
    if is_own(module):
        return package_fingerprint()
    digest = hashlib.sha256(name.encode())
    for part in sorted(neighbours(module), key=lambda part: part.__name__):
        path = source_path(part)
        assert path is not None
        digest.update(path.read_bytes())
        for key, value in sorted(vars(part).items()):
            if not (key.startswith("__") and key.endswith("__")) and _is_data(value):
                digest.update(f"{key}={_data_text(value)}\0".encode())
    return digest.hexdigest()


def is_own(module: ModuleType) -> bool:
    """Whether a module belongs to this package."""
    return _top(module) == "plies"


def source_path(module: ModuleType) -> Path | None:
    """Where a module's text is, None if there is none to read."""
    file = getattr(module, "__file__", None)
    return Path(file) if file and Path(file).is_file() else None


def neighbours(module: ModuleType) -> set[ModuleType]:
    """The module and what it imports, directly or not, that is not installed software."""
    found, waiting = {module}, [module]
    while waiting:
        for other in _referenced_modules(waiting.pop()):
            if other not in found and _may_change(other, module):
                found.add(other)
                waiting.append(other)
    return found


def _may_change(other: ModuleType, module: ModuleType) -> bool:
    path = source_path(other)
    if path is None or is_own(other):
        return False
    is_same_package = _top(other) == _top(module)
    return is_same_package or not any(folder in path.parents for folder in _installed())


def _top(module: ModuleType) -> str:
    return module.__name__.partition(".")[0]


@cache
def _installed() -> tuple[Path, ...]:
    """Folders of the standard library and of installed packages."""
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple({Path(sysconfig.get_path(kind)) for kind in kinds})


def _referenced_modules(module: ModuleType) -> Iterator[ModuleType]:
    for value in list(vars(module).values()):
        if isinstance(value, ModuleType):
            yield value
        else:
            origin = sys.modules.get(getattr(value, "__module__", None) or "")
            if origin is not None:
                yield origin


def _is_data(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_data(item) for item in value)
    return isinstance(value, (int, float, complex, str, bytes, slice, np.ndarray, np.generic))


def _data_text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"{value.dtype}{value.shape}{content}"
    if isinstance(value, tuple):
        return f"({','.join(_data_text(item) for item in value)})"
    return repr(value)
