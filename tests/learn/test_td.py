"""Pattern tables that learn from their own games."""

import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.cli.main import main
from plies.core import verbs
from plies.core.contract import Game
from plies.core.scores import DRAW, ONGOING, SCORED
from plies.errors import BadSpec
from plies.learn.parts import OtherWork
from plies.learn.td import SLICE, TdLearner, TdSettings, train_td
from plies.models.files import BadModel, Model, load_model, save_model
from plies.models.kinds import read_model
from plies.search.random_numbers import random_below

FEW = TdSettings(games=5 * SLICE, seed=7)
NEIGHBOURS = Path(__file__).parents[1] / "data" / "neighbours.py"  # a player moves twice


def learned(settings: TdSettings, path: Path) -> bytes:
    train_td(plies.game("tictactoe"), settings, path, lambda done: None)
    return path.read_bytes()


def test_the_same_seed_learns_the_same_and_another_one_something_else(tmp_path: Path):
    first = learned(FEW, tmp_path / "first.npz")
    assert learned(FEW, tmp_path / "again.npz") == first
    assert learned(TdSettings(games=FEW.games, seed=8), tmp_path / "other.npz") != first


def test_interrupted_learning_goes_on_to_the_same_end(tmp_path: Path):
    game, path = plies.game("tictactoe"), tmp_path / "td.npz"

    def interrupt(done: int) -> None:
        if done == 3 * SLICE:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_td(game, FEW, path, interrupt)
    assert not path.exists()
    heard: list[int] = []
    train_td(game, FEW, path, heard.append)
    assert heard[0] == 3 * SLICE
    assert path.read_bytes() == learned(FEW, tmp_path / "whole.npz")
    assert not (tmp_path / "td.npz.parts").exists()


def test_a_finished_model_is_read_and_another_one_is_not_replaced(tmp_path: Path):
    game, path = plies.game("tictactoe"), tmp_path / "td.npz"
    learned(FEW, path)
    heard: list[int] = []
    train_td(game, FEW, path, heard.append)
    assert heard == []
    with pytest.raises(OtherWork, match="seed 7, not 8"):
        train_td(game, TdSettings(games=FEW.games, seed=8), path, heard.append)
    save_model(path, Model("table", "tictactoe", {}, {}))
    with pytest.raises(BadModel):
        train_td(game, FEW, path, heard.append)


def test_a_game_file_that_has_changed_is_noticed(tmp_path: Path):
    path, settings = tmp_path / "own.py", TdSettings(games=4)
    text = NEIGHBOURS.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    train_td(plies.game(str(path)), settings, tmp_path / "td.npz", lambda done: None)
    path.write_text(f"{text}# and more\n", encoding="utf-8")
    with pytest.raises(OtherWork, match=r"own\.py has changed since"):
        train_td(plies.game(str(path)), settings, tmp_path / "td.npz", lambda done: None)


def test_a_run_inside_a_tenth_is_resumed_with_its_sums(tmp_path: Path):
    settings = TdSettings(games=20 * SLICE, seed=3)
    whole, half = (TdLearner(plies.game("tictactoe"), settings) for _ in range(2))
    for _ in range(3):  # a tenth has two steps
        whole.step()
    whole.save(tmp_path / "run.npz")
    half.load(tmp_path / "run.npz")
    assert half.work.error == whole.work.error > 0
    whole.step()
    half.step()
    assert half.errors == whole.errors
    assert len(half.errors) == 2


@pytest.mark.parametrize(
    "arrays",
    [
        {"values": np.zeros(3)},
        {"progress": np.zeros(3, np.uint64)},
        {"progress": np.array([1, 10**6, 0], np.uint64)},
        {"sums": np.zeros(9)},
        {"sums": np.array(["a"])},
    ],
    ids=str,
)
def test_a_damaged_run_is_refused(tmp_path: Path, arrays: dict[str, np.ndarray]):
    path, learner = tmp_path / "run.npz", TdLearner(plies.game("tictactoe"), FEW)
    learner.save(path)
    kept = load_model(path)
    save_model(path, Model(kept.kind, kept.game, kept.card, kept.arrays | arrays))
    with pytest.raises(BadModel, match=r"is damaged.*remove it"):
        learner.load(path)


def test_what_was_learned_beats_chance_at_one_ply(tmp_path: Path):
    """A beginner who looks one ply ahead and knows nothing wins about two games of three."""
    learned(TdSettings(games=3000, seed=1), tmp_path / "td.npz")
    assert read_model(tmp_path / "td.npz").card["games"] == 3000
    game = plies.game("tictactoe")
    spec = f"greedy:eval={tmp_path / 'td.npz'}"
    results = []
    for seed in range(25):
        results.append(plies.play_game(game, spec, "random", seed=seed).payoffs[0])
        results.append(plies.play_game(game, "random", spec, seed=seed).payoffs[1])
    assert np.mean(np.array(results) == 1) > 0.85


class Slow:
    """The same learner in plain Python; its tables are a dictionary of what is seen."""

    def __init__(self, game: Game, settings: TdSettings):
        twin = TdLearner(game, settings)
        self.game, self.settings = game, settings
        self.patterns, self.chance = twin.patterns, twin.work
        self.table: dict[Any, float] = defaultdict(float)
        self.errors: list[float] = []
        self.rate = 0.0

    def seen(self, state: Any) -> list[tuple[int, tuple[int, ...]]]:
        """Of every pattern its table, and what stands on its points: 1 own, 2 the other's."""
        on, points = set(verbs.inputs(state).tolist()), self.patterns.points
        at = [1 if p in on else 2 if points + p in on else 0 for p in range(points)]
        lists = zip(self.patterns.tables, self.patterns.lists, strict=True)
        return [(table, tuple(at[p] for p in pattern)) for table, pattern in lists]

    def value(self, state: Any) -> float:
        total = 0.0
        for entry in self.seen(state):
            total += self.table[entry]
        return math.tanh(total)

    def worth(self, state: Any, move: int) -> float:
        child, player = verbs.play(state, move), verbs.mover(state)
        result = verbs.outcome(child)
        if result == SCORED:
            return float(np.sign(verbs.payoff(child, player)))
        if result == ONGOING:
            is_own = verbs.mover(child) == player
            return self.value(child) if is_own else -self.value(child)
        return 0.0 if result == DRAW else 1.0 if result == player else -1.0

    def learn(self, state: Any, goal: float) -> None:
        value = self.value(state)
        self.errors.append((goal - value) ** 2)
        for entry in self.seen(state):
            self.table[entry] += self.rate * (goal - value) * (1 - value**2)

    def play(self) -> None:
        """One game: chance decides in the order of opening, move, whether to explore."""
        settings, state = self.settings, self.game.initial()
        opening = random_below(settings.opening + 1, self.chance)
        plies_played = 0
        while verbs.outcome(state) == ONGOING and plies_played < opening + settings.max_plies:
            moves = verbs.legal_moves(state).tolist()
            move = moves[random_below(len(moves), self.chance)]
            if plies_played >= opening:
                worths = [self.worth(state, each) for each in moves]
                self.learn(state, settings.discount * max(worths))
                if random_below(2**30, self.chance) / 2**30 >= settings.epsilon:
                    move = moves[worths.index(max(worths))]
            state = verbs.play(state, move)
            plies_played += 1

    def values(self, starts: np.ndarray) -> np.ndarray:
        """The tables one after the other; the first point of a pattern counts least."""
        begin = dict(zip(self.patterns.tables, starts.tolist(), strict=True))
        values = np.zeros(max(begin.values()) + 3 ** len(self.patterns.lists[0]))
        for (table, there), value in self.table.items():
            values[begin[table] + sum(mark * 3**digit for digit, mark in enumerate(there))] = value
        return values


# The last of seven marks is forced and may lose; a lead by more than one counts as one.
@pytest.mark.parametrize("row", ["cells=7", "cells=7,scored=1"])
@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"epsilon": 0.0},
        {"epsilon": 1.0},
        {"discount": 0.5},
        {"opening": 0},
        {"opening": 6, "max_plies": 2},
    ],
    ids=str,
)
def test_what_is_learned_is_what_plain_python_learns(row: str, changed: dict[str, Any]):
    basic = {"games": 40, "rate": 0.9, "epsilon": 0.4, "discount": 0.9, "opening": 2, "seed": 5}
    settings = TdSettings(**{**basic, **changed}, shapes=("line3",))
    learner = TdLearner(plies.game(f"{NEIGHBOURS}:{row}"), settings)
    slow = Slow(learner.game, settings)
    errors = []
    for tenth in range(10):  # of four games each; the rate falls from 1 towards 1 / 20
        slow.rate = 0.9 * (1 - 0.95 * tenth / 10) / len(slow.patterns.lists)
        for _ in range(4):
            slow.play()
        errors.append(np.mean(slow.errors))
        slow.errors.clear()
        learner.step()
    assert learner.is_finished
    assert learner.arrays["values"].any()
    assert learner.arrays["values"] == pytest.approx(slow.values(learner.arrays["starts"]))
    assert learner.errors == pytest.approx(errors)


def test_errors_are_told_of_every_tenth_of_the_games():
    learner = TdLearner(plies.game("tictactoe"), TdSettings(games=300))
    while not learner.is_finished:
        learner.step()
    assert len(learner.errors) == 10


@pytest.mark.parametrize(
    ("name", "value"),
    [("games", 0), ("rate", 1.5), ("epsilon", -0.1), ("discount", 2), ("max_plies", 0)],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: float):
    with pytest.raises(BadSpec, match=name.replace("_", "-")):
        TdSettings(**{name: value})  # type: ignore[arg-type]


def test_games_for_three_are_refused():
    with pytest.raises(BadSpec, match="two players"):
        TdLearner(plies.game("nim:players=3"), TdSettings())


def test_the_command_tells_what_it_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    asked = ["train", "td", "tictactoe", "--games", "128", "--shapes", "line3,2x2", "--out"]
    assert main([*asked, "td.npz", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    # Three classes of lines with 27 entries each, and the squares with 81.
    assert told["entries"] == 3 * 27 + 81
    assert load_model("td.npz").kind == "tuples"
    assert main([*asked, "td.txt"]) == 2
    assert "ends with .npz" in capsys.readouterr().err
    assert main(["train", "td", "nim", "--out", "td.npz"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
