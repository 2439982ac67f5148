"""Games and agents of tournaments by two names: what workers find them by, and what is told.

A game in a file is played under its path and told under its name: no path leaves the server.
"""

from dataclasses import replace
from pathlib import Path

from plies.agents import LEADING
from plies.arena.config import Tournament
from plies.arena.plan import Entry
from plies.core.contract import Game
from plies.core.errors import BadSpec, PliesError, UnknownGame
from plies.core.spec import join_spec, options_of, split_spec
from plies.registry import FILE_SPEC
from plies.web.catalogue import Catalogue
from plies.web.contests import limits
from plies.web.opponents import ALLOWED, HIDDEN, checked

BUDGETS = {"nodes": limits.MOST_NODES, "simulations": limits.MOST_SIMULATIONS}


class Names:
    """The names of the games of a catalogue."""

    def __init__(self, catalogue: Catalogue):
        self.catalogue = catalogue

    def inner(self, spec: str) -> str:
        """What a worker finds a game by that is called `spec` outside."""
        public = self.catalogue.find(spec).spec
        originals = self.catalogue.originals
        if public in originals:
            return _lasting(originals[public]).spec
        name, texts = split_spec(public)
        return _lasting(originals[name]).with_options(texts).spec

    def public(self, inner: str) -> str:
        """What a game is called outside that a run plays; one that is not served is refused."""
        for spec, original in self.catalogue.originals.items():
            if inner == _lasting(original).spec:
                return spec
        match = FILE_SPEC.fullmatch(inner)
        if match is None:
            return self.catalogue.find(inner).spec
        path = Path(match["path"]).resolve()
        for spec, original in self.catalogue.originals.items():
            if _is_file(original) and Path(original.source).resolve() == path:
                options = match["options"]
                return self.catalogue.find(f"{spec}:{options}" if options else spec).spec
        raise UnknownGame(f"{path.stem} is a game in a file that is not served here")


def _is_file(game: Game) -> bool:
    return FILE_SPEC.fullmatch(game.address) is not None


def _lasting(game: Game) -> Game:
    """The same game under a spec that holds in any folder."""
    return game.at(str(Path(game.address).absolute())) if _is_file(game) else game


def bounded(spec: str, game: Game) -> str:
    """The spec of an agent that may play here and spends a bounded time on a move.

    One that names no limit of its own is given one of nodes.
    """
    name, texts = split_spec(spec, LEADING)
    known = options_of(ALLOWED[name]) if name in ALLOWED else {}
    for key, most in BUDGETS.items():
        if key in texts and texts[key].isdecimal() and int(texts[key]) > most:
            raise BadSpec(f"{key} is at most {most:,} for a move in a tournament")
    has_limit = any(texts.get(key, "0") not in ("", "0") for key in ("seconds", "nodes"))
    if "nodes" in known and not has_limit:
        texts["nodes"] = str(limits.MOST_NODES)
    return checked(join_spec(name, texts), game)


def outside(tournament: Tournament, games: tuple[str, ...]) -> Tournament:
    """The tournament as it is told, its games under these names: without a path."""
    agents = tuple(Entry(entry.name, told_spec(entry.spec)) for entry in tournament.agents)
    openings = replace(tournament.openings, file=Path(tournament.openings.file).name)
    return replace(tournament, games=games, agents=agents, openings=openings)


def told_spec(spec: str) -> str:
    """An agent as it is told: without the limit that all have, or a part that names a file."""
    try:
        name, texts = split_spec(spec, LEADING)
    except PliesError:
        return ""
    if name in HIDDEN or any(set(text) & set("/\\") for text in texts.values()):
        return name
    if texts.get("nodes") == str(limits.MOST_NODES):
        del texts["nodes"]
    return join_spec(name, texts)
