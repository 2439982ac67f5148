"""What players did with their clocks, by the phase of the game, from the games that are kept."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from plies.arena.report.replay import transitions
from plies.arena.store import Finished, Store
from plies.core.verbs import phase
from plies.records import MoveRecord
from plies.registry import game as find_game

LATE = re.compile(r"took ([0-9.]+) s for a move and had ([0-9.e-]+) s")  # as the judge says it


def positions(path: Path) -> Iterator[tuple[Finished, Any, MoveRecord]]:
    """Every position in which somebody moved, with its game and the move."""
    with Store.open(path) as store:
        games = store.games()
    for finished in games:
        game = find_game(finished.planned.game)
        steps = zip(transitions(game, finished.record), finished.record.moves, strict=True)
        for (state, _, _), move in steps:
            yield finished, state, move


def clock_use(path: Path, credit: float) -> dict[str, Any]:
    """How the players of a run kept within a credit of so many seconds for a game.

    time_losses   games that were lost on time
    overdrawn     the most seconds beyond the credit that a player used in a game
    most_used     the most seconds that a player used in a game
    phases        rows of agent, phase, moves, and means: seconds_per_game, and depth
    """
    used: dict[tuple[int, int], float] = defaultdict(float)
    kinds: dict[tuple[str, int], list[MoveRecord]] = defaultdict(list)
    lost: dict[int, str] = {}  # why, by the number of the game; nothing where it was not
    for finished, state, move in positions(path):
        number, record = finished.planned.number, finished.record
        used[number, move.player] += move.seconds
        kinds[finished.planned.seats[move.player], int(phase(state))].append(move)
        lost[number] = record.reason if record.termination == "time" else ""
    most = max(used.values())
    return {
        "time_losses": sum(map(bool, lost.values())),
        "overdrawn": max(0.0, most - credit, *map(_overdrawn, lost.values())),
        "most_used": most,
        "phases": [
            {"agent": name, "phase": number, **_means(moves, len(lost))}
            for (name, number), moves in sorted(kinds.items())
        ],
    }


def _overdrawn(reason: str) -> float:
    """By how much the move that lost a game was late: it is not among the moves of the game."""
    found = LATE.search(reason)
    return float(found[1]) - float(found[2]) if found else 0.0


def _means(moves: Sequence[MoveRecord], games: int) -> dict[str, float]:
    return {
        "moves": len(moves),
        "seconds_per_game": sum(move.seconds for move in moves) / games,
        "depth": sum(move.depth for move in moves) / len(moves),
    }
