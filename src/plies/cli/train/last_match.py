"""The match that decides whether tuned weights are better."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from plies.cli.errors import INTERRUPTED, UsageError, complain

if TYPE_CHECKING:
    from plies.arena.config import Tournament
    from plies.arena.summary import MatchSummary


@dataclass(frozen=True)
class Verdict:
    """What the last match says, for people and as data."""

    match: "MatchSummary"
    data: dict[str, Any]
    elo1: float  # what the test asked for

    @property
    def is_better(self) -> bool:
        """Whether the test has found the tuned weights to be stronger."""
        return self.match.verdict == "H1"

    @property
    def sentence(self) -> str:
        return {
            "H1": "The tuned weights are better.",
            "H0": f"The tuned weights are not better by {self.elo1:g} Elo.",
        }.get(self.match.verdict, "The match ended before it was clear whether they are better.")


def played(tournament: "Tournament", path: Path, workers: int) -> Verdict:
    """Play what is left of a match that is kept in a file."""
    from plies.arena.runner import note_change, open_run, plan_of
    from plies.arena.runner import run as play
    from plies.arena.store import BadStore
    from plies.arena.summary import summary
    from plies.cli.results import as_data
    from plies.cli.running import Lines, ending_heard

    try:
        opened = open_run(tournament, path)
    except BadStore as error:
        raise UsageError(f"{error}, or remove it to play the match anew") from error
    with opened as store:
        if store.numbers() and note_change(store):
            complain(f"{path} was begun with other code; remove it to play the match anew")
        progress = Lines(len(store.numbers()), 2 * tournament.pairs)
        try:
            with ending_heard():
                play(store, progress.hear, workers=workers)
        except KeyboardInterrupt:
            there = f"stopped after {progress.done} games of the last match, kept in {path}"
            complain(f"{there}; the same command goes on")
            raise typer.Exit(INTERRUPTED) from None
        plan, games = plan_of(tournament), store.games()
    match = summary(plan, games).match
    assert match is not None  # there are two agents
    assert tournament.sprt is not None
    return Verdict(match, as_data(plan, games), tournament.sprt.elo1)
