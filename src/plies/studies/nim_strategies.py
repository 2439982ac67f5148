"""The part of the Nim study in which probabilities of strategies evolve."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plies.learn.evolution import Evolution, Plan
from plies.learn.nim_evolution import OPPONENTS, Positions, positions_of, win_fitness
from plies.learn.nim_strategies import STRATEGIES, probabilities, report, strategies_encoding
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.study import Compared, Shown, Work
from plies.studies.telling import percent

OPTIMAL = "nim-sum"
NEARLY = 0.99  # of the population's draws
STEPS = 20  # that the mixtures tried for the computed best have from 0 to 1


@dataclass(frozen=True)
class Mixing:
    """How strategies are mixed: the game, how long and how often they evolve, and how."""

    game: str
    generations: int
    seeds: int
    plan: Plan = field(default_factory=Plan)

    @property
    def opponents(self) -> dict[str, list[str]]:
        """All of them, and each alone."""
        return {"all three": list(OPPONENTS), **{name: [name] for name in OPPONENTS}}


def evolve(work: Work, mixing: Mixing) -> dict[str, Any]:
    """By opponents: the best mixture of all, and what evolves with every seed."""
    positions = positions_of(find_game(mixing.game))
    found: dict[str, Any] = {}
    for done, (title, opponents) in enumerate(mixing.opponents.items()):
        work.tell(f"mixtures against {title}", done, len(mixing.opponents))
        found[title] = against(positions, opponents, mixing, work.seed)
    pure = zip(STRATEGIES, np.eye(len(STRATEGIES), dtype=np.int64), strict=True)
    wins = {name: report(positions, weights)["wins"] for name, weights in pure}
    return {"generations": mixing.generations, "against": found, "wins": wins}


def against(
    positions: Positions, opponents: list[str], mixing: Mixing, seed: int
) -> dict[str, Any]:
    """What wins most often against these opponents, of games from the start in both seats."""
    encoding = strategies_encoding(positions)
    fitness = win_fitness(positions, encoding.player, opponents, is_everywhere=False)
    tried = mixtures()
    scores = fitness(tried)
    runs = []
    for number in range(mixing.seeds):
        evolution = Evolution(encoding.choices, fitness, mixing.plan, seed + number)
        curve = [_shares(evolution)]
        while evolution.generation < mixing.generations:
            evolution.advance()
            curve.append(_shares(evolution))
        answer = report(positions, evolution.best[0])
        runs.append({"score": evolution.best[1], "curve": curve, **answer})
    best = probabilities(tried[scores.argmax()])
    computed = dict(zip(STRATEGIES, map(float, best), strict=True))
    return {"tried": len(tried), "best": computed, "score": float(scores.max()), "runs": runs}


def mixtures() -> np.ndarray:
    """Weights of all mixtures in equal steps."""
    return np.array(
        [
            (first, second, STEPS - first - second)
            for first in range(STEPS + 1)
            for second in range(STEPS + 1 - first)
        ]
    )


def _shares(evolution: Evolution) -> dict[str, float]:
    """How often those that live draw each strategy, on average."""
    mean = probabilities(evolution.genomes).mean(axis=(0, 1))
    return {name: round(float(share), 5) for name, share in zip(STRATEGIES, mean, strict=True)}


def arrival(run: Mapping[str, Any]) -> int | None:
    """The generation in which the population nearly always draws nim-sum."""
    reached = (n for n, shares in enumerate(run["curve"]) if shares[OPTIMAL] >= NEARLY)
    return next(reached, None)


def arrivals(answer: Mapping[str, Any]) -> str:
    """`17 to 25`, of all seeds."""
    found = [arrival(run) for run in answer["runs"]]
    known = [number for number in found if number is not None]
    if not known:
        return "never"
    text = f"{min(known)}" if min(known) == max(known) else f"{min(known)} to {max(known)}"
    late = len(found) - len(known)
    return f"{text}; not reached by {late} of {len(found)} seeds" if late else text


def shares_text(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {percent(share)}" for name, share in shares.items())


def both_seats(seats: Mapping[str, float]) -> str:
    """As first / as second."""
    return f"{percent(seats['first'])} / {percent(seats['second'])}"


def lead(found: Mapping[str, Any]) -> str:
    answer = found["against"]["all three"]
    least = min(run["probabilities"][OPTIMAL] for run in answer["runs"])
    return (
        "Where probabilities of random, gabriele and nim-sum evolve, the best player draws nim-sum"
        f" in {percent(least)} of its moves{'' if least == 1 else ' or more'}; its population does"
        f" so in {percent(NEARLY, 0)} after {arrivals(answer)} generations."
    )


def compared(found: Mapping[str, Any]) -> list[Compared]:
    answer = found["against"]["all three"]
    worst = min(answer["runs"], key=lambda run: run["score"])
    seeds = f"{len(answer['runs'])} seeds"
    why = f"{found['generations']} generations were too few for the worst of {seeds}"
    if worst["score"] >= answer["score"] - 1e-9:
        why = "the same"
        if answer["best"][OPTIMAL] == 1:
            why += ": other moves give won positions away, and nothing makes up for that"
    return [
        Compared(
            "three strategies with a probability for each: what evolves",
            "agents with three strategies and a probability for each",
            f"{shares_text(worst['probabilities'])}: wins {percent(worst['score'])} (the worst of"
            f" {seeds} after {found['generations']} generations)",
            why,
            computed=f"{shares_text(answer['best'])}: wins {percent(answer['score'])}, the most of"
            f" all {answer['tried']} mixtures in steps of {percent(1 / STEPS, 0)}, by the chances"
            " of every game",
        ),
        Compared(
            f"generations until the population draws nim-sum in {percent(NEARLY, 0)} of its moves",
            "",
            f"{arrivals(answer)} ({seeds})",
            "in the first population every strategy is drawn about as often; tournaments prefer"
            " parents with more nim-sum, and mutation takes the rest away",
        ),
    ]


def shown(found: Mapping[str, Any]) -> list[Shown]:
    from plies.studies.report import charts

    answer = found["against"]["all three"]
    curve = [
        {"generation": number, "strategy": name, "share": share}
        for number, shares in enumerate(answer["runs"][0]["curve"])
        for name, share in shares.items()
    ]
    shares = charts.Axis("share", "probability", format=".0%")
    return [
        Shown(
            "Probabilities of strategies by generation",
            "Mean of all that live; fitness is the share of games won against all three.",
            charts.lines(curve, charts.Axis("generation", "generation"), shares, "strategy"),
        ),
        Shown(
            "What evolves against whom",
            "Fitness is the share of games won from the start in both seats; the best of all"
            " mixtures beside the worst and the slowest of the seeds.",
            _table(found),
        ),
        Shown(
            "The agents against one another",
            "Games that the agent of the row wins as first / as second from the start, exactly.",
            Table(
                ("agent", *(f"against {name}" for name in STRATEGIES)),
                [
                    (name, *(both_seats(wins[other]) for other in STRATEGIES))
                    for name, wins in found["wins"].items()
                ],
            ),
        ),
    ]


def _table(found: Mapping[str, Any]) -> Table:
    columns = ("opponents", "best mixture", "it wins", "evolved", "wins", "generations")
    rows = []
    for title, answer in found["against"].items():
        worst = min(answer["runs"], key=lambda run: run["score"])
        best, evolved = (shares_text(each) for each in (answer["best"], worst["probabilities"]))
        wins = percent(answer["score"]), percent(worst["score"])
        rows.append((title, best, wins[0], evolved, wins[1], arrivals(answer)))
    return Table(columns, rows)
