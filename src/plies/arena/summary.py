"""The figures that a run comes to: standings with ratings, a match with its statistics, doubts."""

from collections.abc import Sequence
from dataclasses import dataclass

from plies.arena.plan import Result
from plies.arena.schedule import counted, is_finished
from plies.arena.schedule.pairs import Plan
from plies.arena.statistics import (
    Counts,
    Estimate,
    Sprt,
    elo_estimate,
    elo_of_score,
    likelihood_of_superiority,
    normalised_elo_estimate,
    rate,
)
from plies.arena.store import Finished
from plies.arena.tally import (
    Score,
    Standing,
    distinct_games,
    pair_classes,
    pairs_between,
    repeated_by,
    repeats,
    results_of,
    standings,
    terminations,
)


@dataclass(frozen=True)
class Row:
    """An agent's standing and its rating among all; None where no games of two were played."""

    standing: Standing
    elo: Estimate | None


@dataclass(frozen=True)
class MatchSummary:
    """What a match of two says about the first of them; only complete pairs count for Elo."""

    first: str
    second: str
    score: Score
    counts: tuple[int, ...]  # pairs with 0, 1/2, 1, 3/2 and 2 points
    elo: float | None
    interval: Estimate | None
    normalised: Estimate | None
    los: float | None
    test: Sprt | None
    llr: float | None
    verdict: str


@dataclass(frozen=True)
class Summary:
    """All of it; `match` where there are just two agents, `first_advantage` in Elo."""

    games: int
    distinct_games: int
    is_finished: bool
    terminations: dict[str, int]
    rows: list[Row]
    first_advantage: Estimate | None
    match: MatchSummary | None
    warnings: list[str]


def summary(plan: Plan, games: Sequence[Finished]) -> Summary:
    """What the games that count say."""
    counting = games_that_count(plan, games)
    names = plan.tournament.names
    found = standings(names, counting)
    rated = rate(games_of_two(results_of(counting)))
    elo = {each.agent: each.elo for each in rated.agents}
    rows = [Row(each, elo.get(each.name)) for each in found]
    rows.sort(key=lambda row: -_value(row.elo))
    return Summary(
        games=len(counting),
        distinct_games=distinct_games(counting),
        is_finished=is_finished(plan.tournament, plan.books, results_of(games)),
        terminations=terminations(counting),
        rows=rows,
        first_advantage=rated.advantage,
        match=_match(plan, counting) if len(names) == 2 else None,
        warnings=_warnings(counting, len(games), rated.groups),
    )


def games_that_count(plan: Plan, games: Sequence[Finished]) -> list[Finished]:
    """All, but for those after the verdict of a sequential test."""
    results = counted(plan.tournament, plan.books, results_of(games))
    numbers = {result.planned.number for result in results}
    return [game for game in games if game.planned.number in numbers]


def games_of_two(results: Sequence[Result]) -> list[tuple[str, str, float]]:
    """First player, second player and what the first one got, where just two played."""
    return [
        (each.planned.seats[0], each.planned.seats[1], each.points[0])
        for each in results
        if len(each.points) == 2
    ]


def _value(estimate: Estimate | None) -> float:
    return 0.0 if estimate is None or estimate.value is None else estimate.value


def _match(plan: Plan, games: Sequence[Finished]) -> MatchSummary:
    first, second = plan.tournament.names
    own = next(each for each in standings((first,), games))
    classes = pair_classes(pairs_between(first, second, results_of(games)))
    counts = Counts(classes)
    test = plan.tournament.sprt
    return MatchSummary(
        first=first,
        second=second,
        score=own.score,
        counts=classes,
        elo=elo_of_score(counts.mean) if counts.samples else None,
        interval=elo_estimate(counts),
        normalised=normalised_elo_estimate(counts),
        los=likelihood_of_superiority(counts),
        test=test,
        llr=test.llr(counts) if test and counts.samples else None,
        verdict=test.verdict(counts) if test and counts.samples else "",
    )


def _warnings(games: Sequence[Finished], played: int, groups: Sequence[Sequence[str]]) -> list[str]:
    """What a reader of the figures should know."""
    found = []
    if repeated := repeated_by(games):
        who = " - ".join(repeated[0])
        found.append(
            f"games that repeat another one move for move and say nothing new: {repeats(games)},"
            f" such as of {who}; more random plies in the openings would make them differ"
        )
    if played > len(games):
        found.append(
            f"games that do not count: {played - len(games)}; a test takes complete pairs in their"
            " order, up to its verdict"
        )
    if len(groups) > 1:
        found.append(f"{len(groups)} groups of agents never met: ratings compare only within one")
    return found
