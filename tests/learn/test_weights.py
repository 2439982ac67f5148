"""Weights as models, and the command that tunes them."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from arena_samples import let_workers_start_uncompiled
from plies.agents import agent
from plies.cli.main import main
from plies.core import verbs
from plies.core.verbs import evaluators_of
from plies.errors import BadSpec
from plies.learn.trials import Players
from plies.models.files import BadModel, Model, load_model, save_model
from plies.models.kinds import find_evaluator
from plies.models.weights import weights_model

TAKE = Path(__file__).parents[1] / "data" / "games" / "take.py"
# Who has a multiple of three before them has lost; the weights know nothing of it.
OPINION = """
class Weights(NamedTuple):
    third: int = 0
    odd: int = 8


@compiled
def guess(weights, state):
    return weights.third * (state.heap % 3 == 0) + weights.odd * (state.heap % 2)


@compiled
def blank(state):
    return 0


EVALUATORS = {
    "guess": Evaluator(guess, Weights(), unit=4, rough=guess, margin=3),
    "blank": Evaluator(blank),
}
"""
BETTER = (-8, 0)
UNIT, MARGIN = 4, 3  # of the evaluator


@pytest.fixture(autouse=True)
def no_compile_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIES_QUIET", "1")


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game with an evaluator that has weights."""
    path = tmp_path_factory.mktemp("game") / "opinionated.py"
    text = TAKE.read_text().replace("import ONGOING, Game", "import ONGOING, Evaluator, Game")
    text = text.replace("GAME =", f"{OPINION}\n\nGAME =")
    path.write_text(text.replace('title="Take"', 'title="Take", evaluators=EVALUATORS'))
    return f"{path}:heap=30"


# Models


def test_an_agent_takes_weights_from_a_file(spec: str, tmp_path: Path):
    game, path = plies.game(spec), tmp_path / "tuned.npz"
    save_model(path, weights_model(game, "guess", BETTER))
    # 28 - 1 is a multiple of three; the evaluator's own weights like an even heap for the other.
    state = game.parse_position("28 0")
    assert agent(f"alphabeta:depth=1,eval={path}", game).choose(state).move == 1
    assert agent("alphabeta:depth=1,eval=guess", game).choose(state).move == 2
    tuned = agent(f"greedy:eval={path}", game).evaluator
    assert type(tuned) is type(game.evaluator("guess"))
    assert tuple(tuned) == BETTER


def test_a_scale_makes_the_unit_finer_too(spec: str, tmp_path: Path):
    game = plies.game(spec)
    own = game.evaluator("guess")
    records = []
    for scale in (1, 10, 10):
        path = tmp_path / f"{scale}.npz"
        save_model(path, weights_model(game, "guess", (80, -30), {"scale": scale}))
        record = find_evaluator(game, str(path))
        records.append(record)
        assert tuple(record) == (80, -30)
        assert evaluators_of[type(record)].unit == scale * UNIT
        assert evaluators_of[type(record)].margin == scale * MARGIN
    assert type(records[0]) is type(own)
    assert type(records[1]) is type(records[2]) is not type(own)
    record = records[2]
    assert evaluators_of[type(own)].unit == UNIT
    state = game.parse_position("9 0")  # a multiple of three, and odd
    assert verbs.evaluate(record, state) == 80 - 30


@pytest.mark.parametrize(
    ("card", "weights", "message"),
    [
        ({"fields": ["third", "even"]}, [1, 2], "guess of opinionated has the weights third, odd"),
        ({"evaluator": "gues"}, [1, 2], "did you mean guess"),
        ({"evaluator": "blank"}, [1, 2], "blank of opinionated has no weights"),
        ({}, [1, 2, 3], "its weights are not 2 whole numbers"),
        ({}, [1.5, 2.5], "its weights are not 2 whole numbers"),
        ({}, [1, -(2**63)], "weights is beyond 1000000"),
        ({"fields": None}, [1, 2], "does not say which evaluator"),
        ({"scale": 0}, [1, 2], "its scale is not a whole number from 1 to"),
        ({"scale": 1.5}, [1, 2], "its scale is not a whole number from 1 to"),
    ],
)
def test_weights_that_do_not_fit_are_refused(spec, tmp_path: Path, card, weights, message):
    about = {"evaluator": "guess", "fields": ["third", "odd"]} | card
    save_model(tmp_path / "bad.npz", Model("weights", spec, about, {"weights": np.array(weights)}))
    with pytest.raises((BadModel, BadSpec), match=message):
        agent(f"greedy:eval={tmp_path / 'bad.npz'}", plies.game(spec))


# The command


def words(spec: str, out: Path, *more: str) -> list[str]:
    few = ["--pairs", "6", "--openings", "8", "--generations", "6", "--workers", "1"]
    how = ["--agent", "alphabeta:depth=1", "--spread", "2"]
    return ["train", "weights", spec, "--out", str(out), *how, *few, *more]


def test_the_command_finds_better_weights_and_a_match_proves_it(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    let_workers_start_uncompiled(monkeypatch)
    out = tmp_path / "tuned.npz"
    assert main(words(spec, out, "--match-pairs", "60", "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["is_better"]
    assert found["match"]["sprt"]["verdict"] == "H1"
    card = load_model(out).card
    assert card["tuned"] == found["tuned"]
    assert card["match"]["elo"] == found["match"]["elo"]
    # All of it is there already.
    assert main(words(spec, out, "--match-pairs", "60")) == 0
    text = capsys.readouterr().out
    assert "The tuned weights are better." in text
    assert "LOS" in text
    assert main(words(spec, out, "--match-pairs", "0")) == 0
    assert load_model(out).card == card  # the match that was played is not forgotten


def test_weights_that_are_not_shown_to_be_better_end_with_status_1(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    let_workers_start_uncompiled(monkeypatch)
    out = tmp_path / "tuned.npz"
    assert main(words(spec, out, "--match-pairs", "1")) == 1
    assert "The match ended before it was clear whether they are better." in capsys.readouterr().out


def test_an_interrupted_tuning_goes_on_as_if_nothing_had_happened(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    losses = Players.losses
    calls: list[int] = []

    def interrupted(self: Players, *arguments: Any) -> list[float]:
        calls.append(1)
        if len(calls) == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return losses(self, *arguments)

    broken, whole = tmp_path / "broken.npz", tmp_path / "whole.npz"
    with monkeypatch.context() as patch:
        patch.setattr(Players, "losses", interrupted)
        assert main(words(spec, broken, "--match-pairs", "0")) == 130
    assert "stopped after 3 generations; the same command goes on" in capsys.readouterr().err
    assert not broken.exists()
    for out in (broken, whole):
        assert main(words(spec, out, "--match-pairs", "0")) == 0
    assert load_model(broken).card == load_model(whole).card


def test_a_model_of_another_tuning_is_not_overwritten(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "tuned.npz"
    save_model(out, weights_model(plies.game(spec), "guess", BETTER, {"tuning": {"seed": 2}}))
    before = out.read_bytes()
    assert main(words(spec, out, "--match-pairs", "0")) == 2
    assert "holds another model" in capsys.readouterr().err
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--eval", "gues"], "did you mean guess"),
        (["--eval", "blank"], "blank of opinionated has no weights"),
        (["--fields", "third,od"], "guess has no weight od"),
        (["--agent", "random"], "random asks no evaluator"),
        (["--out", "tuned.txt"], "a file that ends with .npz"),
        (["--out", "a,b.npz"], "no comma"),
        (["--sprt", "5,1"], "elo0 below elo1"),
        (["--sprt", "5"], "--sprt is ELO0,ELO1"),
        (["--openings", "3"], "even in number, not 3"),
        (["--generations", "0"], "--generations"),
        (["--out", "/dev/null/tuned.npz"], "there is no folder /dev/null"),
    ],
)
def test_bad_input_is_one_clear_line(spec: str, tmp_path: Path, capsys, more, message):
    assert main(words(spec, tmp_path / "tuned.npz", *more)) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_an_edited_game_is_not_mistaken_for_the_one_that_was_tuned(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "opinionated.py"
    text = Path(spec.partition(":")[0]).read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    out = tmp_path / "tuned.npz"
    assert main(words(f"{path}:heap=30", out, "--match-pairs", "0")) == 0
    path.write_text(f"{text}# and more\n", encoding="utf-8")
    assert main(words(f"{path}:heap=30", out, "--match-pairs", "0")) == 2
    assert "opinionated.py has changed since" in capsys.readouterr().err
