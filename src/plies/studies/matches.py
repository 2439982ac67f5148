"""Games between agents as a step of a study, and their figures."""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

from plies.arena.config import Tournament
from plies.arena.judge import Job, Judge
from plies.arena.plan import Result, points_of
from plies.arena.report.analysis import meetings
from plies.arena.report.replay import own_pieces, transitions
from plies.arena.runner import open_run, plan_of, run
from plies.arena.schedule import pending, total
from plies.arena.schedule.pairs import Plan
from plies.arena.statistics import Counts, elo_estimate, likelihood_of_superiority
from plies.arena.store import Finished, Store
from plies.arena.summary import Row, summary
from plies.arena.tally import Score, pair_classes, pairs_between, results_of
from plies.registry import game as find_game
from plies.studies.study import Work


def played(work: Work, name: str, tournament: Tournament) -> dict[str, Any]:
    """Play what is left of a tournament, kept in a file of the study; answers its figures."""
    plan = plan_of(tournament)
    most = total(tournament, plan.books)
    with open_run(tournament, work.folder / f"{name}.db") as store:
        done = len(store.numbers())
        work.tell(f"games of {name}", done, most)

        def hear(_: Finished) -> None:
            nonlocal done
            done += 1
            work.tell(f"games of {name}", done, most)

        run(store, hear, workers=work.workers)
        return figures(plan, store.games())


def figures(plan: Plan, games: Sequence[Finished]) -> dict[str, Any]:
    """What the games of a run say, as JSON.

    games, distinct_games, terminations, warnings
    seconds_per_game    of wall-clock time, and plies_per_game, both on average
    agents              by name: wins, draws, losses, points, elo, elo_error, and the sums
                        moves, nodes and seconds of its own thinking
    meetings            of any two that met: a, b, then as `a` sees it wins, draws, losses,
                        elo (None where it cannot be told), elo_low, elo_high, and los, the
                        likelihood that `a` is stronger
    """
    found = summary(plan, games)
    count = max(len(games), 1)
    return {
        "games": found.games,
        "distinct_games": found.distinct_games,
        "terminations": found.terminations,
        "warnings": found.warnings,
        "seconds_per_game": sum(game.seconds for game in games) / count,
        "plies_per_game": sum(len(game.record.moves) for game in games) / count,
        "agents": {row.standing.name: _agent(row) for row in found.rows},
        "meetings": _meetings(plan.tournament.names, games),
    }


def _agent(row: Row) -> dict[str, Any]:
    standing = row.standing
    return {
        **_counts(standing.score),
        "points": standing.score.points,
        "elo": row.elo.value if row.elo else None,
        "elo_error": row.elo.error if row.elo else None,
        "moves": standing.moves,
        "nodes": standing.nodes,
        "seconds": standing.seconds,
    }


def _meetings(names: Sequence[str], games: Sequence[Finished]) -> list[dict[str, Any]]:
    scores, results = meetings(games), results_of(games)
    return [
        {"a": a, "b": b, **_counts(scores[a, b]), **_strength(a, b, results)}
        for a, b in combinations(names, 2)
        if (a, b) in scores
    ]


def _counts(score: Score) -> dict[str, int]:
    return {"wins": score.wins, "draws": score.draws, "losses": score.losses}


def _strength(a: str, b: str, results: Sequence[Result]) -> dict[str, Any]:
    """By complete pairs of two; where more sit at a board there is none."""
    counts = Counts(pair_classes(pairs_between(a, b, results)))
    elo = elo_estimate(counts) if counts.samples else None
    return {
        "elo": elo.value if elo else None,
        "elo_low": elo.low if elo else None,
        "elo_high": elo.high if elo else None,
        "los": likelihood_of_superiority(counts) if counts.samples else None,
    }


def each_game(path: Path) -> list[dict[str, Any]]:
    """A row for every game of a file, in the order of their numbers.

    `opening`, and by seat `seats` (names), `points` and `moves` (how many); `reason` is why it
    ended: `rules`, or why the match called it a draw.
    """
    with Store.open(path) as store:
        games = sorted(store.games(), key=lambda finished: finished.planned.number)
    return [
        {
            "opening": finished.planned.opening,
            "seats": finished.planned.seats,
            "points": points_of(finished.record.payoffs),
            "moves": [
                sum(move.player == seat for move in finished.record.moves)
                for seat in range(len(finished.planned.seats))
            ],
            "reason": finished.record.reason,
        }
        for finished in games
    ]


def by_situation(path: Path) -> dict[str, list[dict[str, Any]]]:
    """How long moves took, by what the mover faced: rows of `pieces` and of `moves`.

    A row is an agent, the `number` of its own pieces (or of legal moves), the median of the
    `seconds` for such a move, and the `count` of moves.
    """
    with Store.open(path) as store:
        games = store.games()
    found = {spec: find_game(spec) for spec in {finished.planned.game for finished in games}}
    times: dict[str, dict[tuple[str, int], list[float]]] = {"pieces": {}, "moves": {}}
    for finished in games:
        game, record = found[finished.planned.game], finished.record
        for (state, _, _), move in zip(transitions(game, record), record.moves, strict=True):
            name = finished.planned.seats[move.player]
            faced = {"pieces": own_pieces(game, state), "moves": len(game.moves(state))}
            for what, number in faced.items():
                times[what].setdefault((name, number), []).append(move.seconds)
    return {what: _medians(known) for what, known in times.items()}


def _medians(times: Mapping[tuple[str, int], Sequence[float]]) -> list[dict[str, Any]]:
    return [
        {"agent": name, "number": number, "seconds": median(seconds), "count": len(seconds)}
        for (name, number), seconds in sorted(times.items())
    ]


def timed(work: Work, name: str, tournament: Tournament) -> list[dict[str, float]]:
    """Play a tournament once more, one game after the other in this process: what games take.

    Rows of wall-clock `seconds`, `cpu_seconds` of the whole process, and `plies`.  Both agents
    and the judge are counted, the compiler is not.
    """
    plan = plan_of(tournament)
    planned = pending(tournament, plan.books, [])
    specs = {entry.name: entry.spec for entry in tournament.agents}
    judge = Judge(Job(specs, tournament.rules, tournament.clocks))
    rows = []
    with ThreadPoolExecutor(1) as thread:  # where searches need no thread of their own
        for number, each in enumerate([planned[0], *planned]):
            work.tell(f"timing {name}", number, len(planned))
            wall, cpu = time.perf_counter(), time.process_time()
            record = thread.submit(judge.play, each).result().record
            seconds = {"seconds": time.perf_counter() - wall}
            seconds["cpu_seconds"] = time.process_time() - cpu
            rows.append({**seconds, "plies": len(record.moves)})
    judge.close()
    return rows[1:]  # before the first of them something was compiled
