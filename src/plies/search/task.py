"""What a search is asked, and what it may use to answer."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from plies.core.verbs import ZERO
from plies.search.clock import Clock
from plies.search.decision import Decision, Depth
from plies.search.runner import StopFlag, Stopwatch, make_decision, run_all

if TYPE_CHECKING:
    from plies.core.contract import Game


@dataclass(frozen=True)
class Progress:
    """How far a running search is: `history` holds the depths finished so far."""

    seconds: float
    nodes: int
    history: tuple[Depth, ...]


@dataclass(frozen=True)
class Task:
    """The question: which move in `state`?

    `past` holds the keys of the game's earlier positions, the oldest first; `memory` is
    what a method keeps from one move of a game to the next (a table, a tree), nothing known
    when a game begins; `on_progress` is told how it goes a few times a second.

    For those who are no search and speak about the game with others: the `game`, whose
    `seat` it is, the state the game began with (`start`) and the moves since (`played`);
    `deadline`, as `time.perf_counter` tells it, is when the judge waits no longer.
    """

    state: Any
    evaluator: Any = ZERO
    players: int = 2
    past: tuple[int, ...] = ()
    clock: Clock | None = None
    rng: random.Random = field(default_factory=random.Random)
    stop: StopFlag = field(default_factory=StopFlag)
    memory: dict[str, Any] = field(default_factory=dict)
    on_progress: Callable[[Progress], None] | None = None
    game: "Game | None" = None
    seat: int = 0
    start: Any = None
    played: tuple[int, ...] = ()
    deadline: float | None = None


def progress_report(
    task: Task, watch: Stopwatch, workspaces: Sequence[np.record], history: Sequence[Depth] = ()
) -> Callable[[], None] | None:
    """The call that reports progress to `task.on_progress`; None where nobody listens."""
    on_progress = task.on_progress
    if on_progress is None:
        return None

    def report() -> None:
        nodes = sum(int(work.nodes) for work in workspaces)
        on_progress(Progress(watch.seconds, nodes, tuple(history)))

    return report


def decide_at_depth(
    kernel: Callable[..., Any], *arguments: Any, task: Task, depth: int, work: np.record
) -> Decision:
    """Run `kernel(state, depth, *arguments, work)` and decide by its result."""
    watch = Stopwatch()
    call = partial(kernel, task.state, depth, *arguments, work)
    on_poll = progress_report(task, watch, [work])
    (value,) = run_all([call], [work], task.stop, on_poll=on_poll)
    return make_decision(task.state, int(value), depth, [work], watch)
