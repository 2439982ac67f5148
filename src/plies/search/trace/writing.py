"""From visits to nodes with texts."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any

from plies.search.reference import Path, Window
from plies.search.trace.algorithms import Algorithm
from plies.search.trace.records import Kind, LeftOut, Node, Reason, Tree
from plies.search.trace.visits import Pass, Visit, origin, set_bounds


@dataclass(frozen=True)
class Names:
    """How nodes, moves and values are written."""

    position: Callable[[Any], str] = lambda node: ""
    move: Callable[[Any, int], str] = lambda node, index: str(index + 1)
    value: Callable[[Any], str] = str


@dataclass(frozen=True)
class Turn:
    """Whose turn it is in a node: `is_max`, where there are two sides, and the player."""

    is_max: Callable[[Any], bool] | None
    player: Callable[[Any], int]


def turn_of(kind: Algorithm, root: Any, turn: dict[str, Callable[[Any], Any]]) -> Turn:
    if not kind.has_vectors:
        is_max = turn["is_max"]
        return Turn(is_max, lambda node: 0 if is_max(node) else 1)
    mover = turn["mover"]
    if not kind.has_windows:
        return Turn(None, mover)
    hero = mover(root)
    return Turn(lambda node: mover(node) == hero, mover)


@dataclass(frozen=True)
class Writer:
    """Turns visits into nodes with texts."""

    kind: Algorithm
    names: Names
    children: Callable[[Any], Iterable[Any]]
    turn: Turn
    sign: str  # of the condition for a cut

    def tree(self, search_pass: Pass, depth: int | None, limit: int) -> Tree:
        visits = search_pass.visits
        if self.turn.is_max is None:
            for visit in visits.values():
                visit.bound = "exact" if visit.is_finished or self.kind.is_growing else visit.bound
        else:
            set_bounds(visits.values(), self.turn.is_max)
        last = last_whole_ply(visits, limit)
        hidden = Counter(path[:last] for path in visits if len(path) > last)
        recorded = (visit for path, visit in visits.items() if len(path) <= last)
        nodes = tuple(self.node(visits, visit, hidden[visit.path]) for visit in recorded)
        return Tree(search_pass.depth or depth, nodes, hidden.total())

    def node(self, visits: dict[Path, Visit], visit: Visit, hidden: int) -> Node:
        kids = list(self.children(visit.node))
        kind = self.kind_of(visits, visit, kids)
        parent = visits[visit.path[:-1]].node if visit.path else None
        return Node(
            path=visit.path,
            order=visit.order,
            move=self.names.move(parent, visit.path[-1]) if visit.path else "",
            position=self.names.position(visit.node),
            kind=kind,
            player=None if kind == "leaf" else int(self.turn.player(visit.node)),
            window=_window(visit) if self.kind.has_windows else None,
            window_text=self.window_text(visit.window) if self.kind.has_windows else "",
            value=plain(visit.value),
            value_text=self.names.value(visit.value),
            bound=visit.bound,
            cut=self.cut_text(visits, visit),
            left_out=() if kind == "horizon" else tuple(self.left_out(visits, visit, len(kids))),
            hidden=hidden,
            visits=visit.visits,
        )

    def kind_of(self, visits: dict[Path, Visit], visit: Visit, kids: list[Any]) -> Kind:
        if not kids:
            return "leaf"
        if visit.is_leaf and not any((*visit.path, index) in visits for index in range(len(kids))):
            return "horizon"
        if self.turn.is_max is None:
            return "player"
        return "max" if self.turn.is_max(visit.node) else "min"

    def cut_text(self, visits: dict[Path, Visit], visit: Visit) -> str:
        """`alpha 5 >= beta 3: Min can have 3 after a1 b2`; empty where nothing was left out."""
        if visit.cut is None or self.turn.is_max is None:
            return ""
        seen = sum((*visit.path, index) in visits for index in range(visit.children))
        if seen + len(visit.dropped) == visit.children:
            return ""
        maximises = self.turn.is_max(visit.node)
        alpha, beta = visit.cut
        ends = f"alpha {self.end_text(alpha)} {self.sign} beta {self.end_text(beta)}"
        up = origin(visits, visit.path, maximises)
        if up is None:
            return f"{ends}: nothing is better"
        other, bound = ("Min", beta) if maximises else ("Max", alpha)
        moves = " ".join(self.moves(visits[()].node, up))
        where = f"after {moves}" if moves else "at the root"
        return f"{ends}: {other} can have {self.end_text(bound)} {where}"

    def window_text(self, window: Window) -> str:
        """`(-∞, +3)`."""
        return f"({', '.join(map(self.end_text, window))})"

    def end_text(self, end: Any) -> str:
        return self.names.value(end) if abs(end) < inf else ("∞" if end > 0 else "-∞")

    def left_out(self, visits: dict[Path, Visit], visit: Visit, count: int) -> Iterable[LeftOut]:
        for index in range(count):
            if (*visit.path, index) in visits:
                continue
            reason: Reason = "cut" if visit.cut is not None else "not reached"
            if index in visit.dropped:
                reason = "ranked below"
            move, rank = self.names.move(visit.node, index), visit.dropped.get(index)
            yield LeftOut(index, move, reason, plain(rank))

    def moves(self, node: Any, path: Path) -> Iterable[str]:
        """A path as moves."""
        for index in path:
            yield self.names.move(node, index)
            node = list(self.children(node))[index]


def last_whole_ply(visits: Iterable[Path], limit: int) -> int:
    """The last recorded ply: as many whole plies as fit into the limit, at least the root."""
    widths = Counter(len(path) for path in visits)
    last = total = 0
    for ply in sorted(widths):
        total += widths[ply]
        if total <= limit:
            last = ply
    return last


def _window(visit: Visit) -> tuple[Any, Any]:
    low, high = visit.window
    return (None if low == -inf else low), (None if high == inf else high)


def plain(value: Any) -> Any:
    """A value that JSON can write: it has no infinity."""
    return str(value) if isinstance(value, float) and abs(value) == inf else value
