"""Watching a search at work on a tree: what it saw of every node, and what it skipped."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from plies.errors import BadSpec
from plies.games.tree import Inner, Leaf, Tree
from plies.games.tree.nodes import Path, is_zero_sum, step_text, walk
from plies.search import reference
from plies.search.alphabeta import Cut, Fail
from plies.search.reference import Answer, Event
from plies.search.trace.visits import Recorder, Visit, set_bounds
from plies.tree_report.ordering import ORDERS, Order, Ordering, leaves_evaluated, on_tree, ordered

Algorithm = Literal["minimax", "alphabeta", "maxn"]


@dataclass(frozen=True)
class Report:
    """A search of a tree with its children in some order; a node without visit was skipped."""

    original: Tree
    ordering: Ordering
    algorithm: Algorithm
    fail: Fail
    cut: Cut
    order: Order
    answer: Answer
    visits: Mapping[Path, Visit] = field(repr=False)

    @property
    def tree(self) -> Tree:
        """The tree as it was searched; paths are paths in it."""
        return self.ordering.tree

    @property
    def line(self) -> tuple[str, ...]:
        """The line of best play, as moves of the original tree."""
        steps, node = [], self.original
        for index in self.ordering.original(self.answer.line):
            steps.append(step_text(node, index))
            node = node.children[index]
        return tuple(steps)

    def cut_text(self, path: Path) -> str:
        """Why the remaining children of a node were left out, empty where none were."""
        visit = self.visits[path]
        if visit.cut is None or (*path, visit.children - 1) in self.visits:
            return ""
        alpha, beta = visit.cut
        return f"alpha {alpha} {'>=' if self.cut == 'equal' else '>'} beta {beta}"

    @cached_property
    def orderings(self) -> dict[Order, Ordering]:
        """The original tree in every order; none where alpha-beta does not apply."""
        if not is_zero_sum(self.original):
            return {}
        known: dict[Order, Ordering] = {self.order: self.ordering}
        return {
            order: known.get(order) or ordered(self.original, order, self.fail, self.cut)
            for order in ORDERS
        }

    @property
    def leaves_by_order(self) -> dict[Order, int]:
        """How many leaves alpha-beta evaluates in every order."""
        return {
            order: leaves_evaluated(ordering.tree, self.fail, self.cut)
            for order, ordering in self.orderings.items()
        }

    @property
    def size(self) -> tuple[int, int]:
        """Nodes and leaves of the whole tree."""
        kinds = [isinstance(node, Leaf) for _, node in walk(self.tree)]
        return len(kinds), sum(kinds)


def analyse(
    tree: Tree,
    algorithm: Algorithm | None = None,
    *,
    fail: Fail = "soft",
    cut: Cut = "equal",
    order: Order = "left",
) -> Report:
    """Search a tree and keep what happened.

    Without an algorithm: alpha-beta where two players' gains and losses cancel out,
    max^n elsewhere.
    """
    zero_sum = is_zero_sum(tree)
    algorithm = algorithm or ("alphabeta" if zero_sum else "maxn")
    if not zero_sum and algorithm != "maxn":
        raise BadSpec(f"{algorithm} needs a two-player zero-sum tree; this one is for maxn")
    if not zero_sum and order == "best":
        raise BadSpec("the best order is about alpha-beta, which needs a two-player zero-sum tree")
    ordering = ordered(tree, order, fail, cut)
    recorder = Recorder()
    answer = _run(ordering.tree, algorithm, fail, cut, recorder)
    visits = recorder.passes[0].visits
    set_bounds(visits.values(), None if algorithm == "maxn" else lambda node: node.mover == 0)
    return Report(tree, ordering, algorithm, fail, cut, order, answer, visits)


def _run(
    tree: Tree, algorithm: Algorithm, fail: Fail, cut: Cut, on_event: Callable[[Event], None]
) -> Answer:
    if algorithm == "maxn":
        return reference.maxn(
            tree,
            children=lambda node: node.children,
            evaluate=lambda node: node.payoffs if isinstance(node, Leaf) else (),
            mover=lambda node: node.mover if isinstance(node, Inner) else 0,
            on_event=on_event,
        )
    if algorithm == "minimax":
        return reference.minimax(tree, **on_tree(), on_event=on_event)
    return reference.alphabeta(tree, **on_tree(), fail=fail, cut=cut, on_event=on_event)
