"""What the way of a tournament decides besides points: the table of a Swiss, a bracket."""

from collections.abc import Sequence

from plies.arena.schedule import bracket, table
from plies.arena.schedule.pairs import Plan
from plies.arena.store import Finished
from plies.arena.tally import results_of
from plies.pages.page import Table


def places(plan: Plan, games: Sequence[Finished]) -> tuple[str, Table] | None:
    """A heading and a table for a Swiss tournament or a knock-out, None for other kinds."""
    tournament, results = plan.tournament, results_of(games)
    if tournament.kind == "swiss":
        rows = [
            (str(place), each.name, f"{each.points:g}", f"{each.buchholz:g}")
            for place, each in enumerate(table(tournament, plan.books, results), start=1)
        ]
        return "Swiss table", Table(("", "agent", "points of meetings", "Buchholz"), rows)
    if tournament.kind == "knock-out":
        meetings = bracket(tournament, plan.books, results)
        rows = [
            (str(each.round + 1), " – ".join(map(_named, each.names)), each.winner, each.reason)
            for each in meetings
        ]
        return "Bracket", Table(("round", "meeting", "winner", "reason"), rows)
    return None


def _named(name: str | None) -> str:
    return "nobody" if name is None else name or "?"
