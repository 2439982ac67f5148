"""What came out of a tournament: as a table for people, as data for programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plies.arena.schedule.pairs import Plan
    from plies.arena.store import Finished
    from plies.arena.summary import MatchSummary, Row, Summary


def as_data(plan: "Plan", games: "Sequence[Finished]") -> dict[str, Any]:
    """One JSON document; that of two agents tells the results from the side of the first."""
    from plies.arena.summary import summary

    found = summary(plan, games)
    data: dict[str, Any] = {
        "name": plan.tournament.name,
        "kind": plan.tournament.kind,
        "games": found.games,
        "distinct_games": found.distinct_games,
        "is_finished": found.is_finished,
        "terminations": found.terminations,
        "faults": plan.tournament.rules.policy,
        "warnings": found.warnings,
        "first_move_elo": found.first_advantage.value if found.first_advantage else None,
        "standings": [_standing_data(row) for row in found.rows],
    }
    return data | _stages_data(plan, games) | (_match_data(found.match) if found.match else {})


def _stages_data(plan: "Plan", games: "Sequence[Finished]") -> dict[str, Any]:
    """The table of a Swiss tournament, the bracket and champion of a knock-out."""
    from plies.arena.schedule import bracket, table
    from plies.arena.tally import results_of

    tournament, results = plan.tournament, results_of(games)
    if tournament.kind == "swiss":
        return {"table": [vars(each) for each in table(tournament, plan.books, results)]}
    if tournament.kind == "knock-out":
        meetings = bracket(tournament, plan.books, results)
        rows = [
            {"round": each.round, "names": each.names, "winner": each.winner, "why": each.reason}
            for each in meetings
        ]
        return {"bracket": rows, "champion": meetings[-1].winner}
    return {}


def _standing_data(row: "Row") -> dict[str, Any]:
    standing, score = row.standing, row.standing.score
    return {
        "agent": standing.name,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "points": score.points,
        "by_seat": [
            {"seat": seat, "wins": own.wins, "draws": own.draws, "losses": own.losses}
            for seat, own in sorted(standing.by_seat.items())
        ],
        "elo": row.elo.value if row.elo else None,
        "elo_error": row.elo.error if row.elo else None,
        "faults": dict(standing.faults),
        "forgiven": standing.forgiven,
        "first_fault": standing.first_fault or None,
        "moves": standing.moves,
        "nodes": standing.nodes,
        "seconds": standing.seconds,
    }


def _match_data(match: "MatchSummary") -> dict[str, Any]:
    data = {
        "a": match.first,
        "b": match.second,
        "wins": match.score.wins,
        "draws": match.score.draws,
        "losses": match.score.losses,
        "score": match.score.share,
        "pairs": match.counts,
        "elo": match.interval.value if match.interval else None,
        "elo_error": match.interval.error if match.interval else None,
        "elo_low": match.interval.low if match.interval else None,
        "elo_high": match.interval.high if match.interval else None,
        "normalised_elo": match.normalised.value if match.normalised else None,
        "normalised_elo_error": match.normalised.error if match.normalised else None,
        "los": match.los,
    }
    if match.test is not None:
        data["sprt"] = {
            "elo0": match.test.elo0,
            "elo1": match.test.elo1,
            "bounds": match.test.bounds,
            "llr": match.llr,
            "verdict": match.verdict,
        }
    return data


def show(plan: "Plan", games: "Sequence[Finished]") -> None:
    """The standings, what they rest on, and what to doubt about them."""
    from plies.arena.report.places import places
    from plies.arena.report.words import match_facts
    from plies.arena.summary import summary
    from plies.cli.output import print_facts, print_table

    found = summary(plan, games)
    if (decided := places(plan, games)) is not None:
        _, table = decided
        print_table(table.columns, table.rows)
        print()
    columns = ["agent", "games", "won/drawn/lost", "points", "by seat", "ms/move", "Elo"]
    rows = [_cells(row) for row in found.rows]
    if found.match or all(row.elo is None for row in found.rows):  # said below, or unknown
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    print_table(columns, rows)
    print()
    facts = {"games": f"{found.games}, {found.distinct_games} distinct; {_ends(found)}"}
    if found.match:
        facts |= match_facts(found.match)
    elif found.first_advantage is not None:
        facts["first move"] = f"worth {found.first_advantage} Elo (95 %)"
    is_blamed = any(row.standing.faults or row.standing.forgiven for row in found.rows)
    if is_blamed or any(is_program(each.spec) for each in plan.tournament.agents):
        facts["faults"] = plan.tournament.rules.policy
    print_facts(facts)
    for warning in found.warnings:
        print(f"note: {warning}")
    for row in found.rows:
        if row.standing.first_fault:
            print(f"note: first fault of {row.standing.name}: {row.standing.first_fault}")


def is_program(spec: str) -> bool:
    """Whether it is an agent that can commit faults."""
    return spec.partition(":")[0] in ("process", "uci")


def _cells(row: "Row") -> tuple[str, ...]:
    standing, score = row.standing, row.standing.score
    seats = [f"{100 * own.share:.0f}" for _, own in sorted(standing.by_seat.items())]
    pace = f"{1000 * standing.seconds / standing.moves:.3g}" if standing.moves else ""
    return (
        standing.name,
        str(score.games),
        f"{score.wins}/{score.draws}/{score.losses}",
        f"{score.share:.1%}",
        "/".join(seats) + " %",
        pace,
        _elo(row),
    )


def _elo(row: "Row") -> str:
    if row.elo is None or row.elo.value is None or row.elo.error is None:
        return ""
    return f"{row.elo.value:+z.0f} ±{row.elo.error:.0f}"


def _ends(found: "Summary") -> str:
    return ", ".join(f"{kind} {count}" for kind, count in found.terminations.items())


def verdict_status(plan: "Plan", games: "Sequence[Finished]") -> int:
    """1 when a test did not find the first agent to be stronger."""
    from plies.arena.summary import summary

    match = summary(plan, games).match
    return int(match is not None and match.test is not None and match.verdict != "H1")
