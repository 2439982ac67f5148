"""What the files of agents and games held when games were played, as a digest of each."""

import hashlib
import json
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from plies.agents import read_spec
from plies.agents.spec import SUFFIX
from plies.agents.uci_process import command_of
from plies.core.spec import split_spec
from plies.errors import PliesError
from plies.files import open_file
from plies.game_files import files_of
from plies.models.files import load_model
from plies.models.kinds import trained
from plies.registry import FILE_SPEC
from plies.registry import game as find_game

PATHS = ("path", "file")  # options of agents and games that name files, or commands with files
# Those that name a model (by its file, or one that comes with plies) or an evaluator's file.
MODELS = ("model", "eval")
RESULTS = ("match", "is_better")  # on the card of a model that was tuned
# In the folder of a program: what is no part of it, and what is written while it runs.
IGNORED = re.compile(
    r"__pycache__|\.git|\.DS_Store|\.(pytest|ruff|mypy)_cache|\.nfs.*|nohup\.out"
    r"|.*(~|\.(log|logs|tmp|swp|pyc|pid|lock)|-(wal|shm|journal))"
)
RUN_FILE = (
    b"SQLite format 3\0",
    b"CREATE TABLE run (",
)  # its beginning, and what is on its first page
CHUNK = 1 << 20
# Of more than that, sizes and times of files stand for what they hold, which would take long.
MAX_BYTES = 256 << 20
MAX_FILES = 10_000
MAX_LISTED = 20_000  # files of a folder, of which the first ones are looked at


def agent_digest(spec: str, games: Sequence[str]) -> str:
    """Of everything that makes the agent what it is: its options, and what its files hold.

    Where the files lie makes no difference.
    """
    name, options = read_spec(spec)
    digest = hashlib.sha256(_of_module(name) if name.endswith(SUFFIX) else name.encode())
    for key, text in sorted(options.items()):
        digest.update(f"\0{key}\0".encode())
        if key in PATHS:
            digest.update(_of_words(text, is_engine=name == "uci"))
        elif key in MODELS:
            digest.update(_of_model(text, games))
        else:
            digest.update(text.encode())
    return digest.hexdigest()


def game_digest(spec: str) -> str:
    """Of the files that hold the rules of a game; empty for one that comes with plies."""
    digest = hashlib.sha256()
    paths: list[Path] = []
    if match := FILE_SPEC.fullmatch(spec.strip()):
        paths = sorted(files_of(Path(match["path"])))
        options = match["options"] or ""
    else:
        options = spec.partition(":")[2]
    for key, text in split_spec(f"game:{options}")[1].items():
        paths += [Path(text)] if key in PATHS else []
    for path in paths:
        digest.update(_of_path(path))
    return digest.hexdigest() if paths else ""


def _of_module(text: str) -> bytes:
    """Of a Python file with what it imports from beside it."""
    return b"".join(_of_path(file) for file in sorted(files_of(Path(text))))


def _of_words(text: str, *, is_engine: bool) -> bytes:
    """Of a command: files and folders count by what they hold, other words as they are."""
    words = [text]
    with suppress(ValueError):  # a quotation that does not end
        words = shlex.split(text)
    if is_engine:
        with suppress(PliesError):
            words = command_of(text)
    digest = hashlib.sha256()
    for number, word in enumerate(words):
        # An interpreter such as python3 or java is not what somebody wrote.
        is_interpreter = not number and len(words) > 1 and "/" not in word and shutil.which(word)
        path = Path(word).expanduser()
        is_there = word and not is_interpreter and os.path.lexists(path)
        if is_there and path.suffix == ".py" and path.is_file():  # with what it imports from there
            content = _of_module(str(path))
        else:
            content = _of_path(path) if is_there else word.encode()
        digest.update(content + b"\0")
    return digest.digest()


def _of_model(text: str, games: Sequence[str]) -> bytes:
    if text.endswith(SUFFIX):
        return _of_module(text)
    paths = [Path(text)] if Path(text).is_file() else []
    for spec in games:
        with suppress(PliesError):
            paths += [path for name, path in trained(find_game(spec)).items() if name == text]
    if not paths:
        return text.encode()
    return b"".join(map(_of_model_file, dict.fromkeys(paths)))


def _of_model_file(path: Path) -> bytes:
    """Of what it plays by: how it fared in a match may be noted on its card afterwards."""
    try:
        model = load_model(path)
    except PliesError:
        return _of_path(path)
    card = {key: value for key, value in model.card.items() if key not in RESULTS}
    digest = hashlib.sha256(json.dumps([model.kind, model.game, card], sort_keys=True).encode())
    for name, array in sorted(model.arrays.items()):
        digest.update(f"\0{name} {array.dtype} {array.shape}\0".encode() + array.tobytes())
    return digest.digest()


def _of_path(path: Path) -> bytes:
    """Of a file, or of all files in a folder with their names."""
    if not path.is_dir():
        is_large = _size(Path(os.path.realpath(path))) > MAX_BYTES
        return _of_size(path) if is_large else _of_file(path)
    if path.resolve() == path.resolve().parent:
        return b"all files"  # no program is the whole disk
    files = list(islice(_files(path), MAX_LISTED))
    is_large = len(files) > MAX_FILES or sum(map(_size, files)) > MAX_BYTES
    digest = hashlib.sha256()
    for file in files:
        if file.is_symlink():
            content = _of_link(file, path)
        else:
            content = _of_size(file) if is_large else _of_file(file)
        digest.update(f"{file.relative_to(path)}\0".encode(errors="replace") + content)
    return digest.digest()


def _files(folder: Path) -> Iterator[Path]:
    """All files and links below a folder; what links lead to is not gone into."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not IGNORED.fullmatch(name))
        links = [name for name in folders if Path(here, name).is_symlink()]
        for name in sorted([*names, *links]):
            path = Path(here) / name
            if not IGNORED.fullmatch(name) and not _is_run(path):
                yield path


def _is_run(path: Path) -> bool:
    """Whether it is a stored run; one that is being written has its tables in a file beside it."""
    if path.suffix != ".db" or not path.is_file():
        return False
    with suppress(OSError), path.open("rb") as file:
        page = file.read(4096)
        is_open = path.with_name(f"{path.name}-wal").exists()
        return page.startswith(RUN_FILE[0]) and (is_open or RUN_FILE[1] in page)
    return False


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat(follow_symlinks=False).st_size
    return 0


def _of_size(path: Path) -> bytes:
    """Of how large a file is and when it was written."""
    with suppress(OSError):
        facts = path.stat()
        return f"{facts.st_size} {facts.st_mtime_ns}".encode()
    return b"unreadable"


def _of_link(path: Path, folder: Path) -> bytes:
    """Of where a link leads: within the folder from there, which may be moved."""
    target = os.path.realpath(path)
    root = os.path.realpath(folder)
    inside = target.startswith(root + os.sep)
    return os.fsencode(os.path.relpath(target, root) if inside else path.readlink())


def _of_file(path: Path) -> bytes:
    """Of what a file holds; one that cannot be read, or is none, counts as such."""
    digest = hashlib.sha256()
    try:
        with open_file(path) as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    except OSError:
        return b"unreadable"
    return digest.digest()
