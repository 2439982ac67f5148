"""Work of Numba that is done too often, or too early.

`install` puts the shortcuts into Numba's own classes.  They change no answer: a context is
refreshed only when there is something new, and SciPy is imported where it is needed.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from numba.core.base import BaseContext

BLAS = "scipy.linalg.cython_blas"

_refresh = BaseContext.refresh
_seen: dict[int, int] = {}  # how much each context knew when it was refreshed


def install() -> None:
    """Use these shortcuts in this process."""
    BaseContext.refresh = _refresh_if_new  # type: ignore[method-assign]


def _refresh_if_new(self: Any) -> None:
    """Make known what was declared since the last time.

    The compiler asks for it whenever a look-up fails, which is how it looks up most records.
    """
    context = id(self.typing_context)
    if _seen.get(context) != _declarations(self):
        with _blas_later():
            _refresh(self)
        _seen[context] = _declarations(self)


def _declarations(context: Any) -> int:
    """How many declarations of functions and types there are, known to the context or not."""
    return sum(
        len(declarations)
        for registry in (*context._registries, *context.typing_context._registries)
        for declarations in vars(registry).values()
        if isinstance(declarations, list)
    )


@contextmanager
def _blas_later() -> Iterator[None]:
    """Let a module of Numba find BLAS without importing it.

    It only asks whether BLAS is there, and what uses BLAS imports it again; but with it comes
    half of SciPy, which takes as long as to compile five rules.
    """
    if BLAS in sys.modules or find_spec("scipy") is None:
        yield
        return
    placeholder = sys.modules[BLAS] = ModuleType(BLAS)
    try:
        yield
    finally:
        if sys.modules.get(BLAS) is placeholder:
            del sys.modules[BLAS]
