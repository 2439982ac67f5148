"""Everything that can go wrong because of what a user asked for.

Each error is one line that says what was wrong and what would be right; the
command line prints it and exits with status 2.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class PliesError(Exception):
    """Base of every error that a user can cause."""


class UnknownGame(PliesError):
    """No game of that name, no such file, or a file without a game in it."""


class BadSpec(PliesError):
    """A `name:key=value,...` text that cannot be understood."""


class BadGame(PliesError):
    """A game file that breaks the contract or does not compile."""


class OutOfResources(PliesError):
    """The machine has no thread, process or memory to spare just now."""


class UnreadableMove(PliesError):
    """Text that names no move of this game."""


class IllegalMove(PliesError):
    """A readable move that the rules forbid here; `legal` holds those they allow."""

    def __init__(self, message: str, legal: Sequence[str] = ()):
        super().__init__(message)
        self.legal = tuple(legal)


class AmbiguousMove(IllegalMove):
    """Text that fits several legal moves; `legal` holds those."""


class UnreadablePosition(PliesError):
    """Text that describes no position of this game."""


class GameOver(PliesError):
    """A move in a position where the game has ended."""


class AgentFault(PliesError):
    """An agent did what ends a game.

    `termination` is the kind: `time`, `illegal` (a move), `crash`, `memory` or `bad output`.
    """

    def __init__(self, termination: str, message: str):
        super().__init__(message)
        self.termination = termination


class BadTree(PliesError):
    """A tree file that cannot be read."""


def text_of(error: BaseException) -> str:
    """The text of an error; empty where it fails to give one."""
    try:
        return str(error).strip()
    except Exception:
        return ""


@contextmanager
def reporting(kind: type[PliesError], prefix: str) -> Iterator[None]:
    """Turn whatever a user's code raises into one line that begins with `prefix`."""
    try:
        yield
    except (PliesError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise kind(
            f"{prefix}: {type(error).__name__}: {text_of(error)}".removesuffix(": ")
        ) from error


def shorten(items: Sequence[str], most: int = 12) -> str:
    """`a, b, c and 5 more`: a list that stays on one line."""
    text = ", ".join(items[:most])
    return text if len(items) <= most else f"{text} and {len(items) - most} more"
