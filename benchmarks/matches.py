"""Which of two evaluators, or of two agents, plays better: matches over paired openings.

    python benchmarks/matches.py quixo lines zero --depth 2 --pairs 100
    python benchmarks/matches.py chess strong sef --depth 4 --openings positions.txt
    python benchmarks/matches.py quixo engine:seconds=0.1 mcts:seconds=0.1 --pairs 100

A name is that of an evaluator, with which alpha-beta searches to a fixed depth, or else
the spec of an agent.  Every opening is played twice with the seats swapped, and no
opening comes twice: agents without chance would only repeat a game.  An opening is a
number of random moves from the start, or a line of a file of positions.  The 95 %
interval is that of the pairs, whose two games are not independent of each other.
"""

import argparse
import json
import math
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import plies
from plies.agents import METHODS
from plies.core.errors import BadSpec, PliesError
from plies.match import MAX_PLIES, Rules

PATIENCE = 1000  # openings in a row that may be known or over before the search for new ones ends
CONFIDENCE = 1.96  # standard errors, 95 %
RARE = 1e-3  # stands for a class of pairs that never occurred


@dataclass(frozen=True)
class Task:
    """A pair of games: `agents` from `start`, then with their seats swapped."""

    game: str
    agents: tuple[str, str]
    start: str
    seed: int
    max_plies: int


@dataclass(frozen=True)
class Played:
    """One game as the first of the two agents sees it."""

    points: int  # 2 for a win, 1 for a draw
    reason: str
    line: tuple[str, ...]
    nodes: tuple[int, int]  # of the first agent and of the second
    seconds: tuple[float, float]


@dataclass(frozen=True)
class Pair:
    """Both games from one opening, and the CPU time they took."""

    start: str
    games: tuple[Played, Played]
    cpu_seconds: float


# Openings


def random_openings(game: plies.Game, count: int, moves: int, seed: int) -> list[str]:
    """Distinct positions after that many random moves, none of them the end of a game."""
    rng = random.Random(f"openings/{seed}")
    found: dict[str, None] = {}
    misses = 0
    while len(found) < count:
        state = _after_random_moves(game, moves, rng)
        text = "" if state is None else game.position_text(state)
        if text and text not in found:
            found[text] = None
            misses = 0
        elif (misses := misses + 1) > PATIENCE:
            raise BadSpec(
                f"{game.spec} shows only {len(found)} openings of {moves} random plies:"
                f" ask for fewer pairs than {count} or for more random plies"
            )
    return list(found)


def _after_random_moves(game: plies.Game, moves: int, rng: random.Random) -> Any:
    """The state after random moves, None when the game ends before."""
    state = game.initial()
    for _ in range(moves):
        if not (legal := game.moves(state)):
            return None
        state = game.play(state, rng.choice(legal))
    return None if game.is_over(state) else state


def openings_of(game: plies.Game, path: Path, count: int, seed: int) -> list[str]:
    """That many of the positions in a file, one a line; `#` begins a remark."""
    try:
        lines = [line.partition("#")[0].strip() for line in path.read_text().splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise BadSpec(f"{path} cannot be read: {error}") from error
    states = [game.parse_position(line) for line in lines if line]
    goes_on = [game.position_text(state) for state in states if not game.is_over(state)]
    found = list(dict.fromkeys(goes_on))
    if len(found) < count:
        raise BadSpec(f"{path} holds {len(found)} positions to play from: --pairs asks for {count}")
    return random.Random(f"openings/{seed}").sample(found, count)


# Games


@cache
def seats(game: str, agents: tuple[str, str]) -> tuple[plies.Game, list[plies.Agent]]:
    """The game and its players, compiled: that is no part of any game's time."""
    found = plies.game(game)
    players = [plies.agent(spec, found) for spec in agents]
    for player in players:
        player.prepare(found.initial())
    return found, players


def play_pair(task: Task) -> Pair:
    """The two games from one opening."""
    game, (one, other) = seats(task.game, task.agents)
    began = time.thread_time()
    games = []
    for seat, players in enumerate([(one, other), (other, one)]):
        record = plies.play_game(
            game, *players, seed=task.seed, start=task.start, rules=Rules(max_plies=task.max_plies)
        )
        games.append(_seen_from(seat, record))
    return Pair(task.start, (games[0], games[1]), time.thread_time() - began)


def _seen_from(seat: int, record: plies.GameRecord) -> Played:
    points = 1 if record.winner is None else 2 * (record.winner == seat)
    nodes, seconds = [0, 0], [0.0, 0.0]
    for move in record.moves:
        nodes[move.player ^ seat] += move.nodes
        seconds[move.player ^ seat] += move.seconds
    line = tuple(move.text for move in record.moves)
    return Played(points, record.reason, line, (nodes[0], nodes[1]), (seconds[0], seconds[1]))


def in_a_thread(task: Task) -> Pair:
    """There a search needs no thread of its own, which counts at small depths."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(play_pair, task).result()


def play_all(tasks: Sequence[Task], workers: int) -> Iterator[Pair]:
    """Every pair, in the order of the tasks."""
    if workers == 1:
        with ThreadPoolExecutor(1) as pool:
            for task in tasks:
                yield pool.submit(play_pair, task).result()
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), leave_interrupts) as pool:
        try:
            yield from pool.map(in_a_thread, tasks)
        finally:
            pool.shutdown(cancel_futures=True)


def leave_interrupts() -> None:
    """Ctrl-C is heard by the process that hands out the tasks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# Statistics


def elo_of_score(score: float) -> float:
    """Infinite where nothing or everything is won."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def elo_interval(pairs: Sequence[int]) -> tuple[float, float, float]:
    """Lower end, estimate and upper end, from the numbers of pairs with 0 to 4 half points."""
    counts = [count or RARE for count in pairs]
    shares = [count / sum(counts) for count in counts]
    mean = sum(share * half / 4 for half, share in enumerate(shares))
    variance = sum(share * (half / 4 - mean) ** 2 for half, share in enumerate(shares))
    error = CONFIDENCE * math.sqrt(variance / sum(counts))
    return elo_of_score(mean - error), elo_of_score(mean), elo_of_score(mean + error)


def summary(pairs: Sequence[Pair]) -> dict[str, Any]:
    """What the pairs say about the first agent; Elo is None where it is unbounded."""
    games = [game for pair in pairs for game in pair.games]
    points = Counter(game.points for game in games)
    halves = Counter(sum(game.points for game in pair.games) for pair in pairs)
    classes = [halves[half] for half in range(5)]
    low, elo, high = elo_interval(classes)
    return {
        "games": len(games),
        "wins": points[2],
        "draws": points[1],
        "losses": points[0],
        "score": (points[2] + points[1] / 2) / len(games),
        "elo": elo,
        "elo_error": (high - low) / 2 if math.isfinite(high - low) else None,
        "elo_low": low if math.isfinite(low) else None,
        "elo_high": high if math.isfinite(high) else None,
        "pairs_by_half_points": classes,
        "distinct_games": len({(pair.start, game.line) for pair in pairs for game in pair.games}),
        "endings": dict(sorted(Counter(game.reason for game in games).items())),
        "plies": sum(len(game.line) for game in games) / len(games),
        "nodes": [sum(game.nodes[side] for game in games) for side in (0, 1)],
        "seconds": [sum(game.seconds[side] for game in games) for side in (0, 1)],
        "cpu_seconds": sum(pair.cpu_seconds for pair in pairs),
    }


# Command


def elo_text(result: dict[str, Any]) -> str:
    low, high = result["elo_low"], result["elo_high"]
    if low is not None and high is not None:
        return f"{result['elo']:+z.1f} +/- {result['elo_error']:.1f}"
    if low is not None:
        return f"at least {low:+.0f}"
    return "unknown" if high is None else f"at most {high:+.0f}"


def report(result: dict[str, Any]) -> str:
    endings = ", ".join(f"{reason} {count}" for reason, count in result["endings"].items())
    classes = "/".join(str(count) for count in result["pairs_by_half_points"])
    rows = {
        "games": f"{result['games']}, {result['distinct_games']} distinct; ended by {endings}",
        "length": f"{result['plies']:.1f} plies on average",
        "results": f"{result['wins']} won, {result['draws']} drawn, {result['losses']} lost",
        "score": f"{100 * result['score']:.1f} %",
        "Elo": f"{elo_text(result)} (95 %; pairs by half points {classes})",
        "A": f"{result['nodes'][0]:,} nodes in {result['seconds'][0]:.1f} s",
        "B": f"{result['nodes'][1]:,} nodes in {result['seconds'][1]:.1f} s",
        "CPU": f"{result['cpu_seconds']:.1f} s",
    }
    title = f"{result['game']}: {result['a']} (A) against {result['b']} (B)"
    return "\n".join([title, *(f"{name:<9}{text}" for name, text in rows.items())])


def show_progress(pairs: Sequence[Pair], total: int) -> None:
    """A line that rewrites itself, or ten lines where it cannot."""
    points = sum(game.points for pair in pairs for game in pair.games)
    text = f"{len(pairs)}/{total} pairs, {25 * points / len(pairs):.1f} %"
    is_last = len(pairs) == total
    if sys.stderr.isatty():
        print(f"\r{text}  ", end="\n" if is_last else "", file=sys.stderr, flush=True)
    elif is_last or len(pairs) % max(total // 10, 1) == 0:
        print(text, file=sys.stderr, flush=True)


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
    for name, least in (("pairs", 1), ("random_plies", 0), ("max_plies", 1), ("workers", 1)):
        if getattr(arguments, name) < least:
            parser.error(f"--{name.replace('_', '-')} is at least {least}")
    return arguments


def spec_of(name: str, depth: int) -> str:
    """The agent that a name stands for: one that searches with an evaluator, or itself."""
    is_agent = name.partition(":")[0] in METHODS
    return name if is_agent else f"alphabeta:depth={depth},eval={name}"


def match(arguments: argparse.Namespace) -> dict[str, Any]:
    """Play what the arguments ask for; Ctrl-C leaves the pairs that are complete."""
    game, seed = plies.game(arguments.game), arguments.seed
    depths = (arguments.depth, arguments.depth if arguments.depth_b is None else arguments.depth_b)
    one, other = (
        plies.agent(spec_of(name, depth), game).spec
        for depth, name in zip(depths, (arguments.a, arguments.b), strict=True)
    )
    if arguments.openings:
        starts = openings_of(game, arguments.openings, arguments.pairs, seed)
    else:
        starts = random_openings(game, arguments.pairs, arguments.random_plies, seed)
    tasks = [Task(game.spec, (one, other), start, seed, arguments.max_plies) for start in starts]
    pairs: list[Pair] = []
    try:
        for pair in play_all(tasks, arguments.workers):
            pairs.append(pair)
            show_progress(pairs, len(tasks))
    except KeyboardInterrupt:
        if not pairs:
            raise
        print("\nstopped: what follows is of the complete pairs", file=sys.stderr)
    return {"game": game.spec, "a": one, "b": other, **summary(pairs)}


def main(words: Sequence[str] | None = None) -> int:
    arguments = arguments_of(words)
    try:
        result = match(arguments)
    except PliesError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(json.dumps(result) if arguments.json else report(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
