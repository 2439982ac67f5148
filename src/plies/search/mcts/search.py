"""The agent `mcts`: its options, and a tree for every thread."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import ClassVar, Literal

import numpy as np

from plies.core.verbs import evaluators_of
from plies.errors import BadSpec
from plies.search.decision import Decision, Depth
from plies.search.deepening import limits_of
from plies.search.limits import (
    checked_seconds,
    checked_threads,
    checked_whole,
    memory_megabytes,
    share_of,
)
from plies.search.mcts.answer import answer_of, is_proven, line_after
from plies.search.mcts.reuse import OldTree, carry_over
from plies.search.mcts.simulation import simulate
from plies.search.mcts.tree import LOG_ROOTS, MOST_NODES, NODE, PLAN, ROOT, new_tree
from plies.search.runner import POLL_SECONDS, NoLegalMove, Stopwatch, counts, first_move, run_all
from plies.search.search import Search
from plies.search.task import Task
from plies.search.workspace import UNLIMITED, new_workspace

MOST_MEGABYTES = MOST_NODES * NODE.itemsize >> 20
DEFAULT_SIMULATIONS = 2000
FIRST_REPORT = 1000  # simulations; the next report is at twice as many, and so on
UNITS_OF_HALF_A_WIN = 4
MEMORY = "mcts"  # the name of the trees in a game's memory


@dataclass(frozen=True)
class Mcts(Search):
    """Monte Carlo tree search (UCT); limited by `simulations`, `seconds` or the clock, and by
    2000 simulations without any of them.

    A new leaf gets its value from random moves to the end of the game, or for `plies` plies
    and then from the evaluator; with `leaf=eval` from the evaluator at once.  Each of the
    `threads` grows a tree of its own, with its share of the simulations; `table` is the
    greatest size of a tree in megabytes.
    """

    simulations: int = 0
    seconds: float = 0.0
    leaf: Literal["random", "eval"] = "random"
    eval: str = ""
    plies: int = 500
    scale: int = 0
    c: float = 0.7
    priors: Literal["none", "eval"] = "none"
    temperature: float = 0.25
    solver: bool = True
    reuse: bool = True
    threads: int = 1
    table: int = 128

    for_any_game: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_whole("simulations", self.simulations, 0, UNLIMITED)
        checked_seconds(self.seconds)
        checked_whole("plies", self.plies, 1, UNLIMITED)
        checked_whole("scale", self.scale, 0, UNLIMITED)
        most = min(MOST_MEGABYTES, memory_megabytes() // checked_threads(self.threads))
        checked_whole("table", self.table, 1, most, " (megabytes for each thread)")
        if not (isfinite(self.c) and self.c >= 0):
            raise BadSpec(f"c is 0 or more, not {self.c}")
        if not (isfinite(self.temperature) and self.temperature > 0):
            raise BadSpec(f"temperature is more than 0, not {self.temperature}")

    @property
    def needs_evaluator(self) -> bool:
        return self.leaf == "eval" or self.priors == "eval"

    def decide(self, task: Task) -> Decision:
        is_limited = self.seconds > 0 or task.clock is not None
        most = self.simulations or (UNLIMITED if is_limited else DEFAULT_SIMULATIONS)
        shares = [share_of(most, index, self.threads) for index in range(self.threads)]
        growths = [Growth(task, new_tree(self.table), self._plan(task), share) for share in shares]
        _compile(growths[0], self.reuse)
        watch = Stopwatch()
        if self.reuse:
            for growth, old_tree in zip(growths, task.memory.get(MEMORY, ()), strict=False):
                growth.old_tree = old_tree
        seconds = limits_of(task, seconds=self.seconds, nodes=most).soft
        _grow(growths, task, watch, watch.wall + seconds if seconds < inf else None)
        if self.reuse:
            task.memory[MEMORY] = [OldTree(task.state, growth.tree) for growth in growths]
        return _make_decision(growths, task, watch)

    def _plan(self, task: Task) -> np.record:
        plan = np.zeros(1, PLAN).view(np.recarray)[0]
        plan.log_roots = LOG_ROOTS
        plan.random = task.rng.getrandbits(64) or 1
        plan.players = task.players
        plan.is_solver = self.solver
        plan.has_priors = self.priors == "eval"
        plan.plies = 0 if self.leaf == "eval" else self.plies
        plan.c = self.c
        plan.temperature = self.temperature
        unit = evaluators_of[type(task.evaluator)].unit
        plan.scale = self.scale or UNITS_OF_HALF_A_WIN * unit
        return plan


@dataclass
class Growth:
    """A tree that grows in a thread of its own."""

    task: Task
    tree: np.record
    plan: np.record
    simulations: int
    old_tree: OldTree | None = None  # what the tree begins with
    work: np.record = field(default_factory=new_workspace)
    history: list[Depth] = field(default_factory=list)
    has_ended: threading.Event = field(default_factory=threading.Event)

    def run(self, watch: Stopwatch) -> None:
        """Simulate, and report whenever the simulations have doubled."""
        try:
            if self.old_tree is not None:
                carry_over(self.old_tree, self.task, self.tree, self.work)
                self.old_tree = None  # its memory is free from here on
            target = min(FIRST_REPORT, self.simulations)
            while self.simulate(target) and target < self.simulations:
                self._report(watch)
                target = min(2 * target, self.simulations)
            self._report(watch)
        finally:
            self.has_ended.set()

    def simulate(self, target: int) -> bool:
        """Simulate until there are `target` simulations; False if more would be of no use."""
        task, work = self.task, self.work
        last = simulate(task.state, target, task.evaluator, self.tree, self.plan, work)
        if work.no_moves_ply >= 0:
            raise NoLegalMove(last)
        return not work.is_stopped and not is_proven(self.tree)

    def _report(self, watch: Stopwatch) -> None:
        answer = answer_of([self.tree])
        if answer is not None:
            depth, nodes = int(self.plan.deepest), int(self.work.nodes)
            self.history.append(Depth(depth, *answer, nodes, watch.seconds))


def _compile(growth: Growth, reuse: bool) -> None:
    """Compile all that is needed before the clock starts."""
    if reuse:
        nothing = OldTree(growth.task.state, new_tree(0))
        carry_over(nothing, growth.task, growth.tree, growth.work)
    growth.simulate(0)
    line_after(growth.tree, ROOT)


def _grow(growths: Sequence[Growth], task: Task, watch: Stopwatch, deadline: float | None) -> None:
    """Let all trees grow until each has its simulations, one is proven, or time is up."""
    workspaces = [growth.work for growth in growths]

    def run(growth: Growth) -> None:
        growth.run(watch)
        if is_proven(growth.tree):
            for work in workspaces:
                work.budget = 0
        if growth is growths[0]:  # the end of this call ends all others
            for other in growths[1:]:
                while other.work.budget > 0 and not other.has_ended.wait(POLL_SECONDS):
                    pass  # it goes on; once it is stopped it is waited for elsewhere

    calls = [lambda growth=growth: run(growth) for growth in growths]
    on_poll = task.progress_report(watch, workspaces, growths[0].history)
    run_all(calls, workspaces, task.stop, deadline, on_poll)


def _make_decision(growths: Sequence[Growth], task: Task, watch: Stopwatch) -> Decision:
    workspaces = [growth.work for growth in growths]
    trees = [growth.tree for growth in growths]
    answer = answer_of(trees)
    if answer is None:
        (move,) = line = first_move(task.state)
        value = None
    else:
        move, value, line = answer
    return Decision(
        move=move,
        value=value,
        line=line,
        depth=max(int(growth.plan.deepest) for growth in growths),
        seconds=watch.seconds,
        cpu_seconds=watch.cpu_seconds,
        is_complete=any(map(is_proven, trees)) or not any(work.is_stopped for work in workspaces),
        history=tuple(growths[0].history),
        simulations=sum(int(growth.plan.simulations) for growth in growths),
        **counts(workspaces),
    )
