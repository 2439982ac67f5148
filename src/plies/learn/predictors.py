"""Predictors: what a search will say of a position, from what is seen at once.

The recipe is that of the chess study.  A fifth of the positions is laid aside.  On the others
every combination of a grid is tried by cross-validation, and the one with the least mean
squared error is fitted to all of them.  What it is worth is measured on the fifth.

The fitted forest or perceptron is then written as arrays for a compiled kernel, once that
kernel has given scikit-learn's own answers for the fifth.
"""

import json
import math
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from plies.errors import PliesError
from plies.files import new_file
from plies.learn.parts import OtherWork, Parts, difference, digest, digests
from plies.learn.regressors import (
    Combination,
    combination_text,
    extra_card,
    families,
    flattened,
    regressor,
)
from plies.learn.splits import FitPlan, Split, dataset_of, split_of
from plies.models.files import Model, model_path, save_model
from plies.models.kinds import KINDS, read_model
from plies.processes import answers
from plies.version import __version__

CLOSE = 1e-9  # how far a kernel may be from scikit-learn
FEW_POINTS = 100  # where targets are not farther apart than this, fractions of points matter
SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)  # of the training rows, for the learning curve

OnTrial = Callable[[int, int], None]


class NotTheSame(PliesError):
    """The compiled kernel does not give scikit-learn's answers: nothing is written."""


@dataclass(frozen=True)
class Trial:
    """A combination that was cross-validated, with a share of the rows to learn from.

    `mse` is the mean squared error on rows left out, over the folds, `train_mse` that on
    the rows it was fitted to; `warning` is what scikit-learn said.
    """

    combination: Combination
    share: float
    mse: float
    train_mse: float
    seconds: float
    warning: str


# The grid


def tried(job: tuple[FitPlan, Sequence[Combination], float]) -> list[Trial]:
    """Cross-validate a family of combinations: what a worker does."""
    from sklearn.model_selection import KFold

    plan, family, share = job
    folds = []
    for others, left_out in KFold(plan.folds).split(split_of(plan).inputs):
        learned = others[: int(share * len(others))]
        folds.append(_fold(plan, family, learned, left_out))
    trials = []
    for combination, found in zip(family, zip(*folds, strict=True), strict=True):
        errors, train_errors, seconds, warned = zip(*found, strict=True)
        mse, train_mse = float(np.mean(errors)), float(np.mean(train_errors))
        warning = next(filter(None, warned), "")
        trials.append(Trial(combination, share, mse, train_mse, sum(seconds), warning))
    return trials


def _fold(
    plan: FitPlan, family: Sequence[Combination], learned: np.ndarray, left_out: np.ndarray
) -> list[tuple[float, float, float, str]]:
    """For each combination: the two errors, the seconds it took, and what was warned of."""
    inputs, targets, *_ = split_of(plan)
    found, model = [], None
    for combination in family:
        began = time.perf_counter()
        model, warned = fitted(plan, combination, inputs[learned], targets[learned], model)
        mse = mean_squared(model.predict(inputs[left_out]) - targets[left_out])
        train_mse = mean_squared(model.predict(inputs[learned]) - targets[learned])
        found.append((mse, train_mse, time.perf_counter() - began, warned))
    return found


def mean_squared(errors: np.ndarray) -> float:
    return float(np.mean(errors**2))


def fitted(
    plan: FitPlan,
    combination: Combination,
    inputs: np.ndarray,
    targets: np.ndarray,
    smaller: Any = None,
) -> tuple[Any, str]:
    """scikit-learn's model, and what it warned of.

    `smaller` is the model of the combination before in the family, for the same rows.
    """
    from threadpoolctl import threadpool_limits

    if smaller is None:
        model = regressor(plan.kind, combination, plan.seed)
    else:
        model = smaller.set_params(**combination)
    # Several threads of the library for matrices only hinder each other at these sizes.
    with threadpool_limits(1), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        model.fit(inputs, targets)
    return model, " ".join(str(warned[0].message).split()) if warned else ""


@dataclass(frozen=True)
class Search:
    """A grid search: trials that are there already are not made again."""

    plan: FitPlan
    parts: Parts
    workers: int
    on_trial: OnTrial

    def trials(self, wanted: Sequence[tuple[Combination, float]]) -> list[Trial]:
        names = [_part_name(*each) for each in wanted]
        found = {
            name: self.parts.read(name, partial(_read_trial, *each))
            for name, each in zip(names, wanted, strict=True)
            if name in self.parts
        }
        self.on_trial(len(found), len(names))
        left = [each for name, each in zip(names, wanted, strict=True) if name not in found]
        jobs = [
            (self.plan, family, share)
            for share in dict.fromkeys(share for _, share in left)
            for family in families([each for each, its_share in left if its_share == share])
        ]
        for _, trials in answers(tried, jobs, self.workers):
            for trial in trials:
                name = _part_name(trial.combination, trial.share)
                with new_file(self.parts.path(name)) as part:
                    part.write_text(json.dumps(asdict(trial)), encoding="utf-8")
                found[name] = trial
            self.on_trial(len(found), len(names))
        return [found[name] for name in names]


def _part_name(combination: Combination, share: float) -> str:
    return f"{combination_text(combination)},share={share}.json"


def _read_trial(combination: Combination, share: float, path: Path) -> Trial:
    """A trial that is kept; `ValueError` where it cannot be that one."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    mse, train_mse, seconds = (float(kept[name]) for name in ("mse", "train_mse", "seconds"))
    if not math.isfinite(mse + train_mse + seconds) or not isinstance(kept["warning"], str):
        raise ValueError("what is kept is no trial")
    return Trial(combination, share, mse, train_mse, seconds, kept["warning"])


def fit(
    plan: FitPlan,
    grid: Sequence[Combination],
    path: Path,
    *,
    workers: int = 1,
    has_curve: bool = False,
    on_trial: OnTrial = lambda done, total: None,
) -> Model:
    """Search the grid, fit the best combination, and write the model.

    `on_trial` is told how many trials of a round there are, and of how many.  They are in
    `PATH.parts` meanwhile: after an interruption the same call goes on, and once the model is
    there it is only read.  With `has_curve` the card holds the learning curve.
    """
    about = {**asdict(plan), "data": [digest(path) for path in plan.data]}
    about["files"] = digests(plan.game)
    whole = {**about, "grid": [combination_text(combination) for combination in grid]}
    if model_path(path).exists():
        return _finished(path, whole, has_curve)
    parts = Parts(path, about)
    search = Search(plan, parts, workers, on_trial)
    trials = search.trials([(combination, 1.0) for combination in grid])
    best = min(trials, key=lambda trial: trial.mse)
    shares = [(best.combination, share) for share in SHARES]
    curve = search.trials(shares) if has_curve else []
    model = _model(plan, best, whole)
    model.card["trials"] = [_trial_card(plan, trial) for trial in trials]
    model.card["curve"] = [_trial_card(plan, trial) for trial in curve]
    save_model(path, model)
    parts.remove()
    return model


def _finished(path: Path, about: dict[str, Any], has_curve: bool) -> Model:
    """The model of that plan that is there already; another one is not touched."""
    model = read_model(path)
    kept = {"kind": model.kind, **model.card.get("plan", {})}
    if found := difference(kept, {"kind": about["kind"], **about}):
        raise OtherWork(f"{path} is there and holds another model ({found}); choose another --out")
    if has_curve and not model.card["curve"]:
        raise OtherWork(f"{path} was fitted without a learning curve; choose another --out for one")
    return model


def _model(plan: FitPlan, best: Trial, about: dict[str, Any]) -> Model:
    """The best combination, fitted to all rows that are not laid aside."""
    from sklearn import __version__ as sklearn_version

    split = split_of(plan)
    regression, warned = fitted(plan, best.combination, split.inputs, split.targets)
    predicted, learned = map(regression.predict, (split.test_inputs, split.inputs))
    made = dataset_of(plan.data).card
    card = {
        "evaluator": made["evaluator"],
        "inputs": list(plan.inputs),
        "search": made["search"],
        "scale": _scale(split.targets),
        "measure": made["measure"],
        "best": dict(best.combination),
        **extra_card(plan.kind, best.combination),
        "rows": len(split.targets),
        "test_rows": len(split.test_targets),
        "figures": figures(split, predicted, learned),
        "warning": warned,
        "dataset": made,
        "plan": about,
        "version": __version__,
        "scikit-learn": sklearn_version,
    }
    model = Model(plan.kind, plan.game, card, flattened(plan.kind, regression))
    check_answers(model, split.test_inputs, predicted)
    return model


def check_answers(model: Model, rows: np.ndarray, expected: np.ndarray) -> None:
    """The kernel must say what scikit-learn says."""
    KINDS[model.kind].check(model)
    found = KINDS[model.kind].predictions(model, rows)
    difference = np.abs(found - expected) / np.maximum(1.0, np.abs(expected))
    if not difference.max() <= CLOSE:
        raise NotTheSame(
            f"the compiled {model.kind} is {difference.max():.3g} away from scikit-learn's,"
            " which must not be; no model is written"
        )
    model.card["figures"]["difference"] = float(difference.max())


def figures(split: Split, predicted: np.ndarray, learned: np.ndarray) -> dict[str, float]:
    """How good the answers for the rows laid aside are, in the evaluator's points.

    `train_mse` is of the answers for the rows `learned` from.  Beside them the errors of two
    predictors without learning: the static value itself, and the mean of all targets.
    """
    targets = split.test_targets
    spread = mean_squared(targets - targets.mean())
    mse = mean_squared(predicted - targets)
    return {
        "train_mse": mean_squared(learned - split.targets),
        "mse": mse,
        "mae": float(np.mean(np.abs(predicted - targets))),
        "r2": 1 - mse / spread if spread else 0.0,
        "static_mse": mean_squared(split.test_values - targets),
        "mean_mse": mean_squared(split.targets.mean() - targets),
    }


def answers_laid_aside(plan: FitPlan, model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The targets of the rows laid aside, and what the model says of these rows."""
    split = split_of(plan)
    return split.test_targets, KINDS[model.kind].predictions(model, split.test_inputs)


def _scale(targets: np.ndarray) -> int:
    """How many points of the predictor make one of the evaluator's, so that few are equal."""
    spread = float(targets.std())
    if spread == 0 or spread >= FEW_POINTS:
        return 1
    return 10 ** min(math.ceil(math.log10(FEW_POINTS / spread)), 6)


def _trial_card(plan: FitPlan, trial: Trial) -> dict[str, Any]:
    rows = int(trial.share * len(split_of(plan).targets) * (1 - 1 / plan.folds))
    return {**asdict(trial), "rows": rows}
