"""A small value network: trained with torch on games of self-play, kept as whole numbers.

What is to be learned of a position is a mixture of how its game ended and of what the search
said, whose opinions are first turned into expected results: the scale of the hyperbolic
tangent that does it is the one that fits the results best.

Trained is on the first nine tenths of the positions, in the order of their games; how well it
does is told of the last tenth.  A batch is seen through one of the game's symmetries, drawn at
random.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from plies.core.contract import Game
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import input_count
from plies.errors import BadSpec, PliesError
from plies.files import new_file
from plies.learn.parts import Parts, digest, digests
from plies.learn.patterns import input_images
from plies.learn.runs import finished
from plies.learn.selfplay import PART, Positions, SelfPlay, check_game, play_part
from plies.models.files import SUFFIX, BadModel, Model, model_path, save_model
from plies.models.kinds import find_evaluator
from plies.models.network import MIDDLE, MOST_GRAIN_BITS, MOST_UNITS, OUTPUT_BITS, check
from plies.processes import answers
from plies.registry import game as find_game
from plies.search.limits import checked_whole
from plies.version import __version__

KIND = "network"
DEVICES = ("cpu", "cuda")
CHECKPOINT = "training.pt"

Tell = Callable[[int, int], None]  # so much is done, of so much


class NoTorch(PliesError):
    """The library that trains networks is not there, or not for this device."""


@dataclass(frozen=True)
class Training:
    """How a network is trained.

    `share` is how much of the goal is the result of the game; the rest is what the search
    said.  `rate` is the greatest step size of Adam, reached early and then lowered to nothing.
    """

    units: int = 32
    epochs: int = 30
    batch: int = 1024
    rate: float = 0.01
    share: float = 0.3
    device: str = "cpu"

    def __post_init__(self) -> None:
        checked_whole("units", self.units, 1, MOST_UNITS)
        checked_whole("epochs", self.epochs, 1, 100_000)
        checked_whole("batch", self.batch, 1, 2**20)
        if self.device not in DEVICES:
            raise BadSpec(f"device is {' or '.join(DEVICES)}, not {self.device}")
        if not 0 < self.rate <= 1:
            raise BadSpec(f"rate is a number above 0 and up to 1, not {self.rate}")
        if not 0 <= self.share <= 1:
            raise BadSpec(f"share is a number from 0 to 1, not {self.share}")


def find_torch(device: str) -> Any:
    """The library, if it is there and can use the device."""
    try:
        import torch  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise NoTorch("networks are trained with torch: pip install plies[torch]") from error
    if device == "cuda" and not torch.cuda.is_available():
        raise NoTorch("torch finds no GPU here; train with --device cpu")
    return torch


# Goals


def expected_results(values: np.ndarray, scale: float) -> np.ndarray:
    """What a search said, from -1 (lost) to 1 (won); `scale` of an opinion is tanh(1)."""
    is_decided = abs(values) > MAX_EVALUATION
    return np.where(is_decided, np.sign(values), np.tanh(values / scale))


def best_scale(values: np.ndarray, results: np.ndarray) -> float:
    """The scale with which opinions are nearest to the results."""
    opinions = abs(values) <= MAX_EVALUATION
    values, results = values[opinions], results[opinions]
    typical = float(abs(values).mean()) if len(values) else 0.0
    if typical == 0:
        return 1.0
    scales = [typical * 2 ** (step / 4) for step in range(-8, 25)]
    return min(scales, key=lambda scale: np.mean((np.tanh(values / scale) - results) ** 2))


# Training


class Trainer:
    """Trains on positions, an epoch at a time; the same seed, the same network."""

    def __init__(self, positions: Positions, goals: np.ndarray, images: np.ndarray, seed: int):
        self.rows, self.goals = positions.rows, goals.astype(np.float32)
        self.images = images
        self.seed = seed
        self.held_out = max(len(goals) // 10, 1)

    def train(self, training: Training, path: Path, on_epochs: Tell) -> None:
        """All epochs, from those on that are kept in `path`."""
        self.begin(training)
        if path.is_file():
            self.load(path)
        while self.epoch < training.epochs:
            on_epochs(self.epoch, training.epochs)
            self.train_epoch()
            self.save(path)

    def begin(self, training: Training) -> None:
        """A new network, and what is needed to train it."""
        torch = find_torch(training.device)
        torch.set_num_threads(1)  # steps are so small that threads only wait for each other
        torch.manual_seed(self.seed)
        self.training = training
        self.epoch = 0
        self.network = new_network(self.rows.shape[1], training.units).to(training.device)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=training.rate)
        self.batches = max((len(self.goals) - self.held_out) // training.batch, 1)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, training.rate, total_steps=training.epochs * self.batches + 1
        )
        self.x = torch.from_numpy(self.rows).to(training.device)
        self.y = torch.from_numpy(self.goals).to(training.device)
        self.orders = torch.from_numpy(self.images).to(training.device)

    def train_epoch(self) -> None:
        """One pass over the positions, in a new order; what fills no batch is left out."""
        torch = find_torch(self.training.device)
        chance = np.random.default_rng([self.seed, self.epoch])
        known, batch = len(self.goals) - self.held_out, self.training.batch
        order = torch.from_numpy(chance.permutation(known)).to(self.training.device)
        for number in range(self.batches):
            chosen = order[number * batch : (number + 1) * batch]
            image = self.orders[chance.integers(len(self.orders))]
            answer = self.network(self.x[chosen][:, image].float())[:, 0]
            loss = ((torch.tanh(answer) - self.y[chosen]) ** 2).mean()
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            self.schedule.step()
        self.epoch += 1

    def figures(self) -> dict[str, float]:
        """Mean squared error and R2 on the positions that were held out."""
        torch = find_torch(self.training.device)
        with torch.no_grad():
            answer = self.network(self.x[-self.held_out :].float())[:, 0]
            error = float(((torch.tanh(answer) - self.y[-self.held_out :]) ** 2).mean())
        spread = float(np.var(self.goals[-self.held_out :]))
        return {"error": error, "r2": 1 - error / spread if spread > 0 else 0.0}

    def save(self, path: Path) -> None:
        """Keep how far it has come."""
        torch = find_torch(self.training.device)
        kept = {part: getattr(self, part).state_dict() for part in TRAINED}
        with new_file(path) as part:
            torch.save({**kept, "epoch": self.epoch, "training": asdict(self.training)}, part)

    def load(self, path: Path) -> None:
        """Go on where training of the same kind was interrupted; otherwise anew."""
        torch = find_torch(self.training.device)
        try:
            kept = torch.load(path, weights_only=True, map_location=self.training.device)
            if kept["training"] == asdict(self.training):
                for part in TRAINED:
                    getattr(self, part).load_state_dict(kept[part])
                self.epoch = int(kept["epoch"])
        except Exception as error:  # whatever a damaged file may hold
            raise BadModel(f"{path} is damaged; delete it to train anew") from error


TRAINED = ("network", "optimiser", "schedule")


def new_network(inputs: int, units: int) -> Any:
    """The network that `plies.models.network` evaluates, in floating point."""
    torch = find_torch("cpu")

    class Squared(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.clamp(0, 1) ** 2

    return torch.nn.Sequential(torch.nn.Linear(inputs, units), Squared(), torch.nn.Linear(units, 1))


def exported(network: Any) -> tuple[dict[str, np.ndarray], int]:
    """The arrays of the model, and their grain: one with which no sum can leave its lane."""
    first, second = (
        {name: tensor.detach().cpu().double().numpy() for name, tensor in layer.named_parameters()}
        for layer in (network[0], network[2])
    )
    sums = abs(first["weight"]).sum(axis=1) + abs(first["bias"])
    spare = len(first["weight"][0]) + 1  # more than rounding can add: a half for every number
    finest = (MIDDLE - spare) / max(float(sums.max()), 1e-9)
    grain = 1 << max(min(int(finest).bit_length() - 1, MOST_GRAIN_BITS), 0)

    def whole(numbers: np.ndarray, steps: int) -> np.ndarray:
        most = np.iinfo(np.int32).max  # more than any sound model has
        return np.rint(np.clip(numbers * steps, -most, most)).astype(np.int64).ravel()

    outputs = np.append(second["weight"], second["bias"])
    arrays = {
        "weights": whole(first["weight"].T, grain),
        "biases": whole(first["bias"], grain),
        "outputs": whole(outputs, 1 << OUTPUT_BITS),
    }
    return arrays, grain


# The whole of it


class NetworkRun:
    """A network to be made: its games are played, then it is trained and written.

    What is done is kept in `PATH.parts` meanwhile, so that the same run goes on after an
    interruption.
    """

    def __init__(self, plan: SelfPlay, training: Training, path: Path):
        """Refuses what cannot be done, before anything is."""
        self.plan, self.training, self.path = plan, training, model_path(path)
        find_torch(training.device)
        self.game = find_game(plan.game)
        check_game(self.game)
        made_with = {
            "eval_digest": _digest(self.game, plan.eval),
            "files": digests(plan.game),
            "version": __version__,
        }
        self.made_of = {**asdict(plan), **made_with}
        self.finished = finished(path, KIND, plan.game, {**self.made_of, **asdict(training)})

    @cached_property
    def parts(self) -> Parts:
        return Parts(self.path, self.made_of)

    def play(self, workers: int, on_games: Tell) -> Positions:
        """The games, those that are kept already included."""
        plan, parts = self.plan, self.parts
        names = [f"{number:06}.npz" for number in range(plan.parts)]
        jobs = [(plan, number) for number, name in enumerate(names) if name not in parts]
        done = plan.parts - len(jobs)
        on_games(min(done * PART, plan.games), plan.games)
        for (_, number), found in answers(play_part, jobs, workers):
            _write(parts.path(names[number]), found)
            done += 1
            on_games(min(done * PART, plan.games), plan.games)
        inputs = input_count(self.game.initial())
        found = [parts.read(name, lambda path: _read(path, inputs)) for name in names]
        return Positions(*map(np.concatenate, zip(*found, strict=True)))

    def train(self, positions: Positions, on_epochs: Tell) -> Model:
        """The network, which is then written."""
        share = self.training.share
        scale = best_scale(positions.values, positions.results)
        opinions = expected_results(positions.values, scale)
        goals = share * positions.results + (1 - share) * opinions
        trainer = Trainer(positions, goals, input_images(self.game), self.plan.seed)
        trainer.train(self.training, self.parts.path(CHECKPOINT), on_epochs)
        arrays, grain = self._sound(trainer.network)
        figures = {"grain": grain, "positions": len(goals), "scale": scale, **trainer.figures()}
        card = {**self.made_of, **asdict(self.training), **figures}
        del card["game"]  # the model says it
        model = Model(KIND, self.game.spec, card, arrays)
        save_model(self.path, model)
        self.parts.remove()
        return model

    def _sound(self, network: Any) -> tuple[dict[str, np.ndarray], int]:
        """The network as it is exported; `BadModel` where no kernel could be trusted with it."""
        try:
            if not all(bool(tensor.isfinite().all()) for tensor in network.parameters()):
                raise BadModel("its numbers are not finite")
            arrays, grain = exported(network)
            check(Model(KIND, self.game.spec, {"grain": grain}, arrays))
        except BadModel as error:
            raise BadModel(
                f"the network cannot be written: {error}; its games are kept in"
                f" {self.parts.folder}, from which another --rate may learn better"
            ) from error
        return arrays, grain


def _write(path: Path, found: Positions) -> None:
    rows = np.packbits(found.rows, axis=1)
    with new_file(path) as part, part.open("wb") as file:
        np.savez(file, rows=rows, values=found.values, results=found.results)


def _read(path: Path, inputs: int) -> Positions:
    with np.load(path, allow_pickle=False) as kept:
        rows = np.unpackbits(kept["rows"], axis=1, count=inputs)
        found = Positions(rows, kept["values"], kept["results"])
    kinds = [(array.dtype, array.shape) for array in found]
    size = len(rows)
    if kinds != [(np.uint8, (size, inputs)), (np.int64, (size,)), (np.int8, (size,))]:
        raise BadModel(f"{path} has other arrays than were written")
    return found


def _digest(game: Game, evaluator: str) -> str:
    """Of the file that the evaluator is read from; empty where it is a name."""
    find_evaluator(game, evaluator)  # refuses what is none
    if not evaluator.endswith(SUFFIX):
        return ""
    return digest(evaluator)
