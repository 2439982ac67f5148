"""Networks that learn from games of self-play."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.cli.main import main
from plies.core import verbs
from plies.core.scores import WIN
from plies.learn.network import (
    NetworkRun,
    Trainer,
    Training,
    best_scale,
    expected_results,
    exported,
    new_network,
)
from plies.learn.parts import OtherWork
from plies.learn.selfplay import PART, Positions, SelfPlay
from plies.models.files import BadModel, Model, load_model
from plies.models.network import OUTPUT_BITS, check, predictions

GAMES = SelfPlay("tictactoe", games=2 * PART, depth=2, opening=3)
SHORT = Training(units=16, epochs=3, batch=64)
TORCH = "networks are trained with torch, which is an extra"


def nobody(done: int, total: int) -> None:
    """Hears nothing."""


def train_network(
    plan: SelfPlay, training: Training, path: Path, on_games: Any = nobody, on_epochs: Any = nobody
) -> Model:
    run = NetworkRun(plan, training, path)
    return run.train(run.play(1, on_games), on_epochs)


# Goals


def test_the_scale_of_opinions_is_found_from_the_results():
    chance = np.random.default_rng(1)
    values = chance.integers(-3000, 3000, 20_000)
    results = np.where(chance.random(20_000) < (1 + np.tanh(values / 800)) / 2, 1, -1)
    assert 600 < best_scale(values, results) < 1000
    assert best_scale(np.zeros(5, np.int64), np.ones(5)) == 1


# Opinions are 200 in the mean; scales from a fourth of that to 64 times as much are tried.
@pytest.mark.parametrize("scale", [50, 200, 400 * 2**0.25, 800, 12_800])
def test_the_scale_is_the_one_that_results_were_made_with(scale: float):
    opinions = np.array([100, -300, 200])
    results = np.tanh(opinions / scale)
    assert best_scale(opinions, results) == pytest.approx(scale)
    # What is proven says nothing about opinions, even where it went wrong.
    values = np.append(opinions, [WIN - 3, 5 - WIN])
    assert best_scale(values, np.append(results, [-1, 1])) == pytest.approx(scale)


def test_proven_wins_are_expected_to_be_won_whatever_the_scale():
    found = expected_results(np.array([WIN - 3, 3 - WIN, 0, 100]), scale=100.0)
    assert found.tolist() == [1, -1, 0, pytest.approx(np.tanh(1))]


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trainer:
    """The trainer of five positions as it is when it would begin; needs no torch."""
    values = np.array([WIN - 3, 3 - WIN, 0, 100, -500])
    results = np.array([-1, -1, 1, 1, -1], np.int8)
    trainers: list[Trainer] = []

    def stop(self: Trainer, *arguments: Any) -> None:
        trainers.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr("plies.learn.network.find_torch", lambda device: None)
    monkeypatch.setattr(Trainer, "train", stop)
    run = NetworkRun(GAMES, replace(SHORT, share=0.25), tmp_path / "net.npz")
    with pytest.raises(KeyboardInterrupt):
        run.train(Positions(np.zeros((5, 18), np.uint8), values, results), nobody)
    return trainers[0]


def test_a_goal_is_the_result_by_its_share_and_else_what_the_search_said(begun: Trainer):
    # The opinions, 200 in the mean, were right: the smallest scale is best, a fourth of that.
    said = [1, -1, 0, np.tanh(100 / 50), np.tanh(-500 / 50)]
    results = [-1, -1, 1, 1, -1]
    goals = [0.25 * end + 0.75 * opinion for end, opinion in zip(results, said, strict=True)]
    assert goals[:3] == [0.5, -1, 0.25]
    assert begun.goals == pytest.approx(goals)


def test_a_batch_may_be_seen_through_all_symmetries_of_the_game(begun: Trainer):
    game = plies.game("tictactoe")
    state = game.parse_position("XO./..X/... O")
    row = np.isin(np.arange(18), verbs.inputs(state))
    seen = {tuple(np.flatnonzero(row[image])) for image in begun.images}
    assert len(seen) == 8
    assert seen == {tuple(sorted(verbs.inputs(each))) for each in game.symmetries(state)}


# Training


def test_the_kernel_answers_as_torch_does():
    torch = pytest.importorskip("torch", reason=TORCH)
    torch.manual_seed(1)
    network = new_network(18, 32)
    with torch.no_grad():
        network[0].weight.mul_(3)
        network[2].weight.mul_(5)
    arrays, grain = exported(network)
    model = Model("network", "tictactoe", {"grain": grain}, arrays)
    check(model)
    with torch.no_grad():  # the same whole numbers in floating point of 32 bits
        network[0].weight.copy_(torch.from_numpy(arrays["weights"].reshape(18, 32).T / grain))
        network[0].bias.copy_(torch.from_numpy(arrays["biases"] / grain))
        outputs = arrays["outputs"] / (1 << OUTPUT_BITS)
        network[2].weight.copy_(torch.from_numpy(outputs[None, :-1]))
        network[2].bias.copy_(torch.from_numpy(outputs[-1:]))
        rows = np.random.default_rng(1).integers(0, 2, (200, 18))
        expected = network(torch.from_numpy(rows).float())[:, 0].numpy()
    assert np.abs(predictions(model, rows) - expected).max() <= 1e-4


class Numbers:
    """A tensor as far as it is asked for, without torch."""

    def __init__(self, numbers: Any):
        self.numbers = np.array(numbers, np.float64)

    def detach(self) -> "Numbers":
        return self

    cpu = double = detach

    def numpy(self) -> np.ndarray:
        return self.numbers


class Layer:
    def __init__(self, weight: Any, bias: Any):
        self.parameters = {"weight": Numbers(weight), "bias": Numbers(bias)}

    def named_parameters(self) -> Any:
        return self.parameters.items()


def test_weights_are_written_input_by_input_in_steps_of_the_grain():
    first = Layer([[0.5, -0.25, 0], [1, 0.0015, -1]], [0.125, -1.5])
    arrays, grain = exported([first, None, Layer([[2, -3]], [0.25])])
    assert grain == 1024  # the finest there is
    # 0.0015 * 1024 is 1.536; the two units of an input stand side by side.
    assert arrays["weights"].tolist() == [512, 1024, -256, 2, 0, -1024]
    assert arrays["biases"].tolist() == [128, -1536]
    assert arrays["outputs"].tolist() == [2 << 20, -3 << 20, 1 << 18]


# Sums of a unit stay below 32768 steps.  With 512 steps to 1, 18 weights and a bias:
# - 18 * 1819 is 32742, which stays; with twice as many steps it would not;
# - 18 * 1819 + 26 is 32768, which leaves it;
# - 17 * 1820.6 + 1812 is 32762.2, but what is written, 17 * 1821 + 1812, is 32769.
@pytest.mark.parametrize(
    ("weights", "bias", "grain"),
    [
        ([1819.0] * 18, 0, 512),
        ([-1819.0] * 18, 26, 256),
        ([1820.6] * 17 + [1812], 0, 256),
    ],
)
def test_the_grain_is_the_finest_with_which_no_sum_leaves_its_lane(
    weights: list[float], bias: float, grain: int
):
    first = Layer([np.array(weights) / 512, np.zeros(18)], [bias / 512, 0])
    arrays, found = exported([first, None, Layer([[1, 1]], [0])])
    assert found == grain
    check(Model("network", "tictactoe", {"grain": grain}, arrays))


def numbered(count: int) -> Positions:
    """Positions whose inputs are the digits of their numbers, to the base of two."""
    rows = (np.arange(count)[:, None] >> np.arange(8) & 1).astype(np.uint8)
    return Positions(rows, np.zeros(count, np.int64), np.zeros(count, np.int8))


def batches_seen(trainer: Trainer) -> list[list[list[int]]]:
    """What the network is given in one epoch."""
    seen: list[list[list[int]]] = []
    hook = trainer.network.register_forward_pre_hook(
        lambda network, given: seen.append(given[0].int().tolist())
    )
    trainer.train_epoch()
    hook.remove()
    return seen


def test_an_epoch_is_all_positions_but_the_last_tenth_in_a_new_order():
    pytest.importorskip("torch", reason=TORCH)
    positions = numbered(100)
    trainer = Trainer(positions, np.zeros(100), np.arange(8)[None, :], seed=1)
    trainer.begin(replace(SHORT, batch=30))
    orders = []
    for _ in range(2):
        batches = batches_seen(trainer)
        assert [len(batch) for batch in batches] == [30, 30, 30]
        orders.append([row for batch in batches for row in batch])
        assert sorted(orders[-1]) == sorted(positions.rows[:90].tolist())
    assert orders[0] != orders[1]


def test_every_batch_is_seen_through_one_of_the_symmetries():
    pytest.importorskip("torch", reason=TORCH)
    positions = Positions(*(np.repeat(part[1:2], 200, axis=0) for part in numbered(2)))
    images = np.array([np.arange(8), np.arange(8)[::-1]])
    trainer = Trainer(positions, np.zeros(200), images, seed=1)
    trainer.begin(replace(SHORT, batch=10))
    batches = batches_seen(trainer)
    there, mirrored = [1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1]
    assert all(batch in ([there] * 10, [mirrored] * 10) for batch in batches)
    # With this seed both are drawn for the eighteen batches.
    assert [there] * 10 in batches
    assert [mirrored] * 10 in batches


def test_figures_are_those_of_the_last_tenth_alone():
    torch = pytest.importorskip("torch", reason=TORCH)
    goals = np.append(np.full(90, -1.0), [1, 0] * 5)
    trainer = Trainer(numbered(100), goals, np.arange(8)[None, :], seed=1)
    trainer.begin(SHORT)
    with torch.no_grad():
        for tensor in trainer.network.parameters():
            tensor.zero_()
    # It always says 0: half of the ten are wrong by 1, and they spread by 1/4 around 1/2.
    assert trainer.figures() == {"error": 0.5, "r2": -1}


def test_interrupted_training_goes_on_to_the_same_network(tmp_path: Path):
    pytest.importorskip("torch", reason=TORCH)

    def train(name: str, on_games: Any = nobody, on_epochs: Any = nobody) -> bytes:
        train_network(GAMES, SHORT, tmp_path / name, on_games, on_epochs)
        return (tmp_path / name).read_bytes()

    def stop_at(wanted: int) -> Any:
        def stop(done: int, total: int) -> None:
            if done == wanted:
                raise KeyboardInterrupt

        return stop

    whole = train("whole.npz")
    with pytest.raises(KeyboardInterrupt):
        train("net.npz", on_games=stop_at(PART))
    with pytest.raises(KeyboardInterrupt):
        train("net.npz", on_epochs=stop_at(2))
    assert not (tmp_path / "net.npz").exists()
    heard: list[int] = []
    assert train("net.npz", on_epochs=lambda done, total: heard.append(done)) == whole
    assert heard == [2]
    card = load_model(tmp_path / "net.npz").card
    assert card["positions"] > 2 * PART
    assert card["units"] == 16


@pytest.mark.parametrize("number", [1e6, float("nan")])
def test_a_network_that_could_not_be_loaded_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: float
):
    torch = pytest.importorskip("torch", reason=TORCH)
    run = NetworkRun(GAMES, SHORT, tmp_path / "net.npz")
    train = Trainer.train

    def spoiled(self: Trainer, *arguments: Any) -> None:
        train(self, *arguments)
        with torch.no_grad():
            self.network[2].weight.fill_(number)

    monkeypatch.setattr(Trainer, "train", spoiled)
    with pytest.raises(BadModel, match="cannot be written"):
        run.train(run.play(1, nobody), nobody)
    assert not run.path.exists()
    assert "000001.npz" in run.parts


def test_a_finished_network_is_read_and_another_one_is_not_replaced(tmp_path: Path):
    pytest.importorskip("torch", reason=TORCH)
    path = tmp_path / "net.npz"
    made = train_network(GAMES, SHORT, path)
    found = NetworkRun(GAMES, SHORT, path).finished
    assert found is not None
    assert found.card == made.card
    with pytest.raises(OtherWork, match="units 16, not 8"):
        NetworkRun(GAMES, replace(SHORT, units=8), path)
    assert [each.name for each in tmp_path.iterdir()] == ["net.npz"]


@pytest.mark.parametrize("name", ["000000.npz", "training.pt"])
def test_damaged_parts_are_one_clear_line(tmp_path: Path, name: str):
    pytest.importorskip("torch", reason=TORCH)

    def stop(done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_network(GAMES, SHORT, tmp_path / "net.npz", on_epochs=stop)
    (tmp_path / "net.npz.parts" / name).write_bytes(b"nothing")
    with pytest.raises((BadModel, OtherWork), match=f"{name} is damaged; delete it"):
        train_network(GAMES, SHORT, tmp_path / "net.npz")


def test_a_network_learns_what_the_games_have_in_common(tmp_path: Path):
    pytest.importorskip("torch", reason=TORCH)
    plan = replace(GAMES, games=20 * PART, depth=3, opening=4)
    training = replace(SHORT, epochs=20)
    model = train_network(plan, training, tmp_path / "net.npz")
    assert model.card["r2"] > 0.4  # of what differs between positions it has not seen
    game = plies.game("tictactoe")
    found = plies.search(game, game.initial(), f"alphabeta:depth=3,eval={tmp_path / 'net.npz'}")
    assert found.value != 0


# The command


def test_without_torch_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "torch", None)
    out = tmp_path / "net.npz"
    assert main(["train", "network", "tictactoe", "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert "pip install plies[torch]" in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nim"], "no inputs"),
        (["nim:players=3"], "two players"),
        (["tictactoe", "--eval", "lines"], "no evaluator lines"),
        (["tictactoe", "--eval", "none.npz"], "no model file"),
        (["tictactoe", "--units", "1000"], "units is 1 to"),
        (["tictactoe", "--device", "cuda"], "no GPU"),
    ],
    ids=str,
)
def test_what_cannot_be_trained_is_refused_before_anything_is_played(
    words: list[str],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    torch = pytest.importorskip("torch", reason=TORCH)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.chdir(tmp_path)
    assert main(["train", "network", *words, "--out", "net.npz"]) == 2
    told = capsys.readouterr().err
    assert why in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
