"""Compiling ahead: what a game and the usual agents need, so that nobody waits for it later.

A job is compiled in a process of its own, and found in the cache by all others.  So it can be
given up at any moment: what is compiled by then stays.
"""

import os
import random
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from threading import Thread
from typing import Any, NamedTuple

from plies.agents import agent, read_spec
from plies.compiling.interrupts import NotCompiled, refusing_to_compile
from plies.compiling.progress import RULES, Activity, expect, watch
from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import compile_rules, explaining
from plies.core.scores import is_decided
from plies.errors import PliesError
from plies.match import Match
from plies.processes import Worker
from plies.registry import game as find_game
from plies.search import perft

PERFT = "perft"
USUAL = (PERFT, "engine", "alphabeta", "minimax", "mcts")
FOR_MANY = (PERFT, "maxn", "mcts")  # players, or where one's gain is not the other's loss
PLIES = 200  # of the game that is played to compile the rules
MOST_FUNCTIONS = 400  # of a process; another one takes its place, which frees its memory
GLANCE_SECONDS = 0.02  # Ctrl-C just before a wait begins is heard only after it
ALWAYS = 3  # functions of a part that are compiled where nearly all is in the cache


class Job(NamedTuple):
    """What is compiled at once: the rules, the kernels of perft, or one kind of agent."""

    game: str  # a spec that a worker understands
    name: str  # of the game
    part: str  # `rules`, `perft`, or the name of the agents
    specs: tuple[str, ...] = ()  # of the agents

    @property
    def expected(self) -> int:
        """How many functions it has, probably."""
        return max(expect(self.name, self.part), ALWAYS)


class Result(NamedTuple):
    """What came of a job: how many functions were not in the cache, and what was wrong."""

    functions: int
    seconds: float
    problem: str = ""


def jobs_of(game: Game, spec: str, agents: Iterable[str]) -> list[Job]:
    """Everything to compile for a game that workers find by `spec`; agents of one name together."""
    parts: dict[str, list[str]] = {}
    for each in agents:
        parts.setdefault(each if each == PERFT else read_spec(each).name, []).append(each)
    return [
        Job(spec, game.name, RULES),
        *(Job(spec, game.name, part, tuple(specs)) for part, specs in parts.items()),
    ]


def usual_agents(game: Game) -> list[str]:
    """Who plays a game most often, as far as they can play it."""
    names = USUAL if game.is_zero_sum(game.initial()) else FOR_MANY
    return [name for name in names if name == PERFT or can_play(name, game)]


def can_play(spec: str, game: Game) -> bool:
    try:
        agent(spec, game)
    except PliesError:
        return False
    return True


def is_own(spec: str, game: Game) -> bool:
    """Whether an agent is a search of the package: others may do anything when they are asked."""
    try:
        player = agent(spec, game)
    except PliesError:
        return False
    return not (player.foreign or player.search.is_outside)


def compile_job(job: Job) -> Result:
    """Compile what is not in the cache, in this process."""
    before, began = watch.functions, time.process_time()
    problem = ""
    try:
        game = find_game(job.game)
        with explaining(game):
            if job.part == RULES:
                compile_all_rules(game)
            elif job.part == PERFT:
                _compile_perft(game)
            else:
                _compile_agents(game, job.specs)
    except PliesError as error:
        problem = str(error)
    watch.store()
    return Result(watch.functions - before, time.process_time() - began, problem)


def compile_all_rules(game: Game) -> None:
    """Also what asks for them from outside: games, drawings and texts."""
    compile_rules(game)
    state = game.initial()
    match, chance = Match(game, state), random.Random(0)
    game.is_zero_sum(state)
    is_decided(0)  # which whoever shows a value asks
    for evaluator in game.evaluators.values():
        verbs.evaluate(evaluator, state)
    while match.mover is not None and match.ply < PLIES:
        move = chance.choice(game.moves(match.state))
        if match.ply < 1:
            game.parse_move(match.state, game.move_text(match.state, move))
            game.move_notation(match.state, move)
        match.play(move)
    for shown in (state, match.state):
        game.draw(shown)
        game.parse_position(game.position_text(shown))
    with suppress(PliesError):  # a game that has not ended has no payoff
        verbs.payoff(match.state, 0)


def _compile_perft(game: Game) -> None:
    state = game.initial()
    perft.count(perft.perft, state, 1)
    perft.count(perft.bulk_perft, state, 1)
    perft.split(state, 1)


def _compile_agents(game: Game, specs: Iterable[str]) -> None:
    for spec in specs:
        player = agent(spec, game)
        try:
            player.prepare(game.initial())
        finally:
            player.close()


def cold_jobs(jobs: Iterable[Job]) -> list[Job]:
    """Those of which something is not in the cache."""

    cold: list[Job] = []

    def look() -> None:
        for job in jobs:
            try:
                with refusing_to_compile():
                    compile_job(job)
            except NotCompiled:
                cold.append(job)

    # In another thread: the main one lets searches run in threads that would compile.  Ctrl-C does
    # not wait for it: a rule may never return.
    thread = Thread(target=look, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(GLANCE_SECONDS)
    return cold


class Compiler:
    """A process that compiles one job at a time, and tells how far it is.

    `niceness` is how much it gives way to other processes; it never gives way less than before.
    """

    def __init__(self) -> None:
        self._done = get_context("spawn").RawArray("q", 1)
        self._start()
        self.job: Job | None = None
        self._began = 0.0

    def _start(self) -> None:
        self._worker = Worker(partial(_compile_in_worker, self._done))
        self._compiled = self.niceness = 0

    @property
    def connection(self) -> Any:
        """Readable when the job is done."""
        return self._worker.connection

    def give(self, job: Job, niceness: int = 0) -> None:
        if self._compiled > MOST_FUNCTIONS:
            self._worker.close()
            self._start()
        self._done[0] = 0
        self.job, self._began = job, time.monotonic()
        self.niceness = max(niceness, self.niceness)
        self._worker.give((job, niceness))

    def result(self) -> Result:
        """What came of the job; this waits for it."""
        result: Result = self._worker.answer()
        self._compiled += result.functions
        self.job = None
        return result

    @property
    def activity(self) -> Activity | None:
        """The job that is under way."""
        job = self.job
        if job is None:
            return None
        seconds = time.monotonic() - self._began
        return Activity(job.name, job.part, int(self._done[0]), job.expected, seconds)

    def close(self) -> None:
        """Give up what is under way, at once."""
        self._worker.close()


def _compile_in_worker(done: Any, order: tuple[Job, int]) -> Result:
    job, niceness = order
    if niceness and hasattr(os, "nice"):  # not on every system
        os.nice(max(niceness - os.nice(0), 0))
    before = watch.functions

    def tell() -> None:
        done[0] = watch.functions - before

    watch.on_function = tell
    return compile_job(job)
