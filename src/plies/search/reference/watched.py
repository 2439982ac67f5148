"""A running search with an event for every step, which can be stopped."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any, Generic, Literal, NamedTuple, TypedDict, TypeVar

from plies.search.alphabeta import Cut

Node = TypeVar("Node")
Path = tuple[int, ...]
Window = tuple[Any, Any]
OPEN: Window = (-inf, inf)
Kind = Literal["begin", "enter", "leaf", "update", "cut", "drop", "leave"]


class Event(NamedTuple):
    """One step of a search; `path` holds the child indices from the root to the node.

    begin    a new pass over the tree: `value` is its depth, or the number of a simulation
    enter    a node is entered with its window; `children` is how many will be searched
             unless there is a cut, 0 for a leaf and at the horizon
    leaf     it is given a value
    update   a node's value or window changes
    drop     this node is pruned because others rank above it; `value` is that of its rank
    cut      the remaining children are cut off because they cannot matter
    leave    the node is done; `value` is what is backed up
    """

    kind: Kind
    path: Path
    node: Any
    alpha: Any
    beta: Any
    value: Any = None
    children: int = 0


@dataclass(frozen=True)
class Answer:
    """The result of a search: `line` holds child indices, `index` is the first of them."""

    value: Any
    line: tuple[int, ...]
    nodes: int
    leaves: int
    cutoffs: int
    is_complete: bool

    @property
    def index(self) -> int | None:
        return self.line[0] if self.line else None


class Watch(TypedDict, total=False):
    """How a search is watched and stopped."""

    on_event: Callable[[Event], None] | None
    budget: float
    should_stop: Callable[[], bool] | None


class Stopped(Exception):
    """The node budget is spent, or `should_stop` is true."""


@dataclass
class Search(Generic[Node]):
    """One running search: the tree, the limits, and what was counted."""

    children: Callable[[Node], Iterable[Node]]
    evaluate: Callable[[Node], Any]
    on_event: Callable[[Event], None] | None = None
    budget: float = inf
    should_stop: Callable[[], bool] | None = None
    nodes: int = 0
    leaves: int = 0
    cutoffs: int = 0
    best: Any = None  # of the root's finished children
    lines: dict[int, tuple[int, ...]] = field(default_factory=dict)  # ply -> best line

    def answer(self, value_of_root: Callable[[], Any]) -> Answer:
        """Run; a stopped search answers with what it had finished."""
        is_complete = True
        try:
            self.best = value_of_root()
        except Stopped:
            is_complete = False
        line = self.lines.get(0, ())
        return Answer(self.best, line, self.nodes, self.leaves, self.cutoffs, is_complete)

    def count(self) -> None:
        """One more node is entered, if that is allowed."""
        if self.nodes >= self.budget or (self.should_stop is not None and self.should_stop()):
            raise Stopped
        self.nodes += 1

    def enter(self, node: Node, path: Path, window: Window, depth: float) -> list[Node]:
        """Count a node with `depth` plies to go and answer its children, none at the horizon."""
        self.count()
        self.lines[len(path)] = ()
        kids = list(self.children(node)) if depth > 0 else []
        self.emit("enter", path, node, window, children=len(kids))
        return kids

    def emit(
        self,
        kind: Kind,
        path: Path,
        node: Node,
        window: Window,
        value: Any = None,
        children: int = 0,
    ) -> None:
        if self.on_event is not None:
            self.on_event(Event(kind, path, node, *window, value, children))

    def leaf(self, node: Node, path: Path, window: Window) -> Any:
        self.leaves += 1
        value = self.evaluate(node)
        self.emit("leaf", path, node, window, value)
        return value

    def improve(self, node: Node, path: Path, index: int, window: Window, value: Any) -> None:
        """The child `index` is the best so far."""
        self.lines[len(path)] = (index, *self.lines[len(path) + 1])
        if not path:
            self.best = value
        self.emit("update", path, node, window, value)


def worst(window: Window, maximises: bool) -> Any:
    """The end of a window that the mover likes least."""
    low, high = window
    return low if maximises else high


def is_better(value: Any, best: Any, maximises: bool, is_first: bool) -> bool:
    """Whether a child beats the best so far; the first one need not beat the worst of all."""
    if is_first and value == best == worst(OPEN, maximises):
        return True
    return value > best if maximises else value < best


def narrowed(window: Window, best: Any, maximises: bool) -> Window:
    """What is left of a node's window when its mover can have `best`."""
    alpha, beta = window
    return (max(alpha, best), beta) if maximises else (alpha, min(beta, best))


def is_closed(window: Window, cut: Cut) -> bool:
    """Whether no further child can matter."""
    alpha, beta = window
    return alpha > beta or (cut == "equal" and alpha == beta)
