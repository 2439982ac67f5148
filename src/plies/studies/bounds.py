"""A player that takes bounds for ties: the known trap of alpha-beta with a random choice.

At the root every move is searched with the window that the moves before it have left.  A move
that is cut answers with a bound.  Cut on equality, it answers with the very value of the best
move although it may be worth less; whoever then chooses at random among the moves with the
best answer may choose a worse one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plies.agents import Agent
from plies.arena.config import Tournament
from plies.arena.plan import points_of
from plies.arena.runner import plan_of
from plies.arena.schedule import pending
from plies.core import verbs
from plies.core.contract import Game
from plies.match import play_game
from plies.registry import game as find_game
from plies.search.alphabeta import SOFT_AND_EQUAL, Pruning, alphabeta
from plies.search.decision import Decision
from plies.search.ordering import OPEN
from plies.search.runner import Stopwatch
from plies.search.search import Search
from plies.search.task import Task
from plies.search.workspace import ROOT, new_workspace
from plies.studies.searches import best_of, move_values, ready
from plies.studies.study import Work

SOFT_AND_BEYOND = Pruning(0, 1)


def answers(state: Any, depth: int, kind: Pruning, evaluator: Any, work: Any) -> dict[int, int]:
    """What alpha-beta answers for every move of the root: the value, or only a bound of it."""
    alpha, player = -OPEN, verbs.mover(state)
    found = {}
    for move in map(int, verbs.legal_moves(state)):
        child = verbs.play(state, move)
        how = (ROOT + 1, kind, evaluator, work)
        if verbs.mover(child) == player:
            value = alphabeta(child, depth - 1, alpha, OPEN, *how)
        else:
            value = -alphabeta(child, depth - 1, -OPEN, -alpha, *how)
        found[move] = int(value)
        alpha = max(alpha, value)
    return found


@dataclass(frozen=True)
class TiesAmongBounds(Search):
    """Soft alpha-beta that plays any of the moves with the best answer."""

    depth: int

    def decide(self, task: Task) -> Decision:
        work, watch = new_workspace(), Stopwatch()
        found = answers(task.state, self.depth, SOFT_AND_EQUAL, task.evaluator, work)
        move = task.rng.choice(best_of(found))
        nodes = 1 + int(work.nodes)
        return Decision(move, found[move], self.depth, nodes, watch.seconds, (move,))


def play_instead(work: Work, tournament: Tournament, name: str, depth: int) -> list[float]:
    """The points of the games of an agent, played once more by one that takes bounds for ties.

    It has the agent's evaluator, opponents, openings, colours and seeds.
    """
    specs = {entry.name: entry.spec for entry in tournament.agents}
    planned = [
        each for each in pending(tournament, plan_of(tournament).books, []) if name in each.seats
    ]
    game = find_game(planned[0].game)
    (other,) = {seat for each in planned for seat in each.seats} - {name}
    points = []
    with ready(game, specs[name], game.initial()) as replaced:
        faulty = Agent("ties among bounds", {}, game, TiesAmongBounds(depth), replaced.evaluator)
        with ready(game, specs[other], game.initial()) as opponent:
            seated = {name: faulty, other: opponent}
            for number, each in enumerate(planned):
                work.tell(f"games of {name} with bounds for ties", number, len(planned))
                seats = [seated[seat] for seat in each.seats]
                record = play_game(
                    game, *seats, seed=each.seed, start=each.opening, rules=tournament.rules
                )
                points.append(points_of(record.payoffs)[each.seats.index(name)])
    return points


def worse_choices(
    game: Game, states: Sequence[Any], depth: int, kind: Pruning, evaluator: Any
) -> dict[str, float]:
    """What becomes of a choice among the best answers.

    possible    share of the positions in which a worse move is among them
    likely      how likely a worse one is chosen
    """
    possible = likely = 0.0
    for state in states:
        tied = best_of(answers(state, depth, kind, evaluator, new_workspace()))
        values = move_values(game, state, depth, evaluator)
        best = max(values.values())
        worse = sum(values[move] < best for move in tied)
        possible += worse > 0
        likely += worse / len(tied)
    return {"possible": possible / len(states), "likely": likely / len(states)}
