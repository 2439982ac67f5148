"""What a study is: steps that compute, and findings drawn from what they answered.

A study is a module of this package that ends with `STUDY = Study(...)`; nothing lists it.

    def measure(work: Work) -> dict[str, int]:
        game = find_game("tictactoe")
        return {"nodes": search(game, game.initial(), "minimax:depth=9").nodes}

    def plan(scale: Scale) -> list[Step]:
        return [Step("nodes", measure)]

    def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
        ours = f"{found['nodes']['nodes']:,}"
        row = Compared("nodes of minimax", "549,946", ours, "the same: it counts every line")
        return Findings("Minimax looks at every line.", [row], [])

    STUDY = Study("my-study", "Minimax counts", "What it is about, in a line.", plan, findings)

Steps run one after the other.  What a step answers is kept when it ends, and it is not run
again where that is there; a step that is cut short begins anew, unless it keeps its own files
in `work.folder` (`work.match` does, game by game).  A step reads the answers of those before
it in `work.found`.  Everything random in it is drawn from `work.seed`.

`findings` is asked every time, so that a report can be mended without running anything; it
gets the answers of all steps as JSON gives them back (keys are texts, tuples are lists).

The module itself imports little: what is heavy (altair, scikit-learn, torch) is imported in
the functions that need it.  The name of the module is the study's, with `_` for `-`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from plies.arena.config import Tournament
    from plies.pages.charts import Drawn
    from plies.pages.page import Table

Scale = Literal["quick", "full"]
Tell = Callable[[str, int, int], None]


def silent(text: str, done: int, total: int) -> None:
    """Tells nobody."""


@dataclass(frozen=True)
class Work:
    """What a step is given.

    folder     for files, the same for all steps of the study; it exists
    seed       of everything random
    workers    processes that may run at once
    found      what the steps before have answered, by their names
    tell       progress: what is going on, how much of it is done, and of how much
    """

    folder: Path
    seed: int = 1
    workers: int = 1
    found: Mapping[str, Any] = field(default_factory=dict)
    tell: Tell = silent

    def match(self, name: str, tournament: "Tournament") -> dict[str, Any]:
        """Play a tournament, or what is left of it, and answer its figures as JSON.

        The games are kept in `NAME.db` of the folder as they end.  Its seed is the
        tournament's own: give it `work.seed`.  What is answered: see `matches.figures`.
        """
        from plies.studies.matches import played

        return played(self, name, tournament)


@dataclass(frozen=True)
class Step:
    """A part of a study; `run` answers what can be written as JSON."""

    name: str
    run: Callable[[Work], Any]


@dataclass(frozen=True)
class Compared:
    """A row of the table: what was published, what came out here, and why they differ.

    published   what stands in the report, a figure or a claim; empty where it has none
    computed    what follows from the rules, whoever runs it, and by what it was computed
    ours        what this run measured
    """

    what: str
    published: str
    ours: str
    why: str
    computed: str = ""


@dataclass(frozen=True)
class Shown:
    """A chart or a table of the report."""

    title: str
    remark: str
    content: "Drawn | Table"


@dataclass(frozen=True)
class Findings:
    """What came out; `lead` is the conclusion in a sentence or two."""

    lead: str
    compared: list[Compared]
    shown: list[Shown]


@dataclass(frozen=True)
class Study:
    """An experiment; `about` says in a line what it asks."""

    name: str
    title: str
    about: str
    plan: Callable[[Scale], list[Step]]
    findings: Callable[[Mapping[str, Any], Scale], Findings]
