"""Every state and evaluator class, as an attribute of this module under its unique name.

Compiled code on disk refers to a class by module and name.  The module that a game
file runs as may differ from process to process (`__main__`, a path, a package); this
one does not, and the unique name says which content the class came from.
"""

# Unique name -> the game that the class belongs to.
owners: dict[str, str] = {}


def adopt(cls: type, owner: str) -> None:
    """Make a class with a unique name known here, wherever it was defined."""
    cls.__module__ = __name__
    cls.__qualname__ = cls.__name__
    globals()[cls.__name__] = cls
    owners[cls.__name__] = owner
