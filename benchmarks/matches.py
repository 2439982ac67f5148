"""Which of two evaluators plays better: a match between two searches that differ in that only.

    python benchmarks/matches.py quixo lines zero --depth 2 --pairs 100
    python benchmarks/matches.py chess strong sef --depth 4 --openings positions.txt
    python benchmarks/matches.py quixo engine:seconds=0.1 mcts:seconds=0.1 --pairs 100

A name is that of an evaluator, with which alpha-beta searches to a fixed depth, or else the
spec of an agent.  All else is as in `plies match`: every opening is played twice with the
seats swapped, and the 95 % interval is that of the pairs.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import plies
from plies.agents import AGENTS
from plies.arena.judge import Job
from plies.arena.reading import tournament_from
from plies.arena.runner import plan_of
from plies.arena.schedule import pending
from plies.arena.workers import InThisProcess, Workers
from plies.cli.results import as_data, show
from plies.errors import PliesError
from plies.match import MAX_PLIES


def arguments_of(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Play two evaluators or agents against each other over paired openings.",
        epilog="example: python benchmarks/matches.py quixo lines zero --depth 2 --pairs 100",
    )
    parser.add_argument("game", help="a game, with its options if need be: quixo:n=4")
    parser.add_argument("a", help="the evaluator or agent that is measured")
    parser.add_argument("b", help="the evaluator or agent it plays against")
    parser.add_argument("--depth", type=int, default=3, help="plies that both search (3)")
    parser.add_argument("--depth-b", type=int, help="plies that B searches, if not the same")
    parser.add_argument("--pairs", type=int, default=200, help="openings (200)")
    parser.add_argument("--random-plies", type=int, default=8, help="moves of an opening (8)")
    parser.add_argument("--openings", type=Path, help="file of positions to start from instead")
    parser.add_argument("--max-plies", type=int, default=MAX_PLIES, help="longer games are drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the openings (1)")
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args(words)
    if arguments.workers < 1:
        parser.error("--workers is at least 1")
    return arguments


def spec_of(name: str, depth: int) -> str:
    """The agent that a name stands for: one that searches with an evaluator, or itself."""
    is_agent = name.partition(":")[0] in AGENTS
    return name if is_agent else f"alphabeta:depth={depth},eval={name}"


def match(arguments: argparse.Namespace) -> tuple[Any, list[Any]]:
    """Play what the arguments ask for: the plan and its games."""
    game = plies.game(arguments.game)
    depths = (arguments.depth, arguments.depth if arguments.depth_b is None else arguments.depth_b)
    specs = [
        plies.agent(spec_of(name, depth), game).spec
        for depth, name in zip(depths, (arguments.a, arguments.b), strict=True)
    ]
    openings = (
        {"file": str(arguments.openings.resolve())}
        if arguments.openings
        else {"plies": arguments.random_plies}
    )
    names = specs if specs[0] != specs[1] else [f"{specs[0]} (A)", f"{specs[1]} (B)"]
    tournament = tournament_from(
        {
            "games": [arguments.game],
            "agents": [{"name": n, "spec": s} for n, s in zip(names, specs, strict=True)],
            "kind": "match",
            "pairs": arguments.pairs,
            "seed": arguments.seed,
            "openings": openings,
            "rules": {"max_plies": arguments.max_plies},
        }
    )
    plan = plan_of(tournament)
    job = Job(
        {each.name: each.spec for each in tournament.agents}, tournament.rules, tournament.clocks
    )
    pool = InThisProcess(job) if arguments.workers == 1 else Workers(arguments.workers, job)
    try:
        return plan, list(pool.play(pending(tournament, plan.books, [])))
    finally:
        pool.close()


def main(words: Sequence[str] | None = None) -> int:
    arguments = arguments_of(words)
    try:
        plan, games = match(arguments)
    except PliesError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    if arguments.json:
        print(json.dumps(as_data(plan, games)))
    else:
        show(plan, games)
    return 0


if __name__ == "__main__":
    sys.exit(main())
