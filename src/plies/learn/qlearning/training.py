"""A training from its plan to a file, which can be stopped and gone on with."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from plies.agents import Agent, agent
from plies.core.contract import Game
from plies.errors import BadSpec
from plies.files import check_writable
from plies.learn.against_chance import Fare, exactly, graph_of, greedy, optimum
from plies.learn.parts import digests
from plies.learn.qlearning.learner import CHANCE, KIND, SELF, Learner
from plies.learn.qlearning.settings import Settings, as_card
from plies.learn.qlearning.trial import Plan as TrialPlan
from plies.learn.qlearning.trial import Trial, trial
from plies.models.files import BadModel, Model, model_path, save_model
from plies.models.kinds import is_for, read_model
from plies.models.table import evaluator
from plies.registry import game as find_game
from plies.search.retrograde import Graph
from plies.version import __version__

EXACT_POSITIONS = 100_000  # in a game with more, games are played to see how good a table is
CURVE_GAMES = 500  # a seat, for a point of the curve of such a game
SAVE_SECONDS = 30
STEPS = 100  # between which progress is told
SEATS = (0, 1)

ELSE = "; choose another --out, or the same options as then"

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Plan:
    """What to learn: so many `games` of a game in all, against SELF, CHANCE or an agent.

    After every `every` games (0: never) a point of the learning curve is taken.
    """

    game: str
    games: int = 300_000
    settings: Settings = field(default_factory=Settings)
    against: str = SELF
    seed: int = 1
    every: int = 0

    def __post_init__(self) -> None:
        for name in ("games", "every", "seed"):
            if getattr(self, name) < 0:
                raise BadSpec(f"{name} is 0 or more, not {getattr(self, name)}")


@dataclass(frozen=True)
class Figures:
    """How good a table is against chance, by seat.

    `exact` and the `best` that is possible only where the game is small; `trials` are games
    of a player who sees where a move ends the game, `blind` of one who does not.
    """

    exact: tuple[Fare, ...]
    best: tuple[Fare, ...]
    trials: tuple[Trial, ...]
    blind: tuple[Trial, ...] = ()

    @property
    def win_rates(self) -> tuple[float, ...]:
        """By seat, exact if that is known."""
        if self.exact:
            return tuple(fare.wins for fare in self.exact)
        return tuple(found.wins / found.games for found in self.trials)

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


class Training:
    """A learner at work; `curve` holds what it could do after so many games."""

    def __init__(self, plan: Plan, out: Path | None = None):
        """Begin, or go on with what is in the file `out`, if that was made by the same plan."""
        self.plan, self.out = plan, out
        self.game: Game = find_game(plan.game)
        self.files = digests(plan.game, *agents_of(plan))
        self.curve: list[dict[str, Any]] = []
        opponent = _opponent(plan, self.game)
        kept = None
        if out is not None and model_path(out).exists():
            kept = _kept_model(out, plan, self.game, self.files)
        self.learner = Learner(self.game, plan.settings, plan.seed, plan.against, opponent)
        self.graph: Graph | None = small_graph(self.game)
        if kept is not None:
            with _reading_card(out):
                self.learner.resume(kept)
                self.curve = [dict(point) for point in kept.card["curve"]]

    def run(self, tell: Tell = lambda done, total: None) -> None:
        """Play what is left; what there is is saved now and then, at the end and by Ctrl-C."""
        total, saved = self.plan.games, time.monotonic()
        if self.out is not None and self.learner.games < total:
            check_writable(self.out)
        is_new = self.out is not None and not self.out.exists()
        before = len(self.curve), self.learner.games
        try:
            self._take_point()
            while self.learner.games < total:
                self.learner.play(self._next_stop() - self.learner.games)
                self._take_point()
                tell(self.learner.games, total)
                if time.monotonic() - saved > SAVE_SECONDS:
                    self.save()
                    saved = time.monotonic()
        except KeyboardInterrupt:
            self.save()
            raise
        if is_new or before != (len(self.curve), self.learner.games):
            self.save()

    def _next_stop(self) -> int:
        done, total, every = self.learner.games, self.plan.games, self.plan.every
        stops = [total, done + max(total // STEPS, 1)]
        if every:
            stops.append((done // every + 1) * every)
        return min(stops)

    def _take_point(self) -> None:
        every, games = self.plan.every, self.learner.games
        is_new = not self.curve or self.curve[-1]["games"] < games
        if every and is_new and games % every == 0:
            found = self.figures(CURVE_GAMES)
            first, second = found.win_rates
            self.curve.append({"games": games, "first": first, "second": second})

    def save(self) -> None:
        if self.out is not None:
            save_model(self.out, self.model())

    def model(self) -> Model:
        return self.learner.model(
            {"curve": self.curve, "files": self.files, "version": __version__}
        )

    def figures(self, games: int, has_blind: bool = False) -> Figures:
        """How good the table is now; so many games a seat where they are played."""
        table = evaluator(self.model(), self.game)
        exact: tuple[Fare, ...] = ()
        best: tuple[Fare, ...] = ()
        if self.graph is not None:
            policy = greedy(self.game, self.graph, table)
            exact = tuple(exactly(self.graph, policy, seat) for seat in SEATS)
            best = tuple(optimum(self.graph, seat) for seat in SEATS)

        def tried(is_blind: bool) -> tuple[Trial, ...]:
            most = self.plan.settings.max_plies
            plans = [TrialPlan(seat, self.plan.seed, games, most, is_blind) for seat in SEATS]
            return tuple(trial(self.game, table, plan) for plan in plans)

        return Figures(exact, best, tried(False), tried(True) if has_blind else ())


def small_graph(game: Game) -> Graph | None:
    """All positions of a game, None where there are too many."""
    try:
        return graph_of(game, EXACT_POSITIONS)
    except BadSpec:
        return None


def _opponent(plan: Plan, game: Game) -> Agent | None:
    if not agents_of(plan):
        return None
    made = agent(plan.against, game)
    if made.search.is_outside:
        raise BadSpec(f"{plan.against} cannot be learned against: it is no agent of plies itself")
    return made


def agents_of(plan: Plan) -> tuple[str, ...]:
    """The specs of agents that a plan names."""
    return () if plan.against in (SELF, CHANCE) else (plan.against,)


def _kept_model(path: Path, plan: Plan, game: Game, files: dict[str, str]) -> Model:
    """The model in a file, which was made by the same plan with the same files."""
    model = read_model(path)
    if model.kind != KIND or not is_for(model, game):
        found = f"{model.kind} for {model.game}, not {KIND} for {game.spec}"
        raise BadModel(f"{path} is there and holds another model ({found}); choose another --out")
    with _reading_card(path):
        if other := _difference(model.card, plan):
            raise BadModel(f"{path} was learned with {other}{ELSE}")
        then = sorted(model.card.get("files", {}).values())
        if then != sorted(files.values()):
            changed = " or ".join(files)
            raise BadModel(f"{path} was learned before {changed} changed; choose another --out")
    return model


@contextmanager
def _reading_card(path: Path | None) -> Iterator[None]:
    """What is missing in a card, or strange, makes the file useless to go on with."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadModel(f"{path} cannot be gone on with: its card is damaged") from error


def _difference(card: dict[str, Any], plan: Plan) -> str:
    """What a file was made with and the plan has otherwise; empty where nothing is."""
    kept = {
        **as_card(Settings()),
        **card["settings"],
        "against": card["against"],
        "seed": card["seed"],
    }
    wanted = {**as_card(plan.settings), "against": plan.against, "seed": plan.seed}
    other = [name for name, value in wanted.items() if kept[name] != value]
    return ", ".join(f"{name}={kept[name]} instead of {wanted[name]}" for name in other)
