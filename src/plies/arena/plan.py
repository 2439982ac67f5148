"""What a run of a tournament is made of: who takes part, and the games to be played.

Games come in pairs.  A pair of a game for n players is n games from one opening: everybody
takes every seat once, so that neither the opening nor the seat favours anybody.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from plies.agents.spec import short_spec

SEED_BYTES = 6  # exact in JavaScript, and in a column of SQLite


@dataclass(frozen=True)
class Entry:
    """An agent that takes part."""

    name: str
    spec: str


@dataclass(frozen=True)
class Book:
    """A game of the tournament and the positions from which it begins, by their texts."""

    game: str
    players: int
    openings: tuple[str, ...]


@dataclass(frozen=True)
class Planned:
    """A game to be played.

    `number` is its key in the run, `pair` that of the pair it belongs to; both are the
    same whenever the plan is made, whatever has been played.  `seats` are names of
    entries; `round` counts from 0, where the tournament has rounds.
    """

    number: int
    game: str
    seats: tuple[str, ...]
    opening: str
    seed: int
    round: int
    pair: int


@dataclass(frozen=True)
class Result:
    """A planned game and the points it gave to each seat, one in all."""

    planned: Planned
    points: tuple[float, ...]


def points_of(payoffs: Sequence[int]) -> tuple[float, ...]:
    """One point, shared by those who got most: a draw of two is half a point each."""
    best = max(payoffs)
    share = 1 / payoffs.count(best)
    return tuple(share if payoff == best else 0.0 for payoff in payoffs)


def named(specs: Sequence[str]) -> tuple[Entry, ...]:
    """Entries that bear their specs as names, without folders of files; equal ones are numbered."""
    seen: dict[str, int] = {}
    entries = []
    for spec in specs:
        name = short_spec(spec)
        seen[name] = seen.get(name, 0) + 1
        entries.append(Entry(name if seen[name] == 1 else f"{name} ({seen[name]})", spec))
    return tuple(entries)


def seed_of(seed: int, number: int) -> int:
    """The seed of a game, from that of the tournament."""
    digest = hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=SEED_BYTES)
    return int.from_bytes(digest.digest(), "big")
