"""How many key moves of a file of tactical chess positions an agent finds.

    make wac                                             the engine, 1 second each
    python benchmarks/wac.py positions.epd --agent engine:seconds=0.2

A position is a line of an EPD file with `bm` (best moves) and `id`.  The exit status is 1
when fewer than `--least` are found.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import plies
from plies.errors import PliesError
from plies.games.chess import find_move

FILE = Path(__file__).resolve().parents[2] / "shared" / "data" / "wac.epd"


@dataclass(frozen=True)
class Problem:
    """A position and the moves that solve it, in standard notation."""

    name: str
    position: str
    best: tuple[str, ...]


def problems(text: str) -> Iterator[Problem]:
    """The lines of an EPD file."""
    for line in filter(None, (line.strip() for line in text.splitlines())):
        fields = line.split(maxsplit=4)
        operations = dict(
            operation.strip().split(maxsplit=1) for operation in fields[4].split(";") if operation
        )
        name = operations["id"].strip('"')
        yield Problem(name, " ".join(fields[:4]), tuple(operations["bm"].split()))


def is_solved(agent: plies.Agent, problem: Problem) -> tuple[bool, plies.Decision]:
    """Whether the agent plays a key move, and what it decided."""
    game = agent.game
    state = game.parse_position(problem.position)
    agent.forget()
    decision = agent.choose(state)
    keys = {find_move(state, text) for text in problem.best}
    return decision.move in keys, decision


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Count the key moves that an agent finds.")
    parser.add_argument("file", type=Path, nargs="?", default=FILE, help="EPD file")
    parser.add_argument("--agent", default="engine:seconds=1", help="spec (engine:seconds=1)")
    parser.add_argument("--least", type=int, default=0, help="fewer is a failure (0)")
    parser.add_argument("--every", type=int, default=1, help="only every so many-th position (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args(words)
    game = plies.game("chess")
    try:
        agent = plies.agent(arguments.agent, game)
        found = list(problems(arguments.file.read_text()))[:: arguments.every]
    except (OSError, PliesError) as error:
        print(error, file=sys.stderr)
        return 2
    agent.prepare(game.initial())
    missed, nodes, seconds = [], 0, 0.0
    for number, problem in enumerate(found, 1):
        solved, decision = is_solved(agent, problem)
        missed += [] if solved else [problem.name]
        nodes, seconds = nodes + decision.nodes, seconds + decision.cpu_seconds
        if number % 20 == 0 or number == len(found):
            print(f"{number - len(missed)} of {number}", file=sys.stderr, flush=True)
    result = {
        "agent": agent.spec,
        "positions": len(found),
        "solved": len(found) - len(missed),
        "missed": missed,
        "nodes": nodes,
        "cpu_seconds": seconds,
    }
    if arguments.json:
        print(json.dumps(result))
    else:
        print(f"{result['agent']}: {result['solved']} of {result['positions']} key moves found")
        print(f"{nodes:,} nodes in {seconds:.0f} s of CPU time; missed: {' '.join(missed)}")
    return 0 if result["solved"] >= arguments.least else 1


if __name__ == "__main__":
    sys.exit(main())
