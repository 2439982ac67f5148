"""Finding games: in the package, by entry point, and by path to a file."""

import importlib
import importlib.util
import pkgutil
import re
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

import plies.evaluators
import plies.games
from plies import game_files
from plies.core.contract import Game
from plies.core.spec import split_spec, suggestion
from plies.errors import UnknownGame

ENTRY_POINTS = "plies.games"
FILE_SPEC = re.compile(r"(?P<path>.*?\.py)(?::(?P<options>.*))?", re.DOTALL)


def game(spec: str) -> Game:
    """The game that a spec names: `quixo`, `nim:rows=3-4-5`, `./my_game.py:size=4`."""
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
        with game_files.importing(f"game {name}", UnknownGame):
            return _game_of(importlib.import_module(points[name])).at(name)
    if Path(f"{name}.py").is_file():
        raise UnknownGame(f"there is no game {name}; did you mean the file {name}.py?")
    raise UnknownGame(f"there is no game {name}{suggestion(name, game_names())}")


def interpreted_twin(original: Game) -> Game:
    """The same game, loaded a second time as plain Python that is never compiled."""
    path = Path(original.source)
    return _game_of(game_files.load_interpreted(path, original.package)).like(original)


def _package_games() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(plies.games.__path__)]


def _entry_points() -> dict[str, str]:
    """Name -> module, of games that other installed packages offer."""
    return {point.name: point.module for point in entry_points(group=ENTRY_POINTS)}


def _game_of(module: ModuleType) -> Game:
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise UnknownGame(f"{module.__file__} does not end with GAME = Game(...)")
    evaluators = f"plies.evaluators.{game.name}"
    if module.__name__ == f"plies.games.{game.name}" and importlib.util.find_spec(evaluators):
        game.add_evaluators(importlib.import_module(evaluators).EVALUATORS)
    return game
