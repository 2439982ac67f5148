"""Players who do what a test says."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import plies
from plies.agents import Agent
from plies.core.contract import Game
from plies.core.verbs import ZERO
from plies.records import GameRecord
from plies.search.decision import Decision
from plies.search.search import Search
from plies.search.task import Task

DATA = Path(__file__).parent / "data"
PACING = str(DATA / "pacing.py")  # never ends by its rules


@dataclass(frozen=True)
class Puppet(Search):
    """Does what a test says: `thinks` gets the task and how often it was asked before."""

    thinks: Callable[[Task, int], Decision]
    starts: Callable[[Task, float], None] = lambda task, seconds: None
    heard: list[Any] = field(default_factory=list)

    for_any_game: ClassVar[bool] = True

    def decide(self, task: Task) -> Decision:
        self.heard.append(task)
        return self.thinks(task, len(self.heard) - 1)

    def begin(self, task: Task, seconds: float) -> None:
        self.starts(task, seconds)

    def finish(self, task: Task, payoffs: tuple[int, ...], reason: str) -> None:
        self.heard.append((task.seat, payoffs, reason))


def seated(game: Game, puppet: Puppet) -> Agent:
    return Agent("puppet", {}, game, puppet, ZERO)


def legal(task: Task) -> int:
    assert task.game is not None
    return task.game.moves(task.state)[0]


def plain(task: Task, _: int) -> Decision:
    return Decision(legal(task))


def play(game: Game, *puppets: Puppet, **options: Any) -> GameRecord:
    return plies.play_game(game, *(seated(game, puppet) for puppet in puppets), **options)
