"""Which rows are learned from and which are laid aside."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plies.core.contract import Game
from plies.core.spec import suggestion
from plies.errors import BadSpec
from plies.learn.dataset_files import (
    KEY,
    TARGET,
    BadData,
    Dataset,
    joined,
    read_card,
    read_dataset,
)
from plies.learn.parts import changed_file, digests
from plies.learn.regressors import Kind
from plies.models.files import Model
from plies.models.kinds import is_for
from plies.models.predictor import VALUE, input_names
from plies.registry import FILE_SPEC
from plies.registry import game as find_game

ALL = "all"
LAID_ASIDE = 5  # one position of so many is for the test
FEWEST = 20  # rows to learn from, for every fold


@dataclass(frozen=True)
class FitPlan:
    """What is fitted to which datasets, of which game; `inputs` are names of columns."""

    data: tuple[str, ...]
    game: str
    kind: Kind
    inputs: tuple[str, ...]
    folds: int = 5
    seed: int = 1


class Split(NamedTuple):
    """Rows to learn from, and rows laid aside; `test_values` are static values of these."""

    inputs: np.ndarray
    targets: np.ndarray
    test_inputs: np.ndarray
    test_targets: np.ndarray
    test_values: np.ndarray


def fit_plan(
    data: Sequence[Path],
    kind: Kind,
    inputs: str = ALL,
    folds: int = 5,
    seed: int = 1,
    game: str = "",
) -> FitPlan:
    """The plan for datasets that fit each other and the game as it is now.

    `inputs` is `value`, `all`, or names with commas between them.  `game` must be said where
    the datasets are of a game file: no file is run because a dataset names it.
    """
    paths = tuple(map(str, data))
    dataset_of.cache_clear()  # the files may have changed
    split_of.cache_clear()
    dataset = dataset_of(paths)
    found = _game_of(dataset, game)
    _check_files(paths, found)
    known = _known_inputs(dataset, found)
    names = known if inputs == ALL else tuple(name.strip() for name in inputs.split(","))
    if not inputs.strip():
        raise BadSpec(f"a predictor has inputs: value, all, or some of {', '.join(known)}")
    for name in names:
        if name not in known:
            raise BadSpec(f"the dataset has no input {name}{suggestion(name, known)}")
    if len(set(names)) < len(names):
        raise BadSpec(f"an input is named twice in {inputs}")
    if folds < 2:
        raise BadSpec(f"there are at least 2 folds, not {folds}")
    plan = FitPlan(paths, found.spec, kind, names, folds, seed)
    split = split_of(plan)
    if len(split.targets) < FEWEST * folds or len(split.test_targets) < 2:
        raise BadData(f"{dataset.rows} rows are too few to learn from with {folds} folds")
    if (split.inputs == split.inputs[0]).all():
        raise BadData(
            f"in all rows {', '.join(names)} is the same, so that nothing can be learned;"
            " make them with another evaluator (plies train data --eval)"
        )
    return plan


def _game_of(dataset: Dataset, wanted: str) -> Game:
    """The game that is asked for, which the dataset must be of, or an installed one."""
    named = dataset.card["game"]
    if wanted:
        found = find_game(wanted)
        if not is_for(Model("dataset", named, {}, {}), found):
            raise BadData(f"the dataset is of the game {named}, not of {found.spec}")
        return found
    if match := FILE_SPEC.fullmatch(named.strip()):
        raise BadData(
            f"the dataset is of the game file {match['path']};"
            f" say --game {named.strip()} if you trust it"
        )
    return find_game(named)


def _check_files(paths: Sequence[str], game: Game) -> None:
    """`BadData` where the file of the game has changed since its rows were made."""
    now = digests(game.spec)
    for path in paths:
        then = read_card(Path(path)).get("files")
        if then and (changed := changed_file(then, now)):
            raise BadData(f"{changed} {path} was made; make it anew")


def _known_inputs(dataset: Dataset, game: Game) -> tuple[str, ...]:
    """The names of inputs, if the evaluator that made them still has them."""
    evaluator = dataset.card["evaluator"]
    if evaluator not in (*game.evaluators, "zero"):
        raise BadData(f"the dataset is of the evaluator {evaluator}, which {game.name} has not")
    known = input_names(game.evaluator(evaluator))
    for name in dataset.card["features"]:
        if name not in known:
            raise BadData(
                f"the dataset has the feature {name}, which {evaluator} of {game.name} has not"
                f" ({', '.join(known)})"
            )
    return tuple(dataset.card["features"])


@lru_cache(maxsize=1)
def dataset_of(paths: tuple[str, ...]) -> Dataset:
    return joined({Path(path): read_dataset(Path(path)) for path in paths})


@lru_cache(maxsize=1)
def split_of(plan: FitPlan) -> Split:
    """Equal positions are on the same side; the order of the rows is that of chance."""
    dataset = dataset_of(plan.data)
    _, position = np.unique(dataset.columns[KEY], return_inverse=True)
    place = np.random.default_rng(plan.seed).permutation(position.max() + 1)[position]
    order = np.argsort(place, kind="stable")
    inputs = dataset.matrix(plan.inputs)[order]
    values, targets = dataset.matrix((VALUE, TARGET))[order].T
    is_test = place[order] < (position.max() + 1) / LAID_ASIDE
    return Split(
        inputs=inputs[~is_test],
        targets=targets[~is_test],
        test_inputs=inputs[is_test],
        test_targets=targets[is_test],
        test_values=values[is_test],
    )
