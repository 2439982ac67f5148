"""The search laboratory: a search of a tree, ready to be stepped through.

What is small enough is laid out whole before it is searched, so that the drawing also shows
what the search leaves out, and so that the children can be put into another order.  Of a
larger tree the plies nearest to the root that the search looked at are drawn.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.spec import option_text
from plies.errors import BadSpec
from plies.games.tree import PAPER_TREE, read_tree
from plies.games.tree.nodes import tree_text
from plies.search.runner import StopFlag
from plies.search.trace import Trace, record_tree
from plies.search.trace.algorithms import Algorithm
from plies.tree_report.ordering import Ordering, leaves_evaluated, ordered
from plies.web.lab.drawing import Drawing, drawing_of_record, drawing_of_spots
from plies.web.lab.messages import Laboratory, LabTrace, Order, TraceRequest
from plies.web.lab.options import ENTRIES, EXAMPLES, algorithm_view, read_algorithm, title_of
from plies.web.lab.tree import (
    ESTIMATES,
    Spot,
    Subject,
    as_tree,
    explicit,
    height,
    lay_out,
    of_game,
    over,
    rearranged,
)

DRAWN = 600  # nodes of a drawing
BUDGET = 20_000  # nodes that a search looks at
SECONDS = 5.0  # that a search may take
AT_ONCE = 2  # searches side by side
WAITING = 6  # for a place among them; more are refused
DEPTH = 3  # plies, where a position is searched and none are given
ORDERS: tuple[Order, ...] = ("left", "right", "best")


def laboratory() -> Laboratory:
    """What can be looked at."""
    return Laboratory(
        algorithms=[algorithm_view(name) for name in ENTRIES],
        estimates=list(ESTIMATES),
        tree=PAPER_TREE.strip(),
        examples=list(EXAMPLES),
    )


def run(
    request: TraceRequest, find: Callable[[str], Game], stop: StopFlag | None = None
) -> LabTrace:
    """Search as asked; `find` answers the game of a spec."""
    search = _Run(request, *read_algorithm(request.algorithm), stop or StopFlag())
    if bool(request.tree.strip()) == bool(request.game):
        raise BadSpec("give either a tree or a game")
    if request.game:
        game = find(request.game)
        with explaining(game):
            return search.trace(search.of_game(game))
    return search.trace(explicit(read_tree(request.tree), search.algorithm, request.evaluator))


@dataclass
class _Run:
    """One search that was asked for."""

    request: TraceRequest
    name: str
    algorithm: Algorithm
    options: dict[str, Any]
    stop: StopFlag
    end: float = inf  # of the time for it

    def should_stop(self) -> bool:
        return self.stop.is_set or time.monotonic() > self.end

    def trace(self, subject: Subject) -> LabTrace:
        if not self.algorithm.has_vectors and not subject.is_zero_sum:
            raise BadSpec(f"{self.name} is for two-player zero-sum games; choose maxn or mcts")
        if not subject.is_zero_sum and self.request.order == "best":
            raise BadSpec("the best order is about alpha-beta, which is for two-player zero sums")
        for tool in subject.tools.values():  # what compiles now takes nothing of the time
            tool(subject.root)
        self.end = time.monotonic() + SECONDS
        spot = self.laid_out(subject)
        if spot is None:
            return self.seen(subject)
        if "depth" in ENTRIES[self.name].defaults:
            self.options.setdefault("depth", max(height(spot), 1))
        return self.whole(subject, spot)

    def of_game(self, game: Game) -> Subject:
        text = self.request.position.strip()
        state = game.parse_position(text) if text else game.initial()
        if game.is_over(state):
            raise BadSpec("the game is over in this position: there is nothing to search")
        if "depth" in ENTRIES[self.name].defaults:
            self.options.setdefault("depth", DEPTH)
        return of_game(game, state, self.algorithm, self.request.evaluator)

    def laid_out(self, subject: Subject) -> Spot | None:
        """The whole tree, if it can be drawn; simulations of a game go further than a drawing."""
        if self.request.game and self.algorithm.is_growing:
            return None
        spot = lay_out(subject, self.options.get("depth"), DRAWN, self.should_stop)
        if spot is None and self.request.tree:
            raise BadSpec(f"the tree has more than {DRAWN} nodes: shorten it or give a depth")
        return spot

    def whole(self, subject: Subject, spot: Spot) -> LabTrace:
        subject_of_spots = over(subject, spot)
        orderings = self.orderings(subject_of_spots, spot)
        ordering = orderings.get(self.request.order)
        if ordering is not None:
            spot = rearranged(spot, ordering)
            subject_of_spots = over(subject, spot)
        drawing = drawing_of_spots(subject_of_spots, spot, self.is_sided(subject))
        trace = self.searched(subject_of_spots, DRAWN)
        told = self.told(trace, drawing, subject)
        more: dict[str, Any] = {"is_whole": True}
        if subject.is_zero_sum:
            more["orders"] = {
                order: leaves_evaluated(found.tree, **self.kinds())
                for order, found in orderings.items()
            }
            more["is_best_proven"] = orderings["best"].is_proven
        if self.request.tree and ordering is not None:
            more["ordered_text"] = tree_text(ordering.tree)
        return told.model_copy(update=more)

    def seen(self, subject: Subject) -> LabTrace:
        if self.request.order != "left":
            raise BadSpec(
                f"the tree has more than {DRAWN} nodes, so that only the given order can be"
                " shown: choose a smaller depth, or another position"
            )
        passes = self.options["depth"] if self.name == "deepening" else 1
        trace = self.searched(subject, 2 * DRAWN // (passes + 1))
        drawing = drawing_of_record(subject, trace, self.is_sided(subject))
        told = self.told(trace, drawing, subject)
        hidden = max((tree.hidden for tree in trace.trees), default=0)
        if hidden:
            told.notes.append(
                f"The tree is too large to be drawn whole: {hidden:,} nodes that were looked at"
                " lie below the ones you see."
            )
        return told

    def searched(self, subject: Subject, limit: int) -> Trace:
        """The search; of each of its passes so many nodes are kept."""
        return record_tree(
            subject.root,
            self.name,
            **subject.tools,
            names=subject.names,
            limit=limit,
            budget=BUDGET,
            should_stop=self.should_stop,
            **self.options,
        )

    def is_sided(self, subject: Subject) -> bool:
        """Whether there are two sides, Max and Min."""
        return subject.is_zero_sum or self.name == "paranoid"

    def orderings(self, subject: Subject, spot: Spot) -> Mapping[Order, Ordering]:
        if not subject.is_zero_sum and self.request.order == "left":
            return {}
        tree = as_tree(subject, spot)
        wanted = ORDERS if subject.is_zero_sum else ("right",)
        return {order: ordered(tree, order, **self.kinds()) for order in wanted}

    def kinds(self) -> dict[str, Any]:
        """Which alpha-beta the orders are about."""
        return {key: self.options[key] for key in ("fail", "cut") if key in self.options}

    def told(self, trace: Trace, drawing: Drawing, subject: Subject) -> LabTrace:
        notes = []
        if not trace.is_complete:
            notes.append(f"The search was stopped after {trace.nodes:,} nodes.")
        ranking = trace.nodes - sum(len(tree.nodes) + tree.hidden for tree in trace.trees)
        if ranking and not self.algorithm.is_growing:
            notes.append(f"{ranking:,} of {trace.nodes:,} nodes were looked at to rank children.")
        return LabTrace(
            algorithm=self.name,
            options={key: option_text(value) for key, value in self.options.items()},
            title=title_of(self.name, self.options),
            order=self.request.order,
            sides=list(subject.sides),
            is_whole=False,
            notes=notes,
            tree=drawing.nodes,
            passes=drawing.passes(trace),
            simulations=drawing.simulations(trace),
            value=trace.value_text,
            line=drawing.line(trace.path),
            line_text=" ".join(trace.line),
            nodes=trace.nodes,
            leaves=trace.leaves,
            cutoffs=trace.cutoffs,
            all_nodes=len(drawing.nodes),
            all_leaves=drawing.leaves,
            is_complete=trace.is_complete,
            orders=None,
            is_best_proven=True,
            ordered_text="",
        )
