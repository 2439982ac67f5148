"""Openings: the positions from which the games of a tournament begin."""

import random
from collections.abc import Sequence
from typing import Any

from plies.arena.config import Tournament
from plies.arena.plan import Book
from plies.core.contract import Game
from plies.errors import BadSpec, PliesError
from plies.registry import game as find_game

PATIENCE = 1000  # openings in a row that may be known or over before no more are looked for


def books(tournament: Tournament) -> tuple[Book, ...]:
    """The openings of every game, drawn by the tournament's seed.

    There is one for each pair of a meeting, or as many as there are: then they are used
    in turn, and agents without chance repeat their games.
    """
    return tuple(_book(tournament, find_game(spec), spec) for spec in tournament.games)


def _book(tournament: Tournament, game: Game, spec: str) -> Book:
    count = tournament.pairs_per_meeting
    chance = random.Random(f"openings/{tournament.seed}/{game.name}")
    players = game.players(game.initial())
    chosen = tournament.openings
    if chosen.positions:
        found = listed_openings(game, chosen.positions)
        chance.shuffle(found)
    else:
        if players == 2 and chosen.plies % 2:
            raise BadSpec(
                f"openings.plies is even, not {chosen.plies}, so that the first player begins"
            )
        found = random_openings(game, count, chosen.plies, chance)
    return Book(spec, players, tuple(found[:count]))


def random_openings(game: Game, count: int, plies: int, chance: random.Random) -> list[str]:
    """At most `count` distinct positions after random plies, none the end of a game.

    There are fewer where `PATIENCE` tries in a row found nothing new.
    """
    found: dict[str, None] = {}
    misses = 0
    while len(found) < count and misses < PATIENCE:
        text = _after_random_moves(game, plies, chance)
        misses = misses + 1 if text in found or not text else 0
        if text:
            found[text] = None
    if not found:
        raise BadSpec(f"{game.spec} is over after {plies} random plies; ask for fewer")
    return list(found)


def _after_random_moves(game: Game, plies: int, chance: random.Random) -> str:
    """The position, empty when the game is over by then."""
    state: Any = game.initial()
    for _ in range(plies):
        if not (legal := game.moves(state)):
            return ""
        state = game.play(state, chance.choice(legal))
    return "" if game.is_over(state) else game.position_text(state)


def listed_openings(game: Game, positions: Sequence[str]) -> list[str]:
    """Distinct positions of a list, as the game writes them."""
    players = game.players(game.initial())
    found: dict[str, None] = {}
    for text in positions:
        try:
            state = game.parse_position(text)
        except PliesError as error:
            raise BadSpec(f"openings: {error}") from error
        if game.is_over(state):
            raise BadSpec(f"openings: the game is over at {text}")
        if game.players(state) != players:
            raise BadSpec(f"openings: {text} is for {game.players(state)} players, not {players}")
        found[game.position_text(state)] = None
    return list(found)
