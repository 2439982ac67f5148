"""Games of self-play, and networks that learn from them."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.cli.main import main
from plies.core.errors import BadSpec
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
from plies.learn.parallel import answers as parallel_answers
from plies.learn.parts import OtherWork
from plies.learn.selfplay import PART, SelfPlay, play_part
from plies.models.files import BadModel, Model, load_model
from plies.models.network import OUTPUT_BITS, answers, check

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


# Self-play


def test_a_part_is_the_same_in_whichever_process_it_is_played():
    jobs = [(GAMES, 0), (GAMES, 1)]
    here = {job[1]: found for job, found in parallel_answers(play_part, jobs, workers=1)}
    there = {job[1]: found for job, found in parallel_answers(play_part, jobs, workers=2)}
    for number in (0, 1):
        for own, other in zip(here[number], there[number], strict=True):
            assert np.array_equal(own, other)
    assert not np.array_equal(here[0].rows[:50], here[1].rows[:50])


def test_positions_are_seen_by_their_mover_and_results_as_well():
    found = play_part((GAMES, 0))
    marks = found.rows[:, :9].sum(axis=1).astype(int) - found.rows[:, 9:].sum(axis=1)
    assert set(marks) == {0, -1}  # as many as the other side, or one less
    decided = abs(found.values) > WIN // 2
    assert decided.any()
    # A proven win ends the game, so what was proven is how it ended.
    assert np.array_equal(np.sign(found.values[decided]), found.results[decided])


@pytest.mark.parametrize(
    "wrong",
    [{"games": 1}, {"depth": 0}, {"opening": 0}, {"epsilon": 2.0}, {"max_plies": 0}],
    ids=str,
)
def test_self_play_that_makes_no_sense_is_refused(wrong: dict[str, Any]):
    with pytest.raises(BadSpec):
        replace(GAMES, **wrong)


# Goals


def test_the_scale_of_opinions_is_found_from_the_results():
    chance = np.random.default_rng(1)
    values = chance.integers(-3000, 3000, 20_000)
    results = np.where(chance.random(20_000) < (1 + np.tanh(values / 800)) / 2, 1, -1)
    assert 600 < best_scale(values, results) < 1000
    assert best_scale(np.zeros(5, np.int64), np.ones(5)) == 1


def test_proven_wins_are_expected_to_be_won_whatever_the_scale():
    found = expected_results(np.array([WIN - 3, 3 - WIN, 0, 100]), scale=100.0)
    assert found.tolist() == [1, -1, 0, pytest.approx(np.tanh(1))]


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
    assert np.abs(answers(model, rows) - expected).max() <= 1e-4


def test_weights_too_large_for_the_finest_grain_get_a_coarser_one():
    torch = pytest.importorskip("torch", reason=TORCH)
    network = new_network(18, 4)
    with torch.no_grad():
        network[0].weight.fill_(7.0)
        network[0].bias.fill_(0.0)
    arrays, grain = exported(network)
    # 18 * 7 = 126 of 32767 - 19 steps: 256 of them make 1, not 512.
    assert grain == 256
    check(Model("network", "tictactoe", {"grain": grain}, arrays))


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
