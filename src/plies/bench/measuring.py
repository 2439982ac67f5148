"""Doing the work and counting it."""

import random
from dataclasses import dataclass

from plies.agents import agent
from plies.bench.signatures import Found
from plies.bench.works import Work

SEED = 0
RUNS = 2  # the rate is that of the quicker one


@dataclass(frozen=True)
class Measured:
    """What a work took, and by the name of the position what it found."""

    game: str
    spec: str
    found: dict[str, Found]
    cpu_seconds: float

    @property
    def nodes(self) -> int:
        return sum(found.nodes for found in self.found.values())

    @property
    def rate(self) -> float | None:
        """Nodes per CPU second, None when too little happened to tell."""
        return self.nodes / self.cpu_seconds if self.cpu_seconds else None


def measure(work: Work, runs: int = RUNS) -> Measured:
    """Search every position from scratch; compiling is not measured."""
    searcher = agent(work.spec, work.game)
    found, cpu_seconds = {}, 0.0
    for name, state in work.states.items():
        searcher.prepare(state)
        decisions = []
        for _ in range(runs):
            searcher.forget()
            decisions.append(searcher.choose(state, rng=random.Random(SEED)))
        found[name] = Found(decisions[0].nodes, decisions[0].value)
        cpu_seconds += min(decision.cpu_seconds for decision in decisions)
    return Measured(work.game.spec, work.spec, found, cpu_seconds)
