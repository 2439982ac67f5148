"""A study small enough to be run by tests, and the command line with nothing but it.

Called as a program, with a game before all else, it is `plies` whose only studies are this one
of that game and one that fails.
"""

import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

from plies.arena.config import Tournament
from plies.arena.plan import named
from plies.cli.main import main
from plies.errors import PliesError
from plies.pages.page import Table
from plies.studies import finding
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work

PAIRS: dict[Scale, int] = {"quick": 2, "full": 25}
GAME = "tictactoe:width=6,height=6,k=4"


def tournament(seed: int, pairs: int, game: str = GAME) -> Tournament:
    return Tournament(
        games=(game,), agents=named(["greedy", "random"]), kind="match", pairs=pairs, seed=seed
    )


def begin(work: Work) -> dict[str, Any]:
    """Leaves a mark whenever it is run."""
    with (work.folder / "begun.txt").open("a") as file:
        file.write("begun\n")
    return {"seed": work.seed, "squares": {1: (1, 1), 2: (1, 4)}}


def play(work: Work, scale: Scale) -> dict[str, Any]:
    assert work.found["begin"]["seed"] == work.seed
    return work.match("games", tournament(work.seed, PAIRS[scale]))


def plan(scale: Scale) -> list[Step]:
    return [Step("begin", begin), Step("play", partial(play, scale=scale))]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    from plies.studies.report.charts import Axis, lines, results

    meeting = found["play"]["meetings"][0]
    rows = [{"x": number, "y": number * number} for number in range(1, 5)]
    drawn = lines(rows, Axis("x", "number", is_whole=True), Axis("y", "square"))
    return Findings(
        "Greedy beats chance.",
        [Compared("games", "40 | <b>", str(found["play"]["games"]), "a smaller sample")],
        [
            Shown("Squares", "A chart.", drawn),
            Shown("Results", "", results([{**meeting, "who": "greedy"}], "who")),
            Shown(
                "Counts", "A table.", Table(("agent", "wins"), [("greedy", str(meeting["wins"]))])
            ),
        ],
    )


def fail(work: Work) -> None:
    raise PliesError("there is nothing to measure")


SAMPLE = Study("sample", "A sample", "Nothing in particular.", plan, findings)
FAILING = Study("failing", "A failure", "It fails.", lambda _: [Step("fail", fail)], findings)


def only_samples() -> dict[str, Study]:
    return {study.name: study for study in (FAILING, SAMPLE)}


if __name__ == "__main__":
    finding.studies = only_samples
    tournament = partial(tournament, game=sys.argv.pop(1))
    sys.exit(main(sys.argv[1:]))
