"""The order of the children decides how much alpha-beta leaves out.

`best_ordering` finds the order with the fewest leaves, without trying permutations.
Whether a node's value lies above, below or inside its window does not depend on
the order of its children, and says what the search has to prove:

above    One child that lies above cuts.  Anything looked at before it is wasted, so
         the cheapest such child goes first; alpha plays no part.
below    All children lie below.  Each costs what it costs with this alpha, in any
         order; beta plays no part.
inside   A child of the best value has to be searched while alpha is still lower, and
         all others cost least once alpha has that value: so it goes first.  Of several
         the one goes first that would save least by waiting; the window plays no part.

("Alpha" and "beta" as Max sees them; for Min they change places.)  So a node has to be
planned only once for each bound that matters to it, and these are values of its
ancestors.

With `fail=hard` and `cut=beyond` together this does not hold: a node above its window
answers with beta, which then does not cut, and windows no longer nest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, NamedTuple

from plies.games.tree import Inner, Leaf, Tree
from plies.games.tree.nodes import Path, walk
from plies.search import reference
from plies.search.alphabeta import Cut, Fail

Order = Literal["left", "right", "best"]
ORDERS: tuple[Order, ...] = ("left", "right", "best")


@dataclass(frozen=True)
class Ordering:
    """A tree with its children rearranged.

    `orders` holds, for nodes of the original tree, which child comes first, second, ...
    `is_proven` is False for a best ordering that is only the best of some guesses.
    """

    tree: Tree
    orders: Mapping[Path, Sequence[int]] = field(default_factory=dict)
    is_proven: bool = True

    def original(self, path: Path) -> Path:
        """The path, in the original tree, of a node of this one."""
        original: Path = ()
        for index in path:
            order = self.orders.get(original)
            original = (*original, index if order is None else order[index])
        return original


def ordered(tree: Tree, order: Order, fail: Fail = "soft", cut: Cut = "equal") -> Ordering:
    """The tree from left to right, from right to left, or as alpha-beta likes it best."""
    if order == "left":
        return Ordering(tree)
    if order == "right":
        return _rearranged(tree, _right_to_left(tree))
    return best_ordering(tree, fail, cut)


def best_ordering(tree: Tree, fail: Fail = "soft", cut: Cut = "equal") -> Ordering:
    """The ordering with which alpha-beta evaluates the fewest leaves.

    Where that is not proven, what would be best for `fail=soft` or one of the two
    directions, whichever is better.
    """
    best = _rearranged(tree, _Planner(tree, is_beyond=cut == "beyond").orders())
    if fail == "soft" or cut == "equal":
        return best
    guesses = (best.orders, {}, _right_to_left(tree))
    return min(
        (_rearranged(tree, orders, is_proven=False) for orders in guesses),
        key=lambda guess: leaves_evaluated(guess.tree, fail, cut),
    )


def leaves_evaluated(tree: Tree, fail: Fail = "soft", cut: Cut = "equal") -> int:
    """How many leaves alpha-beta evaluates, from left to right."""
    return reference.alphabeta(tree, fail=fail, cut=cut, **on_tree()).leaves


def on_tree() -> dict[str, Any]:
    """`children`, `evaluate` and `is_max` of a two-player zero-sum tree."""
    return {
        "children": lambda node: node.children,
        "evaluate": lambda node: node.payoffs[0],
        "is_max": lambda node: node.mover == 0,
    }


def _right_to_left(tree: Tree) -> dict[Path, Sequence[int]]:
    return {path: range(len(node.children))[::-1] for path, node in walk(tree) if node.children}


def _rearranged(
    tree: Tree, orders: Mapping[Path, Sequence[int]], is_proven: bool = True
) -> Ordering:
    def rearrange(node: Tree, path: Path) -> Tree:
        if isinstance(node, Leaf):
            return node
        children = [rearrange(child, (*path, i)) for i, child in enumerate(node.children)]
        order = orders.get(path, range(len(children)))
        return Inner(node.mover, tuple(children[index] for index in order), node.label)

    return Ordering(rearrange(tree, ()), orders, is_proven)


class _Side(NamedTuple):
    """A node and its window as its mover sees them: more is better, `near` only rises."""

    node: Inner
    sign: int
    near: float
    far: float

    def window(self, near: float) -> tuple[float, float]:
        """The window for a child, in Max's values, once `near` has risen."""
        return (near, self.far) if self.sign > 0 else (-self.far, -near)


class _Plan(NamedTuple):
    """The child to search first with some window, and what the node then costs."""

    leaves: int
    first: int
    is_cut: bool


class _Planner:
    """Finds the plan of every node for every bound that matters to it, once."""

    def __init__(self, tree: Tree, is_beyond: bool):
        self._tree = tree
        self._is_beyond = is_beyond
        self._plans: dict[tuple[int, float, float], _Plan] = {}
        self._values: dict[int, int] = {}
        self._evaluate(tree)

    def orders(self) -> dict[Path, Sequence[int]]:
        """The best order of the children of every node that is visited."""
        orders: dict[Path, Sequence[int]] = {}
        waiting: list[tuple[Tree, Path, tuple[float, float]]] = [(self._tree, (), (-inf, inf))]
        while waiting:
            node, path, window = waiting.pop()
            if isinstance(node, Leaf):
                continue
            side, plan = _side(node, *window), self._plan(node, window)
            others = [index for index in range(len(node.children)) if index != plan.first]
            orders[path] = (plan.first, *others)
            waiting.append((node.children[plan.first], (*path, plan.first), window))
            if not plan.is_cut:
                later = side.window(max(side.near, self._value(side, plan.first)))
                waiting += [(node.children[index], (*path, index), later) for index in others]
        return orders

    def _evaluate(self, node: Tree) -> int:
        if isinstance(node, Leaf):
            value = node.payoffs[0]
        else:
            values = [self._evaluate(child) for child in node.children]
            value = max(values) if node.mover == 0 else min(values)
        self._values[id(node)] = value
        return value

    def _leaves(self, node: Tree, window: tuple[float, float]) -> int:
        """How many leaves a node costs when it is searched with a window."""
        return 1 if isinstance(node, Leaf) else self._plan(node, window).leaves

    def _plan(self, node: Inner, window: tuple[float, float]) -> _Plan:
        alpha, beta = window
        value = self._values[id(node)]
        if self._reaches(value, beta):
            alpha = -inf
        elif self._reaches(alpha, value):
            beta = inf
        else:
            alpha, beta = -inf, inf
        where = (id(node), alpha, beta)
        if where not in self._plans:
            self._plans[where] = self._make_plan(_side(node, alpha, beta))
        return self._plans[where]

    def _make_plan(self, side: _Side) -> _Plan:
        children = side.node.children
        values = [self._value(side, index) for index in range(len(children))]
        now = side.window(side.near)
        cutters = [index for index, value in enumerate(values) if self._reaches(value, side.far)]
        if cutters:
            costs = [self._leaves(children[index], now) for index in cutters]
            return _Plan(min(costs), cutters[costs.index(min(costs))], is_cut=True)
        top = max(side.near, *values)
        late = [self._leaves(child, side.window(top)) for child in children]
        extra = {
            index: self._leaves(children[index], now) - late[index]
            for index, value in enumerate(values)
            if value == top
        }
        first = min(extra, key=extra.__getitem__, default=0)
        return _Plan(sum(late) + extra.get(first, 0), first, is_cut=False)

    def _value(self, side: _Side, index: int) -> int:
        """A child's value as the node's mover sees it."""
        return side.sign * self._values[id(side.node.children[index])]

    def _reaches(self, low: float, high: float) -> bool:
        """Whether alpha = `low` and beta = `high` cut."""
        return low > high or (low == high and not self._is_beyond)


def _side(node: Inner, alpha: float, beta: float) -> _Side:
    return _Side(node, 1, alpha, beta) if node.mover == 0 else _Side(node, -1, -beta, -alpha)
