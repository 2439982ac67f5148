"""Weights as models, trials of candidates, the strategy, and the command that tunes."""

import json
import os
import random
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from arena_samples import let_workers_start_uncompiled
from plies.agents import agent
from plies.arena.openings import random_openings
from plies.cli.main import main
from plies.core.errors import BadSpec
from plies.learn.trials import Players, Referee, Trial, is_plain, trial_agent
from plies.learn.weights import Tuner, Tuning, tuned_fields
from plies.models.files import BadModel, Model, load_model, save_model
from plies.models.weights import weights_model
from plies.search.alphabeta import AlphaBeta

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


EVALUATORS = {"guess": Evaluator(guess, Weights()), "blank": Evaluator(blank)}
"""
BETTER = (-8, 0)


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


def tuning_of(spec: str, **options: Any) -> Tuning:
    given = {"agent": "alphabeta:depth=1", "pairs": 8, "plies": 4} | options
    return Tuning(spec, evaluator="guess", fields=("third", "odd"), **given)


def openings(spec: str, count: int) -> list[str]:
    return random_openings(plies.game(spec), count, 8, random.Random(1))


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


@pytest.mark.parametrize(
    ("card", "weights", "message"),
    [
        ({"fields": ["third", "even"]}, [1, 2], "guess of opinionated has the weights third, odd"),
        ({"evaluator": "gues"}, [1, 2], "did you mean guess"),
        ({"evaluator": "blank"}, [1, 2], "blank of opinionated has no weights"),
        ({}, [1, 2, 3], "its weights are not 2 whole numbers"),
        ({}, [1.5, 2.5], "its weights are not 2 whole numbers"),
        ({}, [1, -(2**63)], "a weight of it is beyond 1000000"),
        ({"fields": None}, [1, 2], "does not say which evaluator"),
    ],
)
def test_weights_that_do_not_fit_are_refused(spec, tmp_path: Path, card, weights, message):
    about = {"evaluator": "guess", "fields": ["third", "odd"]} | card
    save_model(tmp_path / "bad.npz", Model("weights", spec, about, {"weights": np.array(weights)}))
    with pytest.raises((BadModel, BadSpec), match=message):
        agent(f"greedy:eval={tmp_path / 'bad.npz'}", plies.game(spec))


# Trials


@pytest.mark.parametrize("depth", [1, 3])
def test_a_game_in_compiled_code_ends_as_it_does_in_a_match(spec: str, depth: int):
    referee = Referee(tuning_of(spec, agent=f"alphabeta:depth={depth}"))
    for opening in openings(spec, 8):
        for weights in (BETTER, (3, -5), (0, 8)):
            trial = Trial(weights, (0, 8), opening, 1)
            seats = referee.kind(*weights), referee.kind(0, 8)
            assert referee.quick_game(*seats, trial) == referee.match_game(*seats, trial)


def test_a_game_is_drawn_at_its_greatest_length(spec: str):
    referee = Referee(tuning_of(spec, max_plies=3))
    trial = Trial(BETTER, (0, 8), "30 0", 1)
    assert referee.points(trial) == 0.5
    assert referee.match_game(referee.kind(*BETTER), referee.kind(0, 8), trial) == 0.5


def test_equal_weights_share_the_points_and_better_ones_win(spec: str):
    players = Players(tuning_of(spec), threads=2)
    try:
        own = (0, 8)
        losses = players.losses([own, BETTER, (8, 0)], own, openings(spec, 6))
    finally:
        players.close()
    assert losses[0] == 0.5
    assert losses[1] < 0.2
    assert losses[2] > 0.5


def test_only_plain_alphabeta_plays_in_compiled_code():
    assert is_plain(AlphaBeta(depth=5, fail="hard", cut="beyond"))
    assert not is_plain(AlphaBeta(table=1))
    assert not is_plain(AlphaBeta(order="shallow"))
    assert not is_plain(AlphaBeta(choice="random"))
    assert not is_plain(AlphaBeta(nodes=10))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("random", "random asks no evaluator"),
        ("alphabeta:depth=1,eval=guess", "names an evaluator itself"),
        ("alfabeta", "did you mean alphabeta"),
    ],
)
def test_agents_that_cannot_be_tuned_are_refused(spec: str, name: str, message: str):
    with pytest.raises(BadSpec, match=message):
        trial_agent(tuning_of(spec, agent=name))


# The strategy


def target(weights: tuple[int, ...]) -> float:
    """A loss that is least at 300 and -200."""
    return float((weights[0] - 300) ** 2 + (weights[1] + 200) ** 2)


def told(tuner: Tuner, generations: int) -> Tuner:
    for _ in range(generations):
        tuner.tell([target(weights) for weights in tuner.ask()])
    return tuner


def test_the_strategy_finds_the_least_loss(spec: str):
    tuner = told(Tuner(tuning_of(spec, scale=10), plies.game(spec)), 80)
    assert tuner.incumbent == (0, 8)
    assert tuner.best == pytest.approx((300, -200), abs=2)


def test_only_the_chosen_weights_change():
    game = plies.game("seega")
    tuning = Tuning("seega", "alphabeta", "improved", ("piece", "threat"))
    tuner = Tuner(tuning, game)
    own = dict(zip(tuner.names, tuner.incumbent, strict=True))
    for weights in tuner.ask():
        found = dict(zip(tuner.names, weights, strict=True))
        assert {name for name in own if own[name] != found[name]} <= {"piece", "threat"}


def test_losses_in_a_file_bring_the_strategy_to_where_it_was(spec: str, tmp_path: Path):
    game, path = plies.game(spec), tmp_path / "tuned.tuning.npz"
    tuner = told(Tuner(tuning_of(spec), game), 5)
    tuner.save(path)
    later = Tuner(tuning_of(spec), game)
    later.resume(path)
    assert later.losses == tuner.losses
    assert later.best == tuner.best
    assert told(later, 3).best == told(tuner, 3).best
    assert later.ask() == tuner.ask()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 2}, "seed is 1, not 2"),
        ({"agent": "alphabeta:depth=2"}, "agent is alphabeta:depth=1, not alphabeta:depth=2"),
        ({"scale": 3}, "scale is 1, not 3"),
    ],
)
def test_losses_of_another_tuning_are_refused(spec: str, tmp_path: Path, options, message):
    told(Tuner(tuning_of(spec), plies.game(spec)), 1).save(tmp_path / "kept.npz")
    with pytest.raises(BadModel, match=message):
        Tuner(tuning_of(spec, **options), plies.game(spec)).resume(tmp_path / "kept.npz")


@pytest.mark.parametrize(
    "losses",
    [np.zeros((2, 1)), np.zeros(6), np.full((1, 6), np.nan), np.full((1, 6), "many")],
)
def test_damaged_losses_are_refused(spec: str, tmp_path: Path, losses: np.ndarray):
    path, tuning = tmp_path / "kept.npz", tuning_of(spec, candidates=6)
    told(Tuner(tuning, plies.game(spec)), 1).save(path)
    model = load_model(path)
    save_model(path, Model(model.kind, model.game, model.card, {"losses": losses}))
    with pytest.raises(BadModel, match="holds no losses of 6 candidates"):
        Tuner(tuning, plies.game(spec)).resume(path)


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
        tuning_of("take", **options)


def test_fields_are_those_of_the_evaluator(spec: str):
    game = plies.game(spec)
    assert tuned_fields(game, "guess", ()) == ("third", "odd")
    assert tuned_fields(game, "guess", ("odd", "third")) == ("third", "odd")
    with pytest.raises(BadSpec, match="guess has no weight od; did you mean odd"):
        tuned_fields(game, "guess", ("od",))
    with pytest.raises(BadSpec, match="at least two weights are tuned together, not odd alone"):
        tuned_fields(game, "guess", ("odd",))
    with pytest.raises(BadSpec, match="no weights; those with weights are guess"):
        tuned_fields(game, "blank", ())


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
    ],
)
def test_bad_input_is_one_clear_line(spec: str, tmp_path: Path, capsys, more, message):
    assert main(words(spec, tmp_path / "tuned.npz", *more)) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())
