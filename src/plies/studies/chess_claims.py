"""The claims of part 1 on win rates, weighed against what chance alone does.

"The more the algorithm is pruned, the lower its win rate", and hard alpha-beta the best of all.
Minimax, hard and soft find the same value: with a choice among moves proven equal they are one
player, and what their win rates differ by is chance.  That is tested here, and so is the other
explanation: that soft chose among moves whose values were only bounds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plies.pages.page import Table
from plies.studies.equality import (
    counts_of,
    decided_games_needed,
    games_needed,
    half_width,
    permutation_test,
    shares,
    spread_by_chance,
    table_of,
    win_rates,
)
from plies.studies.study import Compared, Shown
from plies.studies.telling import counts, decided_share, percent

EVERY_MOVE = ("minimax", "hard", "soft")  # searches that leave no move out
NAMES = {"minimax": "minimax", "hard": "hard", "soft": "soft", "branch l=0": "branch-limited"}
MARGIN = 0.05  # a difference of win rates that would matter
GAMES = (20, 50, 100, 200, 500, 1000, 2000)
PART_2_GAMES = 100  # published for part 2; part 1 has no number
LEVEL = 0.05  # of a test


def weigh(
    played: Sequence[Mapping[str, Sequence[float]]],
    bounds: Sequence[float],
    evaluation: str,
    seed: int,
) -> dict[str, Any]:
    """The tests of an evaluation.

    `played` are the points of all agents by configuration, `bounds` those of the soft search
    that takes bounds for ties, from the first of them.
    """
    names = [f"{algorithm} {evaluation}" for algorithm in EVERY_MOVE]
    points = np.concatenate([table_of(each, names) for each in played])
    every = counts_of(points)
    with_bounds = np.column_stack([played[0][names[-1]], bounds])
    return {
        "p_win_rate": permutation_test(points, win_rates, seed),
        "p_points": permutation_test(points, shares, seed),
        "needed": games_needed(every, MARGIN),
        "by_games": [
            {
                "games": games,
                "half_width": half_width(every, games),
                **spread_by_chance(every, games, len(EVERY_MOVE), seed),
            }
            for games in GAMES
        ],
        "bounds": counts_of(with_bounds[:, 1]),
        "proven": counts_of(with_bounds[:, 0]),
        "p_bounds": permutation_test(with_bounds, shares, seed),
    }


def compared(
    sums: Mapping[str, Mapping[str, Any]], found: Mapping[str, Any], evaluations: Sequence[str]
) -> list[Compared]:
    chance = found["chance"]
    rates = "; ".join(
        f"{evaluation}: "
        + ", ".join(
            f"{name} {decided_share(sums[f'{algorithm} {evaluation}'])}"
            for algorithm, name in NAMES.items()
        )
        for evaluation in evaluations
    )
    one_player = (
        "minimax, hard and soft have the same value (Knuth and Moore 1975), and with a choice"
        " among moves proven equal they are one player"
    )
    return [
        Compared(
            "win rate by pruning",
            "the more the algorithm is pruned, the lower its win rate (no figures)",
            rates,
            f"{verdict(chance)}; branch-limited search alone leaves out moves that may be best",
            one_player,
        ),
        Compared(
            "the highest win rate",
            "hard alpha-beta, where minimax had been expected (no figures)",
            "; ".join(f"{each}: {highest(sums, each)}" for each in evaluations),
            f"{verdict(chance)}; or soft chose among bounds, see below",
            "of three equal players each is the highest with probability 1/3",
        ),
        Compared(
            "time by pruning",
            "as expected (no figures)",
            "; ".join(f"{each}: {times(found['costs'], each)}" for each in evaluations),
            "the first best move is taken, no tie is proven; branch-limited search ranks every"
            " move before it searches five, and begins those of the root from Python",
        ),
        *games_compared(chance),
        *(bounds_compared(each, chance[each], found["bounds"][each]) for each in evaluations),
    ]


def times(costs: Mapping[str, Mapping[str, float]], evaluation: str) -> str:
    """What a search takes, from the least pruned to the most."""
    return ", ".join(
        f"{name} {1000 * costs[f'{algorithm} {evaluation}']['cpu_seconds']:.2f} ms of CPU time"
        f" ({costs[f'{algorithm} {evaluation}']['states']:,.0f} states)"
        for algorithm, name in NAMES.items()
    )


def costs_table(costs: Mapping[str, Mapping[str, float]]) -> Shown:
    rows = [
        (name, f"{row['states']:,.0f}", f"{row['leaves']:,.0f}", f"{1000 * row['cpu_seconds']:.2f}")
        for name, row in costs.items()
    ]
    return Shown(
        "What a search costs",
        "Means over the same random positions; the first best move is taken, no tie is proven.",
        Table(("search", "states", "leaves", "CPU ms"), rows),
    )


def verdict(chance: Mapping[str, Any]) -> str:
    """What the tests say of the three searches of all moves."""
    told = ", ".join(
        f"{evaluation}: p = {each['p_win_rate']:.2f} for win rates,"
        f" {each['p_points']:.2f} for points"
        for evaluation, each in chance.items()
    )
    smallest = min(min(each["p_win_rate"], each["p_points"]) for each in chance.values())
    tests = 2 * len(chance)
    is_chance = smallest * tests > LEVEL  # of several tests one is small by chance (Bonferroni)
    what = "no more than chance" if is_chance else "more than chance"
    return f"minimax, hard and soft differ by {what} (permuted within openings; {told})"


def highest(sums: Mapping[str, Mapping[str, Any]], evaluation: str) -> str:
    """Of the searches of all moves."""

    def rate(algorithm: str) -> float:
        row = sums[f"{algorithm} {evaluation}"]
        return row["wins"] / max(row["wins"] + row["losses"], 1)

    best = max(map(rate, EVERY_MOVE))
    names = " and ".join(algorithm for algorithm in EVERY_MOVE if rate(algorithm) == best)
    return f"{names} ({percent(best)})"


def games_compared(chance: Mapping[str, Any]) -> list[Compared]:
    needed = "; ".join(f"{name}: {each['needed']}" for name, each in chance.items())
    worst = decided_games_needed(0.5, MARGIN)
    spreads = []
    for name, each in chance.items():
        row = next(row for row in each["by_games"] if row["games"] == PART_2_GAMES)
        spreads.append(
            f"{name}: {_points(row['median'])} in the middle, more than {_points(row['high'])}"
            " once in twenty times"
        )
    return [
        Compared(
            f"games of each that tell a difference of {_points(MARGIN)}",
            "",
            needed,
            "at the win rates and shares of draws of our games; win rates near one half need more",
            f"{worst} decided games at a win rate of 1/2, from 1.96 sqrt(2 p (1 - p) / n) <"
            f" {MARGIN}",
        ),
        Compared(
            f"highest minus lowest win rate of three equal players, {PART_2_GAMES} games each",
            "",
            "; ".join(spreads),
            f"{PART_2_GAMES} games were published for part 2, no number for part 1; simulated"
            " from the results of our games",
        ),
    ]


def _points(share: float) -> str:
    return f"{100 * share:.1f} points"


def bounds_compared(
    evaluation: str, chance: Mapping[str, Any], bounds: Mapping[str, Any]
) -> Compared:
    """The other explanation: a random choice among bounds that look like ties."""
    soft, hard = bounds["soft"], bounds["hard"]
    wrong, right = chance["bounds"], chance["proven"]
    is_weaker = _share(wrong) < _share(right) and chance["p_bounds"] < LEVEL
    told = "these games do not tell it from the proven choice"
    if is_weaker:
        told = "it is weaker: with this fault more pruning does mean fewer wins"
    return Compared(
        f"soft that takes bounds for ties, {evaluation}",
        "",
        f"{counts(wrong)}, {decided_share(wrong)} of the decided games (choice among proven ties:"
        f" {counts(right)}, {decided_share(right)}); it may choose a worse move in"
        f" {percent(soft['possible'])} of positions and does in {percent(soft['likely'])}",
        f"{told} (p = {chance['p_bounds']:.4f}); hard, which cuts beyond equality only, meets"
        f" such ties in {percent(hard['possible'])} of positions",
    )


def _share(row: Mapping[str, int]) -> float:
    return (row["wins"] + row["draws"] / 2) / max(sum(row.values()), 1)


def table(chance: Mapping[str, Any]) -> Shown:
    rows = [
        (
            *(evaluation, str(row["games"]), f"± {_points(row['half_width'])}"),
            *(_points(row["median"]), _points(row["high"])),
        )
        for evaluation, each in chance.items()
        for row in each["by_games"]
    ]
    return Shown(
        "What chance does to win rates",
        "Three players who win, draw and lose as minimax, hard and soft do together. The interval"
        " is that of the difference of two win rates, the spread that between the highest and the"
        " lowest of the three.",
        Table(("evaluation", "games of each", "95 % interval", "spread", "1 in 20 above"), rows),
    )
