"""One run of a search on a problem: how many calls it took, and how good it was when."""

import time
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from plies.blackbox.problem import SUCCESS, BadProblem, Problem
from plies.blackbox.strategies import find_strategy

MILESTONES = (1_000, 3_000, 10_000, 30_000, 100_000)
PUBLISHED_CALLS = 30_010  # when the published runs were stopped
PER_DECADE = 8


@dataclass(frozen=True)
class Trial:
    """What a run came to; `solved` is the number of the call that succeeded, None if none did."""

    problem: str
    length: int
    strategy: str
    seed: int
    budget: int
    solved: int | None
    best: float
    curve: tuple[tuple[int, float], ...]  # the best value by so many calls
    cpu_seconds: float

    def best_by(self, calls: int) -> float | None:
        """The best value of the first so many calls; None where the run was not that long."""
        if self.solved is None and calls > self.curve[-1][0]:
            return None
        return max((value for at, value in self.curve if at <= calls), default=None)


class Stopped(Exception):
    """Ends a search: it has succeeded or spent its calls."""


class Meter:
    """What a search calls instead of the problem; it keeps the score and stops the search."""

    def __init__(self, problem: Problem, budget: int, goal: float):
        self.problem, self.goal = problem, goal
        self.last = problem.calls + budget
        self.first = problem.calls
        self.best = -np.inf
        self.curve: list[tuple[int, float]] = []
        self.solved: int | None = None
        marks = {round(10 ** (each / PER_DECADE)) for each in range(8 * PER_DECADE)}
        self.marks = sorted(
            {each for each in (*marks, *MILESTONES, PUBLISHED_CALLS, budget) if each <= budget}
        )

    def __call__(self, genome: np.ndarray) -> float:
        if self.problem.calls >= self.last:
            raise Stopped
        value = self.problem(genome)
        self.best = max(self.best, value)
        calls = self.problem.calls - self.first
        if calls == self.marks[len(self.curve)]:
            self.curve.append((calls, self.best))
        if value >= self.goal:
            self.solved = calls
            raise Stopped
        return value


def run(problem: Problem, strategy: str, seed: int, budget: int, goal: float = SUCCESS) -> Trial:
    """Let a strategy search until a value reaches the goal or so many calls are spent.

    A strategy may end before that.
    """
    if budget < 1:
        raise BadProblem(f"a budget is at least one call, not {budget}")
    search = find_strategy(strategy).search
    meter = Meter(problem, budget, goal)
    began = time.process_time()
    with suppress(Stopped):
        search(meter, problem.length, np.random.default_rng(seed))
    curve, calls = meter.curve, problem.calls - meter.first
    if not curve or curve[-1][0] < calls:
        curve = [*curve, (calls, meter.best)]
    return Trial(
        problem.name,
        problem.length,
        strategy,
        seed,
        budget,
        meter.solved,
        meter.best,
        tuple(curve),
        time.process_time() - began,
    )
