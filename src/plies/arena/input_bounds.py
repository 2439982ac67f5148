"""What a tournament file may ask of this machine before anything in it is believed.

Each bound is far beyond any tournament that could be played, and small enough that a file
beyond it is refused in one line within a second.
"""

import re
import tomllib
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from plies.errors import BadSpec
from plies.files import read_file

MOST_TOML_BYTES = 500_000
MOST_OPENINGS_BYTES = 8_000_000
MOST_POSITIONS = 100_000
MOST_AGENTS = 1000
MOST_GAMES_OF_PLAY = 50  # different games in one tournament
MOST_GAMES = 1_000_000  # to be played in all
MOST_OPENING_PLIES = 1000
MOST_KEYS = 200  # in one table
MOST_DEPTH = 10  # of tables and lists in each other
LONGEST_NAME = 1000  # by default that of an agent is its spec, with the paths in it
MOST_NUMBER = 2**63 - 1

# The parser takes time quadratic in the parts of a dotted key.
LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){100}""")


def read_text(path: Path, most_bytes: int) -> str:
    """The text of a regular file; devices, pipes and files that are too large are refused."""
    try:
        return read_file(path, most_bytes).decode("utf-8")
    except (OSError, ValueError) as error:
        is_text = isinstance(error, UnicodeDecodeError)
        reason = "it is no UTF-8 text" if is_text else getattr(error, "strerror", None) or error
        raise BadSpec(f"{path} cannot be read: {reason}") from error


def parse_toml(text: str) -> dict[str, Any]:
    """What a TOML text says, as far as it is small enough to be a tournament."""
    if LONG_KEY.search(text):
        raise BadSpec("a key has more than 100 parts; no key of a tournament has more than two")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSpec(str(error)) from error
    except RecursionError as error:
        raise BadSpec(f"lists or tables lie more than {MOST_DEPTH} deep in each other") from error
    except ValueError as error:  # of a number with thousands of digits, or of an impossible date
        number = f"a number is beyond {MOST_NUMBER}"
        raise BadSpec(number if "digits" in str(error) else str(error)) from error
    check_bounds(data)
    return data


def check_bounds(data: Any) -> None:
    """Refuse what is too large, too deep, not finite, or no text of any name or file."""
    for where, value in _values(data):
        if isinstance(value, dict) and len(value) > MOST_KEYS:
            raise BadSpec(f"{where or 'it'} has {len(value)} keys; no table has more than a few")
        if isinstance(value, int) and abs(value) > MOST_NUMBER:
            raise BadSpec(f"{where} is at most {MOST_NUMBER}, and this number is larger")
        if isinstance(value, float) and not isfinite(value):
            raise BadSpec(f"{where} is a finite number, not {value}")
        if isinstance(value, str) and "\0" in value:
            raise BadSpec(f"{where} has a NUL character in it, which no name and no path can have")
    agents, games = data.get("agents"), data.get("games")
    if isinstance(agents, list) and len(agents) > MOST_AGENTS:
        raise BadSpec(f"agents names {len(agents)}; at most {MOST_AGENTS} can take part")
    if isinstance(games, list) and len(games) > MOST_GAMES_OF_PLAY:
        raise BadSpec(f"games names {len(games)}; a tournament has at most {MOST_GAMES_OF_PLAY}")


def _values(data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Everything in a table with where it stands, such as `clocks.per_move`, outer things first.

    Not by recursion: how deep it goes is what is being found out.
    """
    waiting: list[tuple[str, int, Any]] = [("", 0, data)]
    while waiting:
        where, depth, value = waiting.pop()
        yield where, value
        if depth > MOST_DEPTH:
            raise BadSpec(f"lists or tables lie more than {MOST_DEPTH} deep in each other")
        if isinstance(value, dict):
            inner = [(f"{where}.{key}".removeprefix("."), each) for key, each in value.items()]
        elif isinstance(value, list):
            inner = [(f"{where} (entry {number})", each) for number, each in enumerate(value, 1)]
        else:
            continue
        waiting += [(place, depth + 1, each) for place, each in reversed(inner)]
