"""All combinations of given settings, each trained and measured: a hyper-parameter search."""

import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

from plies.errors import BadSpec
from plies.files import new_file
from plies.learn.parts import OtherWork, Parts, digests, folder_of, has_parts
from plies.learn.qlearning.settings import Settings, as_card, read_settings
from plies.learn.qlearning.training import Plan, Training, agents_of
from plies.models.files import model_path
from plies.processes import answers
from plies.version import __version__

MOST_COMBINATIONS = 10_000
TRIAL_GAMES = 1000  # a seat, in games that are too large to be measured exactly

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Job:
    """One training of a search: a combination (its number and texts) with a seed."""

    combination: int
    texts: tuple[tuple[str, str], ...]
    plan: Plan

    @property
    def name(self) -> str:
        return f"{self.combination}-{self.plan.seed}.json"


@dataclass(frozen=True)
class Row:
    """What came of a combination: the win rates as first and as second, one for each seed."""

    texts: dict[str, str]
    settings: Settings
    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def score(self) -> float:
        """The mean win rate of both seats and all seeds."""
        return mean((*self.first, *self.second))

    def as_data(self) -> dict[str, Any]:
        rates = {"first": list(self.first), "second": list(self.second), "score": self.score}
        return {"settings": self.texts, **rates}


def read_grid(text: str) -> dict[str, list[str]]:
    """`rate=0.1/0.5,discount=0.7/1` -> the texts to try of each."""
    grid: dict[str, list[str]] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, values = (piece.strip() for piece in part.partition("="))
        options = [value.strip() for value in values.split("/")]
        if not (name and equals and all(options)):
            raise BadSpec(f"{part!r} is not name=value/value/...")
        if name in grid:
            raise BadSpec(f"{name} is given twice in {text!r}")
        grid[name] = options
    if not grid:
        raise BadSpec("a search needs values to try, such as rate=0.1/0.5,discount=0.7/1")
    return grid


def jobs_of(plan: Plan, grid: Mapping[str, Sequence[str]], repeats: int) -> list[Job]:
    """Every combination with `repeats` seeds from the plan's on; what is not tried is as there."""
    combinations = [tuple(zip(grid, values, strict=True)) for values in product(*grid.values())]
    if not 1 <= len(combinations) * repeats <= MOST_COMBINATIONS:
        raise BadSpec(f"a search is 1 to {MOST_COMBINATIONS} trainings")
    settings = [read_settings({**as_card(plan.settings), **dict(each)}) for each in combinations]
    return [
        Job(number, texts, replace(plan, settings=settings[number], seed=seed, every=0))
        for number, texts in enumerate(combinations)
        for seed in range(plan.seed, plan.seed + repeats)
    ]


def train_one(job: Job) -> tuple[float, float]:
    """The win rates of one training against chance."""
    training = Training(job.plan)
    training.run()
    first, second = training.figures(TRIAL_GAMES).win_rates
    return first, second


def search(
    jobs: Sequence[Job], out: Path | None, workers: int, tell: Tell = lambda done, total: None
) -> list[Row]:
    """Train every job, the best combination first.  With `out` what is done is kept beside it.

    One that is stopped goes on with the trainings that are left.  The parts stay until the
    table in `out` is made as well, see `forget`.
    """
    parts = None if out is None else _parts(jobs, out)
    found: dict[Job, tuple[float, float]] = {}
    if parts is not None:
        found = {job: parts.read(job.name, _read_rates) for job in jobs if job.name in parts}
    left = [job for job in jobs if job not in found]
    tell(len(found), len(jobs))
    for job, rates in answers(train_one, left, workers):
        found[job] = rates
        if parts is not None:
            with new_file(parts.path(job.name)) as part:
                part.write_text(json.dumps(rates), encoding="utf-8")
        tell(len(found), len(jobs))
    return rows_of(jobs, found)


def forget(out: Path) -> None:
    """The search for `out` and all that follows is done."""
    shutil.rmtree(folder_of(out))


def _parts(jobs: Sequence[Job], out: Path) -> Parts:
    """The parts, unless `out` is there and not by this search: it could not be kept there."""
    if model_path(out).exists() and not has_parts(out):
        raise OtherWork(
            f"{out} is there already; choose another --out for a search,"
            " or leave --search out to go on with it"
        )
    return Parts(out, plan_of(jobs))


def plan_of(jobs: Sequence[Job]) -> dict[str, Any]:
    """All that decides what comes of a search."""
    one = jobs[0].plan
    trained = [[*as_card(job.plan.settings).items(), job.plan.seed] for job in jobs]
    files = digests(one.game, *agents_of(one))
    about = {"game": one.game, "games": one.games, "against": one.against, "files": files}
    return {**about, "trainings": trained, "version": __version__}


def _read_rates(path: Path) -> tuple[float, float]:
    """What a training came to; `ValueError` where these are no rates."""
    first, second = map(float, json.loads(path.read_text(encoding="utf-8")))
    if not 0 <= first <= 1 or not 0 <= second <= 1:
        raise ValueError("a rate is 0 to 1")
    return first, second


def rows_of(jobs: Iterable[Job], found: Mapping[Job, tuple[float, float]]) -> list[Row]:
    """A row for every combination, the best first."""
    together: dict[int, list[Job]] = {}
    for job in jobs:
        together.setdefault(job.combination, []).append(job)
    rows = [
        Row(
            dict(group[0].texts),
            group[0].plan.settings,
            tuple(found[job][0] for job in group),
            tuple(found[job][1] for job in group),
        )
        for group in together.values()
    ]
    return sorted(rows, key=lambda row: -row.score)
