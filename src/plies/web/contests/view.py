"""Tournaments as they are shown: from what has been played to messages (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass

from plies.agents import Agent
from plies.arena.plan import points_of
from plies.arena.report.analysis import faults, meetings
from plies.arena.report.places import places
from plies.arena.report.replay import transitions
from plies.arena.report.words import endings_table, fault_table, match_facts, result_told, settings
from plies.arena.schedule import total
from plies.arena.store import Finished
from plies.arena.summary import Row, Summary, games_that_count, summary
from plies.core.contract import Game
from plies.errors import PliesError
from plies.pages.page import Table as Told
from plies.web.contests import limits
from plies.web.contests.messages import (
    CellView,
    ContestCard,
    ContestView,
    EntrantView,
    GameList,
    GameRow,
    ReplayView,
    StandingView,
    State,
    TableView,
)
from plies.web.contests.runs import AT_MOST, FINISHED, TOLD, Glimpse, Opened
from plies.web.models import Models
from plies.web.opponents import allowed_agent
from plies.web.problems import NotHere, Refused
from plies.web.shares import Scale, scale_of
from plies.web.view import Viewer

LATEST = 8


@dataclass(frozen=True)
class Status:
    """How a run stands: whether it is played here now, and what went wrong with it."""

    is_running: bool = False
    problem: str = ""
    left: float | None = None  # seconds


def card(name: str, glimpse: Glimpse | str, status: Status) -> ContestCard:
    """A tournament in the list."""
    if isinstance(glimpse, str):
        return ContestCard(
            id=name, name=name, kind="", games=[], agents=0, played=0, total=0, is_most=False,
            state="stopped", begun="", problem=glimpse,
        )  # fmt: skip
    tournament = glimpse.tournament
    is_finished = FINISHED in glimpse.about or glimpse.played >= glimpse.total
    state: State = "finished" if is_finished else "stopped"
    return ContestCard(
        id=name,
        name=tournament.name,
        kind=tournament.kind,
        games=list(glimpse.games),
        agents=len(tournament.agents),
        played=glimpse.played,
        total=glimpse.total,
        is_most=tournament.kind in AT_MOST,
        state="running" if status.is_running else state,
        begun=str(glimpse.about.get("begun", "")),
        problem=status.problem,
    )


def contest(name: str, opened: Opened, status: Status) -> ContestView:
    """A tournament as it stands."""
    run, plan = opened.run, opened.plan
    told = opened.told
    found = summary(plan, run.games)
    about = {key: value for key, value in run.about.items() if key in TOLD}
    state: State = "finished" if found.is_finished else "stopped"
    return ContestView(
        id=name,
        name=told.name,
        kind=told.kind,
        games=list(told.games),
        agents=[EntrantView(name=each.name, agent=each.spec) for each in told.agents],
        state="running" if status.is_running else state,
        problem=status.problem,
        played=len(run.games),
        total=total(run.tournament, plan.books),
        is_most=told.kind in AT_MOST,
        left=status.left,
        standings=[_standing(row) for row in found.rows],
        cells=_cells(games_that_count(plan, run.games), found.rows),
        tables=_tables(opened, found),
        remarks=_remarks(found),
        warnings=found.warnings,
        latest=[row(each, opened) for each in _latest(run.games)],
        settings=[(cells[0], cells[1]) for cells in settings(told, about).rows],
    )


def _standing(row: Row) -> StandingView:
    each, score, elo = row.standing, row.standing.score, row.elo
    is_rated = elo is not None and elo.value is not None and elo.error is not None
    return StandingView(
        name=each.name,
        elo=elo.value if is_rated and elo else None,
        error=elo.error if is_rated and elo and elo.is_symmetric else None,
        low=elo.low if is_rated and elo else None,
        high=elo.high if is_rated and elo else None,
        share=score.share,
        points=score.points,
        games=score.games,
        won=score.wins,
        drawn=score.draws,
        lost=score.losses,
        seconds=each.seconds / each.moves if each.moves else None,
        nodes=each.nodes / each.moves if each.moves else None,
        faults=sum(each.faults.values()) + each.forgiven,
    )


def _cells(games: Sequence[Finished], rows: Sequence[Row]) -> list[CellView]:
    place = {row.standing.name: number for number, row in enumerate(rows)}
    return [
        CellView(
            agent=place[name],
            other=place[other],
            share=score.share,
            points=score.points,
            games=score.games,
            won=score.wins,
            drawn=score.draws,
            lost=score.losses,
        )
        for (name, other), score in meetings(games).items()
    ]


def _tables(opened: Opened, found: Summary) -> list[TableView]:
    """What the kind of a tournament decides, a match in figures, how games ended, faults."""
    run = opened.run
    tables = []
    if (placed := places(opened.plan, run.games)) is not None:
        tables.append(_table(*placed))
    if found.match is not None and run.games:
        facts = Told(("", found.match.first), [*match_facts(found.match).items()])
        tables.append(_table("The match", facts))
    if run.games:
        tables.append(_table("How games ended", endings_table(run.games)))
    if wrong := faults(run.games):
        tables.append(_table("Faults", fault_table(wrong)))
    return tables


def _table(title: str, table: Told) -> TableView:
    return TableView(title=title, columns=list(table.columns), rows=[[*row] for row in table.rows])


def _remarks(found: Summary) -> list[str]:
    worth = found.first_advantage
    told = [] if worth is None else [f"Moving first is worth {worth} Elo (95 %)."]
    if found.games:
        told.append(f"{found.distinct_games} of {found.games} games differ from each other.")
    return told


def _latest(games: Sequence[Finished]) -> list[Finished]:
    """Those that ended last, the last one first."""
    order = sorted(games, key=lambda each: each.ended)
    return order[: -LATEST - 1 : -1]


def row(finished: Finished, opened: Opened) -> GameRow:
    """A game in a list."""
    return GameRow(
        number=finished.planned.number,
        game=opened.names[finished.planned.game],
        seats=list(finished.planned.seats),
        points=list(points_of(finished.record.payoffs)),
        plies=len(finished.record.moves),
        termination=finished.record.termination,
    )


def game_list(opened: Opened, names: Sequence[str]) -> GameList:
    """The games in which all of these agents sat, by number."""
    own = [each for each in opened.run.games if set(names) <= set(each.planned.seats)]
    shown = [row(each, opened) for each in own[: limits.LISTED_GAMES]]
    return GameList(games=shown, left_out=len(own) - len(shown))


def replay(opened: Opened, number: int, viewer: Viewer, models: Models) -> ReplayView:
    """A game to be stepped through, by the rules as they are now."""
    finished = game_of(opened, number)
    record, game = finished.record, viewer.game
    scales = [_scale(models.public(spec) or spec, game, models) for spec in record.agents]
    try:
        state = game.parse_position(record.start)
        positions = [viewer.position(state, 0, offers=[])]
        played = []
        steps = zip(transitions(game, record), record.moves, strict=True)
        for ply, ((before, move, state), thought) in enumerate(steps, start=1):
            positions.append(viewer.position(state, ply, offers=[], before=before, move=move))
            played.append(viewer.played(before, move, thought, scales[thought.player]))
    except (PliesError, ValueError, IndexError) as error:
        why = error if isinstance(error, PliesError) else "it is damaged"
        raise Refused(f"game {number} cannot be replayed: {why}") from error
    return ReplayView(
        number=number,
        game=game.spec,
        title=game.title,
        table=viewer.table,
        seats=list(finished.planned.seats),
        result=result_told(finished, game.ending(state)),
        positions=positions,
        played=played,
    )


def game_of(opened: Opened, number: int) -> Finished:
    """A game by its number."""
    found = next((each for each in opened.run.games if each.planned.number == number), None)
    if found is None:
        raise NotHere(f"there is no game {number} in this tournament, or it has not ended")
    return found


def _scale(spec: str, game: Game, models: Models) -> Scale | None:
    """What the values of an agent are measured by, where that is known."""
    try:
        agent: Agent = allowed_agent(spec, game, models)
    except PliesError:
        return None
    return scale_of(agent)
