"""What the compiler did not like, in one line.

Numba explains a typing error over a page, starting from the outermost caller.
A game's author needs the function, the line and the reason.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.errors import NumbaError

from plies.core import verbs
from plies.core.errors import BadGame

PLACE = re.compile(r'File "([^"]+)", line (\d+)')


@contextmanager
def explaining(game: Any) -> Iterator[None]:
    """Turn a compiler's complaint about a game's rules into `BadGame`."""
    try:
        yield
    except NumbaError as error:
        raise BadGame(diagnose(game, error)) from error


def diagnose(game: Any, error: NumbaError) -> str:
    """Which rule does not compile, where, and why."""
    for name, failure in _failing_rules(game):
        return f"{game.name}: {name} does not compile: {_reason(failure)}"
    return f"{game.name} does not compile: {_reason(error)}"


def _failing_rules(game: Any) -> Iterator[tuple[str, NumbaError]]:
    """Compile each rule by itself, so that the first complaint is about it alone."""
    state = game.initial()
    arguments = {"play": (state, 0), "is_noisy": (state, 0), "payoff": (state, 0)}
    for name, rule in verbs.rules_of[game.State].items():
        try:
            rule.compile(tuple(_type_of(value) for value in arguments.get(name, (state,))))
        except NumbaError as failure:
            yield name, failure


def _type_of(value: Any) -> Any:
    from numba import typeof

    return typeof(value)


def _reason(error: NumbaError) -> str:
    """The innermost complaint and where it points to."""
    lines = [line.strip() for line in _plain(str(error)).splitlines()]
    said = [
        line
        for line in lines
        if line
        and not line.startswith(("During:", "File ", "Failed in", "<source", "Overload", "def "))
    ]
    places = [match for match in PLACE.finditer(str(error))]
    where = ""
    if places:
        file, line = places[-1].groups()
        where = f" ({Path(file).name}, line {line})"
    return f"{said[0] if said else type(error).__name__}{where}"


def _plain(text: str) -> str:
    """Without the colours of a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
