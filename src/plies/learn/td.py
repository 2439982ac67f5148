"""Temporal differences: pattern tables that learn a game by playing against themselves.

Before every move the value of the position goes towards that of its best move: the value of
the position after it, or the result where the move ends the game, times the discount.  Then
that move is played, now and then any other one.  A game begins with some random moves, from
which nothing is learned, and is given up when it gets too long.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from plies.compiling.compiler import compiled, inlined
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.scores import DRAW, ONGOING, SCORED
from plies.core.verbs import input_count, inputs, legal_moves, mover, outcome, payoff, play
from plies.errors import BadSpec
from plies.learn.parts import Parts, digests
from plies.learn.patterns import Patterns, check_inputs, find_patterns
from plies.learn.runs import ANEW, finished, load_run, save_run
from plies.models.files import BadModel, Model, model_path, save_model
from plies.search.limits import checked_whole
from plies.search.random_numbers import random_below
from plies.version import __version__

KIND = "tuples"
FINE = 1 << 30  # chances are drawn in parts of this
SLICE = 128  # games between two chances to be interrupted
SAVE_SECONDS = 10
LAST_RATE = 0.05  # of the first one
RUN = "run.npz"

# random     the state of the generator of random numbers, never 0
# epsilon, rate, discount, opening, max_plies    the settings; the rate is that of one entry
# plies, error    how often something was learned, and the sum of the squares of what was missing
WORK = np.dtype(
    [
        ("random", np.uint64),
        ("epsilon", np.float64),
        ("rate", np.float64),
        ("discount", np.float64),
        ("opening", np.int64),
        ("max_plies", np.int64),
        ("plies", np.int64),
        ("error", np.float64),
    ],
    align=True,
)


@dataclass(frozen=True)
class TdSettings:
    """How it is learned.

    `rate` is how far the value of a position moves towards its goal, at first; it falls to a
    twentieth of that.  `opening` is the most random moves that a game begins with.
    """

    games: int = 20_000
    shapes: tuple[str, ...] = ()
    rate: float = 0.25
    epsilon: float = 0.1
    discount: float = 0.98
    opening: int = 8
    max_plies: int = 80
    seed: int = 1

    def __post_init__(self) -> None:
        checked_whole("games", self.games, 1, 10**9)
        checked_whole("opening", self.opening, 0, 1000)
        checked_whole("max-plies", self.max_plies, 1, 10_000)
        checked_whole("seed", self.seed, 0, 2**31)
        for name in ("rate", "epsilon", "discount"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadSpec(f"{name} is a number from 0 to 1, not {getattr(self, name)}")


@inlined
def find_places(steps, starts, state, places):
    """Where the entry of each pattern is in the tables."""
    patterns = len(starts)
    for pattern in range(patterns):
        places[pattern] = starts[pattern]
    for number in inputs(state):
        for pattern in range(patterns):
            places[pattern] += steps[number * patterns + pattern]


@inlined
def expected(values, places):
    """What is expected of the entries at these places, from -1 to 1."""
    total = 0.0
    for place in places:
        total += values[place]
    return np.tanh(total)


@compiled
def worth_of(child, player, tables, places):
    """What a position is worth to a player who has just moved there."""
    result = outcome(child)
    if result == ONGOING:
        steps, starts, values = tables
        find_places(steps, starts, child, places)
        value = expected(values, places)
        return value if mover(child) == player else -value
    if result == SCORED:
        return float(np.sign(payoff(child, player)))
    if result == DRAW:
        return 0.0
    return 1.0 if result == player else -1.0


@inlined
def learn(state, goal, tables, places, work):
    """Move the value of a position towards its goal."""
    steps, starts, values = tables
    find_places(steps, starts, state, places)
    value = expected(values, places)
    missing = goal - value
    change = work.rate * missing * (1 - value * value)
    for place in places:
        values[place] += change
    work.error += missing * missing
    work.plies += 1


@compiled
def best_of(state, moves, tables, places):
    """The worth of the best move, and that move."""
    player = mover(state)
    best, best_move = -np.inf, moves[0]
    for move in moves:
        value = worth_of(play(state, move), player, tables, places)
        if value > best:
            best, best_move = value, move
    return best, best_move


@compiled
def play_games(start, tables, work, games):
    """Play so many games and learn from every position."""
    places = np.empty(len(tables[1]), np.int64)
    for _ in range(games):
        state = start
        opening = random_below(work.opening + 1, work)
        for ply in range(opening + work.max_plies):
            if outcome(state) != ONGOING:
                break
            moves = legal_moves(state)
            move = moves[random_below(len(moves), work)]
            if ply >= opening:
                best, best_move = best_of(state, moves, tables, places)
                learn(state, work.discount * best, tables, places, work)
                if random_below(FINE, work) >= work.epsilon * FINE:
                    move = best_move
            state = play(state, move)


def pattern_arrays(patterns: Patterns, inputs: int) -> dict[str, np.ndarray]:
    """The arrays of a model of these patterns that has learned nothing yet."""
    steps = np.zeros((inputs, len(patterns.lists)), np.int64)
    sizes = dict(zip(patterns.tables, (3 ** len(points) for points in patterns.lists), strict=True))
    begins = np.cumsum([0, *(sizes[table] for table in sorted(sizes))])
    for number, points in enumerate(patterns.lists):
        for digit, point in enumerate(points):
            steps[point, number] = 3**digit
            steps[patterns.points + point, number] = 2 * 3**digit
    starts = np.array([begins[table] for table in patterns.tables], np.int64)
    return {"steps": steps.ravel(), "starts": starts, "values": np.zeros(begins[-1])}


@dataclass
class TdLearner:
    """Learns a game of two players; everything that chance decides follows from the seed.

    `errors` are the mean squares of what was missing, by the tenth of the games.
    """

    game: Game
    settings: TdSettings
    done: int = 0
    errors: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        start = self.game.initial()
        if not self.game.is_zero_sum(start):
            raise BadSpec(f"{self.game.spec} is no game of two players, one against the other")
        if input_count(start):
            check_inputs(self.game)
        self.patterns = find_patterns(self.game, self.settings.shapes)
        self.arrays = pattern_arrays(self.patterns, input_count(start))
        self.work = _new_work(self.settings)

    @cached_property
    def plan(self) -> dict[str, Any]:
        """All that decides what is learned."""
        settings = {**asdict(self.settings), "shapes": list(self.settings.shapes)}
        return {**settings, "files": digests(self.game.spec), "version": __version__}

    @property
    def is_finished(self) -> bool:
        return self.done == self.settings.games

    @property
    def _tenth(self) -> int:
        return -(-self.settings.games // 10)

    def step(self) -> None:
        """Play some games."""
        settings, work, tenth = self.settings, self.work, self._tenth
        games = min(SLICE, settings.games - self.done, tenth - self.done % tenth)
        left = 1 - self.done / settings.games
        rate = settings.rate * (LAST_RATE + (1 - LAST_RATE) * left)
        work.rate = rate / len(self.patterns.lists)
        tables = tuple(self.arrays.values())
        with explaining(self.game):
            play_games(self.game.initial(), tables, work, games)
        self.done += games
        if self.done % tenth == 0 or self.is_finished:
            self.errors.append(float(work.error / max(work.plies, 1)))
            work.plies, work.error = 0, 0.0

    def model(self) -> Model:
        card = {**self.plan, "points": self.patterns.points, "errors": self.errors}
        return Model(KIND, self.game.spec, card, self.arrays)

    def save(self, path: Path) -> None:
        """Keep how far it has come."""
        progress = np.array([self.work.random, self.done, self.work.plies], np.uint64)
        sums = np.array([self.work.error, *self.errors])
        arrays = {"values": self.arrays["values"], "progress": progress, "sums": sums}
        save_run(path, "td run", self.game.spec, self.plan, arrays)

    def load(self, path: Path) -> None:
        """Go on where a run of the same settings was."""
        names = ("values", "progress", "sums")
        values, progress, sums = load_run(path, "td run", self.game.spec, self.plan, names)
        if not self._is_sound(values, progress, sums):
            raise BadModel(f"{path} is damaged: no run of these games can be there; {ANEW}")
        self.arrays["values"][:] = values
        self.work.random, self.done, self.work.plies = progress[0], int(progress[1]), progress[2]
        self.work.error, self.errors = sums[0], [float(error) for error in sums[1:]]

    def _is_sound(self, values: np.ndarray, progress: np.ndarray, sums: np.ndarray) -> bool:
        """Whether a run can have come so far."""
        own = self.arrays["values"]
        is_alike = (values.shape, values.dtype) == (own.shape, own.dtype)
        if not is_alike or (progress.shape, progress.dtype) != ((3,), np.uint64):
            return False
        done, games = int(progress[1]), self.settings.games
        tenths = -(-done // self._tenth) if done == games else done // self._tenth
        if progress[0] == 0 or done > games or sums.dtype != np.float64:
            return False
        is_finite = np.isfinite(values).all() and np.isfinite(sums).all()
        return bool(is_finite) and sums.shape == (1 + tenths,)


def _new_work(settings: TdSettings) -> Any:
    work = np.zeros(1, WORK).view(np.recarray)[0]
    chance = np.random.default_rng(settings.seed)
    work.random = chance.integers(1, 2**63, dtype=np.uint64)
    work.epsilon, work.discount = settings.epsilon, settings.discount
    work.opening, work.max_plies = settings.opening, settings.max_plies
    return work


def train_td(
    game: Game, settings: TdSettings, path: Path, on_games: Callable[[int], None]
) -> Model:
    """Learn and write the model; `on_games` is told how many games were played.

    After an interruption the same call goes on from what is kept in `PATH.parts`.  A model
    that it has finished before is read and answered; no other file is replaced.
    """
    model_path(path)
    learner = TdLearner(game, settings)
    if model := finished(path, KIND, game.spec, learner.plan):
        return model
    parts = Parts(path, {"game": game.spec, **learner.plan})
    if RUN in parts:
        learner.load(parts.path(RUN))
    on_games(learner.done)
    kept = time.monotonic()
    try:
        while not learner.is_finished:
            learner.step()
            on_games(learner.done)
            if time.monotonic() - kept > SAVE_SECONDS:
                learner.save(parts.path(RUN))
                kept = time.monotonic()
    except KeyboardInterrupt:
        learner.save(parts.path(RUN))
        raise
    model = learner.model()
    save_model(path, model)
    parts.remove()
    return model
