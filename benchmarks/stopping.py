"""How long a search that is asked to stop takes to answer with a legal move.

    python benchmarks/stopping.py                   the table, over all games and methods
    python benchmarks/stopping.py --game chess      one game
    python benchmarks/stopping.py --json            the same for a program

Four ways to ask: a clock (the time by which the answer is later than the limit; only for
methods that have one), another thread, Ctrl-C, and a node budget of one node (the time of the
whole call).  Nothing else should run on the machine: how long it takes to wake a thread that does
nothing is shown beside the searches, and the CPU time that passes between the request and the
answer, which other programs do not change much.  The exit status is 1 when an answer takes
longer than the limit.
"""

import argparse
import gc
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from statistics import median
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import plies
from plies.agents import AGENTS, Agent, agent
from plies.core.spec import options_of
from plies.errors import BadSpec
from plies.search.decision import Decision
from plies.search.runner import Interrupted, StopFlag

LIMIT_MS = 20.0
# Large enough that no search ends by itself; the tree of the package is too small for that.
GAMES = [
    "chess",
    "morris",
    "nim:rows=31-32-33-34-35",
    "quixo",
    "seega",
    "tictactoe:width=6,height=6,k=6",
]
# How each method is asked to think for very long.
LONG = {
    "dfpn": "dfpn",
    "engine": "engine:seconds=600",
    "mcts": "mcts:simulations=1000000000",
    "solve": "solve",
}
DEEP = "{method}:depth=100"
NOTHING = "(no search)"
WAYS = ("clock", "thread", "Ctrl-C", "budget")
SECONDS = 0.1


class Delay(NamedTuple):
    """Milliseconds from the request to the answer, and of CPU time where that is known."""

    wall_ms: float
    cpu_ms: float | None


@dataclass(frozen=True)
class Latency:
    """The median and the worst delay of some tries."""

    game: str
    method: str
    way: str
    median_ms: float
    worst_ms: float
    worst_cpu_ms: float | None


def latency(game: str, method: str, way: str, delays: list[Delay]) -> Latency:
    walls = [delay.wall_ms for delay in delays]
    cpus = [delay.cpu_ms for delay in delays if delay.cpu_ms is not None]
    return Latency(game, method, way, median(walls), max(walls), max(cpus, default=None))


def spec_of(method: str, way: str) -> str | None:
    """What to ask the method, None where it cannot be stopped in this way."""
    spec = LONG.get(method, DEEP.format(method=method))
    options = options_of(AGENTS[method])
    extra = {"clock": ("seconds", SECONDS), "budget": ("nodes", 1)}.get(way)
    if extra is None:
        return spec
    key, value = extra
    if key not in options:
        return None
    kept = [part for part in spec.partition(":")[2].split(",") if part and key not in part]
    return f"{method}:{','.join([*kept, f'{key}={value}'])}"


class Moment:
    """When something was asked: by the clock on the wall, and by the CPU's."""

    def __init__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def since(self) -> Delay:
        wall, cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu
        return Delay(1000 * wall, 1000 * cpu)


def by_clock(searcher: Agent, state: object, wait: float) -> tuple[Decision, Delay]:
    began = Moment()
    decision = searcher.choose(state, rng=random.Random(0))
    whole = began.since()
    return decision, Delay(whole.wall_ms - 1000 * SECONDS, None)


def by_budget(searcher: Agent, state: object, wait: float) -> tuple[Decision, Delay]:
    began = Moment()
    decision = searcher.choose(state, rng=random.Random(0))
    return decision, began.since()


def by_thread(searcher: Agent, state: object, wait: float) -> tuple[Decision, Delay]:
    flag, asked = StopFlag(), []

    def ask() -> None:
        asked.append(Moment())
        flag.stop()

    timer = threading.Timer(wait, ask)
    timer.start()
    decision = searcher.choose(state, rng=random.Random(0), stop=flag)
    return decision, _delay(asked, searcher)


def by_interrupt(searcher: Agent, state: object, wait: float) -> tuple[Decision, Delay]:
    asked = []

    def ask() -> None:
        asked.append(Moment())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(wait, ask)
    timer.start()
    try:
        decision = searcher.choose(state, rng=random.Random(0))
        timer.cancel()
    except Interrupted as stop:
        decision = stop.decision
    except KeyboardInterrupt:  # it came before the search had begun
        return by_interrupt(searcher, state, 2 * wait)
    return decision, _delay(asked, searcher)


def _delay(asked: list[Moment], searcher: Agent) -> Delay:
    if not asked:
        raise RuntimeError(f"{searcher.spec} ended before it was asked to stop")
    return asked[0].since()


ASK: dict[str, Callable[[Agent, object, float], tuple[Decision, Delay]]] = {
    "clock": by_clock,
    "thread": by_thread,
    "Ctrl-C": by_interrupt,
    "budget": by_budget,
}


def latencies(game: plies.Game, method: str, tries: int) -> Iterator[Latency]:
    state = game.initial()
    legal = game.moves(state)
    waits = random.Random(1)
    for way in WAYS:
        spec = spec_of(method, way)
        if spec is None:
            continue
        searcher = agent(spec, game)
        searcher.prepare(state)
        found = []
        for _ in range(tries):
            searcher.forget()
            gc.collect()  # 30 ms that Python may take at any time
            decision, delay = ASK[way](searcher, state, waits.uniform(0.05, 0.15))
            assert decision.move in legal, f"{game.spec} {spec}: {decision.move} is not legal"
            found.append(delay)
        yield latency(game.spec, method, way, found)


def waking(tries: int) -> Latency:
    """The same without a search: how long this machine takes to wake a thread."""
    found = []
    for _ in range(tries):
        event, asked = threading.Event(), []

        def ask(event: threading.Event = event, asked: list[Moment] = asked) -> None:
            asked.append(Moment())
            event.set()

        threading.Timer(SECONDS, ask).start()
        event.wait()
        found.append(asked[0].since())
    return latency("", NOTHING, "thread", found)


def measured(games: list[str], methods: list[str], tries: int) -> Iterator[Latency]:
    for game_spec in games:
        game = plies.game(game_spec)
        for method in methods or sorted(AGENTS):
            if method == "random":
                continue
            print(f"{game_spec} {method}", file=sys.stderr, flush=True)
            try:
                yield from latencies(game, method, tries)
            except BadSpec as error:
                print(f"  {error}", file=sys.stderr)


def show(found: list[Latency]) -> None:
    """One row for every method, over all games; then the slowest cases."""
    table = Table("median / worst / worst CPU, ms", *WAYS, "slowest")
    for method in sorted({each.method for each in found}):
        own = [each for each in found if each.method == method]
        cells = [_cell([each for each in own if each.way == way]) for way in WAYS]
        slowest = max(own, key=lambda each: each.worst_ms)
        where = "" if method == NOTHING else f"{slowest.game.partition(':')[0]}, {slowest.way}"
        table.add_row(method, *cells, where)
    Console(width=140).print(table)


def _cell(found: list[Latency]) -> str:
    if not found:
        return ""
    middle, worst = median(each.median_ms for each in found), max(each.worst_ms for each in found)
    cpus = [each.worst_cpu_ms for each in found if each.worst_cpu_ms is not None]
    return f"{middle:.1f} / {worst:.1f}" + (f" / {max(cpus):.1f}" if cpus else "")


def main() -> int:
    parser = argparse.ArgumentParser(description="How soon a search stops when it is asked to.")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--game", action="append", help="only this game")
    parser.add_argument("--method", action="append", help="only this method")
    parser.add_argument("--tries", type=int, default=5, help="of every case")
    arguments = parser.parse_args()
    found = [waking(10 * arguments.tries)]
    found += measured(arguments.game or GAMES, arguments.method or [], arguments.tries)
    if arguments.json:
        print(json.dumps([asdict(each) for each in found], indent=2))
    else:
        show(found)
    return 0 if all(each.worst_ms <= LIMIT_MS for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())
