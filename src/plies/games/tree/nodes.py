"""Game trees as Python values, and the checks of a well-formed tree.

    Inner(0, (Leaf(3), Inner(1, (Leaf(5), Leaf(-2)), label="A")))

Players count from 0 here and from 1 in the written forms: player 0 is Max (`M`,
`max`, `1`), player 1 is Min.  A leaf holds one number, what Max gets and Min pays,
or one number for each player.
"""

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, SupportsIndex

from plies.core.scores import MAX_EVALUATION
from plies.errors import BadTree

MAX_NODES = 100_000
MAX_NESTING = 100  # inner nodes around a leaf
LABEL = re.compile(r"[^\W\d]\w*")

Path = tuple[int, ...]  # child indices from the root


@dataclass(frozen=True)
class Leaf:
    """The end of a game: one payoff for Max, or a tuple with one for each player.

    Numbers of other libraries and other sequences become `int` and `tuple`.
    """

    payoff: int | tuple[int, ...]
    label: str = ""

    children: ClassVar[tuple["Tree", ...]] = ()

    def __init__(self, payoff: SupportsIndex | Sequence[SupportsIndex], label: str = "") -> None:
        _set(self, payoff=_payoff(payoff), label=label)

    @property
    def is_scalar(self) -> bool:
        return isinstance(self.payoff, int)

    @property
    def payoffs(self) -> tuple[int, ...]:
        """The payoff of each player."""
        return (self.payoff, -self.payoff) if isinstance(self.payoff, int) else self.payoff

    def __str__(self) -> str:
        return tree_text(self)


@dataclass(frozen=True)
class Inner:
    """A node at which a player chooses one of the children."""

    mover: int
    children: tuple["Tree", ...]
    label: str = ""

    def __init__(self, mover: SupportsIndex, children: Sequence["Tree"], label: str = "") -> None:
        nodes = tuple(children) if isinstance(children, Iterable) else (children,)
        strays = [child for child in nodes if not isinstance(child, (Leaf, Inner))]
        if strays or not isinstance(children, Iterable):
            stray = strays[0] if strays else children
            raise BadTree(f"children are a sequence of Leaf(...) and Inner(...), not {stray!r}")
        _set(self, mover=_whole(mover, "the number of a player"), children=nodes, label=label)

    def __str__(self) -> str:
        return tree_text(self)


Tree = Leaf | Inner


def _set(node: Any, **values: Any) -> None:
    """Set the fields of a frozen node."""
    for name, value in values.items():
        object.__setattr__(node, name, value)


def _payoff(payoff: Any) -> int | tuple[int, ...]:
    if isinstance(payoff, (list, tuple)) or getattr(payoff, "ndim", 0):
        return tuple(_whole(number, "a payoff") for number in payoff)
    return _whole(payoff, "a payoff")


def _whole(number: Any, meaning: str) -> int:
    try:
        return int(operator.index(number))
    except TypeError:
        raise BadTree(f"{meaning} is a whole number, not {number!r}") from None


def walk(tree: Tree, path: Path = ()) -> Iterator[tuple[Path, Tree]]:
    """Every node with its path, parents before children, from left to right."""
    yield path, tree
    for index, child in enumerate(tree.children):
        yield from walk(child, (*path, index))


def leaves_of(tree: Tree) -> list[Leaf]:
    """The leaves from left to right."""
    return [node for _, node in walk(tree) if isinstance(node, Leaf)]


def first_leaf(tree: Tree) -> Leaf:
    """The leftmost leaf; all leaves of a tree have the same kind."""
    while isinstance(tree, Inner):
        tree = tree.children[0]
    return tree


def is_scalar(tree: Tree) -> bool:
    """Whether the leaves hold one number rather than one for each player."""
    return first_leaf(tree).is_scalar


def players_of(tree: Tree) -> int:
    """The number of players, of whom some may have no node to move at."""
    return len(first_leaf(tree).payoffs)


def is_zero_sum(tree: Tree) -> bool:
    """Whether there are two players and one gets what the other loses."""
    return players_of(tree) == 2 and all(sum(leaf.payoffs) == 0 for leaf in leaves_of(tree))


def mover_text(mover: int, is_scalar: bool) -> str:
    """`M` and `m` in trees of single numbers, player numbers from 1 in others."""
    return "Mm"[mover] if is_scalar else str(mover + 1)


def payoff_text(payoff: int | tuple[int, ...]) -> str:
    """`-3`, or `(1, 2, 3)`."""
    return str(payoff) if isinstance(payoff, int) else f"({', '.join(map(str, payoff))})"


def tree_text(tree: Tree) -> str:
    """The text form on one line; equal trees have equal texts."""
    scalar = is_scalar(tree)

    def text_of(node: Tree) -> str:
        label = f"{node.label} = " if node.label else ""
        if isinstance(node, Leaf):
            return label + payoff_text(node.payoff)
        children = ", ".join(text_of(child) for child in node.children)
        return f"{label}{mover_text(node.mover, scalar)}({children})"

    return text_of(tree)


def path_text(path: Path) -> str:
    """`1-3-2`: the first child, its third, the second of that; `.` is the root."""
    return "-".join(str(index + 1) for index in path) or "."


def step_text(tree: Tree, index: int) -> str:
    """The name of the move to a child: its label, or its number from 1."""
    return tree.children[index].label or str(index + 1)


def outline(tree: Tree) -> Iterator[tuple[str, Path, Tree]]:
    """Every node in order, after the box characters that draw its branch."""

    def below(node: Tree, path: Path, margin: str) -> Iterator[tuple[str, Path, Tree]]:
        for index, child in enumerate(node.children):
            is_last = index == len(node.children) - 1
            yield margin + ("└─ " if is_last else "├─ "), (*path, index), child
            yield from below(child, (*path, index), margin + ("   " if is_last else "│  "))

    yield "", (), tree
    yield from below(tree, (), "")


def check(tree: Tree, describe: Callable[[Path, Tree], str] | None = None) -> None:
    """Raise `BadTree` for a tree that the searches or the text forms cannot handle.

    `describe` names a node in messages, by default by its path.
    """
    if not isinstance(tree, (Leaf, Inner)):
        raise BadTree(f"a tree is Leaf(...) or Inner(...), not {tree!r}; read_tree reads text")
    checks = _TreeChecker(describe or (lambda path, _: f"node {path_text(path)}"))
    for path, node in _walk_within_limits(tree, checks):
        checks.label(path, node)
        if isinstance(node, Leaf):
            checks.leaf(path, node)
        else:
            checks.inner(path, node)
    checks.movers()


def _walk_within_limits(tree: Tree, checks: "_TreeChecker") -> Iterator[tuple[Path, Tree]]:
    """`walk` without recursion, for trees that may be too large or nested too deeply."""
    waiting: list[tuple[Path, Tree]] = [((), tree)]
    count = 0
    while waiting:
        path, node = waiting.pop()
        count += 1
        if count > MAX_NODES:
            raise checks.error(path, node, f"a tree has at most {MAX_NODES} nodes")
        if len(path) > MAX_NESTING:
            raise checks.error(path, node, f"a tree is nested at most {MAX_NESTING} levels deep")
        yield path, node
        children = list(enumerate(node.children))
        waiting += [((*path, index), child) for index, child in reversed(children)]


class _TreeChecker:
    """Checks node after node, and that all leaves and movers fit each other."""

    def __init__(self, describe: Callable[[Path, Tree], str]):
        self._describe = describe
        self._first: Leaf | None = None
        self._last: tuple[int, Path, Tree] | None = None  # the highest player and where

    def error(self, path: Path, node: Tree, problem: str) -> BadTree:
        return BadTree(f"{self._describe(path, node)}: {problem}")

    def label(self, path: Path, node: Tree) -> None:
        if not isinstance(node.label, str) or (node.label and not LABEL.fullmatch(node.label)):
            problem = f"a label is a letter, then letters and digits, not {node.label!r}"
            raise self.error(path, node, problem)

    def leaf(self, path: Path, leaf: Leaf) -> None:
        for payoff in leaf.payoffs:
            if abs(payoff) > MAX_EVALUATION:
                raise self.error(path, leaf, f"payoffs are at most {MAX_EVALUATION} either way")
        self._first = self._first or leaf
        expected, count = len(self._first.payoffs), len(leaf.payoffs)
        if leaf.is_scalar != self._first.is_scalar:
            kinds = "one number" if self._first.is_scalar else f"a vector of {expected} numbers"
            raise self.error(
                path, leaf, f"expected {kinds} like the leaves before, found {_kind(leaf)}"
            )
        if count != expected:
            raise self.error(
                path, leaf, f"expected {expected} payoffs like the leaves before, found {count}"
            )
        if count < 2:
            raise self.error(
                path, leaf, "expected at least 2 payoffs in a vector; leave out its brackets"
            )

    def inner(self, path: Path, node: Inner) -> None:
        if not node.children:
            raise self.error(path, node, "expected at least one child")
        if node.mover < 0:
            raise self.error(
                path, node, "expected a player; the first one is 0 here, 1 in the text"
            )
        if self._last is None or node.mover > self._last[0]:
            self._last = (node.mover, path, node)
        labels = [child.label.lower() for child in node.children if child.label]
        if len(set(labels)) < len(labels):
            raise self.error(
                path, node, "two children have the same label, upper and lower case alike"
            )

    def movers(self) -> None:
        """Every mover must have a payoff at the leaves."""
        assert self._first is not None
        players = len(self._first.payoffs)
        if self._last is None or self._last[0] < players:
            return
        mover, path, node = self._last
        if self._first.is_scalar:
            hint = f"leaves of one number are for 2; write vectors of {mover + 1}"
        else:
            hint = f"the leaves have payoffs for {players}"
        raise self.error(path, node, f"player {mover + 1} moves, but {hint}")


def _kind(leaf: Leaf) -> str:
    return "one number" if leaf.is_scalar else f"a vector of {len(leaf.payoffs)}"
