"""Before a run: do those who take part get ready, and what keeps programs in bounds?"""

from collections.abc import Iterable, Iterator, Mapping

from plies.agents import agent
from plies.agents.process import RUNNING, Process
from plies.arena.config import Tournament
from plies.core.contract import Game
from plies.errors import AgentFault
from plies.registry import game as find_game
from plies.sandbox import cgroup
from plies.sandbox.guards import GUARDS
from plies.sandbox.survey import survey, table_lines


def concerns(tournament: Tournament) -> Iterator[str]:
    """What should be known about agents that have to get ready before they play, a line each.

    A program that cannot start takes part all the same and loses its games; what only the
    agent itself can refuse, such as a game that is too large, raises its error here.
    """
    missing: dict[str, str] = {}
    for spec in tournament.games:
        game = find_game(spec)
        for entry in tournament.agents:
            player = agent(entry.spec, game)
            try:
                player.begin(game.initial(), 0, seconds=tournament.clocks.startup)
                if isinstance(player.search, Process):
                    if not player.search.confined:
                        yield f"{entry.name} is not confined: it can do whatever you can"
                    else:
                        missing |= player.memory[RUNNING].missing
            except AgentFault as fault:
                yield f"{entry.name} does not start: {fault}"
            finally:
                player.close()
    for line in warnings(missing):
        yield f"WARNING: {line}"


def guard_table(specs: Iterable[str], game: Game) -> list[str]:
    """The guards of this machine, a line each; none where no agent is a confined program."""
    searches = [agent(spec, game).search for spec in specs]
    if not any(isinstance(search, Process) and search.confined for search in searches):
        return []
    return table_lines(survey())


def warnings(missing: Mapping[str, str]) -> list[str]:
    """What is not ensured for want of guards (name -> why it is missing), a line each.

    Control groups are left to the table of guards: without them the watch does their work.
    """
    return [
        f"it is NOT ensured on this machine that a program {GUARDS[guard]} ({guard}: {why})"
        for guard, why in missing.items()
        if guard not in cgroup.GUARDS
    ]
