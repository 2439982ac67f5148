"""From the events of a search to a visit of every node."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from plies.search.reference import Event, Path, Window
from plies.search.trace.records import Bound, Simulation


@dataclass
class Visit:
    """One node as the search left it; `cut` is the window at which it was cut off."""

    order: int
    path: Path
    node: Any
    window: Window
    children: int = 0
    value: Any = None
    is_leaf: bool = False
    is_finished: bool = False
    cut: Window | None = None
    dropped: dict[int, Any] = field(default_factory=dict)  # child -> the value of its rank
    bound: Bound = "unfinished"
    visits: int = 0


@dataclass
class Pass:
    """One pass over the tree."""

    depth: int | None = None
    visits: dict[Path, Visit] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)  # none where the tree grows


class Recorder:
    """Listens to one search.  Where the tree grows (`is_growing`), all is one pass."""

    def __init__(self, is_growing: bool = False):
        self.is_growing = is_growing
        self.passes: list[Pass] = []
        self.simulations: list[Simulation] = []

    def __call__(self, event: Event) -> None:
        if event.kind == "begin":
            if not self.is_growing:
                self.passes.append(Pass(depth=event.value))
            return
        if not self.passes:
            self.passes.append(Pass())
        visits = self.passes[-1].visits
        if not self.is_growing:
            self.passes[-1].events.append(event)
        if event.kind == "enter":
            fresh = Visit(len(visits) + 1, event.path, event.node, (event.alpha, event.beta))
            visit = visits.setdefault(event.path, fresh)
            visit.children = max(visit.children, event.children)
            visit.visits += 1
            visit.is_finished = self.is_growing  # its mean is always up to date
        elif event.kind == "drop":
            visits[event.path[:-1]].dropped[event.path[-1]] = event.value
        else:
            self.note(visits[event.path], event)

    def note(self, visit: Visit, event: Event) -> None:
        visit.value = event.value
        if event.kind == "leaf":
            visit.is_leaf = visit.is_finished = True
            if self.is_growing:
                self.simulations.append(Simulation(event.path, event.value))
        elif event.kind == "cut":
            visit.cut = (event.alpha, event.beta)
        elif event.kind == "leave":
            visit.is_finished = True


def set_bounds(visits: Iterable[Visit], is_max: Callable[[Any], bool] | None) -> None:
    """Set the bound of each value, by what the leaves below it prove.

    Dropped children are no part of the tree and prove nothing.  Without `is_max`, where there
    are no two sides, nothing was cut, and every value is exact.
    """
    if is_max is None:
        for visit in visits:
            visit.bound = "exact" if visit.is_finished else visit.bound
        return
    proven: dict[Path, tuple[Any, Any]] = {}  # the least and the most that a node can be worth
    for visit in sorted(visits, key=lambda visit: -visit.order):
        proven[visit.path] = _proven(visit, is_max, proven)
        if visit.is_finished:
            visit.bound = _bound(visit.value, *proven[visit.path])


def _proven(
    visit: Visit, is_max: Callable[[Any], bool], proven: Mapping[Path, tuple[Any, Any]]
) -> tuple[Any, Any]:
    if visit.is_leaf:
        return visit.value, visit.value
    visited = (index for index in range(visit.children) if index not in visit.dropped)
    ranges = [proven.get((*visit.path, index), (-inf, inf)) for index in visited]
    choose = max if is_max(visit.node) else min
    least, most = (choose(ends) for ends in zip(*ranges, strict=True))
    return least, most


def _bound(value: Any, least: Any, most: Any) -> Bound:
    if least == most == value:
        return "exact"
    return "at most" if most <= value else "at least"


def origin(visits: Mapping[Path, Visit], path: Path, maximises: bool) -> Path | None:
    """Which ancestor of a node gave its window the end that cut it; None if it was open."""
    end = 1 if maximises else 0
    bound = visits[path].window[end]
    above = (path[:ply] for ply in range(len(path) - 1, -1, -1))
    return next((up for up in above if visits[up].window[end] != bound), None)
