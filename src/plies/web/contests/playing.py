"""A run that is being played: a thread that hands games to worker processes and keeps them."""

import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from plies.arena.report.run import Run
from plies.arena.runner import note_change, open_run, run
from plies.arena.schedule import is_finished, total
from plies.arena.schedule.pairs import Plan
from plies.arena.store import Finished
from plies.arena.tally import results_of
from plies.errors import PliesError
from plies.web.contests import limits
from plies.web.contests.names import Names
from plies.web.contests.runs import AT_MOST, FINISHED, Opened, telling_of
from plies.web.contests.view import Status
from plies.web.problems import log_problem


class Playing:
    """Plays what is left of a tournament into its file, from the moment it is made.

    Games that have ended are in the file whatever happens; `problem` says why it ended early.
    """

    def __init__(self, path: Path, plan: Plan, names: Names):
        self.path, self.plan, self.told = path, plan, names.outside(plan.tournament)
        self.names = dict(zip(plan.tournament.games, self.told.games, strict=True))
        self._models = names.catalogue.models
        self.problem = ""
        self.games: list[Finished] = []
        self._about: dict[str, object] = {}
        self._before = 0  # games that were there already
        self._began = time.monotonic()
        self._is_open = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tournament", daemon=True)
        self._thread.start()

    def wait_until_open(self) -> None:
        """Until the file is there and its games are known, or why that cannot be."""
        self._is_open.wait(limits.START_SECONDS)

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        """Give up the games that have not ended; it takes a moment."""
        self._stopping.set()

    def join(self, seconds: float) -> None:
        self._thread.join(max(seconds, 0))

    def opened(self) -> Opened:
        """The run as far as it is."""
        games = list(self.games)
        run = Run(self.plan.tournament, self._about, games)
        return Opened(run, self.plan, self.names, self.told)

    def status(self) -> Status:
        """How it stands; what is left is guessed from how long the games took that were played."""
        played = len(self.games) - self._before
        left = None
        if played and self.plan.tournament.kind not in AT_MOST:
            to_play = total(self.plan.tournament, self.plan.books) - len(self.games)
            left = to_play * (time.monotonic() - self._began) / played
        return Status(self.is_running, self.problem, left if self.is_running else None)

    def _run(self) -> None:
        try:
            with telling_of(self.path):
                self._play()
        except PliesError as error:
            self.problem = self._without_paths(str(error))
        except Exception as error:  # the page goes on, and the run can be resumed
            log_problem(f"a tournament failed: {error!r}")
            self.problem = "something went wrong here"
        finally:
            self._is_open.set()

    def _play(self) -> None:
        tournament, books = self.plan.tournament, self.plan.books
        with open_run(tournament, self.path) as store:
            if store.numbers():
                note_change(store)
            self._about = store.about
            self.games = store.games()
            self._before = len(self.games)
            self._is_open.set()
            self._began = time.monotonic()
            run(
                store,
                self.games.append,
                workers=limits.WORKERS,
                is_stopped=self._stopping.is_set,
            )
            if is_finished(tournament, books, results_of(self.games)):
                store.say(FINISHED, datetime.now(UTC).isoformat(timespec="seconds"))

    def _without_paths(self, text: str) -> str:
        agents = zip(self.plan.tournament.agents, self.told.agents, strict=True)
        for inner, public in [*self.names.items(), *((a.spec, b.spec) for a, b in agents)]:
            text = text.replace(inner, public)
        return self._models.without_paths(text)
