"""The engine's speed, and what a second thread brings.

    python benchmarks/engine.py             both tables
    python benchmarks/engine.py --json      the same for a program

Speed: a budget of nodes from an empty table, per CPU-second of one thread; the best of
several runs, because machines are noisy.  Threads: wall-clock time from an empty table to
the depth that one thread reaches in two seconds, with one thread and with two, in turns,
the medians; a second thread can only help where a second processor is idle.  Only with
`exact` is the same depth the same work: otherwise two threads also guess less, because
each finds the other's moves in the table.
"""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median

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
MORE_POSITIONS = {
    "Italian": "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "Sicilian": "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "isolated pawn": "r2q1rk1/pb1nbppp/1p2pn2/8/2BP4/P1N2N2/1P3PPP/R1BQR1K1 w - - 0 13",
    "rooks": "4r1k1/p4ppp/1p2p3/2p5/2P5/1P2P3/P4PPP/3R2K1 w - - 0 1",
}
EVALUATORS = ("strong", "sef", "placement", "material")
NODES, RUNS = 300_000, 9
SECONDS, TURNS = 2, 3


@dataclass(frozen=True)
class Speed:
    evaluator: str
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
    ratio: float


def speeds(evaluator: str, exact: bool) -> list[Speed]:
    game = plies.game("chess")
    options = f"nodes={NODES},eval={evaluator},table=16"
    agent = plies.agent(f"engine:{options}{',exact=yes' if exact else ''}", game)
    agent.prepare(game.initial())
    found = []
    for name, text in POSITIONS.items():
        state = game.parse_position(text)
        decisions = []
        for _ in range(RUNS):
            agent.forget()
            decisions.append(agent.choose(state))
        best = min(decisions, key=lambda decision: decision.cpu_seconds)
        label = f"{evaluator}, exact" if exact else evaluator
        rate = best.nodes / best.cpu_seconds
        found.append(Speed(label, name, best.nodes, best.cpu_seconds, rate))
    return found


def threads(options: str) -> list[Threads]:
    game = plies.game("chess")
    one = plies.agent(f"engine:seconds={SECONDS},{options}", game)
    one.prepare(game.initial())
    found = []
    for name, text in (POSITIONS | MORE_POSITIONS).items():
        state = game.parse_position(text)
        one.forget()
        depth = one.choose(state).history[-1].depth
        times: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(TURNS):
            for count, own in times.items():
                spec = f"engine:depth={depth},threads={count},{options}"
                own.append(plies.agent(spec, game).choose(state).history[-1].seconds)
        alone, together = median(times[1]), median(times[2])
        found.append(Threads(options, name, depth, alone, together, alone / together))
    return found


def show(rates: list[Speed], gains: list[Threads]) -> None:
    console = Console()
    table = Table("evaluator", *POSITIONS, "mean", title="M nodes per CPU-second, one thread")
    for evaluator in dict.fromkeys(row.evaluator for row in rates):
        own = [row.rate for row in rates if row.evaluator == evaluator]
        mean = math.exp(sum(map(math.log, own)) / len(own))
        table.add_row(evaluator, *(f"{rate / 1e6:.2f}" for rate in (*own, mean)))
    console.print(table)
    for options in dict.fromkeys(row.options for row in gains):
        show_threads(options, [row for row in gains if row.options == options], console)


def show_threads(options: str, gains: list[Threads], console: Console) -> None:
    heads = ("position", "depth", "1 thread", "2 threads", "ratio")
    table = Table(*heads, title=f"seconds to the same depth, {options}")
    for row in gains:
        times = (f"{row.seconds:.2f}", f"{row.seconds_by_two:.2f}", f"{row.ratio:.2f}")
        table.add_row(row.position, str(row.depth), *times)
    console.print(table)
    mean = math.exp(sum(math.log(row.ratio) for row in gains) / len(gains))
    console.print(f"geometric mean of the ratios: {mean:.2f}")


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure the engine on chess positions.")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args(words)
    rates = [speed for evaluator in EVALUATORS for speed in speeds(evaluator, False)]
    rates += speeds("placement", True)
    gains = threads("exact=no") + threads("exact=yes")
    if arguments.json:
        rows = {"speed": [asdict(row) for row in rates], "threads": [asdict(row) for row in gains]}
        print(json.dumps(rows))
    else:
        show(rates, gains)
    return 0


if __name__ == "__main__":
    sys.exit(main())
