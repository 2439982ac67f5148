"""The agent that draws one of several others for every move."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, ClassVar

from plies.agents.simple import Greedy, Random
from plies.agents.theory import Theory, strategy_agents
from plies.core.contract import THEORY, Game
from plies.core.spec import nearest, option_text
from plies.errors import BadSpec
from plies.search.decision import Decision
from plies.search.search import Search
from plies.search.task import Task


class Mixed(Search):
    """Draws one of several agents for every move, each as likely as its share says.

    It draws from `random`, `greedy`, `theory` and the strategies of the game's file.  Shares
    need not add up to 1: `mixed:random=1,greedy=3` is greedy in three moves of four.
    """

    for_any_game: ClassVar[bool] = True
    any_option: ClassVar[str] = "AGENT=SHARE"  # what `plies agents` shows for them
    example: ClassVar[Mapping[str, Any]] = {"random": 1, "greedy": 3}

    def __init__(self, /, **shares: float):
        for name, share in shares.items():
            if not isfinite(share) or share < 0:
                raise BadSpec(f"mixed: the share of {name} is 0 or more, not {option_text(share)}")
        if not 0 < sum(shares.values()) < float("inf"):
            raise BadSpec("mixed needs shares above 0, such as mixed:random=1,greedy=3")
        self._shares = shares

    def check(self, game: Game) -> None:
        """`BadSpec` where one of them does not play the game."""
        known = drawable(game)
        for name in self._shares:
            if name not in known:
                there = f"it draws from {', '.join(sorted(known))}"
                raise BadSpec(f"mixed has no {name} for {game.name}; {there}{nearest(name, known)}")
            if not known[name].for_any_game and not game.is_zero_sum(game.initial()):
                raise BadSpec(f"{game.spec} is not a two-player zero-sum game, which {name} is for")
            known[name]().check(game)

    def decide(self, task: Task) -> Decision:
        (name,) = task.rng.choices(list(self._shares), list(self._shares.values()))
        return drawable(task.game)[name]().decide(task)


def drawable(game: Game) -> dict[str, type[Search]]:
    """The agents that remember nothing from move to move, by name."""
    theory = {THEORY: Theory} if THEORY in game.strategies else {}
    return {"random": Random, "greedy": Greedy, **theory, **strategy_agents(game)}
