"""With an empty cache, the compiler works in the middle of games: no clock charges that."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plies.match import Clocks

HARD = Clocks(per_move=20, startup=20)  # a fifth of what one function takes to compile here

# Has every function take 100 seconds more to compile, by the clock of this process.
SLOW = """
import json, sys, time
from numba.core import event

real, compiling = time.perf_counter, [0.0]
time.perf_counter = lambda: real() + compiling[0]

class Slow(event.Listener):
    def on_start(self, event):
        compiling[0] += 100

    def on_end(self, event):
        pass

event.register("numba:compile", Slow())
"""

# The judge takes as long to start a program.
VALIDATE = """
from plies.agents import process
from plies.arena.contest import validate
from plies.match import Clocks
import plies

class Slowly(process.Confined):
    def __init__(self, *settings):
        compiling[0] += 100
        super().__init__(*settings)

process.Confined = Slowly
checks = list(validate(sys.argv[1], plies.game("tictactoe"), Clocks(**json.loads(sys.argv[2]))))
print(json.dumps({"checks": [vars(check) for check in checks], "compiling": compiling[0]}))
"""

PLAY = """
from dataclasses import asdict
from plies.match import Clocks
import plies

*agents, clocks = sys.argv[1:]
record = plies.play_game("tictactoe", *agents, seed=1, clocks=Clocks(**json.loads(clocks)))
print(json.dumps({"record": asdict(record), "compiling": compiling[0]}))
"""

# Plays at random and tells its author what it hears.
LISTENING = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    print(line, end="", file=sys.stderr)
    if message["type"] == "end":
        break
    is_start = message["type"] == "start"
    print(json.dumps({"type": "ready"} if is_start else {"move": message["legal"][0]}), flush=True)
"""

# Needs rules and a kernel that nobody has compiled when its second turn comes.
LATE = """
from plies.core import compiled, legal_moves, play, symmetries

@compiled
def count(state):
    return sum([len(symmetries(play(state, move))) for move in legal_moves(state)])

def choose(game, state, task):
    if task.played:
        count(state), game.symmetries(state), game.svg(state)
    return task.moves[0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "listening.py").write_text(LISTENING)
    (tmp_path / "late.py").write_text(LATE)
    return tmp_path


def run(folder: Path, script: str, *words: str) -> Any:
    """What a script prints in a process that finds nothing compiled."""
    environment = {**os.environ, "PLIES_CACHE_DIR": str(folder / "cache"), "PLIES_QUIET": "1"}
    command = [sys.executable, "-c", SLOW + script, *words, json.dumps(vars(HARD))]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def seconds_in(heard: Any, name: str = "") -> list[float]:
    """Every number of a message or a record whose key tells of time."""
    if isinstance(heard, dict):
        return [each for key, value in heard.items() for each in seconds_in(value, key)]
    if isinstance(heard, list):
        return [each for value in heard for each in seconds_in(value, name)]
    is_time = name in ("seconds", "remaining", "increment", "per_move")
    return [heard] if is_time and heard is not None else []


def test_a_correct_program_is_fit_for_a_contest(folder: Path) -> None:
    told = run(folder, VALIDATE, "process:listening.py")
    checks = told["checks"]
    assert [check["name"] for check in checks if not check["is_good"]] == []
    assert len(checks) == 4
    assert told["compiling"] >= 1000
    lines = "".join(check["errors"] for check in checks).splitlines()
    times = seconds_in([json.loads(line) for line in lines if line.startswith("{")])
    assert len(times) > 100
    assert min(times) >= 0
    questions = [json.loads(line) for line in lines if line.startswith('{"type": "move"')]
    assert all(HARD.per_move <= each["seconds"] + 1e-3 for each in questions)


@pytest.mark.parametrize(
    "agents",
    [
        ("process:listening.py", "late.py"),
        ("dfpn:nodes=100", "process:listening.py"),
    ],
)
def test_whatever_is_compiled_late_is_not_charged(folder: Path, agents: tuple[str, str]) -> None:
    told = run(folder, PLAY, *agents)
    assert told["record"]["termination"] == "normal"
    assert told["compiling"] >= 500
    times = seconds_in(told["record"])
    assert len(times) >= 5
    assert min(times) >= 0
    assert max(times) <= HARD.per_move
