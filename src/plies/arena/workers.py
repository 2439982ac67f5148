"""Worker processes on this machine."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from platform import node
from typing import Any, Protocol

from plies.arena.judge import Job, Judge
from plies.arena.plan import Planned
from plies.arena.store import Finished
from plies.arena.worker import READY, work
from plies.errors import PliesError
from plies.processes import postponing_interrupts

SHORT_SECONDS = 0.1  # while a worker plays so short a game, the next one is sent to it already
ASK_SECONDS = 0.2  # between two looks at whether to stop
PATIENCE_SECONDS = 2.0  # with a worker that was asked to leave
ATTEMPTS = 3  # so often a game is begun whose worker died, and a worker that does not start


class GameFailed(PliesError):
    """A game could not be played: its rules or an agent's method are at fault."""


class WorkersDied(PliesError):
    """Some games killed their worker whenever they were played; `games` holds them."""

    def __init__(self, games: Sequence[Planned]):
        one = games[0]
        who = " against ".join(one.seats)
        more = f" and {len(games) - 1} more" if len(games) > 1 else ""
        super().__init__(
            f"game {one.number} of {one.game} ({who}){more} ended {ATTEMPTS} workers;"
            " is there enough memory?"
        )
        self.games = tuple(games)


class NoWorkers(PliesError):
    """Workers end before they have done anything, whatever they are given."""

    def __init__(self, why: str):
        super().__init__(
            f"no worker starts ({why}); is there enough memory, and does a script of your own"
            ' begin its work below `if __name__ == "__main__":`?'
        )


class Pool(Protocol):
    """Plays games somewhere: `play` yields each as it ends."""

    def play(self, games: Sequence[Planned]) -> Iterator[Finished]: ...

    def close(self) -> None: ...


class Attempts:
    """Counts how often a game was begun in vain."""

    def __init__(self) -> None:
        self._tried: dict[int, int] = {}
        self.given_up: list[Planned] = []

    def may_try_again(self, planned: Planned) -> bool:
        """Note one more attempt in vain."""
        self._tried[planned.number] = self._tried.get(planned.number, 0) + 1
        if self._tried[planned.number] < ATTEMPTS:
            return True
        self.given_up.append(planned)
        return False


class Workers:
    """So many processes, each with a pipe; one that dies is replaced and its game replayed."""

    def __init__(self, count: int, job: Job, is_stopped: Callable[[], bool] = lambda: False):
        self._job = job
        self._is_stopped = is_stopped
        self._context = get_context("spawn")
        self._made = 0
        self._false_starts = 0  # in a row
        self._ahead = 1  # games that a worker has been given at most
        self._workers = [self._hire() for _ in range(count)]

    def play(self, games: Sequence[Any]) -> Iterator[Any]:
        """Every game as it ends, in whatever order that is, until all have or it is stopped.

        Planned games become finished ones, and trials measured ones.
        """
        waiting = deque(games)
        attempts = Attempts()
        failures: list[str] = []
        while waiting or any(worker.games for worker in self._workers):
            if self._is_stopped():
                return
            self._hand_out(waiting)
            busy = {worker.connection: worker for worker in self._workers if worker.games}
            for connection in wait(list(busy), ASK_SECONDS):
                worker = busy[connection]  # type: ignore[index]
                try:
                    told = worker.connection.recv()
                except (EOFError, OSError):
                    self._replace(worker, waiting, attempts)
                    continue
                if told == READY:
                    worker.has_started, self._false_starts = True, 0
                    continue
                planned = worker.games.popleft()
                if isinstance(told, str):
                    failures.append(failure(planned, told))
                    continue
                self._ahead = 2 if told.seconds < SHORT_SECONDS else 1
                yield told
        complain_of(failures, attempts)

    def _hand_out(self, waiting: deque[Planned]) -> None:
        for depth in range(1, self._ahead + 1):
            for worker in self._workers:
                if waiting and len(worker.games) < depth:
                    worker.give(waiting.popleft())

    def _replace(self, worker: "_Worker", waiting: deque[Planned], attempts: Attempts) -> None:
        """The game that a dead worker was playing is tried again; the next one was not begun."""
        begun, *others = worker.games
        waiting.extendleft(reversed(others))
        if not worker.has_started or attempts.may_try_again(begun):
            waiting.appendleft(begun)
        self._workers.remove(worker)
        worker.close()
        self._false_starts += not worker.has_started
        if self._false_starts >= ATTEMPTS:
            raise NoWorkers(f"{self._false_starts} ended at once, status {worker.status}")
        self._workers.append(self._hire())

    def _hire(self) -> "_Worker":
        self._made += 1
        return _Worker(self._context, self._job, f"{node()}/{self._made}")

    def close(self) -> None:
        for worker in self._workers:
            worker.close()


class _Worker:
    """A process, our end of its pipe, and the games it has been given."""

    def __init__(self, context: Any, job: Job, name: str):
        self.games: deque[Planned] = deque()
        self.has_started = False
        self.status: int | None = None  # once it has ended
        self.connection: Connection
        self.connection, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, job, name), daemon=True)
        with postponing_interrupts():
            self.process.start()
        other.close()

    def give(self, planned: Planned) -> None:
        self.games.append(planned)
        try:
            self.connection.send(planned)
        except OSError:
            return  # it has died, which is noticed when its answer is waited for

    def close(self) -> None:
        """An idle worker leaves by itself, one in the middle of a game is not waited for."""
        if not self.games:
            with suppress(OSError):
                self.connection.send(None)
                self.process.join(PATIENCE_SECONDS)
        self.connection.close()
        self.process.kill()
        self.process.join()
        self.status = self.process.exitcode
        self.process.close()


class InThisProcess:
    """Plays here, one game after the other: for people, who are at this terminal."""

    def __init__(self, job: Job):
        self._judge = Judge(job, node())

    def play(self, games: Sequence[Planned]) -> Iterator[Finished]:
        for planned in games:
            yield self._judge.play(planned)

    def close(self) -> None:
        self._judge.close()


def complain_of(failures: Sequence[str], attempts: Attempts) -> None:
    """When all that could be played has been: what could not."""
    if failures:
        more = f"; {len(failures) - 1} more cannot be played either" if failures[1:] else ""
        raise GameFailed(failures[0] + more)
    if attempts.given_up:
        raise WorkersDied(attempts.given_up)


def failure(planned: Planned, told: str) -> str:
    who = " against ".join(planned.seats)
    return f"game {planned.number} of {planned.game} ({who}) cannot be played: {told}"
