"""Which games are played here, and under which names: no path ever leaves the server."""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

from plies.core.contract import Game
from plies.core.spec import join_spec, split_spec, suggestion
from plies.errors import BadSpec, PliesError, UnknownGame
from plies.web import limits
from plies.web.messages import LONGEST_SPEC, GameCard, GameDetail
from plies.web.models import Models, named_agents, read_served
from plies.web.view import Viewer, broken_card

FILES = ("file", "path", "folder")  # options that would open something
MOST_VARIANTS = 500  # of games with options that are remembered


class Catalogue:
    """The games of a server by the specs that are told outside.

    `originals` are the same games as they were found, by the same specs; `models` are files of
    learned players and `agents` those of users' agents, which are named outside by names, too.
    """

    def __init__(
        self, games: Iterable[Game], models: Iterable[Path] = (), agents: Iterable[Path] = ()
    ):
        self.originals: dict[str, Game] = {}
        self.games: dict[str, Game] = {}
        for public, original in _named(games):
            self.games[public.spec] = public
            self.originals[public.spec] = original
        served = read_served(models, self.originals)
        self.models = Models(served, self.original, named_agents(agents))
        self._variants: dict[str, Game] = {}
        self._viewers: dict[str, Viewer] = {}

    def find(self, spec: str) -> Game:
        """The game of a spec, its options included."""
        spec = spec.strip()
        found = self.games.get(spec) or self._variants.get(spec)
        if found is not None:
            return found
        if len(spec) > LONGEST_SPEC:
            raise UnknownGame("there is no game of so long a name here")
        name, texts = split_spec(spec)
        if name not in self.games:
            raise UnknownGame(f"there is no game {name[:50]} here{suggestion(name, self.games)}")
        for key, text in texts.items():
            if key in FILES or set(text) & set("/\\"):
                raise BadSpec("this page opens no files: choose among the games it has")
        game = self.games[name].with_options(texts)
        known = self.games.get(game.spec) or self._variants.get(game.spec)
        if known is None:
            _check_size(game)
            if len(self._variants) >= MOST_VARIANTS:
                self._variants.clear()
                self._viewers.clear()
            known = self._variants[game.spec] = game
        return known

    def original(self, game: Game) -> Game:
        """A game that was found here as it is called inside."""
        if game.spec in self.originals:
            return self.originals[game.spec]
        name, texts = split_spec(game.spec)
        return self.originals[name].with_options(texts)

    def viewer(self, game: Game) -> Viewer:
        """Who shows a game that was found here."""
        found = self._viewers.get(game.spec)
        if found is None:
            found = self._viewers[game.spec] = Viewer(game)
        return found

    def cards(self) -> list[GameCard]:
        """Every game with its board; one whose file is at fault hides no other."""
        return [self._card(spec, game) for spec, game in self.games.items()]

    def _card(self, spec: str, game: Game) -> GameCard:
        try:
            return self.viewer(game).card(spec)
        except PliesError as error:
            return broken_card(spec, game.title, error)

    def detail(self, spec: str) -> GameDetail:
        game = self.find(spec)
        return self.viewer(game).detail(game.spec, game.address)


def _check_size(game: Game) -> None:
    """A board of millions of points is no use to anybody."""
    start = game.initial()
    board = game.board(start)
    if board is not None and len(board.points) > limits.MOST_POINTS:
        raise BadSpec(f"{game.spec} has more than {limits.MOST_POINTS} points, too many here")
    if len(game.moves(start)) > limits.MOST_MOVES:
        raise BadSpec(f"{game.spec} has more than {limits.MOST_MOVES} moves, too many here")


def _named(games: Iterable[Game]) -> Iterator[tuple[Game, Game]]:
    """Each game once, under a name of its own, with the game as it was found.

    Files of the same name in several folders become `g`, `g-2`, ...
    """
    known: dict[str, Game] = {}
    for game in games:
        name, plain = _without_files(game)
        for number in itertools.count(1):
            public = plain.at(name if number == 1 else f"{name}-{number}")
            other = known.setdefault(public.spec, game)
            if other is game:
                yield public, game
            if other.State is game.State and other.options == game.options:
                break


def _without_files(game: Game) -> tuple[str, Game]:
    """A name without a path, and the game with options that name no files."""
    files = {key: value for key, value in game.options.items() if key in FILES}
    if not files:
        return game.name, game
    return join_spec(Path(str(next(iter(files.values())))).stem, {}), game.fixed()
