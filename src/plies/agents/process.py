"""Agents that are programs of their own, in any language: docs/protocol.md."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from plies.agents.answers import read_answer, read_ready
from plies.compiling.cache import folders_to_read, own_folder
from plies.compiling.cache_files import CHECKED, OWN, SHARED
from plies.errors import AgentFault, BadSpec
from plies.sandbox.confined import Confined
from plies.sandbox.ending import readable_text
from plies.sandbox.guards import GUARDS
from plies.sandbox.limits import Limits
from plies.sandbox.pipes import Excerpt
from plies.sandbox.program import find_program, refuse_links
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.limits import MAX_SECONDS, checked_whole
from plies.search.runner import Stopwatch
from plies.search.search import Search
from plies.search.task import Task

if TYPE_CHECKING:
    from plies.core.contract import Game

PROTOCOL = 1
RUNNING, TRANSCRIPT, ERRORS = "process", "transcript", "errors"  # keys of a task's memory
MAX_MEMORY, MAX_PROCESSES = 1_000_000, 1000  # of the options; memory in megabytes
UNCONFINED = ("watch", "freezer")  # the guards of a trusted program
GOODBYE_SECONDS = 0.25  # that a program has to exit when a game is over


@dataclass(frozen=True)
class Process(Search):
    """A program that speaks JSON on its standard input and output, behind guards.

    `path` is a file, a folder with agent.py, agent.js or agent in it, or a command.  It may
    take `seconds` for a move where no clock runs, and use `memory` megabytes and `processes`
    with `cpu` seconds each.  Any fault ends the program; the next move starts it again, at the
    cost of its own time.
    """

    path: str
    seconds: float = 10.0
    memory: int = 512
    processes: int = 16
    cpu: int = 3600
    confined: bool = True

    leading: ClassVar[str] = "path"
    for_any_game: ClassVar[bool] = True
    is_outside: ClassVar[bool] = True
    measures_seconds: ClassVar[bool] = True

    def check(self, game: "Game") -> None:
        """`BadSpec` for wrong options, before anything starts."""
        if os.name != "posix":
            raise BadSpec("process: agents that are programs need Linux or another Unix")
        program = find_program(self.path)
        if self.confined:
            refuse_links(program)
        if not 0 < self.seconds <= MAX_SECONDS:
            most = f"{MAX_SECONDS:.0f}"
            raise BadSpec(f"seconds is above 0 and at most {most}, not {self.seconds}")
        checked_whole("memory", self.memory, 1, MAX_MEMORY, " (megabytes)")
        checked_whole("processes", self.processes, 1, MAX_PROCESSES)
        checked_whole("cpu", self.cpu, 1, int(MAX_SECONDS), " (seconds)")

    def begin(self, task: Task, seconds: float) -> None:
        """Start the program, which must be ready within `seconds`.

        It can load what is compiled here, so the rules are compiled before.
        """
        task.game.prepare(task.state)
        task.memory.pop(ERRORS, None)
        self._start(task, seconds)

    def decide(self, task: Task) -> Decision:
        allowed = self.seconds if task.deadline is None else task.seconds_left
        used = 0.0 if RUNNING in task.memory else self._start(task, allowed)
        left = max(allowed - used, 0.0)
        game = task.game
        texts = game.move_texts(task.state)
        legal = dict(zip(texts, game.moves(task.state), strict=True))
        question = {
            "type": "move",
            "position": game.position_text(task.state),
            "legal": texts,
            "start": game.position_text(task.start),
            "played": _played_texts(task),
            "ply": len(task.played),
            "seat": task.seat,
            "clock": _clock(task.clock),
            "seconds": round(left if task.clock is None else _within(task.clock, left, used), 3),
        }
        with _answer_to(question, task, left) as answer:
            return read_answer(answer.text, game, task.state, legal, used + answer.seconds)

    def finish(self, task: Task, payoffs: tuple[int, ...], reason: str) -> None:
        """Tell the program, and end it if it does not exit."""
        running: Confined | None = task.memory.pop(RUNNING, None)
        if running is not None:
            end = {"type": "end", "payoffs": payoffs, "reason": reason}
            running.dismiss(json.dumps(end), GOODBYE_SECONDS)
            _note_errors(task, running)

    def _start(self, task: Task, allowed: float) -> float:
        """Start the program, and return the seconds from then until it was ready."""
        game, program = task.game, find_program(self.path)
        task.memory[RUNNING] = Confined(
            program.command,
            (*program.readable, *_game_file(game), *folders_to_read()),
            program.directory,
            Limits(memory_mb=self.memory, processes=self.processes, cpu_seconds=self.cpu),
            GUARDS if self.confined else UNCONFINED,
            _cache_variables(self.confined),
        )
        greeting = {
            "type": "start",
            "protocol": PROTOCOL,
            "game": _absolute_spec(game),
            "seat": task.seat,
            "players": task.players,
            "seed": task.rng.getrandbits(32),
            "clock": _clock(task.clock),
        }
        try:
            with _answer_to(greeting, task, allowed) as answer:
                read_ready(answer.text)
                return answer.seconds
        except AgentFault as fault:
            raise AgentFault(fault.termination, f"at the start: {fault}") from fault


class _Answer(NamedTuple):
    text: str
    seconds: float


@contextmanager
def _answer_to(message: dict[str, Any], task: Task, allowed: float) -> Iterator[_Answer]:
    """The program's answer within the seconds allowed, and how many it took.

    A fault, also one in the answer, ends the program.  It runs from the question to the answer,
    and is suspended while others think.  Its clock does not count the judge's own work of
    resuming and suspending it, which takes long on a busy machine.
    """
    running: Confined = task.memory[RUNNING]
    line = json.dumps(message)
    try:
        running.resume()
        running.send(line)
        watch = Stopwatch()
        text = running.receive(watch.wall + allowed)
        seconds = watch.seconds
        yield _Answer(text, seconds + running.suspend())
    except BaseException:
        del task.memory[RUNNING]
        running.close()
        _note_errors(task, running)
        raise


class _ErrorLog(Excerpt):
    """The standard error of the programs that ran for one player in one game."""

    def forget_game(self) -> None:
        """Keep it until the next game begins: the arranger of this game may read it."""


def _note_errors(task: Task, running: Confined) -> None:
    task.memory.setdefault(ERRORS, _ErrorLog()).add(running.errors)


def errors_of(memory: dict[str, Any]) -> str:
    """The standard error of a program in the last game, for its author."""
    return readable_text(bytes(memory.get(ERRORS, b"")))


def _game_file(game: "Game") -> tuple[Path, ...]:
    """The file of a game that was loaded by its path."""
    return (Path(game.source).absolute(),) if game.address.endswith(".py") else ()


def _absolute_spec(game: "Game") -> str:
    """A spec by which a program finds the game from any folder."""
    files = _game_file(game)
    return game.at(str(files[0])).spec if files else game.spec


def _cache_variables(is_confined: bool) -> dict[str, str]:
    """Every program loads the judge's compiled code; only a trusted one adds to it."""
    own, folders = own_folder(), folders_to_read()
    if is_confined or own is None:
        return {SHARED: os.pathsep.join(str(folder.parent) for folder in folders), CHECKED: "1"}
    return {OWN: str(own.parent)}


class _Transcript(NamedTuple):
    """The moves of a game so far as texts, and the state after them."""

    played: tuple[int, ...]
    texts: tuple[str, ...]
    state: Any


def _played_texts(task: Task) -> tuple[str, ...]:
    """The moves since the start as texts; only those since the last question are computed."""
    game = task.game
    known: _Transcript | None = task.memory.get(TRANSCRIPT)
    if known is None or task.played[: len(known.played)] != known.played:
        known = _Transcript((), (), task.start)
    texts, state = list(known.texts), known.state
    for move in task.played[len(known.played) :]:
        texts.append(game.move_text(state, move))
        state = game.play(state, move)
    task.memory[TRANSCRIPT] = _Transcript(task.played, tuple(texts), state)
    return tuple(texts)


def _within(clock: Clock, left: float, used: float) -> float:
    """The seconds for this move; the judge waits a little longer than the clock says."""
    return min(left, max(clock.for_this_move - used, 0.0))


def _clock(clock: Clock | None) -> dict[str, float | None] | None:
    """The clock in the protocol; `remaining` is null where only single moves are limited."""
    if clock is None:
        return None
    return {
        "remaining": None if clock.remaining >= MAX_SECONDS else round(clock.remaining, 3),
        "increment": clock.increment,
        "per_move": clock.per_move,
    }
