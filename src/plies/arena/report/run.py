"""A run as reports and exports read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plies.arena.config import Tournament
from plies.arena.runner import tournament_of
from plies.arena.store import BadStore, Finished, Store


@dataclass(frozen=True)
class Run:
    """What was to be played, what the run says about itself, and the games that have ended."""

    tournament: Tournament
    about: Mapping[str, Any]
    games: list[Finished]


def read_run(path: Path) -> Run:
    """The run that a store holds; one in which no game has ended is refused."""
    with Store.open(path) as store:
        tournament, games, about = tournament_of(store), store.games(), store.about
    if not games:
        raise BadStore(f"no game of {path} has ended yet: there is nothing to tell")
    return Run(tournament, about, games)
