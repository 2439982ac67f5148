"""Tournaments: those that are played here, and those whose files are there."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plies.arena.runner import plan_of
from plies.arena.schedule.pairs import Plan
from plies.errors import BadSpec, PliesError
from plies.web.catalogue import Catalogue
from plies.web.contests import limits
from plies.web.contests import pictures as contest_pictures
from plies.web.contests import view as contest_view
from plies.web.contests.making import planned, told_plan
from plies.web.contests.messages import (
    Charts,
    ContestList,
    ContestNews,
    ContestPlan,
    ContestView,
    GameList,
    NewContest,
    ReplayView,
)
from plies.web.contests.names import Names
from plies.web.contests.playing import Playing
from plies.web.contests.runs import SUFFIX, Opened, Shelf, changed
from plies.web.contests.view import Status
from plies.web.opponents import checked
from plies.web.problems import Closing, NotNow, Refused, TooMany
from plies.web.worker_threads import WorkerThreads

FOLDER = "runs"  # in that of the server's data
UNFIT = re.compile(r"[^a-z0-9]+")
LONGEST_FILE = 40  # characters of its name
KEPT = 4  # runs whose news or charts are remembered
DRAWING = 3  # who waits for charts, reports and estimates, whoever they are for


class Contests:
    """The tournaments of a server.  All of it may take a while: it is asked in threads."""

    def __init__(self, data: Path, catalogue: Catalogue, runs: Path | None = None):
        self.names = Names(catalogue)
        self.shelf = Shelf(data / FOLDER, runs, self.names)
        self.threads = WorkerThreads("tournaments", limits.THREADS, limits.WAITING)
        self._playing: dict[Path, Playing] = {}
        self._problems: dict[Path, str] = {}  # why a run that was played here has ended early
        self._lock = threading.RLock()  # for whoever asks or changes what is being played
        self._news: dict[Path, tuple[Any, str]] = {}
        self._charts: dict[Path, tuple[int, Charts]] = {}
        self._one_at_a_time = threading.Lock()
        self._waiting = threading.Semaphore(DRAWING)
        self._listeners = 0
        self._is_closing = False

    # What there is

    def list(self) -> ContestList:
        """Every tournament, the latest first."""
        cards = [
            contest_view.card(name, self.shelf.glimpse(path), self._status(path))
            for name, path in self.shelf.paths().items()
        ]
        return ContestList(tournaments=cards, may_start=self._running() < limits.RUNNING)

    def view(self, name: str) -> ContestView:
        return self._view(name, self.shelf.path(name))

    def _view(self, name: str, path: Path) -> ContestView:
        status = self._status(path)
        return contest_view.contest(name, self._opened(path), status)

    def games(self, name: str, agents: "list[str]") -> GameList:
        """The games in which all of these agents sat."""
        return contest_view.game_list(self._opened(self.shelf.path(name)), agents)

    def replay(self, name: str, number: int) -> ReplayView:
        """A game to be stepped through."""
        opened = self._opened(self.shelf.path(name))
        spec = opened.names[contest_view.game_of(opened, number).planned.game]
        catalogue = self.names.catalogue
        return contest_view.replay(
            opened, number, catalogue.viewer(catalogue.find(spec)), catalogue.models
        )

    def charts(self, name: str) -> Charts:
        """The charts of the report; they are drawn again when more games have ended."""
        path = self.shelf.path(name)
        with self._drawing():
            opened = self._opened(path)
            known = self._charts.pop(path, None)
            if known is None or known[0] != len(opened.run.games):
                known = len(opened.run.games), contest_pictures.charts(opened)
            _keep(self._charts, path, known)
            return known[1]

    def report(self, name: str) -> tuple[str, str]:
        """The whole report, and the policy under which a browser is to show it."""
        path = self.shelf.path(name)
        with self._drawing():
            return contest_pictures.report(self._opened(path))

    # Playing

    def plan(self, asked: NewContest, *, is_timed: bool) -> ContestPlan:
        """What a tournament would come to."""
        plan = planned(asked, self.names)
        if not is_timed:
            return told_plan(plan, self.names, is_timed=False)
        with self._drawing():
            return told_plan(plan, self.names, is_timed=True)

    def start(self, asked: NewContest) -> ContestView:
        """Begin a tournament in a file of its own."""
        plan = planned(asked, self.names)
        with self._lock:
            path = self._fresh(asked.name)
            playing = self._begun(path, plan)
        return self._once_open(path, playing)

    def resume(self, name: str) -> ContestView:
        """Go on with a run that was stopped, by whatever."""
        path = self.shelf.path(name)
        opened = self._opened(path)
        self._check_agents(opened)
        if self._view(name, path).state == "finished":
            raise NotNow("all games of this tournament have been played")
        plan = plan_of(opened.run.tournament)
        with self._lock:
            playing = self._current(path) or self._begun(path, plan)
        return self._once_open(path, playing)

    def stop(self, name: str) -> ContestView:
        """Nothing that has ended is lost; games that have not are played again later."""
        path = self.shelf.path(name)
        if (playing := self._current(path)) is not None:
            playing.stop()
            playing.join(limits.STOP_SECONDS)
        return self._view(name, path)

    def close(self) -> None:
        """End all workers."""
        self._is_closing = True
        self.threads.close()
        until = time.monotonic() + limits.STOP_SECONDS
        playing = list(self._playing.values())
        for each in playing:
            each.stop()
        for each in playing:
            each.join(until - time.monotonic())

    def _begun(self, path: Path, plan: Plan) -> Playing:
        if self._is_closing:
            raise Closing("the server is about to end; begin tournaments when it is back")
        if self._running() >= limits.RUNNING:
            raise TooMany(f"{limits.RUNNING} tournaments are being played; stop one, or wait")
        if len(self.shelf.paths()) >= limits.STORED_RUNS:
            raise TooMany(f"there are {limits.STORED_RUNS} tournaments; remove some files of runs")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Refused("tournaments cannot be kept here: there is no folder for them") from error
        self._problems.pop(path, None)
        self._playing[path] = Playing(path, plan, self.names)
        return self._playing[path]

    def _once_open(self, path: Path, playing: Playing) -> ContestView:
        playing.wait_until_open()
        if playing.problem and not playing.games:
            raise Refused(playing.problem)
        names = {path: name for name, path in self.shelf.paths().items()}
        return self._view(names.get(path, path.stem), path)

    def _fresh(self, name: str) -> Path:
        """A file for a new run, named after it."""
        plain = UNFIT.sub("-", name.lower())[:LONGEST_FILE].strip("-") or "tournament"
        for number in range(1, limits.STORED_RUNS + 2):
            stem = plain if number == 1 else f"{plain}-{number}"
            path = self.shelf.own / f"{stem}{SUFFIX}"
            if not path.exists() and path not in self._playing:
                return path
        raise TooMany(f"there are too many tournaments called {name}; choose another name")

    def _check_agents(self, opened: Opened) -> None:
        """A run from elsewhere may have agents that the page must not start."""
        models = self.names.catalogue.models
        for spec in opened.names.values():
            game = self.names.catalogue.find(spec)
            for entry in opened.run.tournament.agents:
                try:
                    checked(models.public(entry.spec) or entry.spec, game, models)
                except PliesError as error:
                    raise BadSpec(
                        f"{entry.name} is not an agent that a page may start; go on with it in a"
                        " terminal: plies tournament"
                    ) from error

    def _running(self) -> int:
        return sum(self._current(path) is not None for path in list(self._playing))

    def _current(self, path: Path) -> Playing | None:
        """The run, if it is being played; one that has ended is in its file."""
        with self._lock:
            playing = self._playing.get(path)
            if playing is None or playing.is_running:
                return playing
            del self._playing[path]
            if playing.problem:
                self._problems[path] = playing.problem
            return None

    def _status(self, path: Path) -> Status:
        playing = self._current(path)
        return playing.status() if playing else Status(problem=self._problems.get(path, ""))

    def _opened(self, path: Path) -> Opened:
        playing = self._current(path)
        return playing.opened() if playing else self.shelf.opened(path)

    @contextmanager
    def _drawing(self) -> Iterator[None]:
        """One after the other: what is drawn or timed takes a core for seconds."""
        if not self._waiting.acquire(blocking=False):
            raise TooMany("too much is being drawn at once; try again in a moment")
        try:
            with self._one_at_a_time:
                yield
        finally:
            self._waiting.release()

    # Listening

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While somebody follows a tournament."""
        if self._listeners >= limits.LISTENERS:
            raise TooMany("too many pages follow tournaments at once; close some")
        self._listeners += 1
        try:
            yield
        finally:
            self._listeners -= 1

    def moment(self, path: Path) -> Any:
        """Something that differs when there is news."""
        playing = self._current(path)
        return len(playing.games) if playing else (changed(path), self._problems.get(path))

    def news(self, name: str, path: Path) -> str:
        """The tournament as it stands, for all who follow it."""
        now = self.moment(path)
        known = self._news.pop(path, None)
        if known is None or known[0] != now:
            known = now, ContestNews(tournament=self._view(name, path)).model_dump_json()
        _keep(self._news, path, known)
        return known[1]


def _keep(kept: dict[Path, Any], path: Path, value: Any) -> None:
    """Remember something as the latest of a few."""
    kept[path] = value
    while len(kept) > KEPT:
        kept.pop(next(iter(kept)), None)
