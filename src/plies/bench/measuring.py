"""Running a workload: its nodes, and its rate."""

import random
from dataclasses import dataclass

from plies.agents import agent
from plies.bench.signatures import Result
from plies.bench.workloads import Workload

SEED = 0
RUNS = 2  # the faster one counts


@dataclass(frozen=True)
class Measurement:
    """The results of a workload, by the names of its positions, and its CPU time."""

    game: str
    spec: str
    results: dict[str, Result]
    cpu_seconds: float

    @property
    def nodes(self) -> int:
        return sum(result.nodes for result in self.results.values())

    @property
    def rate(self) -> float | None:
        """Nodes per CPU second, None when too little happened to tell."""
        return self.nodes / self.cpu_seconds if self.cpu_seconds else None


def measure(workload: Workload, runs: int = RUNS) -> Measurement:
    """Search every position from scratch; compiling is not measured."""
    searcher = agent(workload.spec, workload.game)
    results, cpu_seconds = {}, 0.0
    for name, state in workload.states.items():
        searcher.prepare(state)
        decisions = []
        for _ in range(runs):
            searcher.forget()
            decisions.append(searcher.choose(state, rng=random.Random(SEED)))
        results[name] = Result(decisions[0].nodes, decisions[0].value)
        cpu_seconds += min(decision.cpu_seconds for decision in decisions)
    return Measurement(workload.game.spec, workload.spec, results, cpu_seconds)
