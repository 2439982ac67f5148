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
    is_enough,
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

# Half an interval from which on nothing is said of the first move: it would reach from a
# clear drawback, 24 % of the points, to a clear advantage, 76 %.
WIDEST = 200


@dataclass(frozen=True)
class Row:
    """An agent's standing and its rating among all; None where no games of two were played.

    Of just two agents the ratings are the halves of the Elo between them, so that a table of
    ratings never says something else than the match.
    """

    standing: Standing
    elo: Estimate | None


@dataclass(frozen=True)
class MatchSummary:
    """What a match of two says about the first of them; only complete pairs count for Elo.

    There is neither Elo nor likelihood of superiority where the pairs are too few to tell.
    """

    first: str
    second: str
    score: Score
    counts: tuple[int, ...]  # pairs with 0, 1/2, 1, 3/2 and 2 points
    interval: Estimate | None  # of Elo
    normalised: Estimate | None
    los: float | None
    test: Sprt | None
    llr: float | None
    verdict: str


@dataclass(frozen=True)
class Summary:
    """All of it; `match` where there are just two agents.

    `first_advantage` is in Elo, and None where the games do not tell what moving first is worth.
    """

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
    match = _match(plan, counting) if len(names) == 2 else None
    elo = {each.agent: each.elo for each in rated.agents} if match is None else _halves(match)
    rows = [Row(each, elo.get(each.name)) for each in found]
    rows.sort(key=lambda row: -_value(row.elo))
    return Summary(
        games=len(counting),
        distinct_games=distinct_games(counting),
        is_finished=is_finished(plan.tournament, plan.books, results_of(games)),
        terminations=terminations(counting),
        rows=rows,
        first_advantage=_if_known(rated.advantage),
        match=match,
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


def _if_known(advantage: Estimate | None) -> Estimate | None:
    """What moving first is worth, unless it might as well be the opposite."""
    if advantage is None or advantage.value is None or advantage.error is None:
        return None
    is_clear = abs(advantage.value) > advantage.error
    return advantage if is_clear or advantage.error <= WIDEST else None


def _halves(match: "MatchSummary") -> dict[str, Estimate]:
    """The ratings of two agents around their mean."""
    between = match.interval
    if between is None:
        return {}
    ends = (between.value, between.low, between.high)
    value, low, high = (None if end is None else end / 2 for end in ends)
    mirrored = (None if end is None else -end for end in (value, high, low))
    return {match.first: Estimate(value, low, high), match.second: Estimate(*mirrored)}


def _match(plan: Plan, games: Sequence[Finished]) -> MatchSummary:
    first, second = plan.tournament.names
    own = next(each for each in standings((first,), games))
    classes = pair_classes(pairs_between(first, second, results_of(games)))
    counts = Counts(classes)
    has_figures = is_enough(counts)
    test = plan.tournament.sprt
    return MatchSummary(
        first=first,
        second=second,
        score=own.score,
        counts=classes,
        interval=elo_estimate(counts) if has_figures else None,
        normalised=normalised_elo_estimate(counts) if has_figures else None,
        los=likelihood_of_superiority(counts) if has_figures else None,
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
            f"games that repeat another one exactly and add no information: {repeats(games)},"
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
