"""What is measured: which positions of a game, and how deep each method looks."""

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

# How each method is asked.  A game says how deep `shallow` and `deep` are.
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
class Work:
    """One method on one game: `states` are the positions by their names."""

    game: Game
    spec: str
    states: dict[str, Any]


@cache
def known() -> dict[str, Any]:
    """Name of a game -> its depths and positions."""
    return json.loads(POSITIONS.read_text(encoding="utf-8"))


def works(game_spec: str, methods: tuple[str, ...] = ()) -> Iterator[Work]:
    """Every method (or those named) that can play the game, each on its positions."""
    game = find_game(game_spec)
    facts = known().get(game.name, UNKNOWN) if not game.options else UNKNOWN
    states = {name: game.parse_position(text) for name, text in facts["positions"].items()}
    states = states or {"opening": game.initial()}
    is_zero_sum = all(game.is_zero_sum(state) for state in states.values())
    for name in sorted(AGENTS):
        is_wanted = not methods or name in methods
        if is_wanted and name in SPECS and (is_zero_sum or AGENTS[name].for_any_game):
            yield Work(game, SPECS[name].format(**facts), states)
