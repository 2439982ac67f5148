"""Agents with a model file: one ply ahead, and inside searches."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import plies
from learning_samples import COINS, coins, forest, mlp
from plies.cli.main import main
from plies.core.scores import win_in
from plies.core.verbs import key
from plies.errors import BadSpec
from plies.models.files import BadModel, Model, save_model
from plies.models.table import GOING

DATA = Path(COINS).parent


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A forest and a perceptron of many inputs, and one that knows the value alone."""
    value = Model(
        "mlp",
        COINS,
        {"evaluator": "lead", "inputs": ["value"], "activation": "identity"},
        {
            "sizes": np.array([1, 1]),
            "weights": np.array([1.0]),
            "biases": np.array([0.0]),
            "means": np.zeros(2),
            "scales": np.ones(2),
        },
    )
    paths = {}
    for name, model in {"forest": forest(), "mlp": mlp(), "value": value}.items():
        paths[name] = tmp_path / f"{name}.npz"
        save_model(paths[name], model)
    return paths


def test_pred_takes_the_move_whose_child_is_worst_for_the_opponent(files: dict[str, Path]):
    """The model repeats the static value, so it is what greedy does with the evaluator."""
    game = coins()
    learned = plies.agent(f"pred:{files['value']}", game)
    state = game.initial()
    while not game.is_over(state):
        children = {move: game.play(state, move) for move in game.moves(state)}
        decision = learned.choose(state)
        if not any(game.is_over(child) for child in children.values()):
            values = {move: child.theirs - child.mine for move, child in children.items()}
            assert decision.value == values[decision.move] == max(values.values())
        state = children[decision.move]


def test_mi_pred_knows_the_features_of_every_child(files: dict[str, Path]):
    """The perceptron says 1 + lead, or 1 + 2 * lead where the child's mover is behind."""
    game = coins()
    state = game.initial()._replace(mine=4, theirs=6)
    decision = plies.agent(f"mi_pred:{files['mlp']}", game).choose(state)
    # Taking 3 leads by 1, taking 8 by 6; the other is then behind by as much.
    assert game.play(state, decision.move).theirs == 12
    assert decision.value == -(1 - 2 * 6)


def test_an_end_of_the_game_counts_as_it_is(files: dict[str, Path]):
    """The model likes being behind, a proven win is better."""
    game = coins()
    last = game.initial()._replace(first=5, end=6, mine=20, theirs=1)
    for spec in (f"pred:{files['value']}", f"mi_pred:{files['forest']}"):
        assert plies.agent(spec, game).choose(last).value == win_in(1)


def test_a_child_with_the_same_player_to_move_is_worth_to_him_what_it_is_worth(tmp_path: Path):
    """Two moves in a row: after the first of them the mover stays, after the second he changes."""
    game = plies.game(f"{DATA / 'pairs.py'}:left=9,k=2")
    stays = [game.play(game.initial(), move) for move in (1, 2)]
    changes = [game.play(stays[0], move) for move in (1, 2)]
    positions = [game.initial(), *stays, *changes]
    count = len(positions)
    arrays = {
        "keys": np.array([key(state) for state in positions]),
        "values": np.array([0.0, -0.5, 0.25, 0.5, -0.25]),
        "visits": np.ones(count, np.int64),
        "parents": np.array([-1, 0, 0, 1, 1]),
        "moves": np.array([0, 1, 2, 1, 2]),
        "results": np.full(count, GOING),
    }
    path = tmp_path / "q.npz"
    save_model(path, Model("table", game.spec, {"symmetry": False}, arrays))
    learned = plies.agent(f"q:{path}", game)
    first, second = learned.choose(game.initial()), learned.choose(stays[0])
    assert (first.move, first.value) == (2, 250_000)
    assert (second.move, second.value) == (2, 250_000)


@pytest.mark.parametrize("spec", ["mcts:simulations=200,eval={}", "greedy:eval={}"])
def test_a_model_serves_as_an_evaluator(spec: str, files: dict[str, Path]):
    """The last coin is worth 8, the first 3: whoever asks the perceptron prefers to lead."""
    game = coins()
    decision = plies.agent(spec.format(files["mlp"]), game).choose(game.initial(), Random(1))
    assert game.play(game.initial(), decision.move).theirs == 8


def test_alpha_beta_with_a_model_finds_what_minimax_finds(files: dict[str, Path]):
    game = coins()
    for model in ("forest", "mlp"):
        values = {
            name: plies.agent(f"{name}:depth=4,eval={files[model]}", game).choose(game.initial())
            for name in ("alphabeta", "minimax")
        }
        assert values["alphabeta"].value == values["minimax"].value
        assert values["alphabeta"].nodes < values["minimax"].nodes


def refusals(files: dict[str, Path], folder: Path) -> dict[str, tuple[str, Any]]:
    """Spec -> what is said of it."""
    other = folder / "other.npz"
    save_model(other, forest("tictactoe"))
    damaged = folder / "damaged.npz"
    damaged.write_bytes(files["forest"].read_bytes()[:200])
    return {
        f"pred:{files['forest']}": ("has more inputs than the value; write mi_pred", BadModel),
        f"mi_pred:{files['value']}": ("has no input but the value; write pred", BadModel),
        f"pred:{other}": ("made for tictactoe", BadModel),
        f"alphabeta:eval={other}": ("made for tictactoe", BadModel),
        f"mi_pred:{damaged}": ("damaged", BadModel),
        f"mi_pred:{folder / 'none.npz'}": ("there is no model file", BadModel),
        "pred": ("pred needs a model", BadSpec),
        "pred:lead": ("there is no model file lead", BadModel),
    }


def test_what_does_not_fit_is_refused_before_anything_begins(files, tmp_path: Path, capsys):
    for spec, (said, kind) in refusals(files, tmp_path).items():
        with pytest.raises(kind, match=said):
            plies.agent(spec, coins())
        assert main(["match", COINS, spec, "random", "--pairs", "1"]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1


def test_learned_agents_play_matches(files: dict[str, Path], capsys):
    specs = [f"mi_pred:{files['mlp']}", f"pred:{files['value']},choice=random"]
    assert main(["match", COINS, *specs, "--pairs", "2", "--seed", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4
