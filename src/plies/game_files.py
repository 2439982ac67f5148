"""Files of users, with games, agents or evaluators, as modules.

A file runs once for the same content, and again when that has changed.
"""

import ast
import hashlib
import importlib.util
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from plies.compiling.compiler import interpreted
from plies.core.diagnosis import error_text, line_of
from plies.errors import BadGame, PliesError, UnknownGame
from plies.files import read_file

# The errors for a file that does not run, and for one that is not there.
Kinds = tuple[type[PliesError], type[PliesError]]
OF_GAMES: Kinds = (BadGame, UnknownGame)

_lock = threading.RLock()
# Module of a game file -> hashes of what it imports from its own folder.
_imported: dict[str, dict[Path, str]] = {}


def load(path: Path, kinds: Kinds = OF_GAMES) -> ModuleType:
    """The module of a user's file."""
    return _load(path, "plies_file", kinds)


def load_interpreted(path: Path, package: str) -> ModuleType:
    """The same once more as plain Python that is never compiled."""
    is_package = bool(package) and path.name == "__init__.py"
    with _lock, interpreted(), _forgotten(package if is_package else ""):
        return _load(path, f"{package}.plies_twin" if package else "plies_twin", OF_GAMES)


@contextmanager
def _forgotten(package: str) -> Iterator[None]:
    """Import the modules of a package anew while this lasts, and then restore them.

    Other threads must not import from the package meanwhile: they would get the new modules.
    """
    if not package:
        yield
        return
    known = _modules_of(package)
    for name in known:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in _modules_of(package):
            del sys.modules[name]
            vars(sys.modules[package]).pop(name.removeprefix(f"{package}."), None)
        sys.modules.update(known)
        for name, module in known.items():  # imports set them as attributes, too
            setattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2], module)


def _modules_of(package: str) -> dict[str, ModuleType]:
    return {
        name: module
        for name, module in sys.modules.items()
        if name.startswith(f"{package}.") and not name.startswith(f"{package}.plies_twin")
    }


def _load(path: Path, prefix: str, kinds: Kinds) -> ModuleType:
    """The module, by a name of the file's content and its folder, whose files it may import."""
    kind, absent = kinds
    try:
        content = read_file(path)
    except OSError as error:
        raise absent(f"{path}: {error.strerror or error}") from error
    place = f"{path.resolve()}:".encode()
    name = f"{prefix}_{path.stem}_{hashlib.sha256(place + content).hexdigest()[:12]}"
    with _lock:
        if name not in sys.modules or _has_changed_neighbours(name):
            _execute(path, content, name, kind)
        return sys.modules[name]


def _execute(path: Path, content: bytes, name: str, kind: type[PliesError]) -> None:
    """Run the text of a file as the module `name`; a failure is an error of one line."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    folder = path.resolve().parent
    sys.modules[name] = module
    sys.path.append(str(folder))  # a game file may import its neighbours
    try:
        exec(compile(content, str(path), "exec", dont_inherit=True), module.__dict__)
        files = files_of(path)
        _refuse_strangers(path, files)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, (PliesError, KeyboardInterrupt)):
            raise
        text, line = error_text(error), line_of(error, str(path))
        if isinstance(error, SyntaxError) and error.filename == str(path):
            text, line = error.msg, error.lineno  # `str` repeats the place
        where = f"{path}, line {line}" if line else path
        raise kind(f"{where}: {type(error).__name__}: {text}") from error
    finally:
        del sys.path[len(sys.path) - 1 - sys.path[::-1].index(str(folder))]
    _imported[name] = {file: _hash(file) for file in files - {path.resolve()}}


def _has_changed_neighbours(name: str) -> bool:
    """Whether a file that the game imports has changed; if so, make Python forget it."""
    neighbours = _imported.get(name, {})  # none while the file still runs
    if all(_hash(path) == known for path, known in neighbours.items()):
        return False
    for other, module in list(sys.modules.items()):
        if Path(getattr(module, "__file__", None) or "") in neighbours:
            del sys.modules[other]
    importlib.invalidate_caches()
    return True


def _hash(path: Path) -> str:
    return hashlib.sha256(read_file(path)).hexdigest() if path.is_file() else ""


def _refuse_strangers(path: Path, files: set[Path]) -> None:
    """Python has one module of a name: refuse one that lies beside another game."""
    folder = path.resolve().parent
    for top in {top for file in files for top in _imports(file)}:
        own = {folder / f"{top}.py", folder / top / "__init__.py"} & files
        loaded = getattr(sys.modules.get(top), "__file__", None)
        if own and loaded and Path(loaded).resolve() not in own:
            raise BadGame(f"{path} wants its own {top}, but {loaded} is loaded already")


def files_of(path: Path) -> set[Path]:
    """A game file, and all files beside it that it imports, directly or not."""
    folder = path.resolve().parent
    known, waiting = set(), [path.resolve()]
    while waiting:
        file = waiting.pop()
        known.add(file)
        for near in {folder / name for top in _imports(file) for name in (f"{top}.py", top)}:
            files = near.rglob("*.py") if near.is_dir() else [near] if near.is_file() else []
            waiting += set(files) - known
    return known


def _imports(file: Path) -> set[str]:
    """The modules and packages that a file imports; none if it is not Python."""
    try:
        tree = ast.parse(read_file(file))
    except (OSError, SyntaxError, ValueError):
        return set()
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.append(node.module or "")
    return {name.partition(".")[0] for name in names}
