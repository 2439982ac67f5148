"""Tournaments that are played out by a table of chances instead of agents."""

import random
from collections.abc import Callable, Sequence

from plies.arena.config import Tournament
from plies.arena.plan import Book, Planned, Result, named
from plies.arena.schedule import pending
from plies.arena.statistics.sprt import Sprt

Points = Callable[[Planned], tuple[float, ...]]

TWO_PLAYER_KINDS = ("round-robin", "gauntlet", "swiss", "knock-out", "match", "sprt")
OUTCOMES = ((1.0, 0.0), (0.5, 0.5), (0.0, 1.0))


def tournament_of(kind: str, agents: int, **more) -> Tournament:
    names = named([f"agent{number}" for number in range(agents)])
    if kind == "sprt":
        more.setdefault("sprt", Sprt(elo0=0, elo1=80))
    return Tournament(games=("quixo",), agents=names, kind=kind, **more)  # type: ignore[arg-type]


def books_of(*players: int, openings: int = 3) -> tuple[Book, ...]:
    """A game for each number of players."""
    return tuple(
        Book(f"game{number}", count, tuple(f"opening {place}" for place in range(openings)))
        for number, count in enumerate(players)
    )


def by_chance(seed: int, likely: Sequence[int] = (1, 1, 1)) -> Points:
    """Results of two-player games that depend on the game only; win, draw and loss as likely."""

    def points(game: Planned) -> tuple[float, ...]:
        return random.Random(f"{seed}/{game.number}").choices(OUTCOMES, likely)[0]

    return points


def by_seed(game: Planned) -> tuple[float, ...]:
    """The better seed wins every game."""
    ranks = [int(name.removeprefix("agent")) for name in game.seats]
    return tuple(float(rank == min(ranks)) for rank in ranks)


def drawn(game: Planned) -> tuple[float, ...]:
    return tuple(1 / len(game.seats) for _ in game.seats)


def play(
    tournament: Tournament,
    books: tuple[Book, ...],
    points: Points,
    results: Sequence[Result] = (),
    *,
    order: random.Random | None = None,
    most: int = 10**9,
) -> list[Result]:
    """All results when nothing is left; in random order, or stopped after `most` games."""
    played = list(results)
    while len(played) < most and (games := pending(tournament, books, played)):
        if order:
            order.shuffle(games)
            games = games[: order.randint(1, len(games))]
        played += [Result(game, points(game)) for game in games[: most - len(played)]]
    return played
