"""What was played and how it ended, in words and tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from plies.arena.config import Tournament
from plies.arena.plan import points_of
from plies.arena.report.analysis import Fault, kinds_of, scores_by_game
from plies.arena.report.replay import Replay
from plies.arena.statistics import FEWEST, SURE
from plies.arena.store import Finished
from plies.arena.summary import MatchSummary, Row
from plies.arena.tally import Score
from plies.match import Clocks, Rules
from plies.pages.page import Table
from plies.records import FAULTS, NORMAL


def result_told(finished: Finished, ending: str) -> str:
    """Who won and why; `ending` is what the rules say of the last position."""
    record = finished.record
    points = points_of(record.payoffs)
    best = [name for name, point in zip(finished.planned.seats, points, strict=True) if point]
    told = f"{best[0]} wins" if len(best) == 1 else "drawn"
    if 1 < len(best) < len(points):
        told = f"the point is shared by {' and '.join(best)}"
    if record.termination != NORMAL:
        return f"{told} ({record.termination}: {record.reason})"
    reason = ending if record.reason == "rules" else record.reason
    return f"{told} ({reason})" if reason else told


def settings(tournament: Tournament, about: Mapping[str, Any]) -> Table:
    """What was played, under which rules, where and when."""
    agents = ", ".join(
        entry.name if entry.name == entry.spec else f"{entry.name} = {entry.spec}"
        for entry in tournament.agents
    )
    facts = {
        "tournament": f"{tournament.name} ({tournament.kind})",
        "games": ", ".join(tournament.games),
        "agents": agents,
        "pairs": f"{tournament.pairs} for a meeting and game, every opening once for each seat",
        "openings": _openings(tournament),
        "clocks": clocks_told(tournament.clocks),
        "draws": _draws(tournament.rules),
        "judgements": _judgements(tournament.rules),
        "faults": tournament.rules.policy,
        "seed": str(tournament.seed),
    }
    more = {name: _plain(value) for name, value in about.items() if name != "tournament"}
    rows = [(name, told) for name, told in (facts | more).items() if told]
    return Table(("what", "how"), rows)


def _openings(tournament: Tournament) -> str:
    openings = tournament.openings
    if openings.positions:
        return (
            f"{len(openings.positions)} listed positions {openings.file and f'({openings.file})'}"
        )
    return f"after {openings.plies} random plies" if openings.plies else "the start of the game"


def clocks_told(clocks: Clocks) -> str:
    """`60 s for a game, 0.5 s more with every move, at most 5 s for a move`."""
    if not clocks.are_running:
        return "none"
    parts = [
        f"{clocks.credit:g} s for a game" if clocks.credit else "",
        f"{clocks.increment:g} s more with every move" if clocks.increment else "",
        f"at most {clocks.per_move:g} s for a move" if clocks.per_move else "",
        f"{clocks.startup:g} s to start up, {clocks.margin:g} s forgiven",
    ]
    return ", ".join(filter(None, parts))


def _draws(rules: Rules) -> str:
    length = "drawn" if rules.at_length == "draw" else f"decided by the evaluator {rules.at_length}"
    parts = [
        f"a game of {rules.max_plies} plies is {length}",
        f"drawn when a position arises {rules.repetitions} times" if rules.repetitions else "",
        "drawn when 2 to 7 moves are repeated at once" if rules.cycles else "",
    ]
    return "; ".join(filter(None, parts))


def _judgements(rules: Rules) -> str:
    parts = [
        f"won after {rules.resign_moves} moves in a row that both see at {rules.resign_value}"
        if rules.resign_moves
        else "",
        f"drawn after {rules.draw_moves} moves of each within {rules.draw_value},"
        f" not before ply {rules.draw_after}"
        if rules.draw_moves
        else "",
    ]
    return "; ".join(filter(None, parts))


def _plain(value: Any) -> str:
    """JSON as a reader expects it in a table."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(each)}" for name, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_plain, value))
    return str(value)


def standings_table(standings: Sequence[Row], games: Sequence[Finished]) -> Table:
    """One row for every agent, the best first."""
    kinds = kinds_of(games)
    by_game = scores_by_game(games) if len(kinds) > 1 else {}
    has_elo = any(row.elo is not None for row in standings)
    shown: list[tuple[str, ...]] = []
    for place, row in enumerate(standings, start=1):
        each, score = row.standing, row.standing.score
        counts = f"{score.wins} / {score.draws} / {score.losses}"
        cells = [str(place), each.name, *(_elo(row) if has_elo else ())]
        cells += [_percent(score), f"{score.points:g}", str(score.games), counts]
        cells += [_percent(by_game.get((each.name, kind), Score())) for kind in kinds if by_game]
        cells += [_mean(each.seconds, each.moves), _mean(each.nodes, each.moves)]
        shown.append((*cells, str(sum(each.faults.values()) + each.forgiven)))
    elo = ("Elo", "± (95 %)") if has_elo else ()
    counts = ("score", "points", "games", "won / drawn / lost")
    means = ("s / move", "nodes / move", "faults")
    return Table(("", "agent", *elo, *counts, *(kinds if by_game else ()), *means), shown)


def _elo(row: Row) -> tuple[str, str]:
    if row.elo is None or row.elo.value is None or row.elo.error is None:
        return "", ""
    ends = f"{row.elo.low:+z.0f} to {row.elo.high:+z.0f}"
    return f"{row.elo.value:+z.0f}", f"{row.elo.error:.0f}" if row.elo.is_symmetric else ends


def _percent(score: Score) -> str:
    return f"{100 * score.share:.1f} %" if score.games else ""


def _mean(total: float, count: int) -> str:
    if not count:
        return ""
    mean = total / count
    return f"{mean:,.0f}" if mean >= 1000 else f"{mean:.3g}"


def match_facts(match: MatchSummary) -> dict[str, str]:
    """What a match of two says about the first of them."""
    facts = {
        "score": f"{100 * match.score.share:.1f} % for {match.first}",
        "pairs": f"{' / '.join(map(str, match.counts))} with 0, ½, 1, 1½ and 2 points",
        **_strength(match),
    }
    if match.test is not None:
        low, high = match.test.bounds
        llr = 0.0 if match.llr is None else match.llr
        facts["SPRT"] = (
            f"{match.verdict or 'no verdict'}: H0 {match.test.elo0:g}, H1 {match.test.elo1:g} Elo"
            f" ({match.test.model}); LLR {llr:+.2f}, bounds {low:.2f} and {high:.2f}"
        )
    return {name: told for name, told in facts.items() if told}


def _strength(match: MatchSummary) -> dict[str, str]:
    """Who is better, by how much and how sure that is; no figures from too few games."""
    if match.los is None:
        played = sum(match.counts)
        pairs = f"{played} complete pair{'' if played == 1 else 's'}"
        why = f"too few games to tell who is better ({pairs}; at least {FEWEST} are needed)"
        return {"Elo": why}
    return {
        "Elo": f"{match.interval} (95 %)",
        "nElo": f"{match.normalised} (95 %, normalised Elo)" if match.normalised else "",
        "LOS": _superiority(match, match.los),
    }


def _superiority(match: MatchSummary, los: float) -> str:
    better, sure = (match.first, los) if los >= 0.5 else (match.second, 1 - los)
    percent = "more than 99.9 %" if sure > 0.999 else f"{100 * sure:.1f} %"
    if sure > SURE:
        return f"{percent} sure that {better} is better"
    favourite = f" for {better}" if percent != "50.0 %" else ""
    return f"{percent}{favourite}: not clear who is better"


def standing_rows(standings: Sequence[Row]) -> list[dict[str, object]]:
    """The same as a file has it: numbers as they are."""
    rows: list[dict[str, object]] = []
    for found in standings:
        each, score = found.standing, found.standing.score
        row: dict[str, object] = {"agent": each.name}
        row |= {"elo": found.elo.value, "elo_error": found.elo.error} if found.elo else {}
        row |= {"games": score.games, "won": score.wins}
        row |= {"drawn": score.draws, "lost": score.losses, "points": score.points}
        row |= {"share": score.share, "moves": each.moves, "nodes": each.nodes}
        row |= {"seconds": each.seconds, "faults": sum(each.faults.values())}
        rows.append(row | {"forgiven": each.forgiven})
    return rows


def move_rows(
    games: Sequence[Finished], replays: Sequence[Replay | str]
) -> list[dict[str, object]]:
    """Every move, with what its player faced where the game can be replayed."""
    rows: list[dict[str, object]] = []
    for finished, replay in zip(games, replays, strict=True):
        faced = [] if isinstance(replay, str) else replay.faced
        for ply, move in enumerate(finished.record.moves, start=1):
            row: dict[str, object] = {"number": finished.planned.number, "ply": ply}
            row |= {"agent": finished.planned.seats[move.player], **asdict(move)}
            row["line"] = " ".join(move.line)
            if faced:
                row |= {"own_pieces": faced[ply - 1].pieces, "legal_moves": faced[ply - 1].moves}
            rows.append(row)
    return rows


def payoff_rows(meetings: Mapping[tuple[str, str], Score]) -> list[dict[str, object]]:
    """Every agent against every other, as a file has it."""
    return [
        {"agent": name, "opponent": other, "games": score.games, "points": score.points}
        | {"share": score.share, "won": score.wins, "drawn": score.draws, "lost": score.losses}
        for (name, other), score in meetings.items()
    ]


def fault_table(faults: Sequence[Fault]) -> Table:
    """Who did what, and how often."""
    rows = [(each.agent, each.kind, str(each.times), each.told) for each in faults]
    return Table(("agent", "kind", "times", "what it did"), rows)


def endings_table(games: Sequence[Finished]) -> Table:
    """How games ended: the termination, and the reason where it is not a whole sentence."""
    counts = Counter((each.record.termination, each.record.reason) for each in games)
    shown: Counter[tuple[str, str]] = Counter()
    for (termination, reason), count in counts.items():
        shown[termination, "" if termination in FAULTS else reason] += count
    rows = [(kind, reason, str(count)) for (kind, reason), count in shown.most_common()]
    return Table(("termination", "reason", "games"), rows)
