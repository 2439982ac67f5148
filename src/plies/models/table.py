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

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from plies.compiling.compiler import compiled, inlined
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
MOST_STEPS = 16  # from home, per slot; keys that are spread need a fourth of one


def same_view(state: Any) -> Any:
    """The state with player 0 to move, where the game's file has `swap_players(state)`."""
    own = rules_of[type(state)].get("swap_players")
    return state if own is None or mover(state) == 0 else own(state)


def images(state: Any) -> Any:
    """The images of a state under the symmetries of its game."""
    own = rules_of[type(state)].get("symmetries")
    return (state,) if own is None else own(state)


@overload(same_view)
def _choose_same_view(state):
    own = rule_of(state, "swap_players")
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


@inlined
def home_of(name, size):
    """Where the search for a key begins among `size` slots, whichever bits keys differ in."""
    mixed = np.uint64(name) * GOLDEN
    mixed = (mixed ^ (mixed >> HALF)) * GOLDEN
    return np.int64((mixed >> HALF) & np.uint64(size - 1))


@compiled
def place_of(slots, keys, name):
    """Where a key is in `slots`, or where it belongs: slots hold a position's number plus 1."""
    size = len(slots)
    place = home_of(name, size)
    while slots[place] != 0 and keys[slots[place] - 1] != name:
        place = (place + 1) & (size - 1)
    return place


@compiled
def fill(slots, keys, count):
    """Put the first `count` keys into empty slots; False where most are too far from home."""
    size, steps = len(slots), 0
    for number in range(count):
        place = place_of(slots, keys, keys[number])
        slots[place] = number + 1
        steps += (place - home_of(keys[number], size)) & (size - 1)
        if steps > MOST_STEPS * size:
            return False
    return True


def filled_slots(keys: np.ndarray, count: int, size: int) -> np.ndarray:
    """Slots, a power of two of them, for the first `count` keys; `BadModel` where the keys
    were made to have one home, so that looking for them would take for ever.
    """
    slots = np.zeros(size, np.int64)
    if not fill(slots, keys, count):
        raise BadModel("its keys are no keys of positions: they are not spread")
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


# What the card says of the training, where it says it: by this a learner goes on.
TRAINING: dict[str, Callable[[Any], bool]] = {
    "settings": lambda settings: isinstance(settings, dict),
    "against": lambda against: isinstance(against, str),
    "seed": _is_whole,
    "random": _is_generator,
    "games": _is_count,
    "plies": _is_count,
    "learned": _is_count,
    "results": lambda found: (
        isinstance(found, list) and len(found) == 3 and all(map(_is_count, found))
    ),
    "curve": _is_curve,
}


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
    for name, is_sound in TRAINING.items():
        if name in model.card and not is_sound(model.card[name]):
            raise BadModel(f"its card has a {name} that cannot be")


def evaluator(model: Model, game: Game) -> Any:
    arrays = model.arrays
    is_learned = arrays["visits"] > 0
    keys = np.ascontiguousarray(arrays["keys"][is_learned])
    most = MAX_EVALUATION / SCALE
    scaled = np.rint(arrays["values"][is_learned].clip(-most, most) * SCALE)
    slots = filled_slots(keys, len(keys), slots_for(len(keys)))
    record = Values(slots, keys, scaled.astype(np.int64), int(model.card["symmetry"]))
    return register_evaluator("plies", "table", Evaluator(table_value, record, unit=SCALE // 10))
