"""Every state and evaluator class, as an attribute of this module under its unique name.

Compiled code on disk refers to a class by module and name.  The module that a game
file runs as may differ from process to process (`__main__`, a path, a package); this
one does not, and the unique name says which content the class came from.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from plies.compiling.fingerprint import fingerprint


class Adopted(NamedTuple):
    """What stands behind a class: the game it belongs to, and its rules or evaluator."""

    owner: str
    functions: Sequence[Callable[..., Any]]


adopted: dict[str, Adopted] = {}


def adopt(cls: type, owner: str, functions: Sequence[Callable[..., Any]], part: str = "") -> None:
    """Give a class a name that no other content has, and a home that all processes know."""
    names = (owner, part, cls.__name__, fingerprint(cls, *functions)[:16])
    unique = base = "_".join(filter(None, names))
    copies = 1
    while unique in adopted:  # the same content once more, from another file or typed again
        copies += 1
        unique = f"{base}_{copies}"
    cls.__name__ = cls.__qualname__ = unique
    cls.__module__ = __name__
    globals()[unique] = cls
    adopted[unique] = Adopted(owner, functions)


def __getattr__(name: str) -> Any:
    message = f"{name} is not known here: load its game first (states travel as position texts)"
    raise AttributeError(message)
