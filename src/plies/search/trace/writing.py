"""From what was recorded to words: visits become nodes, and events become steps."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from plies.search.reference import Event, Path, Window
from plies.search.trace.algorithms import Algorithm
from plies.search.trace.records import Kind, LeftOut, Node, Reason, Step, Tree
from plies.search.trace.visits import Pass, Visit, origin, set_bounds

BOUNDS = {"exact": "exactly", "at least": "at least", "at most": "at most"}


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


class StepWriter:
    """Writes the events of one pass, at nodes of the record, as steps."""

    def __init__(self, writer: Writer, visits: Mapping[Path, Visit], recorded: Mapping[Path, Node]):
        self.writer = writer
        self.visits = visits
        self.recorded = recorded
        self.move_texts: dict[Path, str] = {(): ""}
        self.windows: dict[Path, Window] = {}  # as the last event of each node left them
        self.child: int | None = None  # the one that was left last
        self.nodes = self.leaves = self.cutoffs = 0

    def steps(self, events: Iterable[Event]) -> Iterator[Step]:
        for event in events:
            self.nodes += event.kind == "enter"
            self.leaves += event.kind == "leaf"
            self.cutoffs += event.kind == "cut"
            home = event.path[:-1] if event.kind == "drop" else event.path
            if home in self.recorded:
                yield self.step(event)
            self.windows[event.path] = (event.alpha, event.beta)
            if event.kind in ("leaf", "leave") and event.path:
                self.child = event.path[-1]

    def step(self, event: Event) -> Step:
        has_windows = self.writer.kind.has_windows
        describe = getattr(self, event.kind)
        return Step(
            kind=event.kind,  # type: ignore[arg-type]
            path=event.path,
            window_text=self.window_text(event) if has_windows else "",
            value=plain(event.value),
            value_text=self.value_text(event),
            child=self.child if event.kind == "update" else None,
            text=describe(event),
            nodes=self.nodes,
            leaves=self.leaves,
            cutoffs=self.cutoffs,
        )

    # One method for each kind of event

    def enter(self, event: Event) -> str:
        window = f", window {self.window_text(event)}" if self.writer.kind.has_windows else ""
        turn = f": {self.mover(event)} to move" if event.children else ""
        return f"Enter {self.place(event.path)}{turn}{window}"

    def leaf(self, event: Event) -> str:
        place, value = self.moves(event.path) or "The root", self.value_text(event)
        is_end = self.recorded[event.path].kind == "leaf"
        return f"{place} is a leaf: {value}" if is_end else f"{place} is estimated: {value}"

    def update(self, event: Event) -> str:
        assert self.child is not None
        move = self.writer.names.move(event.node, self.child)
        gain = f"{self.mover(event)} can have {self.value_text(event)} {self.where(event.path)}"
        return f"{gain} with {move}{self.change(event)}"

    def change(self, event: Event) -> str:
        """How an update changes the window."""
        if not self.writer.kind.has_windows:
            return ""
        before = self.windows[event.path]
        if (event.alpha, event.beta) == before:
            return f": outside the window, which stays {self.window_text(event)}"
        if event.alpha != before[0]:
            return f": alpha rises to {self.writer.end_text(event.alpha)}"
        return f": beta falls to {self.writer.end_text(event.beta)}"

    def drop(self, event: Event) -> str:
        rank = self.writer.names.value(event.value)
        return f"{self.place(event.path)} is left out: it ranks {rank}, others look better"

    def cut(self, event: Event) -> str:
        if why := self.recorded[event.path].cut:
            return f"Cut {self.where(event.path)}: {why}"
        ends = f"alpha {self.writer.end_text(event.alpha)}, beta {self.writer.end_text(event.beta)}"
        return f"{ends} {self.where(event.path)}: a cut, but no child is left to leave out"

    def leave(self, event: Event) -> str:
        worth = BOUNDS[self.recorded[event.path].bound]
        return f"{self.moves(event.path) or 'The root'} is worth {worth} {self.value_text(event)}"

    # Words

    def mover(self, event: Event) -> str:
        turn = self.writer.turn
        if turn.is_max is not None:
            return "Max" if turn.is_max(event.node) else "Min"
        return f"player {turn.player(event.node) + 1}"

    def value_text(self, event: Event) -> str:
        return "" if event.value is None else self.writer.names.value(event.value)

    def window_text(self, event: Event) -> str:
        return self.writer.window_text((event.alpha, event.beta))

    def place(self, path: Path) -> str:
        """`the root`, or the moves that lead there."""
        return self.moves(path) or "the root"

    def where(self, path: Path) -> str:
        moves = self.moves(path)
        return f"after {moves}" if moves else "at the root"

    def moves(self, path: Path) -> str:
        if path not in self.move_texts:
            move: Any = self.writer.names.move(self.visits[path[:-1]].node, path[-1])
            self.move_texts[path] = f"{self.moves(path[:-1])} {move}".strip()
        return self.move_texts[path]


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
