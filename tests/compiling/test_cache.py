"""Compiled code on disk, seen from outside: every case in processes of its own.

They run a copy of the package, so that nobody edits it while a test counts.
"""

import collections
import hashlib
import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import pytest

import plies
from game_samples import TAKE, replaced
from plies.compiling.cache import DiskCache
from plies.compiling.cache_files import END

# Lines of two moves: 1+1, 1+2, 2+1, 2+2; with one more to take also 1+3, 2+3, 3+1, 3+2.
LINES_OF_TWO = {2: 4, 3: 8}

# Prints, for every game asked for, its lines of two moves, and what the disk cache did.
PROBE = """
import json, sys
import plies
from plies.search.perft import perft

counts = []
for spec in sys.argv[1:]:
    game = plies.game(spec)
    counts.append(plies.perft(game, game.initial(), 2))
hits, misses = (sum(part.values()) for part in (perft.stats.cache_hits, perft.stats.cache_misses))
print(json.dumps({"counts": counts, "hits": hits, "misses": misses}))
"""

# Prints what three recursive kernels answer, and how many signatures each was compiled under.
KERNELS = """
import json, sys
import plies
from plies.search.alphabeta import alphabeta
from plies.search.minimax import minimax
from plies.search.perft import perft

game = plies.game(sys.argv[1])
state = game.initial()
result = [plies.search(game, state, spec) for spec in ("minimax:depth=5", "alphabeta:depth=5")]
print(json.dumps({
    "answers": [plies.perft(game, state, 5), *([f.value, f.nodes, f.line] for f in result)],
    "signatures": [len(kernel.signatures) for kernel in (perft, minimax, alphabeta)],
    "hits": [sum(kernel.stats.cache_hits.values()) for kernel in (perft, minimax, alphabeta)],
}))
"""


@dataclass(frozen=True)
class Run:
    """What a process printed: JSON as a dictionary, and the lines of complaint."""

    output: dict
    errors: list[str]


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that the processes import the package from."""
    folder = tmp_path_factory.mktemp("site")
    copy_package(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.delenv("PLIES_QUIET", raising=False)
        yield folder


def copy_package(folder: Path) -> Path:
    source = Path(plies.__file__).parent
    return Path(shutil.copytree(source, folder / "plies"))  # with its bytecode


def start(script: str, *arguments: object, cache: object, **variables: object) -> subprocess.Popen:
    environment = {**os.environ, "PLIES_CACHE_DIR": str(cache)}
    environment |= {key: str(value) for key, value in variables.items()}
    command = [sys.executable, "-W", "error", "-c", script, *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)


def finish(process: subprocess.Popen) -> Run:
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    return Run(json.loads(output), errors.splitlines())


def run(script: str, *arguments: object, cache: object, **variables: object) -> Run:
    return finish(start(script, *arguments, cache=cache, **variables))


def did(counts: list[int], hits: int, misses: int) -> dict:
    return {"counts": counts, "hits": hits, "misses": misses}


def take(most: int | str) -> str:
    """A game file: up to so many from a heap of five."""
    return replaced(
        TAKE, ("heap: int = 7", "heap: int = 5"), ("state.heap, 2", f"state.heap, {most}")
    )


def write(path: Path, most: int) -> Path:
    path.write_text(take(most))
    return path


@pytest.fixture(scope="module")
def warm(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two games, one.py and two.py, and the cache that one process left."""
    folder = tmp_path_factory.mktemp("warm")
    games = write(folder / "one.py", most=2), write(folder / "two.py", most=3)
    cold = run(PROBE, *games, cache=folder / "cache")
    assert cold.output == did([LINES_OF_TWO[2], LINES_OF_TWO[3]], hits=0, misses=2)
    notice = "plies: compiling {} for this machine (some seconds, once for each use)"
    assert cold.errors == [notice.format("one"), notice.format("two")]
    return folder


@pytest.fixture
def copy(warm: Path, tmp_path: Path) -> Path:
    """A cache of one's own with what one.py and two.py need."""
    shutil.copytree(warm / "cache", tmp_path / "cache")
    return tmp_path / "cache"


def test_a_game_is_compiled_once_and_the_user_is_told_once(warm: Path, copy: Path):
    again = run(PROBE, warm / "one.py", warm / "two.py", cache=copy)
    assert again.output == did([LINES_OF_TWO[2], LINES_OF_TWO[3]], hits=2, misses=0)
    assert again.errors == []


def test_an_edited_rule_is_compiled_anew_and_a_reverted_one_is_found_again(tmp_path: Path):
    """Two games in one process, alike but for one rule, then one of them edited and removed."""
    one, two = write(tmp_path / "one.py", most=2), write(tmp_path / "two.py", most=2)
    cache = tmp_path / "cache"
    assert run(PROBE, one, two, cache=cache).output == did([4, 4], hits=0, misses=2)
    write(one, most=3)
    assert run(PROBE, one, two, cache=cache).output == did([8, 4], hits=1, misses=1)
    write(one, most=2)
    assert run(PROBE, one, two, cache=cache).output == did([4, 4], hits=2, misses=0)
    one.unlink()
    assert run(PROBE, two, cache=cache).output == did([4], hits=1, misses=0)


# A rule that rests on a neighbour and on a file, which is read after compiled code has run.
BORROWED = """
from pathlib import Path

from neighbour import most_of


@compiled
def least():
    return 1


FIRST = most_of(least())
EXTRA = Path(__file__).with_name("extra.bin").read_bytes()


class State"""


def test_what_a_game_file_imports_and_reads_is_part_of_it(tmp_path: Path):
    changed = take("FIRST + EXTRA[0]").replace("\n\nclass State", BORROWED)
    (tmp_path / "game.py").write_text(changed)
    neighbour, data = tmp_path / "neighbour.py", tmp_path / "extra.bin"

    def lines_of_two(most: int, extra: int) -> dict:
        rule = f"@compiled\ndef most_of(least):\n    return max(least, {most})\n"
        neighbour.write_text(f"from plies.core import compiled\n\n\n{rule}")
        data.write_bytes(bytes([extra]))
        return run(PROBE, tmp_path / "game.py", cache=tmp_path / "cache").output

    assert lines_of_two(most=1, extra=1) == did([LINES_OF_TWO[2]], hits=0, misses=1)
    assert lines_of_two(most=1, extra=2) == did([LINES_OF_TWO[3]], hits=0, misses=1)
    assert lines_of_two(most=2, extra=1) == did([LINES_OF_TWO[3]], hits=0, misses=1)
    assert lines_of_two(most=1, extra=1) == did([LINES_OF_TWO[2]], hits=1, misses=0)


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:1000])


def keep_something_else(file: Path) -> None:
    """Undamaged and for the right function, but nothing that the compiler could have written."""
    identity = file.read_bytes()[32:].partition(END)[0]
    content = identity + END + pickle.dumps(("nothing", "of", "use"))
    file.write_bytes(hashlib.sha256(content).digest() + content)


def make_unreadable(file: Path) -> None:
    """For any user, root included."""
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("damage", [keep_something_else, make_unreadable])
def test_a_damaged_file_costs_one_line_of_warning(
    warm: Path, copy: Path, damage: Callable[[Path], None]
):
    for file in copy.rglob("*.bin"):
        if file.name.startswith(("perft-", "play-")):
            damage(file)
    after = run(PROBE, warm / "one.py", cache=copy, PLIES_QUIET=1)
    assert after.output == did([LINES_OF_TWO[2]], hits=0, misses=1)
    assert [line.partition(": ")[2].partition(": ")[0] for line in after.errors] == ["warning"]
    assert not list(copy.rglob("*.part"))


def test_a_damaged_file_is_replaced(warm: Path, copy: Path):
    for file in copy.rglob("*.bin"):
        truncate(file)
    run(PROBE, warm / "one.py", cache=copy)
    after = run(PROBE, warm / "one.py", cache=copy)
    assert (after.output["hits"], after.errors) == (1, [])


def test_a_folder_that_cannot_be_written_costs_one_line_of_warning(warm: Path, tmp_path: Path):
    folder = warm / "one.py" / "cache"
    result = run(PROBE, warm / "one.py", cache=folder, PLIES_QUIET=1, TMPDIR=tmp_path)
    assert result.output == did([LINES_OF_TWO[2]], hits=0, misses=1)
    assert len(result.errors) == 1
    assert result.errors[0].startswith(f"plies: warning: compiled code cannot be kept in {folder}")


def test_processes_that_start_cold_together_do_not_disturb_each_other(warm: Path, tmp_path: Path):
    def begin() -> subprocess.Popen:
        return start(PROBE, warm / "one.py", cache=tmp_path, PLIES_QUIET=1)

    together = [finish(process) for process in [begin() for _ in range(2)]]
    assert [process.output["counts"] for process in together] == [[LINES_OF_TWO[2]]] * 2
    assert [process.errors for process in together] == [[]] * 2
    assert not list(tmp_path.rglob("*.part"))
    assert finish(begin()).output == did([LINES_OF_TWO[2]], hits=1, misses=0)


def test_recursive_kernels_have_one_signature_and_answer_the_same_from_the_cache(tmp_path: Path):
    """A second signature would crash the process that reads it from the disk."""
    game = write(tmp_path / "game.py", most=3)
    cold = run(KERNELS, game, cache=tmp_path / "cache", PLIES_QUIET=1).output
    warm = run(KERNELS, game, cache=tmp_path / "cache", PLIES_QUIET=1).output
    assert cold["signatures"] == warm["signatures"] == [1, 1, 1]
    assert (cold["hits"], warm["hits"]) == ([0, 0, 0], [1, 1, 1])
    assert cold["answers"] == warm["answers"]


# A kernel that calls itself with a constant where it was given a variable, in a file; two that
# call each other.
RECURSIVE = """
import json, pathlib, sys
pathlib.Path(sys.argv[1], "recursive.py").write_text(sys.argv[2])
sys.path.insert(0, sys.argv[1])
from recursive import least
print(json.dumps([least(7, 1), sum(least.stats.cache_hits.values())]))
"""
WITH_CONSTANT = """
from plies.core import compiled

@compiled
def least(depth, is_first):
    return depth if depth <= 0 else least(depth - 2, {argument})
"""
EACH_OTHER = """
from plies.core import compiled

@compiled
def least(depth, turns):
    return depth if depth <= 0 else other(depth - 1, turns + 1)

@compiled
def other(depth, turns):
    return depth if turns > 20 else least(depth - 1, turns + 1)
"""


@pytest.mark.parametrize(
    "text",
    [
        WITH_CONSTANT.format(argument="True"),
        WITH_CONSTANT.format(argument="is_first / 1"),
        EACH_OTHER,
    ],
)
def test_recursive_kernels_of_every_kind_work_in_the_next_process(tmp_path: Path, text: str):
    """Numba lets them call each other through pointers that only one process has."""
    first, second = (run(RECURSIVE, tmp_path, text, cache=tmp_path / "cache") for _ in range(2))
    assert (first.output, first.errors) == ([-1, 0], [])
    assert (second.output, second.errors) == ([-1, 1], [])


CALLED = """
import json, pathlib, sys
pathlib.Path(sys.argv[1], "recursive.py").write_text(sys.argv[2])
sys.path.insert(0, sys.argv[1])
import recursive
print(json.dumps([getattr(recursive, name)(7, 1) for name in sys.argv[3:]]))
"""


def test_functions_that_call_each_other_may_come_from_several_processes(tmp_path: Path):
    """Each process finds some of the parts on disk, and compiles the others."""

    def answers(*names: str) -> Any:
        return run(CALLED, tmp_path, EACH_OTHER, *names, cache=tmp_path / "cache").output

    assert answers("other") == [0]
    stored = sorted(tmp_path.rglob("*.bc"))
    assert [file.name.partition("-")[0] for file in stored] == ["least", "other"]
    stored[0].unlink()
    assert answers("least", "other") == [-1, 0]
    for file in tmp_path.rglob("*.bin"):
        file.unlink()
    assert answers("least", "other") == [-1, 0]


# Two closures of one definition, each behind a kernel; and the answers of some of the kernels.
CLOSURES = """
from plies.core import compiled

def lines_up_to(least):
    @compiled
    def lines(n):
        return least if n < 2 else lines(n - 1) + lines(n - 2)
    return lines

ones, tens = lines_up_to(1), lines_up_to(10)

@compiled
def with_ones(n):
    return ones(n)

@compiled
def with_tens(n):
    return tens(n)
"""
ANSWERS = """
import json, os, pathlib, sys
pathlib.Path(sys.argv[1], "closures.py").write_text(sys.argv[2])
sys.path.insert(0, sys.argv[1])
import closures
def answers(names):
    return [getattr(closures, name)(10) for name in names.split()]
for name in sys.argv[4:]:  # each in a copy of this process
    if os.fork() == 0:
        answers(name)
        os._exit(0)
    os.wait()
print(json.dumps(answers(sys.argv[3])))
"""


@pytest.mark.parametrize("are_forked", [False, True])
def test_code_that_two_processes_compiled_is_told_apart_in_a_third(
    tmp_path: Path, are_forked: bool
):
    """Both used to have the same name there, and whichever came first answered for both."""

    def answers(*names: str) -> Any:
        return run(ANSWERS, tmp_path, CLOSURES, *names, cache=tmp_path / "cache").output

    if are_forked:
        assert answers("", "with_ones", "with_tens") == []
    else:
        assert [answers("with_ones"), answers("with_tens")] == [[89], [890]]
    assert answers("with_ones with_tens") == [89, 890]
    assert answers("with_tens with_ones") == [890, 89]


def test_fields_of_an_argument_in_another_order_are_other_code():
    first = collections.namedtuple("Options", "depth width")
    other = collections.namedtuple("Options", "width depth")
    cache = DiskCache(shutil.which)  # any function
    names = [cache.address((numba.typeof(kind(1, 2)),)) for kind in (first, other, first)]
    assert names[0] == names[2] != names[1]


def test_an_edit_of_the_package_is_never_answered_by_old_code(tmp_path: Path):
    package = copy_package(tmp_path / "site")
    rules = package / "games" / "tictactoe.py"
    text = rules.read_text()
    rule = "@compiled\ndef legal_moves(state):\n    return numpy.arange(2)"
    edit = f"import numpy\n\n\n{rule}\n\n\nGAME = "

    def moves() -> dict:
        cache = tmp_path / "cache"
        return run(PROBE, "tictactoe", cache=cache, PYTHONPATH=tmp_path / "site").output

    assert moves() == did([9 * 8], hits=0, misses=1)
    rules.write_text(text.replace("GAME = ", edit))
    assert moves() == did([2 * 2], hits=0, misses=1)
    rules.write_text(text)
    (package / "cli" / "main.py").write_text("# without compiled code, so no part of it\n")
    assert moves() == did([9 * 8], hits=1, misses=0)


# Loads a game, then its file is edited, and only then is it compiled.
EDITED_MEANWHILE = """
import json, pathlib, sys
sys.path.insert(0, sys.argv[1])
import meanwhile, plies
pathlib.Path(meanwhile.__file__).write_text(sys.argv[2])
print(json.dumps(plies.perft(meanwhile.GAME, meanwhile.GAME.initial(), 2)))
"""


def test_a_file_edited_after_it_was_loaded_leaves_no_old_code_behind(tmp_path: Path):
    old, new = take(2), take(3)
    (tmp_path / "meanwhile.py").write_text(old)
    cache = tmp_path / "cache"
    assert run(EDITED_MEANWHILE, tmp_path, new, cache=cache).output == LINES_OF_TWO[2]
    assert run(EDITED_MEANWHILE, tmp_path, new, cache=cache).output == LINES_OF_TWO[3]


# Defines a game as a console or a notebook does, without a file, and then defines it anew.
CONSOLE = """
import json, sys
import plies
counts = []
for text in sys.argv[1:]:
    exec(text)
    counts.append(plies.perft(GAME, GAME.initial(), 2))
print(json.dumps(counts))
"""


def test_a_game_typed_into_a_console_and_typed_anew_runs_its_own_rules(tmp_path: Path):
    texts = [take(most) for most in (2, 3, 2)]
    for _ in ("cold", "warm"):
        output = run(CONSOLE, *texts, cache=tmp_path, PLIES_QUIET=1).output
        assert output == [LINES_OF_TWO[most] for most in (2, 3, 2)]


def give_to_another_user(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, 65_533, 65_533)


@pytest.mark.skipif(not hasattr(os, "chown") or os.geteuid() != 0, reason="needs two users")
@pytest.mark.parametrize("variable", ["PLIES_CACHE_DIR", "XDG_CACHE_HOME"])
def test_compiled_code_of_another_user_is_never_run(
    warm: Path, copy: Path, tmp_path: Path, variable: str
):
    """It is one's own that is found instead, among the temporary files."""
    (tmp_path / "theirs").mkdir()
    shutil.copytree(copy, tmp_path / "theirs" / "plies")
    give_to_another_user(tmp_path / "theirs")
    (tmp_path / "temporary").mkdir()
    copy.rename(tmp_path / "temporary" / "plies-0")
    theirs = tmp_path / "theirs"
    cache = theirs / "plies" if variable == "PLIES_CACHE_DIR" else ""
    places = {"XDG_CACHE_HOME": theirs, "TMPDIR": tmp_path / "temporary"}
    result = run(PROBE, warm / "one.py", cache=cache, **places)
    assert result.output == did([LINES_OF_TWO[2]], hits=1, misses=0)
    assert len(result.errors) == 1
    assert result.errors[0].startswith("plies: warning: compiled code cannot be kept in")
    assert "belongs to another user" in result.errors[0]


def test_a_shared_folder_is_looked_in_first_and_never_written_to(
    warm: Path, copy: Path, tmp_path: Path
):
    before = {path: path.stat().st_mtime_ns for path in (copy, *copy.rglob("*"))}
    own = tmp_path / "own"
    result = run(PROBE, warm / "one.py", cache=own, PLIES_SHARED_CACHE_DIR=copy)
    assert (result.output, result.errors) == (did([LINES_OF_TWO[2]], hits=1, misses=0), [])
    assert list(own.rglob("*.bin")) == []
    assert {path: path.stat().st_mtime_ns for path in (copy, *copy.rglob("*"))} == before


def test_without_a_home_folder_everything_works_with_one_line_of_warning(
    warm: Path, copy: Path, tmp_path: Path
):
    script = (
        f"import pathlib\ndef none():\n    raise RuntimeError\npathlib.Path.home = none\n{PROBE}"
    )
    copy.rename(tmp_path / f"plies-{os.geteuid()}")
    places = {"cache": "", "XDG_CACHE_HOME": "", "TMPDIR": tmp_path}
    result = run(script, warm / "one.py", **places, PLIES_QUIET=1)
    assert result.output["counts"] == [LINES_OF_TWO[2]]
    assert len(result.errors) == 1
    assert "set PLIES_CACHE_DIR" in result.errors[0]


def test_code_checked_for_bounds_is_kept_apart(warm: Path, copy: Path):
    result = run(PROBE, warm / "one.py", cache=copy, NUMBA_BOUNDSCHECK=1, PLIES_QUIET=1)
    assert result.output == did([LINES_OF_TWO[2]], hits=0, misses=1)
