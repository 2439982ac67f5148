"""What the first answer costs: CPU seconds and compiled functions, by game and agent.

    python benchmarks/compiling.py             the table
    python benchmarks/compiling.py --json      the same for a program
    python benchmarks/compiling.py --source F  measures the package in another folder, too, in turns

Each line is whole commands, the start of the interpreter included, in processes of their own:

    cold       with an empty cache
    warm       once more: everything comes from the disk
    second     with a cache that another game has filled with what knows no game
    edited     after one rule of the game's file was edited

Machines are noisy: compare within one run, as a ratio.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "connect_four.py"
RULE, EDITED_RULE = "def legal_moves(state):\n", "def legal_moves(state):\n    state = state\n"
COMMANDS = (
    "perft quixo 3",
    "perft chess 3",
    "search quixo --agent alphabeta:depth=3",
    "search tictactoe --agent engine:depth=3",
    "search morris --agent engine:depth=3",
    "search {four} --agent alphabeta:depth=3",
    "search {four} --agent engine:depth=3",
    "search {four} --agent mcts:simulations=100",
    "search chess --agent engine:depth=5",
)
WITH_ANOTHER_GAME = ("search {four} --agent engine:depth=3",)
AFTER_AN_EDIT = ("search {four} --agent alphabeta:depth=3", "search {four} --agent engine:depth=3")
FILLING = "search tictactoe --agent engine:depth=3"
# Runs a command and writes down how many functions were compiled for it.
PROBE = """
import sys
from pathlib import Path
from numba.core import event
from plies.cli.main import run

compiled = event.RecordingListener()
event.register("numba:compile", compiled)
try:
    run()
finally:
    starts = sum(each.is_start for _, each in compiled.buffer)
    Path(sys.argv[0]).write_text(str(starts))
"""


@dataclass(frozen=True)
class Cost:
    """What a command took."""

    command: str
    state: str  # of the cache
    source: str
    cpu_seconds: float
    compiled: int


@dataclass(frozen=True)
class Site:
    """A package to measure, with a game file and a cache of its own."""

    source: Path
    folder: Path

    @property
    def four(self) -> Path:
        return self.folder / EXAMPLE.name

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    def run(self, command: str, state: str) -> Cost:
        """Run a command in a process of its own."""
        count = self.folder / "count"
        words = command.format(four=self.four.name).split()
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.source),
            "PLIES_CACHE_DIR": str(self.cache),
            "PLIES_QUIET": "1",
        }
        script = PROBE.replace("sys.argv[0]", repr(str(count)))
        before = cpu_of_children()
        subprocess.run(
            [sys.executable, "-c", script, *words],
            env=environment,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        seconds = round(cpu_of_children() - before, 2)
        name = command.format(four="connect_four.py")
        return Cost(name, state, str(self.source), seconds, int(count.read_text()))

    def empty(self) -> None:
        """Empty the cache, and take the game file as it is."""
        shutil.rmtree(self.cache, ignore_errors=True)
        self.cache.mkdir()
        shutil.copy(EXAMPLE, self.four)

    def edit(self) -> None:
        """Change one rule of the game file, so that it answers the same."""
        text = self.four.read_text(encoding="utf-8")
        assert RULE in text
        self.four.write_text(text.replace(RULE, EDITED_RULE), encoding="utf-8")


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cold_and_warm(site: Site, command: str) -> Iterator[Cost]:
    site.empty()
    yield site.run(command, "cold")
    yield site.run(command, "warm")


def second_game(site: Site, command: str) -> Iterator[Cost]:
    site.empty()
    site.run(FILLING, "")
    yield site.run(command, "second")


def edited_rule(site: Site, command: str) -> Iterator[Cost]:
    site.empty()
    site.run(command, "")
    site.edit()
    yield site.run(command, "edited")


Measure = Callable[[Site, str], Iterator[Cost]]
MEASURES: tuple[tuple[Measure, tuple[str, ...]], ...] = (
    (cold_and_warm, COMMANDS),
    (second_game, WITH_ANOTHER_GAME),
    (edited_rule, AFTER_AN_EDIT),
)


def measure(sites: list[Site]) -> Iterator[Cost]:
    """Every command in every state of the cache, the packages in turns."""
    for costs_of, commands in MEASURES:
        for command in commands:
            for site in sites:
                yield from costs_of(site, command)


def table(costs: list[Cost], sources: list[Path]) -> Table:
    """A line for a command and a state of the cache; columns for each package."""
    drawn = Table("command", "cache")
    for source in sources:
        name = source.parent.name
        drawn.add_column(f"{name}: CPU s", justify="right")
        drawn.add_column("functions", justify="right")
    for command, state in dict.fromkeys((cost.command, cost.state) for cost in costs):
        own = [cost for cost in costs if (cost.command, cost.state) == (command, state)]
        cells = [(f"{cost.cpu_seconds:.2f}", str(cost.compiled)) for cost in own]
        drawn.add_row(command, state, *(cell for pair in cells for cell in pair))
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--source", type=Path, action="append", default=[])
    options = parser.parse_args()
    sources = [*(source.resolve() for source in options.source), ROOT / "src"]
    with tempfile.TemporaryDirectory() as folder:
        sites = []
        for index, source in enumerate(sources):
            own = Path(folder, str(index))
            own.mkdir()
            sites.append(Site(source, own))
        costs = list(measure(sites))
    if options.json:
        print(json.dumps([asdict(cost) for cost in costs]))
    else:
        Console().print(table(costs, sources))


if __name__ == "__main__":
    main()
