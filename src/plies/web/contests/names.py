"""Games and agents of tournaments by two names: what workers find them by, and what is told.

A game in a file is played under its path and told under its name: no path leaves the server.
"""

from dataclasses import replace
from pathlib import Path

from plies.agents import read_spec, spec_text
from plies.arena.config import Tournament
from plies.arena.plan import Entry
from plies.core.contract import Game
from plies.core.spec import options_of
from plies.errors import BadSpec, PliesError, UnknownGame
from plies.registry import FILE_SPEC
from plies.web.catalogue import Catalogue
from plies.web.contests import limits
from plies.web.opponents import ALLOWED, HIDDEN, checked

BUDGETS = {"nodes": limits.MOST_NODES, "simulations": limits.MOST_SIMULATIONS}


class Names:
    """The names of the games and agents of a catalogue."""

    def __init__(self, catalogue: Catalogue):
        self.catalogue = catalogue

    def inner(self, spec: str) -> str:
        """What a worker finds a game by that is called `spec` outside."""
        return _lasting(self.catalogue.original(self.catalogue.find(spec))).spec

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

    def bounded(self, spec: str, game: Game) -> str:
        """What a worker finds an agent by that may play here, in a bounded time for a move.

        One that names no limit of its own is given one of nodes.
        """
        name, texts = read_spec(spec)
        models = self.catalogue.models
        searches = {**models.searches, **ALLOWED}
        known = options_of(searches[name]) if name in searches else {}
        for key, most in BUDGETS.items():
            if key in texts and texts[key].isdecimal() and int(texts[key]) > most:
                raise BadSpec(f"{key} is at most {most:,} for a move in a tournament")
        has_limit = any(texts.get(key, "0") not in ("", "0") for key in ("seconds", "nodes"))
        if "nodes" in known and not has_limit:
            texts["nodes"] = str(limits.MOST_NODES)
        return models.inner(checked(spec_text(name, texts), game, models), game)

    def told_spec(self, spec: str) -> str:
        """An agent as it is told: without the limit that all have, or a part that names a file."""
        try:
            public = self.catalogue.models.public(spec)
            name, texts = read_spec(public or spec)
        except PliesError:
            return ""
        has_path = any(set(text) & set("/\\") for text in texts.values())
        if public is None and (name in HIDDEN or has_path or "/" in name):
            return Path(name).name
        if texts.get("nodes") == str(limits.MOST_NODES):
            del texts["nodes"]
        return spec_text(name, texts)

    def outside(self, tournament: Tournament) -> Tournament:
        """The tournament as it is told: without a path."""
        games = tuple(self.public(spec) for spec in tournament.games)
        agents = tuple(Entry(entry.name, self.told_spec(entry.spec)) for entry in tournament.agents)
        openings = replace(tournament.openings, file=Path(tournament.openings.file).name)
        return replace(tournament, games=games, agents=agents, openings=openings)


def _is_file(game: Game) -> bool:
    return FILE_SPEC.fullmatch(game.address) is not None


def _lasting(game: Game) -> Game:
    """The same game under a spec that holds in any folder."""
    return game.at(str(Path(game.address).absolute())) if _is_file(game) else game
