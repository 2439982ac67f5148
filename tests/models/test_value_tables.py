"""Tables of positions: what they answer, and which of them are refused."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import plies
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import evaluate, key
from plies.models.files import BadModel, Model
from plies.models.kinds import KINDS, model_evaluator
from plies.models.table import GOING, GOLDEN, fill, filled_slots, slot_of, slots_for

WORD = 1 << 64


def table(keys: np.ndarray, values: np.ndarray, card: dict[str, Any] | None = None) -> Model:
    """A table of nim in which everything was reached from the first position."""
    count = len(keys)
    ones = np.ones(count, np.int64)
    arrays = {
        "keys": keys,
        "values": values,
        "visits": ones,
        "parents": np.where(np.arange(count) == 0, -1, 0),
        "moves": 0 * ones,
        "results": GOING * ones,
    }
    return Model("table", "nim", {"symmetry": False, **(card or {})}, arrays)


def first_key() -> int:
    return int(key(plies.game("nim").initial()))


def colliding(count: int) -> np.ndarray:
    """Keys whose home is slot 0, however many slots there are: the mixing, undone."""
    inverse = pow(int(GOLDEN), -1, WORD)
    keys = []
    for number in range(count):
        mixed = number * inverse % WORD
        keys.append((mixed ^ mixed >> 32) * inverse % WORD)
    return np.array(keys, np.uint64).view(np.int64)


def test_keys_made_to_collide_are_refused_early():
    """The n-th of them would have to pass by all those before it."""
    keys = colliding(3000)
    with pytest.raises(BadModel, match="not spread"):
        filled_slots(keys, len(keys), slots_for(len(keys)))
    with pytest.raises(BadModel, match="not spread"):
        KINDS["table"].evaluator(table(keys, np.zeros(len(keys))), plies.game("nim"))


@pytest.mark.parametrize("shift", [0, 20, 40, 44])
def test_keys_that_differ_in_few_bits_are_near_their_homes(shift: int):
    """Packed boards differ in any bits: the bound is never near."""
    keys = np.arange(1, 1 << 12) << shift
    slots = np.zeros(slots_for(len(keys)), np.int64)
    assert fill(slots, keys, len(keys))
    for number in (0, 17, len(keys) - 1):
        assert slots[slot_of(slots, keys, keys[number])] == number + 1


@pytest.mark.parametrize(
    ("value", "expected"), [(0.25, 250_000), (1e308, MAX_EVALUATION), (-1e308, -MAX_EVALUATION)]
)
def test_a_value_is_never_in_the_band_of_proofs(value: float, expected: int):
    game = plies.game("nim")
    model = table(np.array([first_key()]), np.array([value]))
    KINDS["table"].check(model)
    assert evaluate(model_evaluator(model, game), game.initial()) == expected


POINT = {"games": 0, "first": 0.5, "second": 0.5}
SOUND = {
    "settings": {},
    "against": "self",
    "seed": 1,
    "random": str(WORD - 1),
    "games": 3,
    "plies": 9,
    "learned": 1,
    "results": [1, 0, 2],
    "curve": [POINT],
}


def test_a_card_may_say_how_the_table_was_learned():
    KINDS["table"].check(table(np.array([1]), np.zeros(1), SOUND))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("settings", []),
        ("against", None),
        ("seed", -1),
        ("random", "0"),
        ("random", "-1"),
        ("random", str(WORD)),
        ("random", 5),
        ("games", "3"),
        ("games", True),
        ("games", WORD),
        ("plies", 1.5),
        ("learned", None),
        ("results", [1, 2]),
        ("results", [1, 2, -3]),
        ("curve", {}),
        ("curve", [POINT, 1]),
        ("curve", [{**POINT, "games": "0"}]),
        ("curve", [{**POINT, "second": None}]),
    ],
    ids=str,
)
def test_a_card_of_wrong_kinds_is_refused(name: str, wrong: Any):
    model = table(np.array([1]), np.zeros(1), SOUND)
    with pytest.raises(BadModel, match=f"impossible {name}"):
        KINDS["table"].check(replace(model, card={**model.card, name: wrong}))
