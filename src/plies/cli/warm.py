"""`plies warm`: compile games and agents ahead, on all cores."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import FAILED, complain
from plies.cli.parameters import Json, Workers

if TYPE_CHECKING:
    from plies.core.contract import Game
    from plies.warming import Compiler, Job, Result

LOOK_SECONDS = 0.2  # from one look at the workers to the next
MEGABYTE = 1e6


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...",
            help="Names, name:key=value,... or .py files; all built-in games, if none.",
            show_default=False,
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPEC",
            help="An agent to compile, or perft; repeat it for more.",
            show_default="perft, engine, alphabeta, minimax, mcts, and those of plies serve",
        ),
    ] = None,
    workers: Workers = 0,
    as_json: Json = False,
) -> None:
    """Compile games and agents now, so that nobody waits for the compiler later.

    What is in the cache already takes a second.  Ctrl-C is safe: what is compiled stays.

    \b
    Example:  plies warm chess ./my_game.py
              plies warm quixo --agent engine --agent mcts:reuse=true
    """
    results = compile_all(planned(games or [], agent or []), workers)
    problems = dict.fromkeys(each.problem for each in results.values() if each.problem)
    _tell(results, as_json)
    for problem in problems:
        complain(problem)
    if problems:
        raise typer.Exit(FAILED)


def compile_all(jobs: "list[Job]", workers: int) -> "dict[Job, Result]":
    """Compile in worker processes, with a bar on a terminal."""
    from plies.processes import checked_workers
    from plies.warming import Compiler

    count = min(checked_workers(workers), len(jobs))
    with ExitStack() as stack:
        compilers = [stack.enter_context(closing(Compiler())) for _ in range(count)]
        shown = stack.enter_context(_progress(jobs, compilers))
        return dict(_run(jobs, compilers, shown))


def compile_first(games: "Iterable[str]", agents: "Iterable[str]", workers: int) -> None:
    """Compile what workers are about to need, unless it is in the cache.

    So it is compiled once and not by every worker, and somebody sees how far it is.
    """
    from plies.compiling.progress import Activity, announce
    from plies.registry import game as find_game
    from plies.warming import cold_jobs, is_own, jobs_of

    jobs: list[Job] = []
    for spec in games:
        game = find_game(spec)
        jobs += jobs_of(game, spec, [each for each in agents if is_own(each, game)])
    if cold := cold_jobs(jobs):
        for job in () if sys.stderr.isatty() else cold:
            announce(Activity(job.name, job.part, 0, job.expected))
        compile_all(cold, workers)  # what goes wrong is told when it is played


def planned(specs: list[str], agents: list[str]) -> "list[Job]":
    """The rules of all games first, which every agent needs."""
    from plies.compiling.progress import RULES
    from plies.registry import game, game_names
    from plies.warming import PERFT, can_play, jobs_of, usual_agents
    from plies.web.warming import page_agents

    found = [(spec, game(spec)) for spec in dict.fromkeys(specs or game_names())]
    for each in agents:
        _refuse_unplayable(each, [each for _, each in found])
    jobs = []
    for spec, one in found:
        chosen = [each for each in agents if each == PERFT or can_play(each, one)]
        jobs += jobs_of(one, spec, chosen or [*usual_agents(one), *page_agents(one)])
    return sorted(jobs, key=lambda job: (job.part != RULES, -job.expected))


def _refuse_unplayable(spec: str, games: "list[Game]") -> None:
    """Raise what is wrong with an agent that can play none of the games."""
    from plies.agents import agent
    from plies.warming import PERFT, can_play

    if spec != PERFT and not any(can_play(spec, game) for game in games):
        agent(spec, games[0])


def _run(
    jobs: "list[Job]", compilers: "list[Compiler]", shown: "_Shown"
) -> "Iterator[tuple[Job, Result]]":
    """Each job with its result; rules are finished before agents that call them begin."""
    from multiprocessing.connection import wait

    waiting = list(jobs)
    while waiting or any(each.job for each in compilers):
        for compiler in compilers:
            if compiler.job is None and (job := _next(waiting, compilers)):
                compiler.give(job)
        busy = {each.connection: each for each in compilers if each.job}
        for connection in wait(list(busy), timeout=LOOK_SECONDS):
            compiler: Any = busy[connection]  # type: ignore[index]
            job = compiler.job
            yield job, compiler.result()
            shown.count(job)
        shown.look()


def _next(waiting: "list[Job]", compilers: "list[Compiler]") -> "Job | None":
    """The first job of a game whose rules nobody is compiling."""
    from plies.compiling.progress import RULES

    unready = {each.job.game for each in compilers if each.job and each.job.part == RULES}
    found = next((job for job in waiting if job.game not in unready), None)
    if found:
        waiting.remove(found)
    return found


class _Shown:
    """Where nothing is shown."""

    def look(self) -> None: ...

    def count(self, job: "Job") -> None: ...


class _Bar(_Shown):
    """A bar of all functions, and what every worker is compiling."""

    def __init__(self, jobs: "list[Job]", compilers: "list[Compiler]", bar: Any):
        self.compilers, self.bar, self.done = compilers, bar, 0
        self.task = bar.add_task("compiling", total=sum(job.expected for job in jobs), now="")

    def look(self) -> None:
        running = [each.activity for each in self.compilers if each.activity]
        done = self.done + sum(int(each.share * each.expected) for each in running)
        now = ", ".join(each.subject for each in running)
        self.bar.update(self.task, completed=done, now=now)

    def count(self, job: "Job") -> None:
        self.done += job.expected


@contextmanager
def _progress(jobs: "list[Job]", compilers: "list[Compiler]") -> "Iterator[_Shown]":
    """A bar on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty() or os.environ.get("PLIES_QUIET"):
        yield _Shown()
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

    from plies.cli.compiling import bar_on_stderr

    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of about {task.total:.0f} functions"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[now]}"),
    ]
    with bar_on_stderr(*columns) as bar:
        yield _Bar(jobs, compilers, bar)


def _tell(results: "dict[Job, Result]", as_json: bool) -> None:
    from plies.cli.output import print_json

    path, files, size = _cache()
    if as_json:
        rows = [
            {
                "game": job.game,
                "part": job.part,
                "agents": list(job.specs),
                "functions": result.functions,
                "cpu_seconds": result.seconds,
                "problem": result.problem or None,
            }
            for job, result in results.items()
        ]
        print_json({"jobs": rows, "cache": {"path": path, "functions": files, "bytes": size}})
        return
    functions = sum(each.functions for each in results.values())
    seconds = sum(each.seconds for each in results.values())
    print(f"compiled {functions:,} functions in {seconds:.0f} s of CPU time")
    if path is None:
        print("there is no folder to keep them in")
    else:
        print(f"the cache holds {files:,} functions, {size / MEGABYTE:.1f} MB, in {path}")


def _cache() -> tuple[str | None, int, int]:
    """The folder of compiled code, how many functions are in it, and their bytes."""
    from plies.compiling.cache import own_folder

    folder = own_folder()
    if folder is None:
        return None, 0, 0
    sizes = [each.stat().st_size for each in folder.glob("*.bin")]
    return str(folder), len(sizes), sum(sizes)
