"""What a search may be asked for, checked before anything is searched."""

from operator import index
from typing import Any

from plies.core.errors import BadSpec
from plies.search.workspace import MAX_DEPTH, UNLIMITED


def checked_depth(depth: Any, least: int = 1) -> int:
    """A depth that the workspace has room for."""
    number = _whole("depth", depth)
    if not least <= number <= MAX_DEPTH:
        raise BadSpec(f"depth is {least} to {MAX_DEPTH}, not {depth}")
    return number


def checked_budget(nodes: Any) -> int:
    """How many nodes may be entered; asking for 0 means no limit."""
    number = _whole("nodes", nodes)
    if not 0 <= number <= UNLIMITED:
        raise BadSpec(f"nodes is 0 (no limit) to {UNLIMITED}, not {nodes}")
    return number or UNLIMITED


def _whole(name: str, number: Any) -> int:
    try:
        return int(index(number))
    except TypeError:
        raise BadSpec(f"{name} is a whole number, not {number!r}") from None
