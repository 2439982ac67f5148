"""Monte Carlo tree search as it is taught (UCT; Kocsis & Szepesvári 2006): select, expand,
roll out, back up.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random
from typing import Any, Generic, Unpack

from plies.search.reference.watched import OPEN, Answer, Node, Path, Search, Watch


@dataclass
class Branch(Generic[Node]):
    """A node of the growing tree; `totals` sums up the results of each player below it."""

    node: Node
    path: Path
    kids: list["Branch[Node]"] = field(default_factory=list)
    is_expanded: bool = False
    visits: int = 0
    totals: list[float] = field(default_factory=list)

    @property
    def means(self) -> tuple[float, ...]:
        return tuple(total / self.visits for total in self.totals)


def mcts(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Sequence[Any]],
    mover: Callable[[Node], int],
    simulations: int = 100,
    c: float = sqrt(2),
    seed: int = 0,
    plies: float = 1000,
    **watch: Unpack[Watch],
) -> Answer:
    """UCT: the mean result of every player in the simulations that began with the best move.

    The best move is the one tried most often.  A simulation goes down the tree by the
    upper confidence bound, adds one node, and from there plays at random to a leaf, or
    for `plies` plies.  Values are scaled by the least and the most that were seen, so that
    `c` does not depend on them.  `nodes` counts those of the tree, `leaves` simulations.
    """
    search = Search(children, evaluate, **watch)
    game = _Simulation(search, mover, c, Random(seed), plies)
    top = Branch(root, ())

    def run() -> Any:
        for number in range(1, simulations + 1):
            search.emit("begin", (), root, OPEN, number)
            game.simulate(top)
            search.lines[0] = most_visited(top)
            search.best = top.kids[search.lines[0][0]].means if top.kids else top.means
        return search.best

    return search.answer(run)


@dataclass
class _Simulation(Generic[Node]):
    search: Search[Node]
    mover: Callable[[Node], int]
    c: float
    rng: Random
    plies: float
    low: float = inf
    high: float = -inf

    def simulate(self, top: Branch[Node]) -> None:
        path = self.select(top)
        leaf = path[-1]
        values = self.roll_out(leaf.node)
        self.search.leaves += 1
        self.search.emit("leaf", leaf.path, leaf.node, OPEN, tuple(values))
        self.low, self.high = min(self.low, *values), max(self.high, *values)
        for branch in reversed(path):
            branch.visits += 1
            earlier = branch.totals or [0.0] * len(values)
            branch.totals = [a + b for a, b in zip(earlier, values, strict=True)]
            self.search.emit("update", branch.path, branch.node, OPEN, branch.means)

    def select(self, top: Branch[Node]) -> list[Branch[Node]]:
        """From the root to a node that is new, or a leaf."""
        path = [top]
        self.enter(top)
        while path[-1].visits and self.expand(path[-1]):
            fresh = [kid for kid in path[-1].kids if not kid.visits]
            path.append(self.rng.choice(fresh) if fresh else self.most_promising(path[-1]))
            self.enter(path[-1])
        return path

    def enter(self, branch: Branch[Node]) -> None:
        if not branch.visits:
            self.search.count()
        self.search.emit("enter", branch.path, branch.node, OPEN, children=len(branch.kids))

    def expand(self, branch: Branch[Node]) -> list[Branch[Node]]:
        if not branch.is_expanded:
            kids = enumerate(self.search.children(branch.node))
            branch.kids = [Branch(kid, (*branch.path, index)) for index, kid in kids]
            branch.is_expanded = True
        return branch.kids

    def most_promising(self, branch: Branch[Node]) -> Branch[Node]:
        """The child with the highest upper confidence bound for the mover."""
        player = self.mover(branch.node)
        scale = self.high - self.low or 1

        def bound(kid: Branch[Node]) -> float:
            mean = (kid.means[player] - self.low) / scale
            return mean + self.c * sqrt(log(branch.visits) / kid.visits)

        return max(branch.kids, key=bound)

    def roll_out(self, node: Node) -> Sequence[Any]:
        """The results of the players when they go on at random."""
        ply = 0
        while ply < self.plies:
            kids = self.search.children(node)
            choice = kids if isinstance(kids, Sequence) else list(kids)
            if not choice:
                break
            node = self.rng.choice(choice)
            ply += 1
        return self.search.evaluate(node)


def most_visited(top: Branch[Any]) -> Path:
    """The path along the children that were tried most often."""
    branch = top
    while tried := [kid for kid in branch.kids if kid.visits]:
        branch = max(tried, key=lambda kid: kid.visits)
    return branch.path
