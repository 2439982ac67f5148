"""A table of positions and their values, as Q-learning (Watkins 1989) fills it.

    keys      of the positions, all different
    values    for the mover, 1 is a win
    visits    the number of updates; without any the value counts as 0
    parents   an earlier position from which it was reached, -1 for the first
    moves     the move from the parent, 0 for the first
    results   for the mover where the game is over: 1, 0 or -1; elsewhere GOING

Positions that differ only by a symmetry of the game, or by the names of the players where
the game's file says so, may share an entry; the card says whether they do (`symmetry`).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from plies.compiling.compiler import compiled, inlined
from plies.core.contract import Game
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import (
    Evaluator,
    key,
    mover,
    register_evaluator,
    rule_of,
    rules_of,
    symmetries,
)
from plies.models.files import BadModel, Model, check_arrays

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
SCALE = 1_000_000  # a win, in the whole numbers of evaluators
GOLDEN, HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
MOST_PROBES = 16  # per slot on average; well-spread keys need a quarter of one


def as_first_player(state: Any) -> Any:
    """The state with player 0 to move, where the game has `swap_players(state)`."""
    own = rules_of[type(state)].get("swap_players")
    return state if own is None or mover(state) == 0 else own(state)


@overload(as_first_player)
def _choose_as_first_player(state):
    own = rule_of(state, "swap_players")
    if own is None:
        return lambda state: state
    return lambda state: state if mover(state) == 0 else own(state)


@compiled
def canonical(state, has_symmetry):
    """The least key among the images of a state, and the image with this key."""
    if not has_symmetry:
        return key(state), state
    view = as_first_player(state)
    least_key, least_image = key(view), view
    for image in symmetries(view):
        image_key = key(image)
        if image_key < least_key:
            least_key, least_image = image_key, image
    return least_key, least_image


@inlined
def home_slot(position_key, size):
    """The slot at which the search for a key begins (Fibonacci hashing, Knuth 1973)."""
    # Both halves of the product are mixed, so that keys may differ in any bits.
    mixed = np.uint64(position_key) * GOLDEN
    mixed = (mixed ^ (mixed >> HALF)) * GOLDEN
    return np.int64((mixed >> HALF) & np.uint64(size - 1))


@compiled
def slot_of(slots, keys, position_key):
    """The slot of a key, or the free one for it: slots hold indices of positions plus 1.

    Open addressing with linear probing.
    """
    size = len(slots)
    slot = home_slot(position_key, size)
    while slots[slot] != 0 and keys[slots[slot] - 1] != position_key:
        slot = (slot + 1) & (size - 1)
    return slot


@compiled
def fill(slots, keys, count):
    """Put the first `count` keys into empty slots; False where too many collide."""
    size, steps = len(slots), 0
    for number in range(count):
        slot = slot_of(slots, keys, keys[number])
        slots[slot] = number + 1
        steps += (slot - home_slot(keys[number], size)) & (size - 1)
        if steps > MOST_PROBES * size:
            return False
    return True


def filled_slots(keys: np.ndarray, count: int, size: int) -> np.ndarray:
    """Slots, a power of two of them, for the first `count` keys.

    `BadModel` for keys that were forged to collide, which would make look-ups very slow.
    """
    slots = np.zeros(size, np.int64)
    if not fill(slots, keys, count):
        raise BadModel("its keys are not spread like those of positions")
    return slots


def slots_for(count: int) -> int:
    """The number of slots for `count` keys, so that at most half are filled."""
    return 2 << max(count - 1, 1).bit_length()


class ValueTable(NamedTuple):
    """A table as searches read it; `values` are in steps of 1 / SCALE."""

    slots: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    has_symmetry: int


@compiled
def index_of(table, state):
    """The index of a state among the learned ones, NOWHERE if it is not among them."""
    position_key, _ = canonical(state, table.has_symmetry)
    return table.slots[slot_of(table.slots, table.keys, position_key)] - 1


@compiled
def table_value(table, state):
    """The value of a state for its mover, 0 where nothing was learned."""
    number = index_of(table, state)
    return table.values[number] if number >= 0 else 0


def _is_whole(number: Any) -> bool:
    return type(number) is int and number >= 0


def _is_count(number: Any) -> bool:
    return _is_whole(number) and number < 2**63


def _is_generator(text: Any) -> bool:
    """Whether a text is the state of a generator of random numbers, which is never 0."""
    is_number = isinstance(text, str) and text.isascii() and text.isdecimal()
    return is_number and 0 < int(text) < 2**64


def _is_curve(points: Any) -> bool:
    return isinstance(points, list) and all(
        isinstance(point, dict)
        and _is_count(point.get("games"))
        and all(type(point.get(seat)) in (int, float) for seat in ("first", "second"))
        for point in points
    )


# The parts of a card from which a learner goes on, and their checks.
TRAINING: dict[str, Callable[[Any], bool]] = {
    "settings": lambda settings: isinstance(settings, dict),
    "against": lambda against: isinstance(against, str),
    "seed": _is_whole,
    "random": _is_generator,
    "games": _is_count,
    "plies": _is_count,
    "learned": _is_count,
    "results": lambda counts: (
        isinstance(counts, list) and len(counts) == 3 and all(map(_is_count, counts))
    ),
    "curve": _is_curve,
}


def check(model: Model) -> None:
    """Every position must occur once, and be reached from an earlier one."""
    check_arrays(model, ARRAYS)
    arrays = model.arrays
    count = len(arrays["keys"])
    if count == 0 or {len(arrays[name]) for name in ARRAYS} != {count}:
        raise BadModel("its table has columns of different lengths")
    if len(np.unique(arrays["keys"])) < count:
        raise BadModel("its table has a position twice")
    parents = arrays["parents"]
    if parents[0] != NOWHERE or (parents[1:] < 0).any() or (parents >= np.arange(count)).any():
        raise BadModel("a position of its table is reached from a later one")
    if (arrays["visits"] < 0).any() or (np.abs(arrays["results"] - 0.5) > 1.5).any():
        raise BadModel("its table has impossible visits or results")
    if not isinstance(model.card.get("symmetry"), bool):
        raise BadModel("its card does not say whether symmetric positions share an entry")
    for name, is_sound in TRAINING.items():
        if name in model.card and not is_sound(model.card[name]):
            raise BadModel(f"its card has an impossible {name}")


def evaluator(model: Model, game: Game) -> Any:
    arrays = model.arrays
    # What was never updated is left out: its value would be taken for a draw.
    is_learned = arrays["visits"] > 0
    keys = np.ascontiguousarray(arrays["keys"][is_learned])
    most = MAX_EVALUATION / SCALE
    scaled = np.rint(arrays["values"][is_learned].clip(-most, most) * SCALE)
    slots = filled_slots(keys, len(keys), slots_for(len(keys)))
    record = ValueTable(slots, keys, scaled.astype(np.int64), int(model.card["symmetry"]))
    return register_evaluator("plies", "table", Evaluator(table_value, record, unit=SCALE // 10))
