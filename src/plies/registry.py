"""Finding games: in the package, by entry point, and by path to a file."""

import hashlib
import importlib
import importlib.util
import pkgutil
import re
import sys
import traceback
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

import plies.evaluators
import plies.games
from plies.core.compiler import interpreted
from plies.core.contract import Game
from plies.core.errors import BadGame, PliesError, UnknownGame
from plies.core.fingerprint import neighbours
from plies.core.spec import split_spec, suggestion

ENTRY_POINTS = "plies.games"
FILE_SPEC = re.compile(r"(?P<path>.*?\.py)(?::(?P<options>.*))?", re.DOTALL)


def game(spec: str) -> Game:
    """The game that a spec names: `quixo`, `nim:rows=3-4-5`, `./my_game.py:size=4`."""
    if match := FILE_SPEC.fullmatch(spec.strip()):
        found = load_file(Path(match["path"]))
        texts = split_spec(f"{found.name}:{match['options'] or ''}")[1]
    else:
        name, texts = split_spec(spec)
        found = named_game(name)
    return found.with_options(texts) if texts else found


def game_names() -> list[str]:
    """The names that `game` knows, in alphabetical order."""
    return sorted({*_package_games(), *_entry_points()})


def named_game(name: str) -> Game:
    if name in _package_games():
        return _game_of(importlib.import_module(f"plies.games.{name}"))
    points = _entry_points()
    if name in points:
        try:
            return _game_of(importlib.import_module(points[name])).at(name)
        except PliesError:
            raise
        except Exception as error:
            raise UnknownGame(f"game {name} cannot be imported: {error}") from error
    raise UnknownGame(f"there is no game {name}{suggestion(name, game_names())}")


def load_file(path: Path) -> Game:
    """The game in a file.  The same content is loaded only once."""
    name = f"plies_file_{path.stem}_{_identity(path)}"
    if name not in sys.modules:
        _execute(path, name)
    return _game_of(sys.modules[name]).at(str(path))


def interpreted_twin(original: Game) -> Game:
    """The same game, loaded a second time as plain Python that is never compiled."""
    path = Path(original.source)
    name = f"plies_twin_{path.stem}_{_identity(path)}"
    if name not in sys.modules:
        with interpreted():
            _execute(path, name)
    twin = _game_of(sys.modules[name])
    return twin.like(original)


def _package_games() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(plies.games.__path__)]


def _entry_points() -> dict[str, str]:
    """Name -> module, of games that other installed packages offer."""
    return {point.name: point.module for point in entry_points(group=ENTRY_POINTS)}


def _identity(path: Path) -> str:
    """Of a file: of its place, because of what lies beside it, and of its content."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnknownGame(f"{path}: {error.strerror or error}") from error
    return hashlib.sha256(str(path.resolve()).encode() + b"\0" + content).hexdigest()[:12]


def _execute(path: Path, name: str) -> None:
    """Run a game file as the module `name`; a failure is told in one line."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    sys.path.append(folder)  # a game file may import its neighbours
    try:
        spec.loader.exec_module(module)
        _refuse_mixed_neighbours(module, Path(folder))
    except PliesError:
        del sys.modules[name]
        raise
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise BadGame(f"{path}{_line(error, path)}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)


def _refuse_mixed_neighbours(module: ModuleType, folder: Path) -> None:
    """Python knows one module of a name: the one beside another game must not slip in."""
    for other in neighbours(module):
        top = other.__name__.partition(".")[0]
        beside = (folder / f"{top}.py", folder / top / "__init__.py")
        found = Path(other.__file__ or "").resolve()
        if any(file.is_file() for file in beside) and folder not in found.parents:
            raise BadGame(f"{module.__file__} wants its own {top}, but {found} is loaded already")


def _line(error: BaseException, path: Path) -> str:
    if isinstance(error, SyntaxError):
        return f", line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).name == path.name]
    return f", line {lines[-1]}" if lines else ""


def _game_of(module: ModuleType) -> Game:
    found = getattr(module, "GAME", None)
    if not isinstance(found, Game):
        raise UnknownGame(f"{module.__file__} does not end with GAME = Game(...)")
    opinions = f"plies.evaluators.{found.name}"
    if module.__name__ == f"plies.games.{found.name}" and importlib.util.find_spec(opinions):
        found.add_evaluators(importlib.import_module(opinions).EVALUATORS)
    return found
