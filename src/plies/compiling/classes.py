"""Every state and evaluator class, as an attribute of this module under its unique name.

Compiled code on disk refers to a class by module and name.  A game file may run as another
module in every process (`__main__`, a path, a package).  This module is always the same, and the
unique name identifies the content of the class.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from plies.compiling.fingerprint import fingerprint


class Adopted(NamedTuple):
    """The game that a class belongs to, and its rules or evaluator functions."""

    owner: str
    functions: Sequence[Callable[..., Any]]


adopted: dict[str, Adopted] = {}


def adopt(cls: type, owner: str, functions: Sequence[Callable[..., Any]], part: str = "") -> None:
    """Give a class a name for its content, in a module that all processes have."""
    names = (owner, part, cls.__name__, fingerprint(cls, *functions)[:16])
    unique = base = "_".join(filter(None, names))
    copies = 1
    while unique in adopted:  # the same content in another file, or in a cell run again
        copies += 1
        unique = f"{base}_{copies}"
    cls.__name__ = cls.__qualname__ = unique
    cls.__module__ = __name__
    globals()[unique] = cls
    adopted[unique] = Adopted(owner, functions)


def __getattr__(name: str) -> Any:
    message = f"{name} is not known here: load its game first (states travel as position texts)"
    raise AttributeError(message)
