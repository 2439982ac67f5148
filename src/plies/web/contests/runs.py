"""The runs that lie in folders: which there are, and what each holds.

A run is named by its file, never by a path, and only a name of the list opens one.  A file
that is damaged or strange is told in one line and hides no other.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plies.arena.config import Tournament
from plies.arena.plan import Book
from plies.arena.report.run import Run
from plies.arena.runner import plan_of, tournament_of
from plies.arena.schedule import total
from plies.arena.schedule.pairs import Plan
from plies.arena.store import Store
from plies.core.contract import Game
from plies.errors import PliesError
from plies.web.contests import limits
from plies.web.contests.names import Names
from plies.web.problems import NotHere, Refused

SUFFIX = ".db"
KEPT = 4  # runs that have been read
AT_MOST = ("sprt", "knock-out")  # kinds of which results decide how many games they have
FINISHED = "finished"  # what a run says about itself when nothing is left to play
TOLD = ("version", "begun", FINISHED)  # what is told outside of what a run says about itself


@dataclass(frozen=True)
class Glimpse:
    """What the list tells of a run; `total` is the most games it can have."""

    tournament: Tournament
    about: Mapping[str, Any]
    games: tuple[str, ...]  # what they are called outside
    played: int
    total: int


@dataclass(frozen=True)
class Opened:
    """A run with its plan; `names` are what its games are called outside, `told` all of it."""

    run: Run
    plan: Plan
    names: Mapping[str, str]
    told: Tournament


class Shelf:
    """The run files of two folders: those of the page, and perhaps some that were there."""

    def __init__(self, own: Path, other: Path | None, names: Names):
        self.own, self.other, self.names = own, other, names
        self._glimpses: dict[Path, tuple[Any, Glimpse | str]] = {}
        self._opened: dict[Path, tuple[Any, Opened]] = {}
        self._lock = threading.Lock()  # a large run is read once, whoever asks

    def paths(self) -> dict[str, Path]:
        """Every run file by its name, at most so many, the latest first.

        One of the other folder keeps its suffix, so that no name stands for two files.
        """
        found = {path.stem: path for path in _files(self.own)}
        if self.other is not None and self.other.resolve() != self.own.resolve():
            found |= {path.name: path for path in _files(self.other) if path.name not in found}
        latest = sorted(found, key=lambda name: -changed(found[name])[0])
        return {name: found[name] for name in latest[: limits.STORED_RUNS]}

    def path(self, name: str) -> Path:
        """The file of a run that is in the list."""
        paths = self.paths()
        if name not in paths:
            raise NotHere(f"there is no tournament {name[: limits.LONGEST_NAME]!r} here")
        return paths[name]

    def glimpse(self, path: Path) -> Glimpse | str:
        """What the list tells of a run, or why it cannot be shown."""
        now = changed(path)
        known = self._glimpses.get(path)
        if known is None or known[0] != now:
            try:
                known = now, self._glimpse(path)
            except PliesError as error:
                known = now, str(error)
            self._glimpses[path] = known
        return known[1]

    def _glimpse(self, path: Path) -> Glimpse:
        with telling_of(path), Store.open(path) as store:
            tournament, about = tournament_of(store), store.about
            played = len(store.numbers())
        names = tuple(self.names.public(spec) for spec in tournament.games)
        games = [self.names.catalogue.find(name) for name in names]
        return Glimpse(tournament, about, names, played, total_of(tournament, games))

    def opened(self, path: Path) -> Opened:
        """All games of a run that have ended."""
        with self._lock:
            now = changed(path)
            known = self._opened.pop(path, None)
            if known is None or known[0] != now:
                known = now, self._read(path)
            self._opened[path] = known
            while len(self._opened) > KEPT:
                self._opened.pop(next(iter(self._opened)))
            return known[1]

    def _read(self, path: Path) -> Opened:
        glimpse = self.glimpse(path)
        if isinstance(glimpse, str):
            raise Refused(glimpse)
        if glimpse.played > limits.SHOWN_GAMES:
            raise Refused(
                f"{path.stem} has {glimpse.played:,} games, more than the {limits.SHOWN_GAMES:,}"
                " that this page shows; plies report makes a page of it"
            )
        with telling_of(path):
            with Store.open(path) as store:
                games = store.games()
            _check_games(glimpse.tournament, games)
            plan = plan_of(glimpse.tournament)
        names = dict(zip(glimpse.tournament.games, glimpse.games, strict=True))
        told = self.names.outside(glimpse.tournament)
        return Opened(Run(glimpse.tournament, glimpse.about, games), plan, names, told)


def total_of(tournament: Tournament, games: Sequence[Game]) -> int:
    """The most games that a tournament of these games can have, before any opening is drawn."""
    books = [Book(game.spec, game.players(game.initial()), ()) for game in games]
    return total(tournament, books)


@contextmanager
def telling_of(path: Path) -> Iterator[None]:
    """What goes wrong with a run is told without its folder, whatever it is."""
    try:
        yield
    except PliesError as error:
        raise Refused(str(error).replace(str(path), path.stem)) from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OSError) as error:
        raise Refused(f"{path.stem} is not a run that can be read") from error


def _check_games(tournament: Tournament, games: list[Any]) -> None:
    """Games of other agents, or of other games, are not part of a tournament."""
    for each in games:
        planned, record = each.planned, each.record
        is_known = planned.game in tournament.games and set(planned.seats) <= set(tournament.names)
        if not is_known or len(record.payoffs) != len(planned.seats) or not record.payoffs:
            raise Refused(f"game {planned.number} is not one of this tournament")


def _files(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file()]
    except OSError:
        return []


def changed(path: Path) -> tuple[int, ...]:
    """When a run was last written to, and its size, the file beside it included."""
    found = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = each.stat()
        except OSError:
            found += [0, 0]
        else:
            found += [status.st_mtime_ns, status.st_size]
    return (max(found[0], found[2]), *found)
