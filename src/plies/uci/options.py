"""What can be set from outside, how it is announced, and how it is read."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from plies.core.contract import Game
from plies.core.spec import join_spec, suggestion
from plies.errors import BadSpec
from plies.search.limits import MAX_THREADS, memory_megabytes

LARGEST_OVERHEAD = 5000
CLEAR_HASH = "Clear Hash"
PONDER = "Ponder"


@dataclass(frozen=True)
class Settings:
    """What is set now: megabytes, threads, milliseconds, and the name of an evaluator."""

    table: int = 64
    threads: int = 1
    overhead: int = 30
    eval: str = ""

    def spec(self, **limits: int | float) -> str:
        """The agent that thinks with these settings within limits."""
        options = {"table": self.table, "threads": self.threads, "eval": self.eval}
        given = {key: value for key, value in {**options, **limits}.items() if value}
        return join_spec("engine", given)


@dataclass(frozen=True)
class Spin:
    """A whole number within bounds."""

    field: str
    least: int
    most: int

    def announced(self, default: object) -> str:
        return f"type spin default {default} min {self.least} max {self.most}"

    def read(self, name: str, text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise BadSpec(f"{name} is a whole number, not {text!r}") from None
        if not self.least <= number <= self.most:
            raise BadSpec(f"{name} is {self.least} to {self.most}, not {number}")
        return number


@dataclass(frozen=True)
class Combo:
    """One of several words."""

    field: str
    words: tuple[str, ...]

    def announced(self, default: object) -> str:
        words = " ".join(f"var {word}" for word in self.words)
        return f"type combo default {default} {words}"

    def read(self, name: str, text: str) -> str:
        for word in self.words:
            if word.lower() == text.lower():
                return word
        raise BadSpec(f"{name} is {' or '.join(self.words)}, not {text!r}")


class Options:
    """The options of an engine for a game, and what they are set to."""

    def __init__(self, game: Game):
        evaluators = tuple(game.evaluators) or ("zero",)
        self.settings = Settings(eval=evaluators[0])
        self.kinds = {
            "Hash": Spin("table", 1, memory_megabytes()),
            "Threads": Spin("threads", 1, MAX_THREADS),
            "Move Overhead": Spin("overhead", 0, LARGEST_OVERHEAD),
            "Eval": Combo("eval", evaluators),
        }

    def announced(self) -> Iterable[str]:
        """The lines by which a user interface learns of them."""
        for name, kind in self.kinds.items():
            default = getattr(self.settings, kind.field)
            yield f"option name {name} {kind.announced(default)}"
        yield f"option name {CLEAR_HASH} type button"
        yield f"option name {PONDER} type check default false"

    def set(self, name: str, text: str) -> None:
        """Set one; names are the same in capitals and small letters."""
        known = {own.lower(): own for own in self.kinds}
        if name.lower() not in known:
            raise BadSpec(f"there is no option {name}{suggestion(name, self.kinds)}")
        own = known[name.lower()]
        kind = self.kinds[own]
        self.settings = replace(self.settings, **{kind.field: kind.read(own, text)})
