"""Round robin, gauntlet and match: all games are known from the start.

The first pairs of all meetings come first, then the second ones and so on, so that what
has been played is balanced at any moment, and more pairs only add games at the end.
"""

from functools import lru_cache
from itertools import combinations, product
from math import comb

from plies.arena.plan import Book, Planned
from plies.arena.schedule.pairs import Plan, Results, Stage


def known(plan: Plan, results: Results) -> tuple[Planned, ...]:
    """Every game of the tournament."""
    return all_games(plan)


@lru_cache(maxsize=4)
def all_games(plan: Plan) -> tuple[Planned, ...]:
    """Every game, in the order of its number."""
    pairs = [
        (book, seats, turn)
        for turn in range(plan.tournament.pairs)
        for book in plan.books
        for seats in meetings(plan, book)
    ]
    return tuple(game for key, pair in enumerate(pairs) for game in plan.pair(key, *pair))


def meetings(plan: Plan, book: Book) -> list[tuple[str, ...]]:
    """Who meet each other in a game, each group once."""
    names = plan.tournament.names
    if plan.tournament.kind == "gauntlet":
        count = plan.tournament.gauntlet.challengers
        return list(product(names[:count], names[count:]))
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
