"""A plan: a tournament with its openings, and how the games of a pair are numbered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plies.arena.config import Tournament
from plies.arena.plan import Book, Planned, Result, seed_of

Results = Mapping[int, Result]


@dataclass(frozen=True)
class Plan:
    """A tournament and the openings of its games."""

    tournament: Tournament
    books: tuple[Book, ...]

    def pair(
        self, key: int, book: Book, seats: tuple[str, ...], turn: int, stage: int = 0
    ) -> list[Planned]:
        """The games of the pair with that key: one opening, the seats rotated.

        `turn` counts the pairs of this game in a meeting and chooses the opening; `stage` is the
        round.
        """
        most = max(each.players for each in self.books)
        numbers = range(key * most, key * most + book.players)
        return [
            Planned(
                number=number,
                game=book.game,
                seats=seats[place:] + seats[:place],
                opening=book.openings[turn % len(book.openings)],
                seed=seed_of(self.tournament.seed, number),
                round=stage,
                pair=key,
            )
            for place, number in enumerate(numbers)
        ]


@dataclass(frozen=True)
class Stage:
    """A part of a tournament: how many meetings, pairs and games it has."""

    name: str
    meetings: int
    pairs: int
    games: int


def points(games: Iterable[Planned], results: Results) -> dict[str, float] | None:
    """What everybody got in these games; None while one of them has not ended."""
    got: dict[str, float] = {}
    for game in games:
        if game.number not in results:
            return None
        for name, share in zip(game.seats, results[game.number].points, strict=True):
            got[name] = got.get(name, 0.0) + share
    return got
