"""What is measured: the positions of a game, and the depth of each search."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from plies.agents import AGENTS
from plies.core.contract import Game
from plies.registry import game as find_game

POSITIONS = Path(__file__).with_name("positions.json")
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
WITHOUT_NODES = {
    *("random", "greedy", "mixed", "human", "theory", "perfect", "uci", "process"),
    *("pred", "mi_pred", "q", "moves"),  # only as good as a file
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
