"""Positions, and what searches of them cost, as steps of studies need it."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from plies.agents import Agent, agent
from plies.core.contract import Game
from plies.search.alphabeta import SOFT_AND_EQUAL, alphabeta
from plies.search.decision import Decision
from plies.search.ordering import OPEN
from plies.search.workspace import ROOT, new_workspace


def random_states(game: Game, count: int, plies: Sequence[int], seed: int) -> list[Any]:
    """So many positions that are not over, after each of these numbers of random plies in turn."""
    chance = random.Random(f"positions/{seed}/{game.spec}")
    found: list[Any] = []
    while len(found) < count:
        state: Any = game.initial()
        for _ in range(plies[len(found) % len(plies)]):
            if game.is_over(state):
                break
            state = game.play(state, chance.choice(game.moves(state)))
        if not game.is_over(state):
            found.append(state)
    return found


@contextmanager
def ready(game: Game, spec: str, state: Any) -> Iterator[Agent]:
    """An agent that has been compiled, for a while."""
    searcher = agent(spec, game)
    try:
        searcher.prepare(state)
        yield searcher
    finally:
        searcher.close()


def decisions(game: Game, spec: str, states: Sequence[Any]) -> list[Decision]:
    """What an agent decides in each state, knowing nothing of the others."""
    found = []
    with ready(game, spec, states[0]) as searcher:
        for state in states:
            searcher.forget()
            found.append(searcher.choose(state, random.Random(0)))
    return found


def move_values(game: Game, state: Any, depth: int, evaluator: Any) -> dict[int, int]:
    """What every move is worth to the mover, each searched `depth` plies deep by itself.

    Nothing that one move has proven cuts the search of another, so that no value is a bound.
    """
    work, mover = new_workspace(), game.mover(state)
    values = {}
    for move in game.moves(state):
        child = game.play(state, move)
        found = alphabeta(child, depth - 1, -OPEN, OPEN, ROOT + 1, SOFT_AND_EQUAL, evaluator, work)
        values[move] = int(found) if game.mover(child) == mover else -int(found)
    return values


def best_of(values: Mapping[int, int]) -> list[int]:
    """All of the moves that are worth most."""
    best = max(values.values())
    return [move for move, value in values.items() if value == best]


def states(decision: Decision) -> int:
    """Child positions entered: without the root, which a deepening search enters in every pass."""
    return decision.nodes - max(len(decision.history), 1)


def cost(found: Sequence[Decision]) -> dict[str, float]:
    """Means of a search: `states` entered below the root, `leaves`, and `cpu_seconds`."""
    count = len(found)
    return {
        "states": sum(map(states, found)) / count,
        "leaves": sum(each.leaves for each in found) / count,
        "cpu_seconds": sum(each.cpu_seconds for each in found) / count,
    }
