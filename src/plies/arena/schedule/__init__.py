"""Which games of a tournament can be played now, given the results so far.

All of it is pure: the answers depend on which games have ended, never on the order in
which they did, on how many are played at once, or on how often somebody asks.  Kinds
of tournaments differ only in what they answer here.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from plies.arena.config import Tournament
from plies.arena.plan import Book, Planned, Result
from plies.arena.schedule import everyone, knock_out, sprt, swiss
from plies.arena.schedule.pairs import Plan, Results, Stage

__all__ = [
    "Stage",
    "bracket",
    "counted",
    "is_finished",
    "outline",
    "pending",
    "progress",
    "table",
    "total",
]


@dataclass(frozen=True)
class Method:
    """`known`: the games that can be played now, and those that have been."""

    known: Callable[[Plan, Results], Sequence[Planned]]
    outline: Callable[[Plan], list[Stage]]


METHODS = {
    "round-robin": Method(everyone.known, everyone.outline),
    "gauntlet": Method(everyone.known, everyone.outline),
    "match": Method(everyone.known, everyone.outline),
    "sprt": Method(sprt.known, everyone.outline),
    "swiss": Method(swiss.known, swiss.outline),
    "knock-out": Method(knock_out.known, knock_out.outline),
}


def pending(
    tournament: Tournament, books: Sequence[Book], results: Iterable[Result]
) -> list[Planned]:
    """The games that can be played now, the next one first; some may be running already."""
    plan, ended = Plan(tournament, tuple(books)), _by_number(results)
    known = METHODS[tournament.kind].known(plan, ended)
    return [game for game in known if game.number not in ended]


def is_finished(tournament: Tournament, books: Sequence[Book], results: Iterable[Result]) -> bool:
    """Whether nothing is left to play."""
    return not pending(tournament, books, results)


def counted(
    tournament: Tournament, books: Sequence[Book], results: Iterable[Result]
) -> list[Result]:
    """The results that count, in the order of their numbers.

    These are all, except that a sequential test takes pairs in order and stops at its verdict.
    """
    ended = _by_number(results)
    if tournament.kind == "sprt":
        last = 2 * progress(tournament, books, ended.values()).counts.samples
        return [result for number, result in ended.items() if number < last]
    return list(ended.values())


def outline(tournament: Tournament, books: Sequence[Book]) -> list[Stage]:
    """What is going to be played, in a few lines; at most that, where results decide."""
    return METHODS[tournament.kind].outline(Plan(tournament, tuple(books)))


def total(tournament: Tournament, books: Sequence[Book]) -> int:
    """The number of games, or the most there can be where results decide about that."""
    games = sum(stage.games for stage in outline(tournament, books))
    return games // tournament.pairs * tournament.pairs_per_meeting


def progress(
    tournament: Tournament, books: Sequence[Book], results: Iterable[Result]
) -> sprt.Progress:
    """Of kind sprt: the pairs that count and the verdict."""
    return sprt.progress(Plan(tournament, tuple(books)), _by_number(results))


def table(
    tournament: Tournament, books: Sequence[Book], results: Iterable[Result]
) -> list[swiss.Standing]:
    """Of a Swiss tournament: the standings with tie-breaks, the best first."""
    return swiss.standings(Plan(tournament, tuple(books)), _by_number(results))


def bracket(
    tournament: Tournament, books: Sequence[Book], results: Iterable[Result]
) -> list[knock_out.Meeting]:
    """Of a knock-out: every meeting with its winner, if it has one; the final is last."""
    return knock_out.bracket(Plan(tournament, tuple(books)), _by_number(results))


def _by_number(results: Iterable[Result]) -> dict[int, Result]:
    found = {result.planned.number: result for result in results}
    return {number: found[number] for number in sorted(found)}
