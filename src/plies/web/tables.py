"""One amount of memory for the tables of all searches of a server.

Every search here borrows its table.  What an agent remembers from one move to the next stays
until others need the room, then the one that was used longest ago is forgotten; or until nobody
has used it for a while.  A search that
cannot have all it wants gets a smaller table, and plays.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from plies.agents import Agent
from plies.errors import BadSpec
from plies.web import limits

MEGABYTE = 2**20


@dataclass
class Loan:
    """What one agent has: `megabytes` for its tables, and `found` bytes of what it has solved."""

    agent: Agent
    megabytes: int
    is_used: bool = True
    is_forgotten: bool = False  # when the search has ended
    found: int = 0
    used: float = 0.0  # when the last search with it ended

    @property
    def bytes(self) -> int:
        return self.megabytes * MEGABYTE + self.found


class TableBudget:
    """The memory of all tables, in megabytes; it is asked by the threads that search."""

    def __init__(self, megabytes: int = limits.TABLES, clock: Callable[[], float] = time.monotonic):
        self.megabytes = megabytes
        self._clock = clock
        self._lock = threading.Lock()
        self._loans: dict[int, Loan] = {}  # by the memory of an agent, the latest used last

    @property
    def bytes(self) -> int:
        """How much is lent now, to searches and to agents that remember."""
        with self._lock:
            return self._lent()

    @contextmanager
    def lend(
        self,
        agent: Agent,
        most: int | None = None,
        is_kept: Callable[[], bool] = lambda: True,
    ) -> Iterator[Agent]:
        """The agent with a table that there is room for, at most so many megabytes.

        Afterwards it remembers what it has found, unless `is_kept` says otherwise.
        """
        key = id(agent.memory)
        with self._lock:
            loan = self._loans.get(key)
            if loan is None:
                loan = self._loans[key] = Loan(agent, self._grant(wanted_by(agent, most)))
            loan.is_used = True
        try:
            yield sized(agent, loan.megabytes)
        finally:
            with self._lock:
                loan.is_used = False
                loan.used = self._clock()
                loan.found = array_bytes(agent.memory)
                if is_kept() and agent.memory and not loan.is_forgotten:
                    self._loans[key] = self._loans.pop(key)
                else:
                    self._drop(key)
                self._make_room(0)

    def forget(self, agent: Agent) -> None:
        """Free what an agent remembers; what it searches with now, when the search has ended."""
        with self._lock:
            loan = self._loans.get(id(agent.memory))
            if loan is not None and loan.is_used:
                loan.is_forgotten = True
            elif loan is not None:
                self._drop(id(agent.memory))

    def forget_unused(self, seconds: float) -> None:
        """Free what no search has used for so long; who needs it again gets a new table."""
        with self._lock:
            last = self._clock() - seconds
            unused = [not loan.is_used and loan.used < last for loan in self._loans.values()]
            for key in compress(list(self._loans), unused):
                self._drop(key)

    def _lent(self) -> int:
        return sum(loan.bytes for loan in self._loans.values())

    def _grant(self, wanted: int) -> int:
        """So many megabytes, or fewer; what must be forgotten for them is forgotten.

        Half of what could be free is left to the searches that may begin meanwhile, and each of
        these gets a megabyte at least.
        """
        used = [loan for loan in self._loans.values() if loan.is_used]
        room = self.megabytes - sum(-(-loan.bytes // MEGABYTE) for loan in used)
        to_come = max(limits.SEARCHES - len(used) - 1, 0)
        granted = min(wanted, max((room - to_come) // 2, 1))
        self._make_room(granted * MEGABYTE)
        return granted

    def _make_room(self, size: int) -> None:
        """Forget the oldest of what is not used, until so many bytes are free."""
        missing = self._lent() + size - self.megabytes * MEGABYTE
        idle = [item for item in self._loans.items() if not item[1].is_used]
        for key, loan in idle:
            if missing <= 0:
                return
            missing -= loan.bytes
            self._drop(key)

    def _drop(self, key: int) -> None:
        self._loans.pop(key).agent.close()


def least_for(agent: Agent) -> int:
    """The megabytes with which an agent searches in the same way as with many."""
    return trees_of(agent.search)


def wanted_by(agent: Agent, most: int | None = None) -> int:
    """The megabytes that an agent asks for, with all its threads."""
    wanted = getattr(agent.search, "table", 0) * trees_of(agent.search)
    return wanted if most is None else min(wanted, most)


def sized(agent: Agent, megabytes: int) -> Agent:
    """The same agent with tables of so many megabytes in all."""
    search: Any = agent.search
    if getattr(search, "table", 0) * trees_of(search) <= megabytes:
        return agent
    each = megabytes // trees_of(search)
    if each == 0:  # not one for every tree: then there is one tree
        return replace(agent, search=replace(search, table=megabytes, threads=1, reuse=False))
    try:
        return replace(agent, search=replace(search, table=each))
    except BadSpec:  # a search that has an option for a table, but no use for it
        return agent


def trees_of(search: Any) -> int:
    """How often a search has what it calls `table`.

    Monte Carlo search has it for each thread, and twice where it carries a tree over.
    """
    return search.threads * (2 if search.reuse else 1) if hasattr(search, "reuse") else 1


def array_bytes(memory: dict[str, Any]) -> int:
    """The size of solutions in a memory; tables and trees are counted by what was granted."""
    return sum(_arrays(value) for value in memory.values() if is_dataclass(value))


def _arrays(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return value.nbytes
    parts = vars(value).values() if is_dataclass(value) else value if _is_record(value) else ()
    return sum(map(_arrays, parts))


def _is_record(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")
