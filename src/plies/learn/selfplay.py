"""Games that an evaluator plays against itself, as positions and what became of them.

A game begins with random moves; then alpha-beta chooses, now and then chance.  It ends with
the rules, with a win that alpha-beta has proven, or as a draw when it gets too long.

Games are played in parts.  The chances of a part are drawn from the seed and its number, so
that it is the same in whichever process it is played.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.scores import INFINITY, MAX_EVALUATION, ONGOING, SCORED
from plies.core.verbs import input_count, inputs, legal_moves, mover, outcome, payoff, play
from plies.errors import BadSpec
from plies.learn.patterns import check_inputs
from plies.models.kinds import find_evaluator
from plies.registry import game as find_game
from plies.search.alphabeta import SOFT_AND_EQUAL, Pruning, alphabeta
from plies.search.limits import checked_depth, checked_whole
from plies.search.random_numbers import random_below
from plies.search.workspace import ROOT, new_workspace

FINE = 1 << 30  # chances are drawn in parts of this
PART = 50  # games
NOBODY = -1

# random   the state of the generator of random numbers, never 0; the others are the settings,
#          with the window and the ply of the root: as constants in compiled code they would be
#          other types, for which a search that calls itself is not sound once it is cached
CHANCES = np.dtype(
    [
        ("random", np.uint64),
        ("depth", np.int64),
        ("alpha", np.int64),
        ("beta", np.int64),
        ("root", np.int64),
        ("is_hard", np.int64),
        ("margin", np.int64),
        ("opening", np.int64),
        ("epsilon", np.float64),
        ("max_plies", np.int64),
    ],
    align=True,
)


@dataclass(frozen=True)
class SelfPlay:
    """Who plays which games: alpha-beta of a depth with an evaluator, a name or a model file.

    `opening` is the most random moves to begin with, at least one; `epsilon` the chance of
    another random move at every ply.
    """

    game: str
    eval: str = ""
    games: int = 10_000
    depth: int = 3
    opening: int = 12
    epsilon: float = 0.1
    max_plies: int = 100
    seed: int = 1

    def __post_init__(self) -> None:
        checked_whole("games", self.games, 2 * PART, 10**8)
        checked_depth(self.depth)
        checked_whole("opening", self.opening, 1, 1000)
        checked_whole("max-plies", self.max_plies, 1, 10_000)
        checked_whole("seed", self.seed, 0, 2**31)
        if not 0 <= self.epsilon <= 1:
            raise BadSpec(f"epsilon is a number from 0 to 1, not {self.epsilon}")

    @property
    def parts(self) -> int:
        return -(-self.games // PART)


class Positions(NamedTuple):
    """Positions of games one after the other, each seen by its mover."""

    rows: np.ndarray  # uint8, [position, input] 1 where the input is on
    values: np.ndarray  # int64, what alpha-beta said
    results: np.ndarray  # int8, how the game ended: 1, 0 or -1


@compiled
def random_start(state, chances):
    """The position after some random moves, the last one in which the game goes on."""
    for _ in range(1 + random_below(chances.opening, chances)):
        moves = legal_moves(state)
        child = play(state, moves[random_below(len(moves), chances)])
        if outcome(child) != ONGOING:
            break
        state = child
    return state


@compiled
def winner_of(state, value):
    """Who has won, or NOBODY: by the rules, or by a value that is decided for the mover."""
    result = outcome(state)
    if result == SCORED:
        gained = payoff(state, 0)
        return NOBODY if gained == 0 else np.int64(gained < 0)
    if result != ONGOING:
        return max(result, NOBODY)
    if abs(value) > MAX_EVALUATION:
        return mover(state) if value > 0 else 1 - mover(state)
    return NOBODY


@compiled
def play_game(start, evaluator, chances, work, rows, values, results):
    """Play one game; answers how many positions were written into the last three.

    `rows` is all 0 before.
    """
    state = random_start(start, chances)
    count, value = 0, 0
    while count < chances.max_plies and outcome(state) == ONGOING:
        depth, alpha, beta = chances.depth, chances.alpha, chances.beta
        pruning = Pruning(chances.is_hard, chances.margin)
        value = alphabeta(state, depth, alpha, beta, chances.root, pruning, evaluator, work)
        for number in inputs(state):
            rows[count, number] = 1
        values[count] = value
        results[count] = mover(state)
        count += 1
        if abs(value) > MAX_EVALUATION:
            break
        move = work.line[ROOT, ROOT]
        if random_below(FINE, chances) < chances.epsilon * FINE:
            moves = legal_moves(state)
            move = moves[random_below(len(moves), chances)]
        state = play(state, move)
    winner = winner_of(state, value)
    for index in range(count):
        is_won = results[index] == winner
        results[index] = 0 if winner == NOBODY else (1 if is_won else -1)
    return count


def check_game(game: Game) -> None:
    """Refuse games that nothing of this kind can learn."""
    start = game.initial()
    if not game.is_zero_sum(start):
        raise BadSpec(f"{game.spec} is no game of two players, one against the other")
    if input_count(start) == 0:
        raise BadSpec(f"{game.spec} cannot be learned so: its file has no inputs(state)")
    check_inputs(game)


@lru_cache(maxsize=1)
def _players(game: str, evaluator: str) -> tuple[Game, Any]:
    found = find_game(game)
    return found, find_evaluator(found, evaluator)


def play_part(job: tuple[SelfPlay, int]) -> Positions:
    """The games of one part: what a worker does."""
    plan, number = job
    game, evaluator = _players(plan.game, plan.eval)
    start = game.initial()
    chances = _chances(plan, number)
    work = new_workspace()
    found = []
    for _ in range(min(PART, plan.games - number * PART)):
        rows = np.zeros((plan.max_plies, input_count(start)), np.uint8)
        values = np.zeros(plan.max_plies, np.int64)
        results = np.zeros(plan.max_plies, np.int8)
        with explaining(game):
            count = play_game(start, evaluator, chances, work, rows, values, results)
        found.append((rows[:count], values[:count], results[:count]))
    return Positions(*map(np.concatenate, zip(*found, strict=True)))


def _chances(plan: SelfPlay, number: int) -> Any:
    chances = np.zeros(1, CHANCES).view(np.recarray)[0]
    generator = np.random.default_rng([plan.seed, number])
    chances.random = generator.integers(1, 2**63, dtype=np.uint64)
    chances.depth, chances.opening = plan.depth, plan.opening
    chances.alpha, chances.beta, chances.root = -INFINITY, INFINITY, ROOT
    chances.is_hard, chances.margin = SOFT_AND_EQUAL
    chances.epsilon, chances.max_plies = plan.epsilon, plan.max_plies
    return chances
