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


def walk(tree: Tree) -> Iterator[tuple[Path, Tree]]:
    """Every node with its path, parents before children, from left to right."""
    # Without recursion, because `check` walks trees that may be nested too deeply.
    waiting: list[tuple[Path, Tree]] = [((), tree)]
    while waiting:
        path, node = waiting.pop()
        yield path, node
        children = list(enumerate(node.children))
        waiting += [((*path, index), child) for index, child in reversed(children)]


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
    for path, node, problem in _problems(tree):
        place = describe(path, node) if describe else f"node {path_text(path)}"
        raise BadTree(f"{place}: {problem}")


def _problems(tree: Tree) -> Iterator[tuple[Path, Tree, str]]:
    """What is wrong at which node; the walk goes on only while nothing is."""
    first: Leaf | None = None
    last = (-1, (), tree)  # the highest player, and where it moves
    for count, (path, node) in enumerate(walk(tree), start=1):
        if count > MAX_NODES:
            yield path, node, f"a tree has at most {MAX_NODES} nodes"
        if len(path) > MAX_NESTING:
            yield path, node, f"a tree is nested at most {MAX_NESTING} levels deep"
        if isinstance(node, Leaf):
            first = first or node
            problem = _label_problem(node) or _leaf_problem(node, first)
        else:
            problem = _label_problem(node) or _inner_problem(node)
            if node.mover > last[0]:
                last = (node.mover, path, node)
        if problem:
            yield path, node, problem
    assert first is not None
    mover, path, node = last
    if mover >= len(first.payoffs):  # every mover must have a payoff at the leaves
        hint = f"the leaves have payoffs for {len(first.payoffs)}"
        if first.is_scalar:
            hint = f"leaves of one number are for 2; write vectors of {mover + 1}"
        yield path, node, f"player {mover + 1} moves, but {hint}"


def _label_problem(node: Tree) -> str:
    if not isinstance(node.label, str) or (node.label and not LABEL.fullmatch(node.label)):
        return f"a label is a letter, then letters and digits, not {node.label!r}"
    return ""


def _leaf_problem(leaf: Leaf, first: Leaf) -> str:
    expected, count = len(first.payoffs), len(leaf.payoffs)
    if max(map(abs, leaf.payoffs), default=0) > MAX_EVALUATION:
        return f"payoffs are at most {MAX_EVALUATION} either way"
    if leaf.is_scalar != first.is_scalar:
        return f"expected {_kind(first)} like the leaves before, found {_kind(leaf)}"
    if count != expected:
        return f"expected {expected} payoffs like the leaves before, found {count}"
    if count < 2:
        return "expected at least 2 payoffs in a vector; leave out its brackets"
    return ""


def _inner_problem(node: Inner) -> str:
    labels = [child.label.lower() for child in node.children if child.label]
    if not node.children:
        return "expected at least one child"
    if node.mover < 0:
        return "expected a player; the first one is 0 here, 1 in the text"
    if len(set(labels)) < len(labels):
        return "two children have the same label, upper and lower case alike"
    return ""


def _kind(leaf: Leaf) -> str:
    return "one number" if leaf.is_scalar else f"a vector of {len(leaf.payoffs)} numbers"
