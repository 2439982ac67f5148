"""Attempts to escape, prepared so that only guards stand in the way."""

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from courts import Court

MOVE = '{"move": "a1"}'


def escaped(told: dict[str, Any]) -> set[str]:
    """What an agent says that it achieved; it plays only if that is nothing."""
    if told["answers"] == [MOVE]:
        return set()
    assert "escaped: " in told["message"], told
    return set(told["message"].partition("escaped: ")[2].rstrip("'").split(", "))


def write(judge: Court, **options: Any) -> dict[str, Any]:
    for name in ("victim.txt", "second.txt"):
        (judge.folder / name).write_text("untouched")
        _hand_over(judge, judge.folder / name)
    told = judge("writes_outside", f"where={judge.folder}", **options)
    Path("/dev/shm", judge.folder.name).unlink(missing_ok=True)
    return told


def connect(judge: Court, **options: Any) -> dict[str, Any]:
    address = judge.folder / "socket"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(address))
        local.listen()
        _hand_over(judge, address)
        port = server.getsockname()[1]
        return judge("opens_socket", f"port={port}", f"address={address}", **options)


def read(judge: Court, **options: Any) -> dict[str, Any]:
    other = judge.folder / "other" / "agent.sh"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    _hand_over(judge, other.parent, other)
    return judge("reads_other", f"other={other}", **options)


def reach(judge: Court, **options: Any) -> dict[str, Any]:
    with subprocess.Popen(["sleep", "60"], user=judge.user, group=judge.user) as victim:
        try:
            return judge("reaches_others", f"victim={victim.pid}", **options)
        finally:
            victim.kill()


def _hand_over(judge: Court, *paths: Path) -> None:
    for path in paths:
        os.chown(path, judge.user, judge.user)


ESCAPES: dict[str, Callable[..., dict[str, Any]]] = {
    "write": write,
    "connect": connect,
    "read": read,
    "reach": reach,
}
