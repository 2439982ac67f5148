"""From what the page asks for to a tournament, and what it would come to."""

from collections import Counter

from plies.arena.config import Gauntlet, Openings, Swiss, Tournament, check_name
from plies.arena.estimate import estimate
from plies.arena.plan import Entry
from plies.arena.reading import check
from plies.arena.runner import plan_of
from plies.arena.schedule import outline, total
from plies.arena.schedule.pairs import Plan
from plies.arena.statistics.sprt import Sprt
from plies.errors import BadSpec, PliesError
from plies.match import Clocks
from plies.web.contests import limits
from plies.web.contests.messages import ContestPlan, EntrantView, NewContest, StageView
from plies.web.contests.names import Names
from plies.web.contests.runs import AT_MOST, total_of


def planned(asked: NewContest, names: Names) -> Plan:
    """The tournament that is asked for, with its openings; one that is too large is refused."""
    tournament = _tournament(asked, names)
    games = total_of(tournament, [names.catalogue.find(spec) for spec in asked.games])
    if games > limits.MOST_GAMES:
        raise BadSpec(
            f"that would be {games:,} games; ask for at most {limits.MOST_GAMES:,}: fewer pairs,"
            " agents or games"
        )
    return plan_of(tournament)


def _tournament(asked: NewContest, names: Names) -> Tournament:
    _check_names(asked)
    games = [names.catalogue.find(spec) for spec in asked.games]
    inner = tuple(names.inner(game.spec) for game in games)
    entries = []
    for entrant in asked.agents:
        try:
            specs = [names.bounded(entrant.agent, game) for game in games]
        except PliesError as error:
            raise BadSpec(f"{entrant.name}: {error}") from error
        entries.append(Entry(entrant.name, specs[0]))
    tournament = Tournament(
        games=inner,
        agents=tuple(entries),
        name=asked.name,
        kind=asked.kind,
        pairs=asked.pairs,
        seed=asked.seed,
        openings=Openings(plies=asked.opening_plies),
        clocks=Clocks(asked.clock.credit, asked.clock.increment, asked.clock.per_move),
        sprt=Sprt(asked.elo0, asked.elo1) if asked.kind == "sprt" else None,
        swiss=Swiss(asked.rounds if asked.kind == "swiss" else 0),
        gauntlet=Gauntlet(asked.challengers if asked.kind == "gauntlet" else 1),
    )
    check(tournament)
    return tournament


def _check_names(asked: NewContest) -> None:
    names = [entrant.name for entrant in asked.agents]
    for name in (asked.name, *names):
        check_name("name", name)
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise BadSpec(f"{times} agents are called {name}; give each a name of its own")


def told_plan(plan: Plan, names: Names, *, is_timed: bool) -> ContestPlan:
    """How many games there would be; and how long they would take, if moves are to be timed."""
    tournament = plan.tournament
    public = {spec: names.public(spec) for spec in tournament.games}
    games = total(tournament, plan.books)
    guess = estimate(plan, limits.WORKERS, patience=limits.ESTIMATE_SECONDS) if is_timed else None
    return ContestPlan(
        games=games,
        is_most=tournament.kind in AT_MOST,
        stages=[
            StageView(
                name=public.get(stage.name, stage.name),
                meetings=stage.meetings,
                pairs=stage.pairs,
                games=stage.games,
            )
            for stage in outline(tournament, plan.books)
        ],
        openings={public[book.game]: len(book.openings) for book in plan.books},
        agents=[
            EntrantView(name=entry.name, agent=names.told_spec(entry.spec))
            for entry in tournament.agents
        ],
        workers=limits.WORKERS,
        seconds=guess.seconds if guess else None,
        basis=guess.basis if guess else "",
    )
