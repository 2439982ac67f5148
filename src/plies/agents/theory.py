"""Agents that know: strategies from a game's file, and the solution of the whole game."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from plies.core.contract import THEORY
from plies.errors import AgentFault, BadSpec
from plies.search.decision import Decision
from plies.search.deepening import limits_of
from plies.search.limits import checked_whole
from plies.search.retrograde import Solution, solution
from plies.search.runner import Stopwatch, first_move, make_decision, run_timed
from plies.search.search import Search
from plies.search.task import Task
from plies.search.ties import Choice
from plies.search.workspace import MAX_DEPTH, new_workspace

if TYPE_CHECKING:
    from plies.core.contract import Game

MOST_POSITIONS = 100_000_000
SOLUTION = "solution"  # its key in an agent's memory


@dataclass(frozen=True)
class Strategy(Search):
    """The move that a function of the game's file answers.

    Of several such moves the first, or a random one.  Where the function answers none, a random
    legal move.  Its decisions have no value.
    """

    choice: Choice = "first"

    for_any_game: ClassVar[bool] = True
    name: ClassVar[str]  # of the function among the game's strategies

    def check(self, game: "Game") -> None:
        """`BadSpec` where the game's file has no such strategy, or not with these options."""
        game.strategy(self.name, game.initial())

    def decide(self, task: Task) -> Decision:
        watch = Stopwatch()
        game = task.game
        first_move(task.state)
        moves = game.strategy(self.name, task.state)
        if self.choice == "first" and moves:
            move = moves[0]
        else:
            move = task.rng.choice(moves or game.moves(task.state))
        return Decision(move, seconds=watch.seconds, line=(move,), cpu_seconds=watch.cpu_seconds)


@dataclass(frozen=True)
class Theory(Strategy):
    """The move that `theory(state)` of the game's file knows to be best.

    Of several the first, or a random one.  Where it knows none, as where every move loses, a
    random legal move.  Its decisions have no value.
    """

    for_any_game: ClassVar[bool] = False
    name: ClassVar[str] = THEORY


def strategy_agents(game: "Game") -> dict[str, type[Strategy]]:
    """An agent for every strategy of the game's file, with the docstring of its function."""
    agents: dict[str, type[Strategy]] = {}
    for name, function in game.strategies.items():
        about = function.__doc__ or f"The strategy {name} of {game.title}."
        if name != THEORY:
            own = {"name": name, "game": game.name, "__doc__": about}
            agents[name] = type("Declared", (Strategy,), own)
    return agents


@dataclass(frozen=True)
class Perfect(Search):
    """Perfect play: solves the whole game before the first move, then looks the moves up.

    For games of at most `positions`.  The fastest win, the slowest loss; of equal moves the
    first, or a random one.  Later games use the same solution.
    """

    positions: int = 1_000_000
    choice: Choice = "random"

    def __post_init__(self) -> None:
        checked_whole("positions", self.positions, 1, MOST_POSITIONS)

    def begin(self, task: Task, seconds: float) -> None:
        """Solve the game from here within `seconds`."""
        if _known(task) is None:
            self._solve(replace(task, clock=None), seconds)
        if task.stop.was_interrupted:
            raise KeyboardInterrupt
        if _known(task) is None:
            raise AgentFault("time", f"had not solved the game after {seconds:g} s")

    def decide(self, task: Task) -> Decision:
        work, watch = new_workspace(), Stopwatch()
        if _known(task) is None:
            work, watch = self._solve(task)
        known = _known(task)
        if known is None:
            return make_decision(task.state, 0, 0, [work], watch)
        moves = known.best_moves(task.state)
        move = moves[0] if self.choice == "first" else task.rng.choice(moves)
        line = known.line(task.state, move)
        return Decision(
            move,
            value=known.value(task.state),
            depth=len(line),
            nodes=int(work.nodes) or 1,
            seconds=watch.seconds,
            line=line,
            cpu_seconds=watch.cpu_seconds,
        )

    def _solve(self, task: Task, seconds: float = 0.0) -> tuple[np.record, Stopwatch]:
        """Store the solution from here on in the memory, unless the search is stopped."""
        work = new_workspace()

        def search() -> None:
            solved = solution(task.state, self.positions, work)
            if solved is not None:
                task.memory[SOLUTION] = solved

        watch = run_timed(task, [search], [work], limits_of(task, MAX_DEPTH, seconds).hard)
        if work.is_stopped and work.budget > 0:
            raise BadSpec(
                f"{task.game.spec} has more than {self.positions} positions, the limit of"
                f" perfect:positions={self.positions}; raise it, or use engine"
            )
        return work, watch


def _known(task: Task) -> Solution | None:
    """The solution in the memory, if the position is in it."""
    solved: Solution | None = task.memory.get(SOLUTION)
    return solved if solved is not None and task.state in solved else None
