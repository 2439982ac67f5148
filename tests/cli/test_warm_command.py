"""`plies warm`, and the warm cache that `plies new` and `plies check` leave."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plies.cli.main import main

# The command that the arguments name, and then how many functions it has compiled.
COUNTED = """
import sys
from plies.cli.main import main
from plies.compiling.progress import watch

if __name__ == "__main__":
    status = main(sys.argv[1:])
    print(status, watch.functions, file=sys.stderr)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a cold cache."""
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PLIES_QUIET", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plies(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "plies.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, input=text)


def compiled_by(*arguments: str, text: str = "") -> int:
    """How many functions a command compiles."""
    command = [sys.executable, "-c", COUNTED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, input=text)
    status, functions = done.stderr.splitlines()[-1].split()
    assert status == "0", done.stderr
    return int(functions)


def test_what_is_warm_is_not_compiled_again(folder: Path) -> None:
    command = ("warm", "nim", "--agent", "minimax", "--agent", "perft", "--json", "--workers", "1")
    cold, warm = (json.loads(plies(*command).stdout) for _ in range(2))
    assert [each["part"] for each in cold["jobs"]].count("rules") == 1
    assert {each["part"] for each in cold["jobs"]} == {"rules", "minimax", "perft"}
    assert all(each["functions"] > 0 and each["problem"] is None for each in cold["jobs"])
    assert sum(each["functions"] for each in warm["jobs"]) == 0
    assert warm["cache"] == cold["cache"]
    files = list(Path(cold["cache"]["path"]).glob("*.bin"))
    assert cold["cache"]["functions"] == len(files)
    assert cold["cache"]["bytes"] == sum(each.stat().st_size for each in files)
    assert compiled_by("perft", "nim", "2", "--split") == 0
    assert compiled_by("search", "nim", "--agent", "minimax:depth=2", "--json") == 0


def test_what_was_interrupted_goes_on_where_it_was(folder: Path) -> None:
    """As when a process that compiles is killed at any moment."""
    command = ("warm", "nim", "--agent", "alphabeta", "--workers", "1")
    process = subprocess.Popen(
        [sys.executable, "-m", "plies.cli.main", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ},
    )
    while not list(folder.glob("cache/*/*.bin")) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate()
    assert (process.returncode, complaint) == (130, b"plies: interrupted\n")
    there = list(folder.glob("cache/*/*.bin"))
    assert there
    done = plies(*command)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(there) < set(folder.glob("cache/*/*.bin"))
    assert compiled_by("search", "nim", "--agent", "alphabeta:depth=2", "--json") == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nosuch"], "nosuch"),
        (["nim", "./none.py"], "none.py"),
        (["nim", "--agent", "alphabet"], "alphabeta"),
        (["nim:rows=2-3,players=3", "--agent", "alphabeta"], "zero-sum"),
        (["nim", "--workers", "-1"], "--workers"),
    ],
)
def test_what_cannot_be_compiled_is_refused_in_one_line(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["warm", *arguments]) == 2
    complaint = capsys.readouterr().err
    assert word in complaint
    assert complaint.count("\n") == 1


def test_a_rule_that_does_not_compile_is_named_and_leaves_the_others_compiled(folder: Path) -> None:
    assert main(["new", "good.py"]) == 0
    text = (folder / "good.py").read_text()
    (folder / "bad.py").write_text(
        text.replace("def mover(state):\n", "def mover(state):\n    state.zebra\n")
    )
    done = plies("warm", "bad.py", "good.py", "--agent", "random", "--json")
    assert done.returncode == 2
    assert "zebra" in done.stderr
    jobs = json.loads(done.stdout)["jobs"]
    problems = {each["game"]: each["problem"] for each in jobs if each["part"] == "rules"}
    assert problems["good.py"] is None
    assert "zebra" in problems["bad.py"]


def test_a_new_or_checked_game_is_played_without_compiling_its_rules(folder: Path) -> None:
    assert plies("new", "my_game.py").returncode == 0
    assert compiled_by("play", "my_game.py", "--first", "random", "--second", "random") == 0
    file = folder / "my_game.py"
    file.write_text(
        file.read_text().replace("def mover(state):\n", "def mover(state):\n    state = state\n")
    )
    assert compiled_by("check", "my_game.py", "--games", "3") > 0
    assert compiled_by("play", "my_game.py", "--first", "random", "--second", "alphabeta") == 0
    assert compiled_by("play", "my_game.py", text="?\n") == 0


def test_a_match_compiles_once_before_its_workers_begin(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIES_QUIET", "")
    match = ("match", "nim", "minimax:depth=2", "random", "--pairs", "1", "--workers", "2")
    cold, warm = plies(*match), plies(*match)
    assert (cold.returncode, warm.returncode) == (0, 0)
    notice = "plies: compiling nim for this machine (some seconds, once for each use)\n"
    assert cold.stderr.count(notice) == 1
    assert notice not in warm.stderr
    assert compiled_by("search", "nim", "--agent", "minimax:depth=2", "--json") == 0
