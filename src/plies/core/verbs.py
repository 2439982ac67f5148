"""The verbs that every search speaks, chosen by the class of the state.

In Python a verb looks the class up in a dictionary; in compiled code the
compiler does the same once, while it types the call, so that a search written
with these verbs is specialised to each game and pays nothing for being general.

    mover(state)            the player to move, 0 ... players - 1
    legal_moves(state)      int64 array; only asked while the game goes on
    play(state, move)       the state after a move
    outcome(state)          ONGOING, DRAW, SCORED or the player who has won
    payoff(state, player)   what a player gets in a SCORED state
    key(state)              int64 that is equal for equal states
    count_moves(state)      how many legal moves there are, 0 when the game is over
    identity(state)         the state as something that a set can hold
    evaluate(evaluator, state)    an opinion, from the mover's side
    features(evaluator, state)    what that opinion looks at, as a tuple of numbers
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba.core import types
from numba.extending import overload

from plies.compiling.compiler import compiled, name_class
from plies.core.answers import check_answer
from plies.core.scores import ONGOING
from plies.errors import BadGame


@dataclass(frozen=True)
class Features:
    """What an evaluator looks at, by name: its components.

    `function` takes what the evaluator's function takes and answers a tuple of whole
    numbers from the mover's side, as many as there are `names`.
    """

    names: tuple[str, ...]
    function: Callable[..., tuple[int, ...]]


class Measure(NamedTuple):
    """What people count opinions in: so many `points` are one pawn, if that is its `name`."""

    points: int
    name: str


IN_POINTS = Measure(1, "point")


@dataclass(frozen=True)
class Evaluator:
    """An opinion: a compiled function and, if it has any, its weights.

    `function(state)`, or `function(weights, state)` with `weights` a NamedTuple of
    numbers, answers from the mover's side.  New weights need no new compile.

    Two more things help a search.  `unit` is what a small but clear advantage is worth (in
    chess a pawn), by which it measures what cannot be made up for; 0: it does not try.
    `rough` is a much quicker function of the same arguments that is seldom farther from
    the opinion than `margin`: where even so the opinion cannot matter it is not asked.

    `features` are its named components, from which something better can be learned.
    `measure` is for people alone: what reports of errors and tables count in.
    """

    function: Callable[..., int]
    weights: Any = None
    unit: int = 0
    rough: Callable[..., int] | None = None
    margin: int = 0
    features: Features | None = None
    measure: Measure = IN_POINTS


# Rules by state class; evaluators by the class of the record that stands for them.
rules_of: dict[type, dict[str, Callable[..., Any]]] = {}
evaluators_of: dict[type, Evaluator] = {}


def register_evaluator(owner: str, name: str, evaluator: Evaluator) -> Any:
    """The record that `evaluate` takes: the weights, or a stand-in for none."""
    record = evaluator.weights
    if record is None:
        record = _stand_in(name, evaluator.function)
    kind = type(record)
    if not hasattr(kind, "_fields"):
        raise BadGame(f"{owner}: the weights of {name} are no NamedTuple but {record!r}")
    if kind not in evaluators_of:
        declared = evaluator.features.function if evaluator.features else None
        parts = (evaluator.function, evaluator.rough, declared)
        functions = [part for part in parts if part is not None]
        name_class(kind, owner, functions, part=name)
        evaluators_of[kind] = evaluator
    elif evaluators_of[kind].function is not evaluator.function:
        raise BadGame(f"{owner}: {name} needs a class of weights that no other evaluator has")
    return record


@cache
def _stand_in(name: str, function: Callable[..., int]) -> Any:
    """One record for one function, however often it is registered."""
    return NamedTuple(name, [("unused", int)])(0)  # type: ignore[misc]


def mover(state: Any) -> int:
    """The player to move."""
    return rules_of[type(state)]["mover"](state)


def legal_moves(state: Any) -> np.ndarray:
    """The moves the rules allow, in the game's own order."""
    return rules_of[type(state)]["legal_moves"](state)


def play(state: Any, move: int) -> Any:
    """The state after a legal move."""
    return rules_of[type(state)]["play"](state, move)


def outcome(state: Any) -> int:
    """ONGOING, DRAW, SCORED, or the player who has won."""
    return rules_of[type(state)]["outcome"](state)


def payoff(state: Any, player: int) -> int:
    """What a player gets in a SCORED state."""
    return rules_of[type(state)]["payoff"](state, player)


def key(state: Any) -> int:
    """A number that is equal for equal states."""
    rule = rules_of[type(state)]["key"]
    if hasattr(rule, "py_func"):
        return rule(state)
    with np.errstate(over="ignore"):  # uncompiled mixing wraps around like compiled mixing
        return rule(state)


def count_moves(state: Any) -> int:
    """How many legal moves there are, 0 when the game is over."""
    own = rules_of[type(state)].get("count_moves")
    if own is not None:
        return own(state)
    return len(legal_moves(state)) if outcome(state) == ONGOING else 0


def identity(state: Any) -> Any:
    """The state itself, or its key where a field is an array and cannot be hashed.

    A game whose states remember something that makes no difference to the play from
    here on declares `identity(state)`, the state without it.
    """
    own = rules_of[type(state)].get("identity")
    if own is not None:
        return own(state)
    has_array = any(isinstance(field, np.ndarray) for field in state)
    return key(state) if has_array else state


def evaluate(evaluator: Any, state: Any) -> int:
    """What an evaluator thinks of a state, from the mover's side."""
    opinion = evaluators_of[type(evaluator)]
    if opinion.weights is None:
        return opinion.function(state)
    return opinion.function(evaluator, state)


def features(evaluator: Any, state: Any) -> tuple[int, ...]:
    """The components of an evaluator; its value alone where it declares none."""
    opinion = evaluators_of[type(evaluator)]
    if opinion.features is None:
        return (evaluate(evaluator, state),)
    if opinion.weights is None:
        return opinion.features.function(state)
    return opinion.features.function(evaluator, state)


def feature_names(evaluator: Any) -> tuple[str, ...]:
    """What the numbers of `features` are called."""
    declared = evaluators_of[type(evaluator)].features
    return ("value",) if declared is None else declared.names


@compiled
def _zero(state):
    return 0


# The evaluator without an opinion, which every game has.
ZERO = register_evaluator("plies", "zero", Evaluator(_zero))


@compiled
def no_payoff(state, player):
    """For games that are won, lost or drawn."""
    return 0


@compiled
def mixed_key(state):
    """The fields of a state mixed into one number (the finaliser of splitmix64)."""
    mixed = np.uint64(0)
    for field in state:
        mixed = (mixed ^ np.uint64(np.int64(field))) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ (mixed >> np.uint64(31))
    return np.int64(mixed)


def class_of(kind: Any) -> type | None:
    return getattr(kind, "instance_class", None)


def rule_of(kind: Any, name: str) -> Callable[..., Any] | None:
    return rules_of.get(class_of(kind) or object, {}).get(name)


def _teach_compiler_unary(verb: Callable[..., Any]) -> None:
    @overload(verb)
    def choose(state):
        rule = rule_of(state, verb.__name__)
        if rule is None:
            return None
        check_answer(verb.__name__, rule, state)
        return lambda state: np.int64(rule(state))


for _verb in (mover, outcome, key):
    _teach_compiler_unary(_verb)


@overload(legal_moves)
def _choose_legal_moves(state):
    rule = rule_of(state, "legal_moves")
    if rule is None:
        return None
    check_answer("legal_moves", rule, state)
    return lambda state: rule(state)


@overload(play)
def _choose_play(state, move):
    rule = rule_of(state, "play")
    if rule is None:
        return None
    check_answer("play", rule, state, types.int64)
    return lambda state, move: rule(state, np.int64(move))


@overload(payoff)
def _choose_payoff(state, player):
    rule = rule_of(state, "payoff")
    if rule is None:
        return None
    check_answer("payoff", rule, state, types.int64)
    return lambda state, player: np.int64(rule(state, np.int64(player)))


@overload(count_moves)
def _choose_count_moves(state):
    own = rule_of(state, "count_moves")
    if own is None:
        return lambda state: len(legal_moves(state)) if outcome(state) == ONGOING else 0
    check_answer("count_moves", own, state)
    return lambda state: np.int64(own(state))


@overload(identity)
def _choose_identity(state):
    own = rule_of(state, "identity")
    if own is not None:
        check_answer("identity", own, state)
        return lambda state: own(state)
    if any(isinstance(field, types.Array) for field in state):
        return lambda state: key(state)
    return lambda state: state


@overload(evaluate)
def _choose_evaluation(evaluator, state):
    opinion = evaluators_of.get(class_of(evaluator) or object)
    if opinion is None:
        return None
    function = opinion.function
    if opinion.weights is None:
        check_answer("evaluate", function, state)
        return lambda evaluator, state: np.int64(function(state))
    check_answer("evaluate", function, evaluator, state)
    return lambda evaluator, state: np.int64(function(evaluator, state))


@overload(features)
def _choose_features(evaluator, state):
    opinion = evaluators_of.get(class_of(evaluator) or object)
    if opinion is None:
        return None
    if opinion.features is None:
        return lambda evaluator, state: (evaluate(evaluator, state),)
    function = opinion.features.function
    if opinion.weights is None:
        check_answer("features", function, state)
        return lambda evaluator, state: function(state)
    check_answer("features", function, evaluator, state)
    return lambda evaluator, state: function(evaluator, state)
