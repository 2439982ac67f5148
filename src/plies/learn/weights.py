"""Tuning the weights of an evaluator by matches, with the strategy CMA-ES of the library `cma`.

In every generation candidates are drawn around the best guess so far.  Each plays the same
openings, in both seats, against the incumbent: the agent with the evaluator's own weights.
The loss of a candidate is the share of points that it does not get.

Everything follows from the seed and the losses, so that a run is kept as its losses: to go
on, the strategy is told them again.
"""

import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from plies.agents import spec_text
from plies.core.contract import Game
from plies.core.spec import suggestion
from plies.errors import BadSpec
from plies.learn.parts import digests
from plies.learn.runs import load_run, save_run
from plies.models.files import BadModel
from plies.models.weights import LARGEST, weights_of
from plies.search.limits import checked_whole

KIND = "tuning"  # of the file that holds losses
MOST = 1_000_000  # pairs, candidates, plies of a game
LEAST_STEP = 0.5  # what is drawn differs by so much at least: weights are rounded
SETTLED = 4  # the guesses of the last generations, one in so many, are averaged

Weights = tuple[int, ...]


@dataclass(frozen=True)
class Tuning:
    """What is tuned, of which agent, by which games.

    Only `fields` are changed.  `scale` multiplies these before anything else, so that small
    weights can be changed by less than one; that suits evaluators whose value is a sum of
    terms with these weights; a field left out must be no such term, as a threshold is none.
    The first candidates are drawn `spread` times a weight apart.
    """

    game: str
    agent: str
    evaluator: str
    fields: tuple[str, ...]
    scale: int = 1
    spread: float = 0.3
    candidates: int = 0  # of a generation; 0: as many as suit the number of fields
    pairs: int = 20
    plies: int = 4  # of an opening, at random
    max_plies: int = 300
    seed: int = 1

    def __post_init__(self) -> None:
        checked_whole("scale", self.scale, 1, LARGEST)
        checked_whole("pairs", self.pairs, 1, MOST)
        checked_whole("max_plies", self.max_plies, 1, MOST)
        checked_whole("seed", self.seed, 0, 2**63 - 1)
        if self.plies < 0 or self.plies % 2:
            raise BadSpec(f"the random plies of an opening are even in number, not {self.plies}")
        if self.candidates:
            checked_whole("candidates", self.candidates, 4, MOST)
        if not 0 < self.spread <= 10:
            raise BadSpec(f"spread is above 0 and at most 10, not {self.spread:g}")


def tuned_fields(game: Game, evaluator: str, wanted: Sequence[str]) -> tuple[str, ...]:
    """The fields that are to be changed, all where none is named, in the evaluator's order."""
    known = weights_of(game, evaluator)
    if unknown := [name for name in wanted if name not in known]:
        raise BadSpec(f"{evaluator} has no weight {unknown[0]}{suggestion(unknown[0], known)}")
    fields = tuple(name for name in known if not wanted or name in wanted)
    if len(fields) < 2:
        raise BadSpec(f"at least two weights are tuned together, not {' '.join(fields)} alone")
    return fields


class Tuner:
    """A tuning under way: the losses of every generation so far, and what they say.

    `incumbent` are the evaluator's own weights, `files` the digests of what the games depend
    on, `guesses` the centre of the distribution after every generation.
    """

    def __init__(self, tuning: Tuning, game: Game):
        self.tuning = tuning
        self.files = digests(
            tuning.game, tuning.agent, spec_text("agent", {"eval": tuning.evaluator})
        )
        own = weights_of(game, tuning.evaluator)
        self.names = tuple(own)
        self._places = [self.names.index(name) for name in tuning.fields]
        self.incumbent: Weights = tuple(own.values())
        start = [tuning.scale * own[name] for name in tuning.fields]
        if max(map(abs, start)) > LARGEST:
            raise BadSpec(f"scale {tuning.scale} makes a weight larger than {LARGEST}")
        self._strategy = _strategy(start, tuning)
        self._asked: list[Any] = []
        self.losses: list[tuple[float, ...]] = []
        self.guesses: list[np.ndarray] = []

    def ask(self) -> list[Weights]:
        """The candidates of the next generation."""
        self._asked = self._strategy.ask()
        return [self._whole(np.asarray(each)) for each in self._asked]

    def tell(self, losses: Sequence[float]) -> None:
        """How the candidates last asked for did."""
        self._strategy.tell(self._asked, list(losses))
        self.losses.append(tuple(losses))
        self.guesses.append(self._centre)

    @property
    def is_blind(self) -> bool:
        """Whether all candidates of every generation had the same loss: nothing was learned."""
        return all(len(set(losses)) == 1 for losses in self.losses)

    @property
    def best(self) -> Weights:
        """The mean of the guesses of the last quarter: games are noisy, and that is less so."""
        if not self.guesses:
            return self._whole(self._centre)
        last = self.guesses[-max(1, len(self.guesses) // SETTLED) :]
        return self._whole(np.mean(last, axis=0))

    @property
    def _centre(self) -> np.ndarray:
        """Of the distribution, in weights: the strategy's own mean may lie beyond the bounds."""
        return np.array(self._strategy.result.xfavorite)

    def _whole(self, values: np.ndarray) -> Weights:
        """All weights of the evaluator, those that are tuned with these values, rounded."""
        found = list(self.incumbent)
        for place, value in zip(self._places, values, strict=True):
            found[place] = int(np.rint(value))
        return tuple(found)

    def save(self, path: Path) -> None:
        """Keep the losses."""
        arrays = {"losses": np.array(self.losses, np.float64)}
        save_run(path, KIND, self.tuning.game, self._card(), arrays)

    def resume(self, path: Path) -> None:
        """Tell the strategy the losses in a file, which must be of the same tuning."""
        (losses,) = load_run(path, KIND, self.tuning.game, self._card(), ("losses",))
        size = self._strategy.popsize
        is_alike = losses.dtype == np.float64 and losses.ndim == 2 and losses.shape[1] == size
        if not is_alike or not np.isfinite(losses).all():
            raise BadModel(f"{path} is damaged: it holds no losses of {size} candidates each")
        for generation in losses:
            self.ask()
            self.tell([float(loss) for loss in generation])

    def _card(self) -> dict[str, Any]:
        card = asdict(self.tuning) | {"fields": list(self.tuning.fields), "files": self.files}
        return card | {"incumbent": list(self.incumbent), "cma": version("cma")}


def _strategy(start: Sequence[int], tuning: Tuning) -> Any:
    """CMA-ES around the weights; all of its chances come from the seed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without a library for pictures it complains
        import cma
    usual = float(np.median(np.abs(start))) or 1.0
    steps = [max(1.0, tuning.spread * max(abs(weight), usual / 2)) for weight in start]
    chance = np.random.default_rng(tuning.seed)
    options: dict[str, Any] = {
        "CMA_stds": steps,
        "minstd": LEAST_STEP,
        "bounds": [-LARGEST, LARGEST],
        "randn": lambda *shape: chance.standard_normal(shape),
        "seed": np.nan,  # numpy's own generator is left alone
        "verbose": -9,
        "verb_log": 0,
    }
    if tuning.candidates:
        options["popsize"] = tuning.candidates
    return cma.CMAEvolutionStrategy(start, 1.0, options)
