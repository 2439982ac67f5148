"""Small runs in a store, and the parts of a report's page."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from plies.arena.config import Tournament
from plies.arena.judge import Job, Judge
from plies.arena.plan import Entry
from plies.arena.runner import about, plan_of
from plies.arena.schedule import pending
from plies.arena.store import Finished, Store

# A name that would leave its place in a page, in an attribute, and in a script.
HOSTILE = "</script><script>alert('x')</script>\"<img src=x onerror=alert(1)> & {co}"
TAKE = str(Path(__file__).parent / "data" / "games" / "take.py")  # a game without a board


def tournament(*agents: str | Entry, **more: Any) -> Tournament:
    entries = tuple(each if isinstance(each, Entry) else Entry(each, each) for each in agents)
    return Tournament(**{"games": ("tictactoe",), "pairs": 2, "agents": entries} | more)


def keep(path: Path, played: Tournament, most: int | None = None) -> list[Finished]:
    """Play the games that are known from the start, or the first so many, and store them."""
    plan = plan_of(played)
    specs = {each.name: each.spec for each in played.agents}
    judge = Judge(Job(specs, played.rules, played.clocks))
    try:
        games = [judge.play(planned) for planned in pending(played, plan.books, [])[:most]]
    finally:
        judge.close()
    return keep_games(path, played, games)


def keep_games(path: Path, played: Tournament, games: list[Finished]) -> list[Finished]:
    """Store games that have been played already."""
    with Store.create(path, about(played)) as store:
        for game in games:
            store.add(game)
    return games


@dataclass
class Page(HTMLParser):
    """What a browser would see: scripts, all other texts, every tag with its attributes."""

    source: str
    scripts: list[tuple[dict[str, str | None], str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script" and self.cdata_elem == "script":
            attributes, text = self.scripts.pop()
            self.scripts.append((attributes, text + data))
        else:
            self.texts.append(data)

    @property
    def code(self) -> str:
        """The only script that runs."""
        (text,) = (text for attributes, text in self.scripts if "type" not in attributes)
        return text

    @property
    def data(self) -> dict[str, Any]:
        """The JSON of every script that does not run, by its id."""
        return {
            str(attributes["id"]): json.loads(text)
            for attributes, text in self.scripts
            if attributes.get("type") == "application/json"
        }


def rows_of(path: Path) -> list[dict[str, str]]:
    """A CSV file by the names of its columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """No file can grow beyond so many bytes, as on a disk that is full."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
