"""The textbook searches in plain Python, on any tree, telling what they do.

They need no game file.  A tree is any object and three functions: `children`
(none for a leaf), `evaluate` (the value for Max of a leaf or a horizon node), and
`is_max` (whose turn it is).  Values and windows are Max's throughout, as in a
textbook drawing; the compiled searches, which see values from the mover's side,
are tested against these.

    >>> tree = [[3, 5], [2, 9]]
    >>> answer = alphabeta(
    ...     tree,
    ...     children=lambda node: node if isinstance(node, list) else [],
    ...     evaluate=lambda node: node,
    ...     is_max=lambda node: node is tree,
    ... )
    >>> answer.value, answer.index, answer.leaves
    (3, 0, 3)

Every step is handed to `on_event`, if given, so that a search can be watched:
`enter` a node with its window, `leaf` with its value, `update` when a node's value
or window changes, `cut` when the remaining children are left out, `leave` with the
value that is backed up.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Generic, Literal, NamedTuple, TypedDict, TypeVar, get_args

from plies.core import verbs
from plies.core.errors import BadSpec
from plies.core.scores import ONGOING
from plies.search.alphabeta import Cut, Fail
from plies.search.leaf import leaf_value
from plies.search.runner import NoLegalMove

Node = TypeVar("Node")
Path = tuple[int, ...]
Window = tuple[Any, Any]
OPEN: Window = (-inf, inf)
Kind = Literal["enter", "leaf", "update", "cut", "leave"]


class Event(NamedTuple):
    """One step of a search; `path` holds the child indices from the root to the node."""

    kind: Kind
    path: Path
    node: Any
    alpha: Any
    beta: Any
    value: Any = None


@dataclass(frozen=True)
class Answer:
    """What a search found: `line` holds child indices, `index` is the first of them."""

    value: Any
    line: tuple[int, ...]
    nodes: int
    leaves: int
    cutoffs: int
    is_complete: bool

    @property
    def index(self) -> int | None:
        return self.line[0] if self.line else None


class _Stopped(Exception):
    """The node budget is spent, or the caller asked to stop."""


@dataclass
class _Search(Generic[Node]):
    """One running search: the tree, the limits, and what was counted."""

    children: Callable[[Node], Iterable[Node]]
    evaluate: Callable[[Node], Any]
    depth: float
    on_event: Callable[[Event], None] | None
    budget: float
    should_stop: Callable[[], bool] | None
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
        except _Stopped:
            is_complete = False
        line = self.lines.get(0, ())
        return Answer(self.best, line, self.nodes, self.leaves, self.cutoffs, is_complete)

    def enter(self, node: Node, path: Path, window: Window) -> list[Node]:
        """Count the node and answer its children, none at the horizon."""
        if self.nodes >= self.budget or (self.should_stop is not None and self.should_stop()):
            raise _Stopped
        self.nodes += 1
        self.lines[len(path)] = ()
        self.tell("enter", path, node, window)
        return list(self.children(node)) if len(path) < self.depth else []

    def tell(self, kind: Kind, path: Path, node: Node, window: Window, value: Any = None) -> None:
        if self.on_event is not None:
            self.on_event(Event(kind, path, node, *window, value))

    def leaf(self, node: Node, path: Path, window: Window) -> Any:
        self.leaves += 1
        value = self.evaluate(node)
        self.tell("leaf", path, node, window, value)
        return value

    def improve(self, node: Node, path: Path, index: int, window: Window, value: Any) -> None:
        """The child `index` is the best so far."""
        self.lines[len(path)] = (index, *self.lines[len(path) + 1])
        if not path:
            self.best = value
        self.tell("update", path, node, window, value)


def _worst(window: Window, maximises: bool) -> Any:
    """The end of a window that the mover likes least."""
    low, high = window
    return low if maximises else high


def _is_better(value: Any, best: Any, maximises: bool, index: int) -> bool:
    """Whether a child beats the best so far; the first one need not beat the worst of all."""
    if index == 0 and value == best == _worst(OPEN, maximises):
        return True
    return value > best if maximises else value < best


def _narrowed(window: Window, best: Any, maximises: bool) -> Window:
    """What is left of a node's window when its mover can have `best`."""
    alpha, beta = window
    return (max(alpha, best), beta) if maximises else (alpha, min(beta, best))


def _is_closed(window: Window, cut: Cut) -> bool:
    """Whether nothing that the node can still find matters."""
    alpha, beta = window
    return alpha > beta or (cut == "equal" and alpha == beta)


def minimax(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Any],
    is_max: Callable[[Node], bool],
    depth: float = inf,
    on_event: Callable[[Event], None] | None = None,
    budget: float = inf,
    should_stop: Callable[[], bool] | None = None,
) -> Answer:
    """The value of `root` for Max when both play best; every node is visited."""
    search = _Search(children, evaluate, depth, on_event, budget, should_stop)

    def value_of(node: Node, path: Path) -> Any:
        kids = search.enter(node, path, OPEN)
        if not kids:
            return search.leaf(node, path, OPEN)
        maximises = is_max(node)
        best = _worst(OPEN, maximises)
        for index, child in enumerate(kids):
            value = value_of(child, (*path, index))
            if _is_better(value, best, maximises, index):
                best = value
                search.improve(node, path, index, OPEN, best)
        search.tell("leave", path, node, OPEN, best)
        return best

    return search.answer(lambda: value_of(root, ()))


def alphabeta(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Any],
    is_max: Callable[[Node], bool],
    depth: float = inf,
    fail: Fail = "soft",
    cut: Cut = "equal",
    on_event: Callable[[Event], None] | None = None,
    budget: float = inf,
    should_stop: Callable[[], bool] | None = None,
) -> Answer:
    """The minimax value of `root` without looking at what cannot matter.

    `fail` and `cut` are explained in `plies.search.alphabeta`.
    """
    if fail not in get_args(Fail) or cut not in get_args(Cut):
        raise BadSpec(f"fail is soft or hard and cut equal or beyond, not {fail!r} and {cut!r}")
    search = _Search(children, evaluate, depth, on_event, budget, should_stop)

    def value_of(node: Node, path: Path, window: Window) -> Any:
        kids = search.enter(node, path, window)
        if not kids:
            return search.leaf(node, path, window)
        range_of_answers = window if fail == "hard" else OPEN
        maximises = is_max(node)
        best = _worst(range_of_answers, maximises)
        for index, child in enumerate(kids):
            value = value_of(child, (*path, index), window)
            if _is_better(value, best, maximises, index):
                best = value
                window = _narrowed(window, best, maximises)
                search.improve(node, path, index, window, best)
                if _is_closed(window, cut):
                    search.cutoffs += 1
                    search.tell("cut", path, node, window, best)
                    break
        low, high = range_of_answers
        best = min(max(best, low), high)
        search.tell("leave", path, node, window, best)
        return best

    return search.answer(lambda: value_of(root, (), OPEN))


def maxn(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Sequence[Any]],
    mover: Callable[[Node], int],
    depth: float = inf,
    on_event: Callable[[Event], None] | None = None,
    budget: float = inf,
    should_stop: Callable[[], bool] | None = None,
) -> Answer:
    """What every player gets when each maximises their own part of the leaves' vectors.

    Of children equally good for the mover the first is taken.
    """
    search = _Search(children, evaluate, depth, on_event, budget, should_stop)

    def value_of(node: Node, path: Path) -> Any:
        kids = search.enter(node, path, OPEN)
        if not kids:
            return search.leaf(node, path, OPEN)
        player = mover(node)
        best = None
        for index, child in enumerate(kids):
            value = value_of(child, (*path, index))
            if best is None or value[player] > best[player]:
                best = value
                search.improve(node, path, index, OPEN, best)
        search.tell("leave", path, node, OPEN, best)
        return best

    return search.answer(lambda: value_of(root, ()))


class Position(NamedTuple):
    """A state of a game and how many plies after the root it arose."""

    state: Any
    ply: int = 0


class Callables(TypedDict):
    """What `minimax` and `alphabeta` ask of a tree."""

    children: Callable[[Position], list[Position]]
    evaluate: Callable[[Position], int]
    is_max: Callable[[Position], bool]


def on_game(evaluator: Any) -> Callables:
    """The positions of a two-player game as a tree: `minimax(root, **on_game(...))`.

    Max is the first player, whoever moves at the root.
    """

    def children(position: Position) -> list[Position]:
        state, ply = position
        if verbs.outcome(state) != ONGOING:
            return []
        moves = verbs.legal_moves(state)
        if len(moves) == 0:
            raise NoLegalMove(state)
        return [Position(verbs.play(state, move), ply + 1) for move in moves]

    def evaluate(position: Position) -> int:
        state, ply = position
        value = leaf_value(state, verbs.outcome(state), ply, evaluator)
        return int(value if is_max(position) else -value)

    def is_max(position: Position) -> bool:
        return verbs.mover(position.state) == 0

    return {"children": children, "evaluate": evaluate, "is_max": is_max}
