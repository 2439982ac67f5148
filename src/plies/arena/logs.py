"""What programs wrote to their standard error, for their authors: one file for each agent.

Beside `run.db` lies the folder `run.db.logs`, in which `alice.log` can be handed to Alice.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from plies.arena.store import Finished
from plies.arena.titles import game_titles

MAX_BYTES = 8 << 20  # of one agent
FULL = b"\n=== This file has reached its size; what was written later is left out.\n"
NAME_BYTES = 100


def log_folder(run: Path) -> Path:
    """Where the logs of a stored run are."""
    return run.with_name(f"{run.name}.logs")


def log_path(run: Path, agent: str) -> Path:
    """The log of one agent; what a file name cannot hold is replaced, and told apart by a hash."""
    whole = re.sub(r"[^\w.,=+-]", "-", agent).encode(errors="replace")
    name = whole[:NAME_BYTES].decode(errors="ignore")  # a letter that was cut is left out
    if name != agent:
        name += f"-{hashlib.sha256(agent.encode(errors='replace')).hexdigest()[:6]}"
    return log_folder(run) / f"{name}.log"


def add_to_logs(run: Path, finished: Finished) -> None:
    """Append what was written in a game; a log that cannot be written costs no game."""
    for agent, text in _texts_by_agent(finished):
        path = log_path(run, agent)
        with suppress(OSError):
            path.parent.mkdir(exist_ok=True)
            with path.open("ab") as log:
                data, room = text.encode(errors="replace"), MAX_BYTES - log.tell()
                if room > 0:
                    log.write(data if len(data) <= room else data[:room] + FULL)


def _texts_by_agent(finished: Finished) -> Iterator[tuple[str, str]]:
    planned, record = finished.planned, finished.record
    for seat, text in enumerate(finished.errors):
        if text:
            how = f"{record.termination}: {record.reason}"
            who = " against ".join(planned.seats)
            game = game_titles([planned.game])[planned.game]  # not the path of its file
            title = f"=== game {planned.number} of {game}, {who}, seat {seat + 1}: {how}"
            yield planned.seats[seat], f"{title}\n{text.rstrip()}\n\n"
