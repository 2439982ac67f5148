"""What is answered instead of what was asked for: a status and one clear line."""

import sys
from contextlib import suppress
from typing import Any

from plies.errors import (
    BadGame,
    GameOver,
    IllegalMove,
    PliesError,
    UnknownGame,
    UnreadableMove,
)

LONGEST_END = 300  # characters of either end of a line


class Refused(PliesError):
    """Something that this server does not do; `status` says of which kind."""

    status = 400


class Forbidden(Refused):
    status = 403


class NotHere(Refused):
    status = 404


class Stale(Refused):
    """What was asked for concerns a position that is no longer on the board."""

    status = 409


class NotNow(Refused):
    """A request that makes sense, but not in this position."""

    status = 422


class TooMany(Refused):
    status = 429


class Closing(Refused):
    status = 503


STATUSES: dict[type[PliesError], int] = {
    UnknownGame: 404,
    IllegalMove: 422,
    UnreadableMove: 422,
    GameOver: 422,
    BadGame: 400,
}


def status_of(error: PliesError) -> int:
    """The status of an answer that says this."""
    if isinstance(error, Refused):
        return error.status
    return next((code for kind, code in STATUSES.items() if isinstance(error, kind)), 400)


def content_of(error: PliesError) -> dict[str, Any]:
    """The body of that answer."""
    line = " ".join(str(error).split()).encode(errors="replace").decode()
    if len(line) > 2 * LONGEST_END:  # it repeats a long text
        line = f"{line[:LONGEST_END]} ... {line[-LONGEST_END:]}"
    content: dict[str, Any] = {"error": line}
    if isinstance(error, IllegalMove) and error.legal:
        content["legal"] = list(error.legal)
    return content


def log_problem(line: str) -> None:
    """A line for whoever runs the server, who may have closed the terminal."""
    with suppress(OSError, ValueError):
        print(f"plies: {line}", file=sys.stderr, flush=True)
