"""Finding games: in the package, by entry point, and by path to a file."""

import importlib
import importlib.util
import pkgutil
import re
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

import plies.evaluators
import plies.games
from plies import game_files
from plies.core.contract import Game
from plies.core.spec import split_spec, suggestion
from plies.errors import UnknownGame, reporting

ENTRY_POINTS = "plies.games"
FILE_SPEC = re.compile(r"(?P<path>.*?\.py)(?::(?P<options>.*))?", re.DOTALL)


def game(spec: str | Game) -> Game:
    """The game of a spec: `quixo`, `nim:rows=3-4-5`, `./my_game.py:size=4`; or a `Game` itself."""
    if isinstance(spec, Game):
        return spec
    if match := FILE_SPEC.fullmatch(spec.strip()):
        path = Path(match["path"])
        plain = _game_of(game_files.load(path)).at(str(path))
        texts = split_spec(f"{plain.name}:{match['options'] or ''}")[1]
    else:
        name, texts = split_spec(spec)
        plain = named_game(name)
    return plain.with_options(texts) if texts else plain


def game_names() -> list[str]:
    """The names that `game` knows, in alphabetical order."""
    return sorted({*_package_games(), *_entry_points()})


def named_game(name: str) -> Game:
    if name in _package_games():
        return _game_of(importlib.import_module(f"plies.games.{name}"))
    points = _entry_points()
    if name in points:
        with reporting(UnknownGame, f"game {name} cannot be imported"):
            thing = points[name].load()
            offered = thing if isinstance(thing, Game) else _game_of(thing)
            return offered.at(name, name)
    if Path(f"{name}.py").is_file():
        raise UnknownGame(f"there is no game {name}; did you mean the file {name}.py?")
    raise UnknownGame(f"there is no game {name}{suggestion(name, game_names())}")


def interpreted_twin(original: Game) -> Game:
    """The same game, loaded a second time as plain Python without the compiler."""
    module = game_files.load_interpreted(Path(original.source), original.package)
    twin = _game_of(module).at(original.address)
    twin.options = dict(original.options)
    return twin


def hidden_games() -> list[EntryPoint]:
    """What other packages offer under the name of a game of this one, and nobody can play."""
    return [point for name, point in _entry_points().items() if name in _package_games()]


def _package_games() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(plies.games.__path__)]


def _entry_points() -> dict[str, EntryPoint]:
    """Games that other installed packages offer, by name."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _game_of(module: ModuleType) -> Game:
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        where = getattr(module, "__file__", None) or repr(module)
        raise UnknownGame(f"{where} does not end with GAME = Game(...)")
    evaluators = f"plies.evaluators.{game.name}"
    if module.__name__ == f"plies.games.{game.name}" and importlib.util.find_spec(evaluators):
        game.add_evaluators(importlib.import_module(evaluators).EVALUATORS)
    return game
