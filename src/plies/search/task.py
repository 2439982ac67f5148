"""The task of a search: the position, and all that may be used to choose a move."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from plies.core import verbs
from plies.core.verbs import ZERO
from plies.search.clock import Clock
from plies.search.decision import Decision, Depth
from plies.search.limits import checked_depth, checked_seconds
from plies.search.runner import StopFlag, Stopwatch
from plies.search.ties import kernel_root

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
    what a search stores from one move of a game to the next (a table, a tree), empty when a
    game begins; `on_progress` is called a few times a second.

    `game` is the game, always there where an agent plays (tests of searches leave it out);
    `seat` is the player, `start` the state in which the game began and `played` the moves since.

    After `deadline`, a `time.perf_counter()`, the judge waits no longer.  What the compiler takes
    from the moment when `watch` was started puts it off: `seconds_left` says how much is left.
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
    game: "Game" = None  # type: ignore[assignment]
    seat: int = 0
    start: Any = None
    played: tuple[int, ...] = ()
    deadline: float | None = None
    watch: Stopwatch = field(default_factory=Stopwatch)

    @property
    def seconds_left(self) -> float:
        """The seconds that the judge still waits, compiling apart; without end if it waits on."""
        if self.deadline is None:
            return inf
        return max(self.deadline - self.watch.wall - self.watch.seconds, 0.0)

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves."""
        return tuple(int(move) for move in verbs.legal_moves(self.state))

    def best_by(self, kernel: Callable[..., Any], depth: int, nodes: int = 0) -> Decision:
        """The best move by a compiled kernel, each move searched to `depth` plies in all.

        The kernel answers the value of a state for its mover:
        `kernel(state, depth, alpha, beta, ply, evaluator, work)`; see `plies.search.kernel`.
        `nodes` limits the nodes that it enters, 0 for no limit.
        """
        return kernel_root(self, kernel, nodes).decide(self, checked_depth(depth))

    def best_in_time(
        self, kernel: Callable[..., Any], seconds: float = 0.0, depth: int = 0, nodes: int = 0
    ) -> Decision:
        """The best move by a kernel that is called with depth 1, 2, 3, ... (iterative deepening).

        It ends after `seconds` or at the end of the clock's share for this move, at `depth`, or
        after `nodes`; 0 for no limit of that kind.
        """
        from plies.search.deepening import deepen, limits_of  # which is written with this module

        root = kernel_root(self, kernel, nodes)
        limits = limits_of(self, checked_depth(depth, least=0), checked_seconds(seconds), nodes)
        return deepen(self, root.search, [root.work], limits)

    def progress_report(
        self, watch: Stopwatch, workspaces: Sequence[np.record], history: Sequence[Depth] = ()
    ) -> Callable[[], None] | None:
        """The call that reports progress to `on_progress`; None where nobody listens."""
        on_progress = self.on_progress
        if on_progress is None:
            return None

        def report() -> None:
            nodes = sum(int(work.nodes) for work in workspaces)
            on_progress(Progress(watch.seconds, nodes, tuple(history)))

        return report
