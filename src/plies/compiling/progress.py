"""What is being compiled, and how far along it is.

A kernel is compiled with all functions that it calls, one after the other, and Numba publishes
the start and the end of each.  So the share that is done is a count of functions; how many there
will be is known from the last time, or from `functions.json` on a new machine.

Nothing here imports Numba: who only wants to show progress need not wait for it.
"""

import atexit
import json
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULTS = Path(__file__).with_name("functions.json")  # `python benchmarks/functions.py` renews it
MEMORY = "functions.json"  # in the root of the cache
MOST_SHARE = 0.99  # before the end
SLOWNESS = 4  # of forgetting larger numbers: parts share functions, and the first has all of them
WORTH_STORING_SECONDS = 1.0
RULES = "rules"
SEARCH = re.compile(r"plies\.search\.(?P<name>\w+)")
FILE = re.compile(r"plies_file_(?P<name>\w+)_[0-9a-f]{12}$")  # as `game_files` calls modules
LONGEST_MEMORY = 1_000_000  # bytes

Counts = dict[str, int]  # functions by `game part`


@dataclass(frozen=True)
class Activity:
    """A compilation that is under way: what it is for, and functions done and expected."""

    game: str  # empty for a part that serves all games
    part: str  # `rules`, or the search: `engine`, `alphabeta`, ...
    done: int
    expected: int
    seconds: float = 0.0

    @property
    def share(self) -> float:
        """How much is done, never all of it."""
        return min(self.done / max(self.expected, 1), MOST_SHARE)

    @property
    def subject(self) -> str:
        """`chess: engine`."""
        return f"{self.game}: {self.part}" if self.game else self.part

    @property
    def text(self) -> str:
        """`compiling chess: engine, 57 of about 120 functions`."""
        is_more = self.done >= self.expected  # than expected
        of = "" if is_more else f" of about {self.expected}"
        return f"compiling {self.subject}, {self.done}{of} functions"


class Watch:
    """The compilations of this process, of which the compiler's lock lets one run at a time."""

    def __init__(self) -> None:
        # Called when a kernel that no other one calls begins, and when it ends.
        self.on_begin: Callable[[Activity], None] = announce
        self.on_end: Callable[[], None] = lambda: None
        self.on_function: Callable[[], None] = lambda: None  # when any function is done
        self.functions = 0  # that this process has compiled
        self._depth = 0  # kernels, each called by the one before
        self._key = ("", RULES)
        self._began = self._ended = 0.0
        self._counts: Counts = {}  # of this process
        self._unfinished: set[str] = set()  # parts of which nobody knows how many there are
        self._is_stored = True

    def current(self) -> Activity | None:
        """What is being compiled now, if anything."""
        return self._activity() if self._depth else None

    def begin(self, function: Callable[..., Any], argument_types: Any) -> None:
        """The compiler begins with a function."""
        self._depth += 1
        if self._depth > 1:
            return
        now = time.monotonic()
        games = _games_in(argument_types)
        key = (games, _part_of(function, games))
        if key != self._key or now - self._ended > WORTH_STORING_SECONDS:
            self._began = now
        self._key = key
        self.on_begin(self._activity())

    def end(self, is_done: bool) -> None:
        """It has finished that function, or given it up."""
        self._depth -= 1
        name = _name(*self._key)
        if is_done:
            self.functions += 1
            self._counts[name] = self._counts.get(name, 0) + 1
            self._is_stored = False
            self.on_function()
        if self._depth:
            return
        (self._unfinished.discard if is_done else self._unfinished.add)(name)
        self._ended = time.monotonic()
        if self._ended - self._began > WORTH_STORING_SECONDS:
            self.store()
        self.on_end()

    def store(self) -> None:
        """Remember how many functions were compiled, for the next time."""
        folder = None if self._is_stored else _folder()
        if folder is None:
            return
        stored = _stored(folder)
        known = _read(DEFAULTS) | stored
        for name, count in self._counts.items():
            before = known.get(name, 0)
            # A part of which most was in the cache says nothing about the whole.
            if 2 * count >= before and name not in self._unfinished:
                stored[name] = max(count, before - (before - count) // SLOWNESS)
        _write(folder / MEMORY, stored)
        _expected.clear()
        self._is_stored = True

    def _activity(self) -> Activity:
        game, part = self._key
        done = self._counts.get(_name(game, part), 0)
        return Activity(game, part, done, expect(game, part), time.monotonic() - self._began)


_expected: Counts = {}


def expect(game: str, part: str) -> int:
    """How many functions a part of a game probably has."""
    name = _name(game, part)
    known = _expected.get(name)  # a thread that compiles may forget it in this moment
    if known is None:
        folder = _folder()
        defaults = _read(DEFAULTS)
        all_known = defaults | (_stored(folder) if folder else {})
        known = all_known.get(name) or defaults.get(part) or defaults[RULES]
        _expected[name] = known
    return known


def _name(game: str, part: str) -> str:
    return f"{game} {part}".strip()


def _part_of(function: Callable[..., Any], games: str) -> str:
    """What a function belongs to: a search of the package, a user's file, or the rules."""
    module = getattr(function, "__module__", "") or ""
    if found := SEARCH.match(module) or FILE.match(module):
        return RULES if found["name"] == games else found["name"]
    return RULES


def _games_in(argument_types: Any) -> str:
    """The games whose states or evaluators are among the arguments."""
    from plies.compiling.classes import adopted

    text = str(argument_types)
    owners = {known.owner for name, known in adopted.items() if f"{name}(" in text}
    return ", ".join(sorted(owners - {"plies"}))


# What is remembered


def _folder() -> Path | None:
    from plies.compiling.cache import own_folder

    folder = own_folder()
    return folder.parent if folder else None


def _stored(folder: Path) -> Counts:
    try:
        return _read(folder / MEMORY)
    except (OSError, ValueError):
        return {}


def _read(path: Path) -> Counts:
    with path.open(encoding="utf-8") as file:
        content = json.loads(file.read(LONGEST_MEMORY))
    if not isinstance(content, dict):
        raise ValueError(f"{path} holds no counts")
    return {str(key): count for key, count in content.items() if type(count) is int and count > 0}


def _write(path: Path, counts: Counts) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):  # the next estimate is worse, that is all
        temporary.write_text(json.dumps(counts, indent=1, sort_keys=True), encoding="utf-8")
        temporary.replace(path)
    with suppress(OSError):
        temporary.unlink(missing_ok=True)


# What is told where nobody shows progress

_announced: set[str] = set()


def announce(activity: Activity) -> None:
    """Tell the user, once for every game, why the first answer takes a moment."""
    if not activity.game or activity.game in _announced or os.environ.get("PLIES_QUIET"):
        return
    _announced.add(activity.game)
    print(
        f"plies: compiling {activity.game} for this machine (some seconds, once for each use)",
        file=sys.stderr,
    )


watch = Watch()
current = watch.current
atexit.register(watch.store)
