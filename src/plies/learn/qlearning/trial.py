"""A learned table tried in games against a player who picks any legal move.

The table's player takes the move whose position it likes best, chance among equal ones.  It
sees where a move ends the game, as `greedy` does, or it is blind for that and knows nothing but
the table.  Besides the results it is counted at how many of its decisions the table knew
anything at all.
"""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.scores import INFINITY, ONGOING
from plies.core.verbs import legal_moves, mover, outcome, play
from plies.match.rules import MAX_PLIES
from plies.models.table import index_of
from plies.search.leaf import final_value
from plies.search.random_numbers import random_below

GAMES = 10_000
SLICE_GAMES = 100  # between two chances to be interrupted
SHOWN = 16  # decisions of a game that are counted one by one; later ones count with the last

# random      the state of the generator of random numbers, never 0
# is_blind    whether the player does not see where a move ends the game
# results     losses, draws and wins of the table's player
# decisions   how often it decided for the first, second ... time in a game
# known       at how many of those the table knew one of the positions to choose from
TRIAL = np.dtype(
    [
        ("random", np.uint64),
        ("is_blind", np.int64),
        ("results", np.int64, (3,)),
        ("decisions", np.int64, (SHOWN,)),
        ("known", np.int64, (SHOWN,)),
    ],
    align=True,
)


@compiled
def choose(table, state, work):
    """The best move by the table, chance among equal ones, and whether it knew anything."""
    moves = legal_moves(state)
    player = mover(state)
    best, best_move, equals, is_known = -INFINITY, moves[0], 0, False
    for move in moves:
        child = play(state, move)
        result = outcome(child)
        if result != ONGOING and not work.is_blind:
            value = final_value(child, result, 1)
        else:
            number = index_of(table, child)
            is_known |= number >= 0
            value = table.values[number] if number >= 0 else 0
        value = value if mover(child) == player else -value
        if value > best:
            best, best_move, equals = value, move, 1
        elif value == best:
            equals += 1
            if random_below(equals, work) == 0:
                best_move = move
    return best_move, is_known


@compiled
def try_out(table, start, seat, games, max_plies, work):
    """Play so many games in a seat against chance."""
    for _ in range(games):
        state, result, plies, turns = start, outcome(start), 0, 0
        while result == ONGOING and plies < max_plies:
            if mover(state) == seat:
                move, is_known = choose(table, state, work)
                place = min(turns, SHOWN - 1)
                work.decisions[place] += 1
                work.known[place] += is_known
                turns += 1
            else:
                moves = legal_moves(state)
                move = moves[random_below(len(moves), work)]
            state = play(state, move)
            result = outcome(state)
            plies += 1
        value = final_value(state, result, 0) if result != ONGOING else 0
        value = value if mover(state) == seat else -value
        work.results[1 + (value > 0) - (value < 0)] += 1


@dataclass(frozen=True)
class Trial:
    """How games against chance ended, and the share of decisions that were no pure guess.

    `known[n]` is that share of the n-th own decisions, of all later ones in the last place.
    """

    wins: int
    draws: int
    losses: int
    decisions: int
    known_share: float
    known: tuple[float, ...]

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Plan:
    """What is tried: so many games in a seat, of `max_plies` at most; see `TRIAL`."""

    seat: int
    seed: int = 0
    games: int = GAMES
    max_plies: int = MAX_PLIES
    is_blind: bool = False


def trial(game: Game, table: Any, plan: Plan) -> Trial:
    """Games of a table, the record of its evaluator, against chance."""
    work: Any = np.zeros(1, TRIAL).view(np.recarray)[0]
    work.random = np.uint64(random.Random(f"trial/{plan.seed}/{plan.seat}").getrandbits(63) | 1)
    work.is_blind = plan.is_blind
    for played in range(0, plan.games, SLICE_GAMES):
        games = min(plan.games - played, SLICE_GAMES)
        with explaining(game):
            try_out(table, game.initial(), plan.seat, games, plan.max_plies, work)
    losses, draws, wins = (int(number) for number in work.results)
    met = work.decisions > 0
    shares = work.known[met] / work.decisions[met]
    return Trial(
        wins,
        draws,
        losses,
        decisions=int(work.decisions.sum()),
        known_share=float(work.known.sum() / max(work.decisions.sum(), 1)),
        known=tuple(float(share) for share in shares),
    )
