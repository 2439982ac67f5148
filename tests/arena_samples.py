"""Runs of tournaments, whole and interrupted, and what they leave behind."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from plies.arena import ray_workers, workers
from plies.arena.config import Tournament
from plies.arena.export import game_dict
from plies.arena.plan import named
from plies.arena.runner import open_run, run
from plies.arena.store import Finished, Store

TAKE = Path(__file__).parent / "data" / "games" / "take.py"
# A rule that is asked in plain Python after every move, and ends the process instead.
DEADLY = """
import os
import signal
from pathlib import Path

MARK = Path({mark!r})


def draw_claim(state, earlier):
    if os.getpid() != {judge} and earlier and earlier[0] == State({heap}, 0) and not MARK.exists():
        if {is_once}:
            MARK.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return ""


"""


def let_workers_start_uncompiled(patch: pytest.MonkeyPatch) -> None:
    """Compiling for a few short games takes longer than playing them does.

    It is only workers that may hear of it: this process is compiling already.
    """
    for kind in (workers._Worker, ray_workers.RayWorkers):
        begin = kind.__init__

        def begun(self: Any, *arguments: Any, begin: Callable[..., None] = begin) -> None:
            with pytest.MonkeyPatch.context() as inner:
                inner.setenv("NUMBA_DISABLE_JIT", "1")
                begin(self, *arguments)

        patch.setattr(kind, "__init__", begun)
    patch.setenv("PLIES_QUIET", "1")


def deadly_game(folder: Path, heap: int, *, is_once: bool) -> str:
    """A game that, begun with such a heap, kills whoever plays it; the test itself is spared."""
    folder.mkdir(exist_ok=True)
    rule = DEADLY.format(mark=str(folder / "mark"), judge=os.getpid(), heap=heap, is_once=is_once)
    path = folder / "deadly.py"
    path.write_text(TAKE.read_text().replace("GAME = Game(", f"{rule}GAME = Game("))
    return str(path)


def tournament_of(agents: Sequence[str], **more: Any) -> Tournament:
    return Tournament(**{"games": ("tictactoe",), "agents": named(agents), "pairs": 3} | more)


def played(tournament: Tournament, path: Path | None = None, **how: Any) -> list[dict[str, Any]]:
    """All games of a tournament, without times."""
    with open_run(tournament, path) as store:
        run(store, **how)
        return timeless(store.games())


def timeless(games: Sequence[Finished]) -> list[dict[str, Any]]:
    """Games without what differs when they are played again."""
    return [game_dict(game, has_times=False) for game in games]


def kept(path: Path) -> list[dict[str, Any]]:
    """What a file holds, without times."""
    with Store.open(path) as store:
        return timeless(store.games())


def environment() -> dict[str, str]:
    """Of a process that plays quietly and at once, without the compiler."""
    return os.environ | {"NUMBA_DISABLE_JIT": "1", "PLIES_QUIET": "1"}


def start(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """`plies ...` in a process and a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "plies", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
        **options,
    )


def command(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """`plies ...` in a process of its own, until it ends."""
    return subprocess.run(
        [sys.executable, "-m", "plies", *arguments],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=120,
        **options,
    )
