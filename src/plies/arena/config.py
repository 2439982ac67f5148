"""A tournament as data: who plays what against whom, how often and under which rules."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Literal, get_args

from plies.arena.input_bounds import LONGEST_NAME, MOST_OPENING_PLIES
from plies.arena.plan import Entry
from plies.arena.statistics.sprt import Sprt
from plies.arena.validation import INTERNAL, read_json
from plies.errors import BadSpec
from plies.match import Clocks, Rules

Kind = Literal["round-robin", "gauntlet", "swiss", "knock-out", "match", "sprt"]


@dataclass(frozen=True)
class Openings:
    """Where games begin: after so many random plies, or at listed positions.

    Each pair of a meeting begins at another opening, and every meeting has the same ones.
    `file` is where the positions were read from, if they were.
    """

    plies: int = 4
    file: str = ""
    positions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _at_least(0, "plies", self.plies)
        if self.plies > MOST_OPENING_PLIES:
            raise BadSpec(f"plies is at most {MOST_OPENING_PLIES}, not {self.plies}")


@dataclass(frozen=True)
class Gauntlet:
    """The first `challengers` agents meet all others, and not each other."""

    challengers: int = 1

    def __post_init__(self) -> None:
        _at_least(1, "challengers", self.challengers)


@dataclass(frozen=True)
class Swiss:
    """So many rounds; 0: as many as a knock-out of the same agents would have."""

    rounds: int = 0

    def __post_init__(self) -> None:
        _at_least(0, "rounds", self.rounds)


@dataclass(frozen=True)
class KnockOut:
    """A drawn meeting goes on for at most `extra_pairs`; then the better seed advances."""

    extra_pairs: int = 3

    def __post_init__(self) -> None:
        _at_least(0, "extra_pairs", self.extra_pairs)


@dataclass(frozen=True)
class Roster:
    """Who took part, and how often they met, when games of a run were given their numbers."""

    names: tuple[str, ...]
    pairs: int
    challengers: int = 1


@dataclass(frozen=True)
class Tournament:
    """Everything that decides which games are played; the order of agents is their seeding.

    A meeting is `pairs` pairs of each game.  With `sprt`, `pairs` is the most that are played.
    `earlier` is what a run was before agents or pairs were added to it: no file says that.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid", "strict": True}

    games: tuple[str, ...]
    agents: tuple[Entry, ...]
    name: str = "tournament"
    kind: Kind = "round-robin"
    pairs: int = 10
    seed: int = 1
    openings: Openings = field(default_factory=Openings)
    clocks: Clocks = field(default_factory=Clocks)
    rules: Rules = field(default_factory=Rules)
    sprt: Sprt | None = None
    swiss: Swiss = field(default_factory=Swiss)
    gauntlet: Gauntlet = field(default_factory=Gauntlet)
    knock_out: KnockOut = field(default_factory=KnockOut)
    earlier: tuple[Roster, ...] = field(default=(), metadata={INTERNAL: True})

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise BadSpec(f"kind is {' or '.join(get_args(Kind))}, not {self.kind}")
        check_name("name", self.name)
        _at_least(1, "pairs", self.pairs)
        if not self.games:
            raise BadSpec("games is empty; name at least one, such as quixo")
        _no_repeats("game", self.games)
        self._check_agents()
        if self.openings.positions and len(self.games) > 1:
            raise BadSpec("openings: listed positions are those of one game, and games has more")
        if self.kind == "sprt" and self.sprt is None:
            raise BadSpec("kind sprt needs a table [sprt] with elo0 and elo1")

    def _check_agents(self) -> None:
        count = len(self.agents)
        if count < 2:
            raise BadSpec(f"agents names {count}; a tournament needs at least two")
        for entry in self.agents:
            check_name("agents", entry.name)
        _no_repeats("agent", [entry.name for entry in self.agents])
        if self.kind in ("match", "sprt") and count != 2:
            raise BadSpec(f"kind {self.kind} is for two agents, not {count}; try round-robin")
        if self.kind == "gauntlet" and self.gauntlet.challengers >= count:
            raise BadSpec(f"gauntlet.challengers is at most {count - 1} of {count} agents")
        most = count - 1 + count % 2
        if self.kind == "swiss" and self.swiss.rounds > most:
            raise BadSpec(f"swiss.rounds is at most {most}: then all {count} agents have met")

    @property
    def names(self) -> tuple[str, ...]:
        """Of the entries, the first seed first."""
        return tuple(entry.name for entry in self.agents)

    @property
    def roster(self) -> Roster:
        """Who takes part, and how often they meet."""
        return Roster(self.names, self.pairs, self.gauntlet.challengers)

    @property
    def pairs_per_meeting(self) -> int:
        """The most pairs of each game that a meeting may take."""
        return self.pairs + (self.knock_out.extra_pairs if self.kind == "knock-out" else 0)

    def to_json(self) -> str:
        """The text from which `from_json` makes an equal tournament."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @staticmethod
    def from_json(text: str) -> "Tournament":
        """The tournament that a JSON object describes, every key and value checked."""
        return read_json(Tournament, text)


def is_name(text: str) -> bool:
    """Whether it can stand in a table on the screen."""
    return bool(text.strip()) and text.isprintable()


def check_name(what: str, text: str) -> None:
    """Refuse what cannot be the name of a tournament or an agent, wherever it comes from."""
    if len(text) > LONGEST_NAME:
        most = f"a name has up to {LONGEST_NAME} letters"
        raise BadSpec(f"{what}: {text[:20]!r}... is too long; {most}")
    if not is_name(text):
        raise BadSpec(f"{what}: {text!r} is no name; use letters that can be printed")


def _at_least(least: int, key: str, value: int) -> None:
    if value < least:
        raise BadSpec(f"{key} is at least {least}, not {value}")


def _no_repeats(what: str, names: tuple[str, ...] | list[str]) -> None:
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        way = '; tell them apart: { name = "...", spec = "..." }' if what == "agent" else ""
        raise BadSpec(f"{times} {what}s are called {name}{way}")
