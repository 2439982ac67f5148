"""How long a tournament is going to take, before it is played."""

import math
import time
from dataclasses import dataclass, replace

from plies.agents import LEADING, agent
from plies.arena.schedule.pairs import Plan
from plies.core.spec import split_spec
from plies.match import Clocks, Rules, play_game
from plies.registry import game as find_game

RANDOM_GAMES = 10  # played to see how long games are


@dataclass(frozen=True)
class Estimate:
    """Seconds that a game takes on average, and what that rests on."""

    seconds_per_game: float
    basis: str


def estimate(plan: Plan, patience: float = math.inf) -> Estimate:
    """From the time that every agent takes for one move, and the length of random games.

    After `patience` seconds no more moves are timed: the others are thought to take as long.
    """
    tournament = plan.tournament
    timed = [each for each in tournament.agents if split_spec(each.spec, LEADING)[0] != "human"]
    began = time.perf_counter()
    plies = seconds = 0.0
    moves = 0
    for book in plan.books:
        game = find_game(book.game)
        players = ["random"] * book.players
        opening = book.openings[0]
        for seed in range(RANDOM_GAMES):
            record = play_game(game, *players, seed=seed, start=opening, rules=tournament.rules)
            plies += len(record.moves) / RANDOM_GAMES / len(plan.books)
        once = replace(tournament.rules, max_plies=1)
        for entry in timed:
            if time.perf_counter() < began + patience:
                moves += 1
                seconds += _seconds_of_a_move(
                    entry.spec, book.game, opening, once, tournament.clocks
                )
    is_all = moves == len(plan.books) * len(timed)
    who = "one move of every agent was timed" if is_all else f"{moves} moves were timed"
    return Estimate(seconds / max(moves, 1) * plies, f"{who}; random games last {plies:.0f} plies")


def _seconds_of_a_move(spec: str, game: str, opening: str, rules: Rules, clocks: Clocks) -> float:
    found = find_game(game)
    state = found.parse_position(opening)
    player = agent(spec, found)
    try:
        player.prepare(state)
        seats = [player] * found.players(state)
        record = play_game(found, *seats, start=opening, rules=rules, clocks=clocks)
    finally:
        player.close()
    return sum(move.seconds for move in record.moves)
