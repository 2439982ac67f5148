"""Exact counts and rates of the compiled code, on one core.

    make bench                          the tables
    python benchmarks/run.py --json     the same for a program

Every count is asserted, so that a rate never comes from wrong work.  A rate is the
best of several runs by CPU time, because machines are noisy; things that are
compared are measured in turns, in one run, as a ratio.
"""

import argparse
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numba
from rich.console import Console
from rich.table import Table

import plies
from plies.search.alphabeta import AlphaBeta
from plies.search.minimax import Minimax
from plies.search.perft import bulk_perft, count, perft
from plies.search.search import Search
from plies.search.task import Task

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 1.5  # of CPU time for each measurement
LEAST_RUNS = 12
OWN_FILES = {"quixo": 4, "tictactoe": 9}  # package games tried as own files, with a depth
OWN_FILE_LIMIT = 1.10
START_LIMITS = {"plies --help": 0.3, "plies perft quixo 3": 1.0}
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
QUIXO_MIDDLE_GAME = "X.O.X/O...X/..X.O/X...O/O.X.. X"

MORRIS_MIDDLE_GAME = "WWxxxxxWWWWBBBBxxBWBxB"
SEEGA_MIDDLE_GAME = "XXOXO/XX.../...OX/OO.OX/O.XOO O 5"


@dataclass(frozen=True)
class Work:
    """Something to measure: `run` does it and answers how many units it did."""

    game: str
    work: str
    unit: str
    expected: int
    run: Callable[[], int]
    floor: float = 0  # millions of units per CPU-second


@dataclass(frozen=True)
class Result:
    game: str
    work: str
    unit: str
    nodes: int
    cpu_seconds: float
    rate: float
    floor: float

    @property
    def is_enough(self) -> bool:
        return self.rate >= self.floor * 1e6


def searching(game: plies.Game, method: Search, unit: str, position: str = "") -> Any:
    state = game.parse_position(position) if position else game.initial()
    task = Task(state, game.evaluator())
    return lambda: getattr(method.decide(task), unit)


def counting(
    game: plies.Game, depth: int, position: str = "", kernel: Any = perft
) -> Callable[[], int]:
    state = game.parse_position(position) if position else game.initial()
    return lambda: int(count(kernel, state, depth))


def works() -> list[Work]:
    """What is measured, with its exact count and the rate it must reach."""
    ttt, quixo = plies.game("tictactoe"), plies.game("quixo")
    four = plies.game(str(ROOT / "examples" / "connect_four.py"))
    solve_full = searching(ttt, Minimax(depth=9), "nodes")
    solve = searching(ttt, AlphaBeta(depth=9), "nodes")
    opening = searching(quixo, AlphaBeta(depth=5), "leaves")
    middle = searching(quixo, AlphaBeta(depth=4), "leaves", QUIXO_MIDDLE_GAME)
    drops = searching(four, AlphaBeta(depth=10), "nodes")
    return [
        Work("tictactoe", "solve by minimax", "nodes", 549_946, solve_full, 20),
        Work("tictactoe", "solve by alpha-beta", "nodes", 20_866, solve, 20),
        Work("quixo", "perft 4", "lines", 3_018_100, counting(quixo, 4), 20),
        Work("quixo", "alpha-beta 5, eval=lines", "leaves", 300_779, opening, 8),
        Work("quixo", "alpha-beta 4, middle game", "leaves", 16_943, middle, 8),
        Work("connect_four", "perft 8", "lines", 5_673_234, counting(four, 8)),
        Work("connect_four", "alpha-beta 10", "nodes", 161_430, drops, 10),
        *chess_works(),
        *morris_and_seega_works(),
    ]


def chess_works() -> list[Work]:
    chess, kiwipete = plies.game("chess"), KIWIPETE
    start, middle = counting(chess, 5), counting(chess, 4, kiwipete)
    bulk = counting(chess, 6, kernel=bulk_perft)
    bulk_middle = counting(chess, 5, kiwipete, bulk_perft)
    thought = searching(chess, AlphaBeta(depth=4), "leaves", kiwipete)
    return [
        Work("chess", "perft 5", "lines", 4_865_609, start, 30),
        Work("chess", "perft 4, Kiwipete", "lines", 4_085_603, middle, 30),
        Work("chess", "bulk perft 6", "lines", 119_060_324, bulk, 150),
        Work("chess", "bulk perft 5, Kiwipete", "lines", 193_690_690, bulk_middle, 150),
        Work("chess", "alpha-beta 4, Kiwipete, eval=strong", "leaves", 105_582, thought),
    ]


def morris_and_seega_works() -> list[Work]:
    morris, classic = plies.game("morris"), plies.game("morris:board=24")
    seega = plies.game("seega")
    moving = counting(morris, 6, MORRIS_MIDDLE_GAME)
    stepping = counting(seega, 6, SEEGA_MIDDLE_GAME)
    return [
        Work("morris", "perft 5, classic board", "lines", 5_140_800, counting(classic, 5), 10),
        Work("morris", "perft 6, middle game", "lines", 11_625_929, moving, 10),
        Work("seega", "perft 5, placing", "lines", 5_100_480, counting(seega, 5), 10),
        Work("seega", "perft 6, middle game", "lines", 562_186, stepping, 10),
    ]


def best_seconds(*runs: Callable[[], Any], seconds: float = SECONDS) -> list[float]:
    """The least CPU time of each, measured in turns."""
    best = [float("inf")] * len(runs)
    began = time.process_time()
    turns = 0
    while turns < LEAST_RUNS or time.process_time() - began < seconds * len(runs):
        for index, run in enumerate(runs):
            start = time.process_time()
            run()
            best[index] = min(best[index], time.process_time() - start)
        turns += 1
    return best


def measure(work: Work) -> Result:
    """The best of several runs; the first, which compiles, only checks the count."""
    done = work.run()
    assert done == work.expected, f"{work.game}, {work.work}: {done} {work.unit}"
    (best,) = best_seconds(work.run)
    return Result(work.game, work.work, work.unit, done, best, done / best, work.floor)


def own_file_ratios() -> dict[str, float]:
    """Time of a game as a user's own file by its time inside the package.

    The median of several processes for which both lie in the cache: where code happens
    to be placed in memory makes a tenth, and just compiled code is placed worst.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name in OWN_FILES:
            shutil.copy(ROOT / "src/plies/games" / f"{name}.py", folder)
        command = [sys.executable, __file__, "--own-files", folder]
        runs = [subprocess.run(command, check=True, stdout=subprocess.PIPE) for _ in range(6)]
    measured = [json.loads(run.stdout) for run in runs[1:]]
    return {name: median(ratios[name] for ratios in measured) for name in measured[0]}


def measure_own_files(folder: Path) -> dict[str, float]:
    """The ratios in this process, the two measured in turns."""
    ratios = {}
    for name, depth in OWN_FILES.items():
        inside, outside = plies.game(name), plies.game(str(folder / f"{name}.py"))
        for kind, make in (("perft", counting), ("alpha-beta", _searching_without_opinion)):
            pair = (make(inside, depth), make(outside, depth))
            assert pair[0]() == pair[1]()
            package, own = best_seconds(*pair, seconds=SECONDS / 4)
            ratios[f"{name} {kind}"] = own / package
    return ratios


def _searching_without_opinion(game: plies.Game, depth: int) -> Callable[[], int]:
    return lambda: AlphaBeta(depth).decide(Task(game.initial())).nodes


def start_seconds() -> dict[str, float]:
    """CPU time of whole commands, in a fresh process with a warm cache."""
    return {
        name: min(_command_seconds(name.split()[1:]) for _ in range(5)) for name in START_LIMITS
    }


def _command_seconds(words: list[str]) -> float:
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "plies.cli.main", *words]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_a_thread(task: Callable[[], Any]) -> Any:
    """There a search needs no thread of its own, which would count for small ones."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(task).result()


def main() -> int:
    parser = argparse.ArgumentParser(description="Exact counts and rates of the compiled code.")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--own-files", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--compile", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.compile:
        for work in works():
            work.run()
        return 0
    if arguments.own_files:
        print(json.dumps(in_a_thread(lambda: measure_own_files(arguments.own_files))))
        return 0
    # Another process compiles: code from the disk is what users run, and is placed better.
    subprocess.run([sys.executable, __file__, "--compile"], check=True)
    results = in_a_thread(lambda: [measure(work) for work in works()])
    ratios = own_file_ratios()
    starts = start_seconds()
    if arguments.json:
        rates = [asdict(result) for result in results]
        answer = {"rates": rates, "own_file": ratios, "start": starts}
        print(json.dumps(answer, indent=2))
    else:
        show(results, ratios, starts)
    is_good = (
        all(result.is_enough for result in results)
        and max(ratios.values()) <= OWN_FILE_LIMIT
        and all(starts[name] < limit for name, limit in START_LIMITS.items())
    )
    return 0 if is_good else 1


def show(results: list[Result], ratios: dict[str, float], starts: dict[str, float]) -> None:
    console = Console(width=100)
    console.print(
        f"Python {platform.python_version()}, Numba {numba.__version__},"
        f" {platform.machine()}, one core, best of {SECONDS} s of runs",
        highlight=False,
    )
    table = Table("game", "work", "count", "CPU ms", "rate, M/s", "floor")
    for r in results:
        floor = "" if not r.floor else f"{r.floor:g} {'reached' if r.is_enough else 'MISSED'}"
        count_text = f"{r.nodes:,} {r.unit}"
        table.add_row(
            r.game, r.work, count_text, f"{r.cpu_seconds * 1e3:.2f}", f"{r.rate / 1e6:.1f}", floor
        )
    console.print(table)
    table = Table("a user's own file by the same game in the package", "CPU time ratio", "limit")
    for name, ratio in ratios.items():
        table.add_row(name, f"{ratio:.3f}", f"{OWN_FILE_LIMIT:.2f}")
    console.print(table)
    table = Table("command, warm cache", "CPU seconds", "limit")
    for name, seconds in starts.items():
        table.add_row(name, f"{seconds:.2f}", f"{START_LIMITS[name]:.1f}")
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
