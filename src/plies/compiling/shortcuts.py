"""Work that Numba does anew for every function, and that need be done only once.

`install` puts the shortcuts into Numba's own classes.  They change no answer: a context is
refreshed only when there is something new.
"""

from typing import Any

from numba.core.base import BaseContext

_refresh = BaseContext.refresh


def _declarations(context: Any) -> int:
    """How many declarations of functions and types there are, known to the context or not."""
    return sum(
        len(declarations)
        for registry in (*context._registries, *context.typing_context._registries)
        for declarations in vars(registry).values()
        if isinstance(declarations, list)
    )


def _refresh_if_new(self: Any) -> None:
    """Make known what was declared since the last time.

    The compiler asks for it whenever a look-up fails, which is how it looks up most records.
    """
    before = _seen.get(id(self.typing_context))
    if before is None or before != _declarations(self):
        _refresh(self)
        _seen[id(self.typing_context)] = _declarations(self)


_seen: dict[int, int] = {}


def install() -> None:
    """Use these shortcuts in this process."""
    BaseContext.refresh = _refresh_if_new  # type: ignore[method-assign]
