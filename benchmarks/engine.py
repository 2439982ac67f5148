"""The engine's speed in chess, and what a second thread brings.

    python benchmarks/engine.py             both tables
    python benchmarks/engine.py --json      the same for a program

Speed: a budget of nodes from an empty table, per CPU-second of one thread; the best of
several rounds over everything, because machines are noisy.  Threads: wall-clock time from an
empty table to a fixed depth, with one thread and with two, in turns, over the positions in
`positions.txt`; the mean ratio with its 95 % interval.  A second thread can only help where a
second processor is idle.  Only with `exact` is the same depth the same work: otherwise what
a thread guesses depends on what it finds in the table.
"""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, stdev

from rich.console import Console
from rich.table import Table

import plies

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITIONS = {
    "start": "startpos",
    "Kiwipete": KIWIPETE,
    "middle game": "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 b - - 0 9",
    "endgame": "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
}
# From games of the engine against itself, 14 to 44 plies after the start, the first four random.
FROM_GAMES = Path(__file__).with_name("positions.txt")
ENGINES = ("strong", "sef", "placement", "material", "placement,exact=yes", "material,exact=yes")
NODES, ROUNDS = 200_000, 12
DEPTHS = {"exact=no": 18, "exact=yes": 8}
CONFIDENCE = 1.96  # standard errors, 95 %


@dataclass(frozen=True)
class Speed:
    engine: str
    position: str
    nodes: int
    cpu_seconds: float
    rate: float


@dataclass(frozen=True)
class Threads:
    options: str  # of the engine
    position: str
    depth: int
    seconds: float  # with one thread
    seconds_by_two: float
    nodes: int
    nodes_by_two: int


def speeds() -> list[Speed]:
    game = plies.game("chess")
    agents = {
        options: plies.agent(f"engine:nodes={NODES},table=16,eval={options}", game)
        for options in ENGINES
    }
    best: dict[tuple[str, str], Speed] = {}
    for agent in agents.values():
        agent.prepare(game.initial())
    for _ in range(ROUNDS):
        for options, agent in agents.items():
            for name, text in POSITIONS.items():
                agent.forget()
                found = agent.choose(game.parse_position(text))
                rate = found.nodes / found.cpu_seconds
                if (options, name) not in best or rate > best[options, name].rate:
                    best[options, name] = Speed(options, name, found.nodes, found.cpu_seconds, rate)
    return list(best.values())


def threads(options: str, depth: int) -> list[Threads]:
    game = plies.game("chess")
    specs = [f"engine:depth={depth},threads={count},{options}" for count in (1, 2)]
    plies.agent(specs[1], game).prepare(game.initial())
    found = []
    for text in FROM_GAMES.read_text().splitlines():
        state = game.parse_position(text)
        one, two = (plies.agent(spec, game).choose(state) for spec in specs)
        assert one.depth == two.depth == depth, f"{text} ends sooner"
        times = (one.history[-1].seconds, two.history[-1].seconds)
        found.append(Threads(options, text, depth, *times, one.nodes, two.nodes))
    return found


def mean_ratio(ratios: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean, and the ends of its 95 % interval."""
    logs = [math.log(ratio) for ratio in ratios]
    middle, error = mean(logs), CONFIDENCE * stdev(logs) / math.sqrt(len(logs))
    return math.exp(middle), math.exp(middle - error), math.exp(middle + error)


def show(rates: list[Speed], gains: list[Threads]) -> None:
    console = Console()
    table = Table("engine", *POSITIONS, "mean", title="M nodes per CPU-second, one thread")
    for engine in ENGINES:
        own = [row.rate / 1e6 for row in rates if row.engine == engine]
        table.add_row(engine, *(f"{rate:.2f}" for rate in (*own, mean_ratio(own)[0])))
    console.print(table)
    heads = ("depth", "one thread, s", "two threads, s", "times as fast, 95 %", "nodes")
    table = Table("engine", *heads, title="to the same depth")
    for options, depth in DEPTHS.items():
        own = [row for row in gains if row.options == options]
        totals = sum(row.seconds for row in own), sum(row.seconds_by_two for row in own)
        ratio, low, high = mean_ratio([row.seconds / row.seconds_by_two for row in own])
        more = mean_ratio([row.nodes_by_two / row.nodes for row in own])[0]
        texts = (f"{ratio:.2f} ({low:.2f} to {high:.2f})", f"{more:.2f} times")
        table.add_row(options, str(depth), *(f"{total:.1f}" for total in totals), *texts)
    console.print(table)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure the engine on chess positions.")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args(words)
    rates = speeds()
    gains = [row for options, depth in DEPTHS.items() for row in threads(options, depth)]
    if arguments.json:
        rows = {"speed": [asdict(row) for row in rates], "threads": [asdict(row) for row in gains]}
        print(json.dumps(rows))
    else:
        show(rates, gains)
    return 0


if __name__ == "__main__":
    sys.exit(main())
