"""Running a tournament at the terminal: the plan, progress, results, and how to go on."""

import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from plies.cli.compiling import compiling_line
from plies.cli.errors import INTERRUPTED, UsageError, complain

if TYPE_CHECKING:
    from plies.arena.config import Tournament
    from plies.arena.schedule.pairs import Plan
    from plies.arena.store import Finished, Store

LOG_SECONDS = 10  # between lines of progress where it cannot rewrite itself
SHOWN = 12  # agents in the live table


@dataclass(frozen=True)
class Run:
    """How a tournament is to be run; `again` is the command that goes on with it.

    The games of the agents `replay` are played again.
    """

    out: Path | None
    workers: int
    ray: str | None
    is_dry: bool
    as_json: bool
    again: str
    replay: tuple[str, ...] = ()


def command_line() -> str:
    """The command that is running, as it can be typed again."""
    return shlex.join(["plies", *sys.argv[1:]])


def run_tournament(tournament: "Tournament", run: Run) -> None:
    """Play what is left of it, and show what came out."""
    from plies.arena.preflight import concerns, guard_table
    from plies.arena.resuming import edited
    from plies.arena.runner import has_people, note_change, open_run, plan_of, tournament_of
    from plies.arena.runner import run as play
    from plies.arena.schedule import is_finished
    from plies.arena.tally import results_of
    from plies.cli.warm import compile_first
    from plies.registry import game as find_game

    if run.as_json and has_people(tournament):
        raise UsageError("a person plays at the terminal, which --json is not for")
    plan = plan_of(tournament)
    if run.is_dry:
        show_plan(plan, run)
        return
    specs = [entry.spec for entry in tournament.agents]
    for line in guard_table(specs, find_game(tournament.games[0])):
        print(line, file=sys.stderr)
    for concern in dict.fromkeys(concerns(tournament)):  # of several games the same is told once
        complain(concern)
    with open_run(tournament, run.out, replay=run.replay, say=complain) as store:
        tournament = tournament_of(store)  # which remembers what has been added to it
        plan = plan_of(tournament)
        before = len(store.numbers())
        if before and is_finished(tournament, plan.books, results_of(store.games())):
            print(f"{run.out}: all games have been played", file=sys.stderr)
        elif run.out is not None and sys.stderr.isatty():
            print(
                f"games are kept in {run.out}; to go on if it ends early: {run.again}",
                file=sys.stderr,
            )
        if before and note_change(store):
            complain(f"the code has changed since {run.out} was begun: its games may differ")
        try:
            if run.ray is None and not has_people(tournament):
                compile_first(tournament.games, specs, run.workers)
            with ending_heard(), progress(plan, store, run) as hear:
                play(store, hear, workers=run.workers, ray=run.ray)
        except BaseException as error:
            tell_how_to_go_on(store, run, is_stopped=isinstance(error, KeyboardInterrupt))
            if not isinstance(error, KeyboardInterrupt) or not store.numbers():
                raise
            show_results(plan, store, run)
            raise typer.Exit(INTERRUPTED) from error
        for name in edited(store):
            again = f"; --replay {shlex.quote(name)} plays its games again" if run.out else ""
            complain(f"{name}'s program has changed while the games were played{again}")
        raise typer.Exit(show_results(plan, store, run))


@contextmanager
def ending_heard() -> Iterator[None]:
    """A request to end (SIGTERM) is answered like Ctrl-C: what there is is shown."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def tell_how_to_go_on(store: "Store", run: Run, is_stopped: bool) -> None:
    """Nothing that has ended is lost."""
    count = len(store.numbers())
    if run.out is not None:
        complain(f"{count} games are kept in {run.out}; to go on: {run.again}")
    elif is_stopped:
        complain(f"stopped after {count} games; --out FILE would keep them")


# Progress


@contextmanager
def progress(plan: "Plan", store: "Store", run: Run) -> Iterator[Any]:
    """What is told of every game that ends: a live table on a terminal, else a few lines."""
    from plies.arena.runner import has_people
    from plies.arena.schedule import total

    games = store.games()
    most = total(plan.tournament, plan.books)
    if games and len(games) < most:
        told = f"{run.out}: {len(games)} of {most} games are there already"
        print(told, file=sys.stderr)
    is_live = sys.stderr.isatty() and not has_people(plan.tournament)
    shown = Live(plan, games, most) if is_live else Lines(len(games), most)
    with shown.shown():
        yield shown.hear


class Lines:
    """Progress for a log: a line now and then."""

    def __init__(self, done: int, most: int):
        self.done, self.most = done, most
        self.began = self.told = time.monotonic()

    @contextmanager
    def shown(self) -> Iterator[None]:
        yield

    def hear(self, _: "Finished") -> None:
        self.done += 1
        now = time.monotonic()
        if now - self.told >= LOG_SECONDS:
            self.told = now
            seconds = now - self.began
            print(f"{self.done}/{self.most} games, {seconds:.0f} s", file=sys.stderr, flush=True)


class Live:
    """A bar with rate and time left, and the standings below it."""

    def __init__(self, plan: "Plan", games: "list[Finished]", most: int):
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        from plies.arena.tally import Score

        self.done = 0
        self.scores = dict.fromkeys(plan.tournament.names, Score())
        for game in games:
            self.count(game)
        self.console = Console(stderr=True, markup=False, emoji=False, highlight=False)
        self.bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self.console,
        )
        self.task = self.bar.add_task("playing", total=most, completed=len(games), rate="")
        self.began, self.at_first = time.monotonic(), len(games)

    @contextmanager
    def shown(self) -> Iterator[None]:
        from rich.live import Live as Display

        with (
            compiling_line.hidden(),
            Display(self, console=self.console, transient=True, refresh_per_second=4),
        ):
            yield

    def hear(self, game: "Finished") -> None:
        self.count(game)
        rate = (self.done - self.at_first) / (time.monotonic() - self.began)
        self.bar.update(self.task, completed=self.done, rate=f"{rate:.3g} games/s")

    def count(self, game: "Finished") -> None:
        from plies.arena.plan import points_of

        self.done += 1
        for name, points in zip(game.planned.seats, points_of(game.record.payoffs), strict=True):
            self.scores[name] = self.scores[name].plus(points)

    def __rich__(self) -> Any:
        from rich.console import Group

        from plies.cli.output import table_of

        best = sorted(self.scores.items(), key=lambda each: -each[1].share)[:SHOWN]
        rows = [
            (name, str(score.wins), str(score.draws), str(score.losses), f"{score.share:.1%}")
            for name, score in best
        ]
        return Group(self.bar, table_of(("agent", "won", "drawn", "lost", "points"), rows))


# The plan


def show_plan(plan: "Plan", run: Run) -> None:
    """What would be played, and an estimate of how long it takes."""
    from plies.arena.estimate import estimate
    from plies.arena.runner import has_people
    from plies.arena.schedule import outline, total
    from plies.arena.titles import game_titles
    from plies.cli.output import print_facts, print_json, print_table
    from plies.processes import cores

    workers = run.workers or cores()
    plan, played = stored_plan(plan, run)
    tournament = plan.tournament
    stages, games = outline(tournament, plan.books), total(tournament, plan.books)
    guess = None if has_people(tournament) else estimate(plan, workers, played)
    if run.as_json:
        print_json(
            {
                "name": tournament.name,
                "kind": tournament.kind,
                "games": games,
                "workers": workers,
                "seconds": None if guess is None else guess.seconds,
                "stages": [vars(stage) for stage in stages],
            }
        )
        return
    titles = game_titles(tournament.games)
    rows = [
        (titles.get(each.name, each.name), *map(str, (each.meetings, each.pairs, each.games)))
        for each in stages
    ]
    print_table(("stage", "meetings", "pairs", "games"), rows)
    print()
    openings = ", ".join(f"{titles[book.game]} {len(book.openings)}" for book in plan.books)
    print_facts(
        {
            "agents": ", ".join(tournament.names),
            "openings": openings,
            "games": f"{games} at most" if tournament.kind in ("sprt", "knock-out") else str(games),
            "faults": tournament.rules.policy,
            "duration": "as long as the people who play take"
            if guess is None
            else f"about {duration(guess.seconds)} on {workers} workers ({guess.basis})",
            "kept in": str(run.out or "memory only; --out FILE would keep the games"),
        }
    )


def stored_plan(plan: "Plan", run: Run) -> "tuple[Plan, list[Finished]]":
    """The plan as the run in the file would go on with it, and the games that are there."""
    from plies.arena.runner import open_run, plan_of, tournament_of

    if run.out is None and not run.replay:
        return plan, []
    with open_run(plan.tournament, run.out, replay=run.replay, say=complain, is_dry=True) as store:
        return plan_of(tournament_of(store)), store.games()


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3.5 h`."""
    if seconds < 1:
        return "a second"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


# Results


def show_results(plan: "Plan", store: "Store", run: Run) -> int:
    """One table, the doubts about it, and where the rest is; answers the exit status."""
    from plies.arena.logs import log_folder
    from plies.cli.results import as_data, show, verdict_status

    games = store.games()
    if run.as_json:
        from plies.cli.output import print_json

        print_json(as_data(plan, games))
    else:
        show(plan, games)
        if run.out is not None:
            print(f"\nkept in {run.out}; to look at it: plies report {shlex.quote(str(run.out))}")
            if log_folder(run.out).is_dir():
                print(f"what programs wrote to their standard error: {log_folder(run.out)}")
    return verdict_status(plan, games)
