"""Limits and options of searches, checked before anything is searched."""

import os
from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from operator import index
from pathlib import Path
from typing import Any

from plies.errors import BadSpec
from plies.search.workspace import MAX_DEPTH, UNLIMITED

MAX_THREADS = 256
MAX_SECONDS = 10_000_000.0
MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container, where there is one


def check_limits(search: Any) -> None:
    """Check the options that many searches share, by their names.

    A depth of 0, no limit, is for searches that have it as their default.
    """
    for name, value in vars(search).items():
        if name == "depth":
            checked_depth(value, least=min(type(search).depth, 1))
        elif name in CHECKS:
            CHECKS[name](value)


def checked_depth(depth: Any, least: int = 1) -> int:
    """A depth that the workspace has room for."""
    return checked_whole("depth", depth, least, MAX_DEPTH)


def checked_budget(nodes: Any) -> int:
    """The number of nodes that may be entered; the option 0 means no limit."""
    number = whole_number("nodes", nodes)
    if not 0 <= number <= UNLIMITED:
        raise BadSpec(f"nodes is 0 (no limit) to {UNLIMITED}, not {nodes}")
    return number or UNLIMITED


def share_of(budget: int, index: int, threads: int) -> int:
    """The part of a budget for one of several threads; the parts add up to the budget."""
    return (budget + threads - 1 - index) // threads


def checked_seconds(seconds: Any) -> float:
    """The seconds that a search may take; 0 means no limit."""
    if not isinstance(seconds, (int, float)) or not isfinite(seconds):
        raise BadSpec(f"seconds is a number, not {seconds!r}")
    if not 0 <= seconds <= MAX_SECONDS:
        raise BadSpec(f"seconds is 0 (no limit) to {MAX_SECONDS:.0f}, not {seconds}")
    return float(seconds)


def checked_threads(threads: Any) -> int:
    return checked_whole("threads", threads, 1, MAX_THREADS)


def checked_table(megabytes: Any) -> int:
    """The size of a table in megabytes, 0 for none; no more than this machine has."""
    return checked_whole("table", megabytes, 0, memory_megabytes(), " (megabytes)")


def checked_whole(name: str, number: Any, least: int, most: int, unit: str = "") -> int:
    """A whole number within bounds."""
    checked = whole_number(name, number)
    if not least <= checked <= most:
        raise BadSpec(f"{name} is {least} to {most}{unit}, not {number}")
    return checked


def checked_share(name: str, share: Any) -> float:
    """A fraction above 0 and at most 1."""
    if not isinstance(share, (int, float)) or not 0 < share <= 1:
        raise BadSpec(f"{name} is more than 0 and at most 1, not {share}")
    return float(share)


def whole_number(name: str, number: Any) -> int:
    try:
        return int(index(number))
    except TypeError:
        raise BadSpec(f"{name} is a whole number, not {number!r}") from None


def memory_megabytes() -> int:
    """The memory that this process may use, in megabytes."""
    available = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):  # no container, or one without a limit
        available = min(available, int(MEMORY_LIMIT.read_text()))
    return available >> 20


CHECKS: dict[str, Callable[[Any], Any]] = {
    "nodes": checked_budget,
    "seconds": checked_seconds,
    "table": checked_table,
    "threads": checked_threads,
}
