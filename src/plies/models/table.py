"""A table of positions and what they are worth to their mover, as Q-learning makes it.

    keys      of every position, none twice
    values    what it is worth to its mover, 1 being a win
    visits    how often that was learned; what was never learned is worth 0
    parents   an earlier position from which it was reached, -1 for the first
    moves     the move that led there from the parent, 0 for the first
    results   for the mover where the game is over: 1, 0 or -1; elsewhere GOING

Positions that differ only by a symmetry of the game, or by the names of the players where
the game's file says so, may share a place: the card says whether they do (`symmetry`).
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from plies.core.compiler import compiled
from plies.core.contract import Game
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import Evaluator, key, mover, register_evaluator, rule_of, rules_of
from plies.models.columns import check_arrays
from plies.models.files import BadModel, Model

ARRAYS = {
    "keys": np.int64,
    "values": np.float64,
    "visits": np.int64,
    "parents": np.int64,
    "moves": np.int64,
    "results": np.int64,
}
GOING = 2
NOWHERE = -1
SCALE = 1_000_000  # of the numbers that searches see: this much is a win
GOLDEN, HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


def same_view(state: Any) -> Any:
    """The state with player 0 to move, where the game's file has `swapped(state)`."""
    own = rules_of[type(state)].get("swapped")
    return state if own is None or mover(state) == 0 else own(state)


def images(state: Any) -> Any:
    """The images of a state under the symmetries of its game."""
    own = rules_of[type(state)].get("symmetries")
    return (state,) if own is None else own(state)


@overload(same_view)
def _choose_same_view(state):
    own = rule_of(state, "swapped")
    if own is None:
        return lambda state: state
    return lambda state: state if mover(state) == 0 else own(state)


@overload(images)
def _choose_images(state):
    own = rule_of(state, "symmetries")
    if own is None:
        return lambda state: (state,)
    return lambda state: own(state)


@compiled
def seen(state, has_symmetry):
    """The key under which a state is kept, and the image of the state that has this key."""
    if not has_symmetry:
        return key(state), state
    view = same_view(state)
    least, found = key(view), view
    for image in images(view):
        name = key(image)
        if name < least:
            least, found = name, image
    return least, found


@compiled
def place_of(slots, keys, name):
    """Where a key is in `slots`, or where it belongs: slots hold a position's number plus 1."""
    mask = np.uint64(len(slots) - 1)
    mixed = np.uint64(name) * GOLDEN
    place = np.int64((mixed ^ (mixed >> HALF)) & mask)
    while slots[place] != 0 and keys[slots[place] - 1] != name:
        place = (place + 1) & np.int64(mask)
    return place


@compiled
def filled_slots(keys, count, size):
    """Slots, a power of two of them, for the first `count` keys."""
    slots = np.zeros(size, np.int64)
    for number in range(count):
        slots[place_of(slots, keys, keys[number])] = number + 1
    return slots


def slots_for(count: int) -> int:
    """How many slots so many keys need: at most half of them are ever filled."""
    return 2 << max(count - 1, 1).bit_length()


class Values(NamedTuple):
    """A table as searches ask it; `values` are in parts of SCALE."""

    slots: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    has_symmetry: int


@compiled
def number_of(table, state):
    """Where a state is among those of which something was learned; NOWHERE if it is not."""
    name, _ = seen(state, table.has_symmetry)
    return table.slots[place_of(table.slots, table.keys, name)] - 1


@compiled
def table_value(table, state):
    """What a state is worth to its mover; 0 where nothing is known."""
    number = number_of(table, state)
    return table.values[number] if number >= 0 else 0


def check(model: Model) -> None:
    """Positions are known once, and reached from earlier ones."""
    check_arrays(model, ARRAYS)
    arrays = model.arrays
    count = len(arrays["keys"])
    if count == 0 or {len(arrays[name]) for name in ARRAYS} != {count}:
        raise BadModel("its table has columns of different lengths")
    if len(np.unique(arrays["keys"])) < count:
        raise BadModel("its table has a position twice")
    parents = arrays["parents"]
    if parents[0] != NOWHERE or (parents[1:] < 0).any() or (parents >= np.arange(count)).any():
        raise BadModel("its table has a position that is reached from a later one")
    if (arrays["visits"] < 0).any() or (np.abs(arrays["results"] - 0.5) > 1.5).any():
        raise BadModel("its table counts visits or results that cannot be")
    if not isinstance(model.card.get("symmetry"), bool):
        raise BadModel("its card does not say whether symmetric positions share a place")


def evaluator(model: Model, game: Game) -> Any:
    arrays = model.arrays
    is_learned = arrays["visits"] > 0
    keys = np.ascontiguousarray(arrays["keys"][is_learned])
    scaled = np.rint(arrays["values"][is_learned] * SCALE).clip(-MAX_EVALUATION, MAX_EVALUATION)
    slots = filled_slots(keys, len(keys), slots_for(len(keys)))
    record = Values(slots, keys, scaled.astype(np.int64), int(model.card["symmetry"]))
    return register_evaluator("plies", "table", Evaluator(table_value, record, unit=SCALE // 10))
