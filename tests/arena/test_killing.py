"""Killing whoever runs a tournament loses no game that had ended, and plays none twice."""

import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena_samples import command, environment, kept

PROC = Path("/proc")
PATIENCE_SECONDS = 120
PAIRS = 60
COMMAND = (
    *("tournament", "--game", "tictactoe:width=6,height=6,k=4", "--agent", "random"),
    *("--agent", "greedy", "--pairs", str(PAIRS), "--seed", "5", "--workers", "2"),
)
Moment = Callable[["Runner"], bool]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


class Runner:
    """`plies tournament` in a process of its own, to be killed at some moment."""

    def __init__(self, path: Path):
        self.path = path
        self.before = games_in(path)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plies", *COMMAND, "--out", str(path)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment(),
        )
        self.began = time.monotonic()

    @property
    def new_games(self) -> int:
        return games_in(self.path) - self.before

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def killed_when(self, moment: Moment) -> set[int]:
        """Kill it then, unless it has ended; the processes that it leaves behind."""
        while self.process.poll() is None and not moment(self) and self.seconds < PATIENCE_SECONDS:
            time.sleep(0.002)
        children = children_of(self.process.pid)
        self.process.kill()
        self.process.wait()
        assert self.seconds < PATIENCE_SECONDS
        return children


def games_in(path: Path) -> int:
    """Read without touching the file, which another connection might tidy up."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def children_of(parent: int) -> set[int]:
    return {int(path.name) for path in PROC.glob("[0-9]*") if status_of(path)[1] == str(parent)}


def is_alive(process: int) -> bool:
    return status_of(PROC / str(process))[0] not in ("", "Z", "X")


def status_of(path: Path) -> tuple[str, str]:
    """The state of a process and its parent; empty when there is none."""
    try:
        state, parent, *_ = (path / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "", ""
    return state, parent


def complaints_of(path: Path, folder: Path) -> list[tuple[str]]:
    """What SQLite finds wrong with a copy of what was left: the next run gets the original."""
    folder.mkdir(exist_ok=True)
    for name in (path.name, f"{path.name}-wal"):
        (folder / name).unlink(missing_ok=True)
        if (path.parent / name).exists():
            shutil.copyfile(path.parent / name, folder / name)
    with closing(sqlite3.connect(folder / path.name)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall()


def after_seconds(seconds: float) -> Moment:
    return lambda runner: runner.seconds >= seconds


def after_games(count: int, then: float) -> Moment:
    """A moment after so many games of this run have ended, or all."""

    def has_come(runner: Runner) -> bool:
        if games_in(runner.path) < 2 * PAIRS and runner.new_games < count:
            return False
        time.sleep(then)
        return True

    return has_come


def is_made(runner: Runner) -> bool:
    return runner.path.exists()


def moments() -> list[Moment]:
    """While it starts, when the store is made, while it plays, and when the last game has ended."""
    chance = random.Random(20)
    starting = [after_seconds(chance.uniform(0, 2)) for _ in range(3)]
    playing = [after_games(chance.randint(1, 8), chance.uniform(0, 0.01)) for _ in range(5)]
    ending = [after_games(2 * PAIRS, chance.uniform(0, 0.2)) for _ in range(2)]
    chance.shuffle(playing := [*starting[1:], *playing])
    return [is_made, starting[0], *playing, *ending]


def test_a_run_that_is_killed_ten_times_has_every_game_once_and_as_if_undisturbed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "run.db"
    orphans: set[int] = set()
    counts = [0]
    for moment in moments():
        orphans |= Runner(path).killed_when(moment)
        counts.append(games_in(path))
        assert complaints_of(path, tmp_path / "copy") == [("ok",)]
    assert len(counts) > 10
    assert counts == sorted(counts)
    assert len({count for count in counts if 0 < count < 2 * PAIRS}) >= 3  # in the middle of it
    assert command(*COMMAND, "--out", str(path)).returncode == 0
    undisturbed = tmp_path / "undisturbed.db"
    assert command(*COMMAND, "--out", str(undisturbed)).returncode == 0
    games = kept(path)
    assert [game["number"] for game in games] == list(range(2 * PAIRS))
    assert games == kept(undisturbed)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while any(map(is_alive, orphans)):
        assert time.monotonic() < deadline, "a worker outlives whoever started it"
        time.sleep(0.1)
