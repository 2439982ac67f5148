"""Pattern tables answer what plain Python looks up."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.core import verbs
from plies.core.verbs import evaluate
from plies.learn.patterns import find_patterns
from plies.learn.td import pattern_arrays
from plies.models.files import BadModel, Model, save_model
from plies.models.kinds import KINDS, find_evaluator, model_evaluator

POINTS = 9
# 6 + 6 + 4 + 4 pairs, 8 lines of three, 4 squares: three groups of 16 patterns, the last half full.
SHAPES = ("line2", "line3", "2x2")


def sample(shapes: tuple[str, ...] = SHAPES) -> Model:
    """Tables of tic-tac-toe with random entries."""
    game = plies.game("tictactoe")
    arrays = pattern_arrays(find_patterns(game, shapes), verbs.input_count(game.initial()))
    arrays["values"] = np.random.default_rng(1).normal(size=len(arrays["values"])).round(3)
    return Model("tuples", "tictactoe", {"points": POINTS}, arrays)


def looked_up(model: Model, shapes: tuple[str, ...], state: Any) -> float:
    """The same from the patterns themselves, digit by digit."""
    patterns = find_patterns(plies.game("tictactoe"), shapes)
    on = set(verbs.inputs(state).tolist())
    total = 0.0
    for start, points in zip(model.arrays["starts"], patterns.lists, strict=True):
        digits = [(p in on) + 2 * (POINTS + p in on) for p in points]
        number = sum(digit * 3**place for place, digit in enumerate(digits))
        total += float(model.arrays["values"][start + number])
    return total


def positions(count: int) -> list[Any]:
    game = plies.game("tictactoe")
    rng = random.Random(1)
    sample = []
    for _ in range(count):
        state = game.initial()
        for _ in range(rng.randrange(9)):
            if not game.is_over(state):
                state = game.play(state, rng.choice(game.moves(state)))
        sample.append(state)
    return sample


@pytest.mark.parametrize("shapes", [("line3",), SHAPES], ids=str)
def test_the_kernel_adds_what_the_patterns_say(shapes: tuple[str, ...]):
    model = sample(shapes)
    KINDS["tuples"].check(model)
    record = model_evaluator(model, plies.game("tictactoe"))
    for state in positions(50):
        assert evaluate(record, state) == round(1000 * looked_up(model, shapes, state))


def test_images_of_a_position_have_the_same_value_where_a_pattern_has_no_images_of_itself():
    game = plies.game("tictactoe")
    model = sample()
    patterns = find_patterns(game, SHAPES)
    for table in set(patterns.tables):  # entries that differ only by the order of like points
        of_table = [n for n, own in enumerate(patterns.tables) if own == table]
        size = 3 ** len(patterns.lists[of_table[0]])
        start = model.arrays["starts"][of_table[0]]
        digits = np.array([[n // 3**d % 3 for d in range(4)] for n in range(size)])
        counts = (digits == 1).sum(axis=1) * 10 + (digits == 2).sum(axis=1)
        model.arrays["values"][start : start + size] = counts
    record = model_evaluator(model, game)
    for state in positions(20):
        assert len({evaluate(record, image) for image in game.symmetries(state)}) == 1


def changed(name: str, change: Any) -> Model:
    model = sample()
    array = change(model.arrays[name].copy())
    return replace(model, arrays={**model.arrays, name: array})


def with_first(number: Any) -> Any:
    def change(array: np.ndarray) -> np.ndarray:
        array[0] = number
        return array

    return change


def wrapping(steps: np.ndarray) -> np.ndarray:
    """Four steps of the first pattern, on points of their own, whose sum of 64 bits is 0."""
    patterns = len(sample().arrays["starts"])
    steps[: 4 * patterns : patterns] = 2**62
    return steps


def many_patterns() -> Model:
    """Each says 999 logits, two thousand of them more than a win is worth."""
    count = 2000
    arrays = {
        "steps": np.zeros(2 * POINTS * count, np.int64),
        "starts": np.zeros(count, np.int64),
        "values": np.array([999.0]),
    }
    return Model("tuples", "tictactoe", {"points": POINTS}, arrays)


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (changed("steps", with_first(-1)), "steps"),
        (changed("steps", with_first(100_000)), "numbers"),
        (changed("steps", wrapping), "numbers"),
        (changed("steps", lambda steps: steps[:-1]), "steps"),
        (changed("starts", with_first(-1)), "out of its table"),
        (changed("starts", with_first(2**63 - 1)), "out of its table"),
        (changed("values", lambda values: values[:-1]), "out of its table"),
        (changed("values", with_first(np.nan)), "finite"),
        (changed("values", with_first(1e9)), "larger"),
        (many_patterns(), "too large together"),
        (changed("starts", lambda starts: starts[:0]), "no patterns"),
        (replace(sample(), card={"points": 0}), "no points"),
        (replace(sample(), card={"points": "nine"}), "no points"),
    ],
    ids=range(13),
)
def test_tables_that_would_lead_elsewhere_are_refused(model: Model, why: str):
    with pytest.raises(BadModel, match=why):
        KINDS["tuples"].check(model)


def test_tables_that_count_other_points_than_the_board_has_are_refused():
    """With three points own pieces on points 0 and 3 would never be counted together."""
    with pytest.raises(BadModel, match=r"3 points, .* 9"):
        KINDS["tuples"].evaluator(replace(sample(), card={"points": 3}), plies.game("tictactoe"))


def test_tables_say_nothing_of_a_state_of_another_board():
    record = model_evaluator(sample(), plies.game("tictactoe"))
    other = plies.game("tictactoe:width=4,height=4")
    state = other.initial()
    for move in range(6):
        state = other.play(state, other.moves(state)[move % 2])
        assert evaluate(record, state) == 0


def test_tables_of_another_board_are_refused(tmp_path: Path):
    save_model(tmp_path / "td.npz", sample())
    with pytest.raises(BadModel, match="made for tictactoe"):
        find_evaluator(plies.game("tictactoe:width=4,height=4"), str(tmp_path / "td.npz"))
    with pytest.raises(BadModel, match="inputs"):
        KINDS["tuples"].evaluator(sample(), plies.game("tictactoe:width=4,height=4"))


def test_searches_use_tables_by_the_name_of_their_file(tmp_path: Path):
    game = plies.game("tictactoe")
    save_model(tmp_path / "td.npz", sample(("line3",)))
    decision = plies.search(game, game.initial(), f"minimax:depth=2,eval={tmp_path / 'td.npz'}")
    cut = plies.search(game, game.initial(), f"alphabeta:depth=2,eval={tmp_path / 'td.npz'}")
    assert decision.value == cut.value
    assert decision.value != 0
