"""Plays planned games, one after the other, with the agents kept between them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from plies.agents import Agent, agent
from plies.agents.process import errors_of
from plies.arena.measuring import Measured, OutOfTime, Trial, timed_seats
from plies.arena.plan import Planned
from plies.arena.store import Finished
from plies.compiling.progress import watch
from plies.core.contract import Game
from plies.match import Clocks, Rules, play_game
from plies.records import GameRecord
from plies.registry import game as find_game

KEPT = 12  # agents


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
        self._agents: dict[tuple[str, str], Agent] = {}  # the one that played last is last

    def play(self, planned: Planned) -> Finished:
        """One game, from a clean slate: nothing of earlier games is remembered."""
        game, seats = self._ready(planned)
        began = time.perf_counter()
        record = self._play(game, seats, planned)
        ended = datetime.now(UTC).isoformat(timespec="seconds")
        errors = tuple(errors_of(seat.memory) for seat in seats)
        return Finished(planned, record, time.perf_counter() - began, ended, self.worker, errors)

    def measure(self, trial: Trial) -> Measured:
        """Time a game, or as much of it as can be played within its limit."""
        began, compiled = time.perf_counter(), watch.functions
        game, seats = self._ready(trial.planned)
        ready, is_first = time.perf_counter(), watch.functions > compiled
        timed, times = timed_seats(seats, ready + trial.limit)
        is_complete = True
        try:
            self._play(game, timed, trial.planned)
        except OutOfTime:
            is_complete = False
            for seat in seats:  # a program in the middle of a game is of no use for another
                seat.close()
        seconds = time.perf_counter() - ready
        return Measured(trial.planned, is_complete, ready - began, seconds, times, is_first)

    def _ready(self, planned: Planned) -> tuple[Game, list[Agent]]:
        if planned.game not in self._games:
            self._games[planned.game] = find_game(planned.game)
        game = self._games[planned.game]
        return game, [self._seated(game, name) for name in planned.seats]

    def _play(self, game: Game, seats: list[Agent], planned: Planned) -> GameRecord:
        return play_game(
            game,
            *seats,
            seed=planned.seed,
            start=planned.opening,
            rules=self.job.rules,
            clocks=self.job.clocks,
        )

    def _seated(self, game: Game, name: str) -> Agent:
        """The agent of an entry; only those that played last are kept, they hold memory."""
        place = (game.spec, name)
        if place not in self._agents:
            found = agent(self.job.specs[name], game)
            found.prepare(game.initial())
            self._agents[place] = found
        self._agents[place] = self._agents.pop(place)  # now the last one
        while len(self._agents) > KEPT:
            self._agents.pop(next(iter(self._agents))).close()
        return self._agents[place]

    def close(self) -> None:
        for found in self._agents.values():
            found.close()
        self._agents.clear()
