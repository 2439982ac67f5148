"""Plays planned games, one after the other, with the agents kept between them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from plies.agents import Agent, agent
from plies.arena.plan import Planned
from plies.arena.store import Finished
from plies.core.contract import Game
from plies.match import Clocks, Rules, play_game
from plies.registry import game as find_game


@dataclass(frozen=True)
class Job:
    """What all games of a run have in common: the specs of the entries by name, and the rules."""

    specs: Mapping[str, str]
    rules: Rules
    clocks: Clocks


class Judge:
    """Finds games and agents once, compiles them before any clock runs, and lets them play."""

    def __init__(self, job: Job, worker: str = ""):
        self.job = job
        self.worker = worker
        self._games: dict[str, Game] = {}
        self._agents: dict[tuple[str, str, int], Agent] = {}

    def play(self, planned: Planned) -> Finished:
        """One game, from a clean slate: nothing of earlier games is remembered."""
        if planned.game not in self._games:
            self._games[planned.game] = find_game(planned.game)
        game = self._games[planned.game]
        seats = [self._seated(game, name, seat) for seat, name in enumerate(planned.seats)]
        began = time.perf_counter()
        record = play_game(
            game,
            *seats,
            seed=planned.seed,
            start=planned.opening,
            rules=self.job.rules,
            clocks=self.job.clocks,
        )
        ended = datetime.now(UTC).isoformat(timespec="seconds")
        return Finished(planned, record, time.perf_counter() - began, ended, self.worker)

    def _seated(self, game: Game, name: str, seat: int) -> Agent:
        """A player of its own for every seat: one that plays itself shares no memory."""
        place = (game.spec, name, seat)
        if place not in self._agents:
            found = agent(self.job.specs[name], game)
            found.prepare(game.initial())
            self._agents[place] = found
        return self._agents[place]

    def close(self) -> None:
        for found in self._agents.values():
            found.close()
        self._agents.clear()
