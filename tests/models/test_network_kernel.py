"""The compiled network predictions what numpy computes from the same whole numbers."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies import models
from plies.core import verbs
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import evaluate
from plies.errors import BadSpec
from plies.models.files import BadModel, Model, save_model
from plies.models.kinds import KINDS, find_evaluator, model_evaluator, read_model, trained
from plies.models.network import MOST_TOGETHER, check, predictions

INPUTS = 18  # of tic-tac-toe
GRAIN = 256
STEPS = 1 << 20  # of an output
TRAINED = sorted(Path(models.__file__).with_name("trained").glob("*.npz"))


def network(units: int, chance: Any, grain: int = GRAIN) -> Model:
    arrays = {
        "weights": chance.integers(-grain, grain, INPUTS * units),
        "biases": chance.integers(-grain, grain, units),
        "outputs": chance.integers(-3 * STEPS, 3 * STEPS, units + 1),
    }
    return Model("network", "tictactoe", {"grain": grain}, arrays)


def forward(model: Model, rows: np.ndarray) -> np.ndarray:
    """One pass forward in floating point."""
    grain, units = model.card["grain"], len(model.arrays["biases"])
    weights = model.arrays["weights"].reshape(-1, units) / grain
    hidden = np.clip(rows @ weights + model.arrays["biases"] / grain, 0, 1) ** 2
    outputs = model.arrays["outputs"] / STEPS
    return hidden @ outputs[:-1] + outputs[-1]


@pytest.mark.parametrize("units", [1, 15, 16, 17, 64])
def test_the_kernel_answers_as_a_plain_forward_pass(units: int):
    chance = np.random.default_rng(units)
    model = network(units, chance)
    check(model)
    rows = chance.integers(0, 2, (200, INPUTS))
    assert np.abs(predictions(model, rows) - forward(model, rows)).max() <= 1e-6


def test_units_as_large_as_a_lane_holds_do_not_disturb_their_neighbours():
    """All inputs and the bias of a unit together are 32767, once with either sign."""
    units = 8
    signs = np.tile([1, -1], units // 2)
    weights = np.zeros((INPUTS, units), np.int64)
    weights[:] = 32767 // (INPUTS + 1) * signs
    biases = signs * (32767 - 32767 // (INPUTS + 1) * INPUTS)
    outputs = np.arange(units + 1) * STEPS
    arrays = {"weights": weights.ravel(), "biases": biases, "outputs": outputs}
    model = Model("network", "tictactoe", {"grain": 1024}, arrays)
    check(model)
    rows = np.array([np.ones(INPUTS, np.int64), np.zeros(INPUTS, np.int64)])
    assert np.abs(predictions(model, rows) - forward(model, rows)).max() <= 1e-6


def test_as_an_evaluator_it_counts_thousandths():
    game = plies.game("tictactoe")
    model = network(32, np.random.default_rng(1))
    record = model_evaluator(model, game)
    state = game.parse_position("X.O/.X./... O")
    row = np.zeros(INPUTS, np.int64)
    row[verbs.inputs(state)] = 1
    assert evaluate(record, state) == np.floor(1000 * predictions(model, row[None, :])[0])


def largest_sound_network() -> Model:
    """256 units that are all on, and with the last output just as large as outputs may be."""
    units, grain = 256, 1024
    each, rest = divmod(MOST_TOGETHER, units)
    arrays = {
        "weights": np.zeros(INPUTS * units, np.int64),
        "biases": np.full(units, grain),
        "outputs": np.append(np.full(units, each), rest),
    }
    return Model("network", "tictactoe", {"grain": grain}, arrays)


def test_the_largest_outputs_do_not_overflow():
    game = plies.game("tictactoe")
    model = largest_sound_network()
    check(model)
    expected = 1000 * int(model.arrays["outputs"].sum()) // STEPS
    assert evaluate(model_evaluator(model, game), game.initial()) == expected <= MAX_EVALUATION
    large = {**model.arrays, "outputs": model.arrays["outputs"] + (np.arange(257) == 256)}
    with pytest.raises(BadModel, match="together"):
        check(replace(model, arrays=large))


def test_a_network_says_nothing_of_a_state_of_another_board():
    record = model_evaluator(SOUND, plies.game("tictactoe"))
    other = plies.game("tictactoe:width=4,height=4")
    state = other.initial()
    for move in range(6):
        state = other.play(state, other.moves(state)[move % 2])
        assert evaluate(record, state) == 0


def changed(name: str, index: Any, number: Any) -> Model:
    model = network(4, np.random.default_rng(1))
    array = model.arrays[name].copy()
    array[index] = number
    return replace(model, arrays={**model.arrays, name: array})


SOUND = network(4, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (changed("weights", 0, 40_000), "too large"),
        (changed("weights", 0, -(2**63)), "too large"),
        (changed("weights", slice(None), 2000), "together"),
        (changed("biases", 1, 32_000), "together"),
        (changed("outputs", 0, 2**60), "larger"),
        (changed("outputs", 0, -(2**63)), "larger"),
        (replace(SOUND, card={"grain": 3}), "power of two"),
        (replace(SOUND, card={"grain": 2048}), "power of two"),
        (replace(SOUND, card={"grain": True}), "power of two"),
        (replace(SOUND, arrays={**SOUND.arrays, "outputs": np.zeros(4, np.int64)}), "fit"),
        (replace(SOUND, arrays={**SOUND.arrays, "weights": np.zeros(7, np.int64)}), "fit"),
        (replace(SOUND, arrays={**SOUND.arrays, "biases": np.zeros(0, np.int64)}), "fit"),
        (replace(SOUND, arrays={**SOUND.arrays, "weights": np.zeros(72)}), "int64"),
    ],
    ids=range(13),
)
def test_a_network_that_its_kernel_cannot_be_trusted_with_is_refused(model: Model, why: str):
    with pytest.raises(BadModel, match=why):
        check(model)


def test_a_network_with_inputs_of_another_board_is_refused():
    with pytest.raises(BadModel, match="it has 18 inputs"):
        KINDS["network"].evaluator(SOUND, plies.game("tictactoe:width=4,height=4"))


def test_searches_use_a_network_by_the_name_of_its_file(tmp_path: Path):
    game = plies.game("tictactoe")
    save_model(tmp_path / "net.npz", SOUND)
    evaluator = f"eval={tmp_path / 'net.npz'}"
    decision = plies.search(game, game.initial(), f"minimax:depth=3,{evaluator}")
    exact = plies.search(game, game.initial(), f"engine:depth=3,exact=true,{evaluator}")
    assert decision.value == exact.value
    assert find_evaluator(game, str(tmp_path / "net.npz")) == model_evaluator(SOUND, game)


@pytest.mark.parametrize("path", TRAINED, ids=lambda path: path.name)
def test_networks_that_come_with_the_package_are_sound_and_fit_their_game(path: Path):
    model = read_model(path)
    assert path.name.startswith(f"{model.game}-")
    assert model_evaluator(model, plies.game(model.game)).groups > 0


def test_a_network_that_comes_with_the_package_is_an_evaluator_by_its_name():
    game = plies.game("quixo")
    assert trained(game)["net"] in TRAINED
    assert find_evaluator(game, "net") == model_evaluator(read_model(trained(game)["net"]), game)
    assert plies.agent("greedy:eval=net", game).evaluator == find_evaluator(game, "net")
    with pytest.raises(BadModel, match=r"quixo-net\.npz: .* quixo:n=4"):
        plies.agent("greedy:eval=net", plies.game("quixo:n=4"))
    assert trained(plies.game("tictactoe")) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nope", "quixo has no evaluator nope; there are lines, net, zero"),
        ("nett", "did you mean net"),
        ("rows.parquet", r"rows\.parquet .*\.npz"),
        (".", r"^\. .*\.npz"),
    ],
)
def test_a_text_that_names_no_evaluator_is_refused(text: str, message: str):
    with pytest.raises(BadSpec, match=message):
        find_evaluator(plies.game("quixo"), text)
