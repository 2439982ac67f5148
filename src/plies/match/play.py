"""A whole game between agents, in one call."""

from typing import Any

from plies.agents import agent
from plies.core.contract import Game
from plies.match.match import DEFAULT_RULES, NO_CLOCKS, Match
from plies.match.rules import Clocks, Rules
from plies.records import GameRecord
from plies.registry import game as find_game


def play_game(
    game: Game | str,
    *agents: Any,
    seed: int = 0,
    start: str = "",
    rules: Rules = DEFAULT_RULES,
    clocks: Clocks = NO_CLOCKS,
) -> GameRecord:
    """Let agents play one game, the first mover first.

    Each is an agent or whatever `plies.agent` makes one of: a spec, a function
    `choose(game, state)`, an object with such a method, or a `plies.Search`.
    `start` is the text of the position to begin with; `seed` makes random choices repeatable.
    """
    game = find_game(game)
    state = game.parse_position(start) if start else game.initial()
    players = [agent(each, game) for each in agents]
    own = [player for player, each in zip(players, agents, strict=True) if player is not each]
    try:
        match = Match(game, state, players, seed=seed, rules=rules, clocks=clocks)
        if clocks.are_running:
            for player in own:
                player.prepare(state)
        return match.run()
    finally:
        for player in own:
            player.close()
