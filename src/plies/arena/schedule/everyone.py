"""Round robin, gauntlet and match: all games are known from the start.

The first pairs of all meetings come first, then the second ones and so on, so that what
has been played is balanced at any moment, and more pairs only add games at the end.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from math import comb

from plies.arena.config import Roster
from plies.arena.plan import Book, Planned
from plies.arena.schedule.pairs import Plan, Results, Stage

Meeting = tuple[str, frozenset[str], int]  # the game, who meet, and the how-manieth time


def known(plan: Plan, results: Results) -> tuple[Planned, ...]:
    """Every game of the tournament."""
    return all_games(plan)


@lru_cache(maxsize=4)
def all_games(plan: Plan) -> tuple[Planned, ...]:
    """Every game, in the order of its number.

    Whatever is added to a run, agents or pairs, gets the numbers after those that were given
    out before, so that no game of a run ever changes its number, its seed or its opening.
    """
    tournament = plan.tournament
    given: dict[Meeting, tuple[int, tuple[str, ...]]] = {}
    for roster in (*tournament.earlier, tournament.roster):
        for meeting, seats in _pairs(plan, roster):
            given.setdefault(meeting, (len(given), seats))
    books = {book.game: book for book in plan.books}
    due = sorted((*given[meeting], meeting) for meeting, _ in _pairs(plan, tournament.roster))
    return tuple(
        planned
        for key, seats, (game, _, turn) in due
        for planned in plan.pair(key, books[game], seats, turn)
    )


def _pairs(plan: Plan, roster: Roster) -> Iterator[tuple[Meeting, tuple[str, ...]]]:
    """Every pair of games: what it is, whatever the order of the agents, and its seats."""
    for turn in range(roster.pairs):
        for book in plan.books:
            for seats in meetings(plan.tournament.kind, roster, book):
                yield (book.game, frozenset(seats), turn), seats


def meetings(kind: str, roster: Roster, book: Book) -> list[tuple[str, ...]]:
    """Who meet each other in a game, each group once."""
    names = roster.names
    if kind == "gauntlet":
        return list(product(names[: roster.challengers], names[roster.challengers :]))
    return list(combinations(names, book.players))


def meeting_count(plan: Plan, book: Book) -> int:
    """How many meetings there are, without listing them."""
    count = len(plan.tournament.names)
    if plan.tournament.kind == "gauntlet":
        challengers = plan.tournament.gauntlet.challengers
        return challengers * (count - challengers)
    return comb(count, book.players)


def outline(plan: Plan) -> list[Stage]:
    """A stage for every game."""
    stages = []
    for book in plan.books:
        count = meeting_count(plan, book)
        pairs = count * plan.tournament.pairs
        stages.append(Stage(book.game, count, pairs, pairs * book.players))
    return stages
