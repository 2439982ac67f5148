"""Workloads: the positions of a game, the depth of each search, and what one run of it takes."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from plies.agents import AGENTS, agent
from plies.bench.signatures import Result
from plies.core.contract import Game
from plies.registry import game as find_game

POSITIONS = Path(__file__).with_name("positions.json")
SEED = 0
RUNS = 2  # the faster one counts
UNKNOWN = {"shallow": 2, "deep": 3, "positions": {}}  # of a game without positions of its own

# The spec of each search.  A game says how deep `shallow` and `deep` are.
SPECS = {
    "alphabeta": "alphabeta:depth={deep}",
    "beam": "beam:depth={deep}",
    "branch": "branch:depth={deep}",
    "contest": "contest:depth={deep},nodes=1000000",
    "deepening": "deepening:depth={deep},table=1",
    "dfpn": "dfpn:nodes=20000,table=1",
    "engine": "engine:depth={deep},table=1",
    "maxn": "maxn:depth={shallow}",
    "mcts": "mcts:simulations=500,table=16",
    "minimax": "minimax:depth={shallow}",
    "paranoid": "paranoid:depth={deep}",
    "solve": "solve:nodes=20000,table=1",
}


@dataclass(frozen=True)
class Workload:
    """One search on one game: `states` are the positions by their names."""

    game: Game
    spec: str
    states: dict[str, Any]


@cache
def read_positions() -> dict[str, Any]:
    """Name of a game -> its depths and positions."""
    return json.loads(POSITIONS.read_text(encoding="utf-8"))


def workloads(game_spec: str, agents: tuple[str, ...] = ()) -> Iterator[Workload]:
    """Every search (or those named) that can play the game, each on its positions."""
    game = find_game(game_spec)
    facts = read_positions().get(game.name, UNKNOWN) if not game.options else UNKNOWN
    states = {name: game.parse_position(text) for name, text in facts["positions"].items()}
    states = states or {"opening": game.initial()}
    is_zero_sum = all(game.is_zero_sum(state) for state in states.values())
    for name in sorted(AGENTS):
        is_selected = not agents or name in agents
        if is_selected and name in SPECS and (is_zero_sum or AGENTS[name].for_any_game):
            yield Workload(game, SPECS[name].format(**facts), states)


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
        """Nodes per CPU second, None when the run was too short."""
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
