"""What is being compiled and how far along it is, and what is remembered of it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plies.compiling import progress
from plies.compiling.progress import DEFAULTS, MEMORY, Activity, Watch, expect


def kernel(module: str) -> Any:
    """A function of a module."""

    def function() -> None: ...

    function.__module__ = module
    return function


ENGINE, RULE = kernel("plies.search.engine.pvs"), kernel("plies.games.nim")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a cache of one's own."""
    monkeypatch.setattr(progress, "_folder", lambda: tmp_path)
    monkeypatch.setattr(progress, "_expected", {})
    return tmp_path


@pytest.fixture
def watch() -> Watch:
    made = Watch()
    made.on_begin = lambda activity: None
    return made


def compile_kernel(watch: Watch, function: Any, parts: int, is_done: bool = True) -> list[Activity]:
    """A kernel that calls so many others; what could be seen after each."""
    watch.begin(function, ())
    seen = [watch.current()]
    for _ in range(parts):
        watch.begin(RULE, ())
        watch.end(is_done=True)
        seen.append(watch.current())
    watch.end(is_done)
    assert None not in seen
    return [each for each in seen if each]


def stored(folder: Path) -> dict[str, int]:
    return json.loads((folder / MEMORY).read_text())


def test_the_share_only_grows_and_is_never_the_whole(watch: Watch) -> None:
    shares = [each.share for each in compile_kernel(watch, ENGINE, 3 * expect("", "engine"))]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert max(shares) == 0.99
    assert watch.current() is None


def test_what_calls_it_names_what_is_compiled(watch: Watch) -> None:
    (seen, *_) = compile_kernel(watch, ENGINE, 0)
    assert (seen.part, seen.text) == (
        "engine",
        f"compiling engine, 0 of about {expect('', 'engine')} functions",
    )
    user = kernel("plies_file_mine_0123456789ab")
    assert compile_kernel(watch, user, 0)[0].part == "mine"
    assert compile_kernel(watch, RULE, 0)[0].part == "rules"


def test_more_functions_than_expected_are_told_without_a_guess() -> None:
    assert Activity("nim", "engine", 9, 8).text == "compiling nim: engine, 9 functions"


def test_the_next_time_as_many_functions_are_expected_as_this_time(
    watch: Watch, folder: Path
) -> None:
    assert expect("", "engine") == json.loads(DEFAULTS.read_text())["engine"]
    user = kernel("plies_file_mine_0123456789ab")
    compile_kernel(watch, user, 6)
    watch.store()
    assert stored(folder) == {"mine": 7}
    assert expect("", "mine") == 7
    compile_kernel(watch, user, 12)
    watch.store()
    assert expect("", "mine") == 20
    assert expect("nim", "mine") == expect("", "rules")  # of another game, and not known


def test_a_larger_number_is_forgotten_slowly(folder: Path, watch: Watch) -> None:
    """Two kernels of a process share functions, and the second has fewer of its own."""
    (folder / MEMORY).write_text('{"engine": 100}')
    compile_kernel(watch, ENGINE, 59)
    watch.store()
    assert stored(folder) == {"engine": 90}


def test_a_part_that_was_mostly_in_the_cache_or_was_given_up_says_nothing(
    watch: Watch, folder: Path
) -> None:
    (folder / MEMORY).write_text('{"engine": 50, "other": 3}')
    compile_kernel(watch, ENGINE, 20)
    watch.store()
    assert stored(folder) == {"engine": 50, "other": 3}
    compile_kernel(watch, ENGINE, 60, is_done=False)
    watch.store()
    assert stored(folder)["engine"] == 50
    compile_kernel(watch, ENGINE, 3)
    watch.store()
    assert stored(folder)["engine"] == 20 + 1 + 60 + 3 + 1


@pytest.mark.parametrize("content", ["", "[]", '{"engine": "many"}', '{"engine": -5}'])
def test_a_damaged_memory_is_as_good_as_none(folder: Path, content: str) -> None:
    (folder / MEMORY).write_text(content)
    assert expect("", "engine") == json.loads(DEFAULTS.read_text())["engine"]


def test_a_kernel_that_fails_leaves_the_watch_ready_for_the_next(watch: Watch) -> None:
    compile_kernel(watch, ENGINE, 2, is_done=False)
    assert watch.current() is None
    assert watch.functions == 2
    assert compile_kernel(watch, ENGINE, 0)[0].done == 2


COUNT = """
import sys
from plies.compiling.progress import watch
import plies
game = plies.game("nim")
game.moves(game.initial())
print(watch.functions)
"""


def test_functions_are_counted_when_they_are_compiled_and_not_when_they_are_loaded(
    tmp_path: Path,
) -> None:
    def run(**more: str) -> tuple[int, str]:
        environment = {**os.environ, "PLIES_CACHE_DIR": str(tmp_path / "cache"), **more}
        command = [sys.executable, "-c", COUNT]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return int(done.stdout), done.stderr

    functions, told = run(PLIES_QUIET="")
    assert functions > 0
    assert told == ("plies: compiling nim for this machine (some seconds, once for each use)\n")
    assert run(PLIES_QUIET="") == (0, "")
