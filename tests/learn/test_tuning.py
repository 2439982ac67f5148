"""Tunings: what the strategy draws, learns and keeps."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.errors import BadSpec
from plies.learn.weights import Tuner, Tuning, Weights, tuned_fields
from plies.models.files import BadModel, Model, load_model, save_model
from plies.models.weights import LARGEST

PASSING = str(Path(__file__).parents[1] / "data" / "passing.py")
GAME = plies.game(PASSING)
OWN = (8, 0, 0)  # the weights lead, coin and patience of its evaluator


def tuning_of(**options: Any) -> Tuning:
    given = {"agent": "alphabeta:depth=1", "fields": ("lead", "coin")} | options
    return Tuning(PASSING, evaluator="opinion", **given)


# The strategy


def target(weights: Weights) -> float:
    """A loss that is least at 300 and -200."""
    return float((weights[0] - 300) ** 2 + (weights[1] + 200) ** 2)


def told(tuner: Tuner, generations: int, loss: Callable[[Weights], float] = target) -> Tuner:
    for _ in range(generations):
        tuner.tell([loss(weights) for weights in tuner.ask()])
    return tuner


def test_the_strategy_finds_the_least_loss():
    tuner = told(Tuner(tuning_of(scale=10), GAME), 80)
    assert tuner.incumbent == OWN
    assert tuner.best == pytest.approx((300, -200, 0), abs=2)


def test_candidates_differ_however_long_the_strategy_has_agreed():
    tuner = told(Tuner(tuning_of(scale=10), GAME), 160)
    drawn = np.concatenate([tuner.ask() for _ in range(200)])[:, :2]
    # Drawn half a weight apart, and rounded: the variance is 1/4 and about 1/12 more.
    assert np.std(drawn, axis=0) == pytest.approx(np.sqrt(1 / 4 + 1 / 12), rel=0.1)


@pytest.mark.parametrize(
    ("generations", "best"),
    [
        (0, (80, 0, 0)),  # where it begins: the evaluator's own weights, ten times
        (1, (0, 0, 0)),
        (7, (6, -36, 0)),  # the last one
        (8, (6, -42, 0)),  # the last two: 6.5 and -42.5, which are rounded to what is even
        (12, (10, -101, 0)),  # the last three: 10 and -302 / 3
    ],
)
def test_the_best_weights_are_the_mean_of_the_last_quarter(generations: int, best):
    tuner = Tuner(tuning_of(scale=10), GAME)
    tuner.guesses = [np.array([number, -(number**2)]) for number in range(generations)]
    assert tuner.best == best


def test_the_strategy_comes_back_from_the_largest_weights():
    tuner = Tuner(tuning_of(scale=50_000, spread=1), GAME)
    told(tuner, 20, lambda weights: weights[1] - weights[0])
    assert max(weights[0] for weights in tuner.ask()) > 0.9 * LARGEST
    inside = (500_000, -300_000, 0)
    told(tuner, 80, lambda weights: math.dist(weights, inside))
    for weights in (tuner.best, *tuner.ask()):
        assert weights == pytest.approx(inside, abs=20)
    assert max(abs(guess).max() for guess in tuner.guesses) <= LARGEST


@pytest.mark.parametrize(
    ("options", "apart"),
    [
        # Weights of 800 and 0: the usual one is 400, and none counts as less than half of it.
        ({"scale": 100, "spread": 0.3}, (240, 60)),
        ({"scale": 100, "spread": 0.6}, (480, 120)),
        ({"spread": 0.01}, (1, 1)),  # never closer than that
        ({"spread": 10, "fields": ("coin", "patience")}, (5, 5)),  # both 0: as if 1 were usual
    ],
)
def test_the_first_candidates_are_drawn_apart_by_the_spread(options, apart):
    tuner = Tuner(tuning_of(candidates=2000, **options), GAME)
    places = [GAME.evaluator("opinion")._fields.index(name) for name in tuner.tuning.fields]
    drawn = np.array(tuner.ask())[:, places]
    assert drawn.shape == (2000, 2)
    # What is rounded varies by 1/12 more.
    assert np.std(drawn, axis=0) == pytest.approx(np.sqrt(np.square(apart) + 1 / 12), rel=0.05)
    assert np.mean(drawn, axis=0) == pytest.approx(np.take(tuner.best, places), abs=apart[0] / 10)


def test_only_the_chosen_weights_change():
    game = plies.game("seega")
    tuner = Tuner(Tuning("seega", "alphabeta", "improved", ("piece", "threat"), scale=10), game)
    own = game.evaluator("improved")
    assert tuner.names == own._fields
    assert tuner.incumbent == own
    assert tuner.best == own._replace(piece=10 * own.piece, threat=10 * own.threat)
    drawn = [type(own)(*weights) for weights in tuner.ask()]
    assert {each._replace(piece=own.piece, threat=own.threat) for each in drawn} == {own}
    assert len({each.piece for each in drawn}) > 1
    assert len({each.threat for each in drawn}) > 1


def numpys_own() -> tuple[int, bytes]:
    """Where numpy's own generator stands."""
    state = np.random.get_state(legacy=False)["state"]
    return state["pos"], state["key"].tobytes()


def test_candidates_that_all_do_alike_teach_nothing():
    tuner = told(Tuner(tuning_of(), GAME), 2, loss=lambda weights: 0.5)
    assert tuner.is_blind
    assert not told(tuner, 1).is_blind


def test_all_chances_come_from_the_seed():
    before = numpys_own()
    first, again, other = (Tuner(tuning_of(scale=10, seed=seed), GAME) for seed in (1, 1, 2))
    drawn = first.ask()
    assert again.ask() == drawn
    assert other.ask() != drawn
    assert numpys_own() == before


# What is kept


def test_losses_in_a_file_bring_the_strategy_to_where_it_was(tmp_path: Path):
    path = tmp_path / "tuned.tuning.npz"
    tuner = told(Tuner(tuning_of(), GAME), 5)
    tuner.save(path)
    later = Tuner(tuning_of(), GAME)
    later.resume(path)
    assert later.losses == tuner.losses
    assert later.best == tuner.best
    assert told(later, 3).best == told(tuner, 3).best
    assert later.ask() == tuner.ask()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 2}, "seed 1, not 2"),
        ({"agent": "alphabeta:depth=2"}, "agent alphabeta:depth=1, not alphabeta:depth=2"),
        ({"scale": 3}, "scale 1, not 3"),
    ],
)
def test_losses_of_another_tuning_are_refused(tmp_path: Path, options, message):
    told(Tuner(tuning_of(), GAME), 1).save(tmp_path / "kept.npz")
    with pytest.raises(BadModel, match=message):
        Tuner(tuning_of(**options), GAME).resume(tmp_path / "kept.npz")


@pytest.mark.parametrize(
    "losses",
    [np.zeros((2, 1)), np.zeros(6), np.full((1, 6), np.nan), np.full((1, 6), "many")],
)
def test_damaged_losses_are_refused(tmp_path: Path, losses: np.ndarray):
    path, tuning = tmp_path / "kept.npz", tuning_of(candidates=6)
    told(Tuner(tuning, GAME), 1).save(path)
    model = load_model(path)
    save_model(path, Model(model.kind, model.game, model.card, {"losses": losses}))
    with pytest.raises(BadModel, match="holds no losses of 6 candidates"):
        Tuner(tuning, GAME).resume(path)


# Bad input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pairs": 0}, "pairs is 1 to"),
        ({"scale": 0}, "scale is 1 to"),
        ({"spread": 0}, "spread is above 0"),
        ({"spread": float("nan")}, "spread is above 0"),
        ({"candidates": 2}, "candidates is 4 to"),
        ({"plies": 3}, "even in number, not 3"),
        ({"seed": -1}, "seed is 0 to"),
    ],
)
def test_tunings_that_make_no_sense_are_refused(options, message):
    with pytest.raises(BadSpec, match=message):
        tuning_of(**options)


def test_a_scale_that_makes_weights_too_large_is_refused():
    assert Tuner(tuning_of(scale=LARGEST // 8), GAME).best == (LARGEST, 0, 0)
    with pytest.raises(BadSpec, match="scale 125001 makes a weight larger than 1000000"):
        Tuner(tuning_of(scale=LARGEST // 8 + 1), GAME)


def test_fields_are_those_of_the_evaluator():
    assert tuned_fields(GAME, "opinion", ()) == ("lead", "coin", "patience")
    assert tuned_fields(GAME, "opinion", ("coin", "lead")) == ("lead", "coin")
    with pytest.raises(BadSpec, match="opinion has no weight coins; did you mean coin"):
        tuned_fields(GAME, "opinion", ("coins",))
    with pytest.raises(BadSpec, match="at least two weights are tuned together, not coin alone"):
        tuned_fields(GAME, "opinion", ("coin",))
    with pytest.raises(BadSpec, match="no weights; those with weights are opinion"):
        tuned_fields(GAME, "zero", ())
