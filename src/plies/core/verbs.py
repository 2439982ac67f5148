"""The verbs that every search speaks, chosen by the class of the state.

In Python a verb looks the class up in a dictionary; in compiled code the compiler does
the same once, while it types the call, so that a search written with these verbs is
specialised to each game and pays nothing for being general.

There is a verb for every compiled rule in the table of `plies.core.rules`, which says
what it takes and answers, and a few more that are derived from rules and evaluators:

    canonical_key(state)          the same key for all images of a state under `symmetries`
    has_tactical_moves(state), has_null_move(state), has_symmetries(state)
                                  whether the game declares these; known to the compiler
    evaluate(evaluator, state)    the value of a state for its mover
    quick_eval(evaluator, state)  a quick estimate of it, 0 where the evaluator has none
    features(evaluator, state)    the components of that value, as a tuple of numbers

Optional rules make searches stronger.  A game without them is searched correctly, only
less well; none of them changes what is legal or who wins.
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
from plies.core.rules import RULE
from plies.core.scores import ONGOING
from plies.errors import BadGame

Function = Callable[..., Any]


@dataclass(frozen=True)
class Features:
    """The components of an evaluator, by name.

    `function` takes what the evaluator's function takes and answers a tuple of whole
    numbers from the mover's side, one for each of the `names`.
    """

    names: tuple[str, ...]
    function: Callable[..., tuple[int, ...]]


class Measure(NamedTuple):
    """The unit in which people read values: `points` make one `name`, such as a pawn."""

    points: int
    name: str


IN_POINTS = Measure(1, "point")


@dataclass(frozen=True)
class Evaluator:
    """A compiled function that values a state and, if it has any, its weights.

    `function(state)`, or `function(weights, state)` with `weights` a NamedTuple of
    numbers, answers from the mover's side.  New weights need no new compile.

    Two more fields help a search.  `unit` is the worth of a small but clear advantage (in
    chess a pawn), by which it measures what no move can regain; 0: it does not try.
    `rough` is a much quicker function of the same arguments that is seldom farther from
    the value than `margin`: where even so the value cannot matter, it is not computed.

    `features` are its named components, from which something better can be learned.
    `measure` is for people alone: the unit of reports and tables.
    """

    function: Callable[..., int]
    weights: Any = None
    unit: int = 0
    rough: Callable[..., int] | None = None
    margin: int = 0
    features: Features | None = None
    measure: Measure = IN_POINTS


# Rules by state class; evaluators by the class of the record that stands for them.
rules_of: dict[type, dict[str, Function]] = {}
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


def class_of(kind: Any) -> type | None:
    return getattr(kind, "instance_class", None)


def rule_of(kind: Any, name: str) -> Function | None:
    return rules_of.get(class_of(kind) or object, {}).get(name)


# How compiled code calls a rule: straight, each kind of answer always of one type.
FLAT: dict[tuple[int, str], Callable[[Function], Function]] = {
    (1, "number"): lambda rule: lambda state: np.int64(rule(state)),
    (1, "flag"): lambda rule: lambda state: bool(rule(state)),
    (1, ""): lambda rule: lambda state: rule(state),
    (2, "number"): lambda rule: lambda state, choice: np.int64(rule(state, np.int64(choice))),
    (2, "flag"): lambda rule: lambda state, choice: bool(rule(state, np.int64(choice))),
    (2, ""): lambda rule: lambda state, choice: rule(state, np.int64(choice)),
}


def _verb(name: str, default: Function | None = None) -> Function:
    """The verb of a rule, for Python and for the compiler.

    `default` is its text where a game does not define the rule: run as it is by Python,
    compiled for each state class.  `choice` is a move or a player.
    """
    cast = {"number": int, "flag": bool}.get(RULE[name].answers)

    def unary(state: Any, /) -> Any:
        answer = rules_of[type(state)].get(name, default)(state)  # type: ignore[misc]
        return cast(answer) if cast else answer

    def binary(state: Any, choice: Any, /) -> Any:
        answer = rules_of[type(state)].get(name, default)(state, choice)  # type: ignore[misc]
        return cast(answer) if cast else answer

    return _teach(unary if len(RULE[name].takes) == 1 else binary, name, default)


def _teach(verb: Function, name: str, default: Function | None = None) -> Function:
    """Let compiled code call the rule of this name where it says `verb`."""
    answers, arity = RULE[name].answers, len(RULE[name].takes)
    flat = FLAT.get((arity, answers)) or FLAT[arity, ""]

    def choose(state, *more):
        own = rule_of(state, name)
        if own is None:
            return default if class_of(state) in rules_of else None
        check_answer(answers, own, state, *more)
        return flat(own)

    def unary(state):
        return choose(state)

    def binary(state, choice):
        return choose(state, types.int64)

    verb.__name__ = verb.__qualname__ = name
    verb.__doc__ = RULE[name].sentence
    overload(verb)(unary if arity == 1 else binary)
    return verb


mover = _verb("mover")
legal_moves = _verb("legal_moves")
play = _verb("play")
outcome = _verb("outcome")
key = _verb("key")
payoff = _verb("payoff", lambda state, choice: np.int64(0))
count_moves = _verb(
    "count_moves", lambda state: len(legal_moves(state)) if outcome(state) == ONGOING else 0
)
identity = _verb("identity", lambda state: _hashable(state))
symmetries = _verb("symmetries", lambda state: (state,))
swap_players = _verb("swap_players")
payoff_bounds = _verb("payoff_bounds")
is_tactical = _verb("is_tactical", lambda state, choice: False)
tactical_moves = _verb("tactical_moves", lambda state: _tactical_among(state, legal_moves(state)))
capture_gain = _verb("capture_gain", lambda state, choice: np.int64(1))
static_exchange = _verb("static_exchange", lambda state, choice: capture_gain(state, choice))
must_respond = _verb("must_respond", lambda state: False)
threatens = _verb("threatens", lambda state, choice: False)
null_move = _verb("null_move", lambda state: state)
inputs = _verb("inputs", lambda state: np.empty(0, np.int64))
input_count = _verb("input_count", lambda state: np.int64(0))
phase = _verb("phase", lambda state: np.int64(0))


def _tactical_among(state: Any, moves: np.ndarray) -> np.ndarray:
    return np.array([move for move in moves if is_tactical(state, move)], np.int64)


@overload(_tactical_among)
def _choose_tactical_among(state, moves):
    def among(state, moves):
        chosen = np.empty(len(moves), np.int64)
        count = 0
        for move in moves:
            if is_tactical(state, move):
                chosen[count] = move
                count += 1
        return chosen[:count]

    return among


def _hashable(state: Any) -> Any:
    """The state itself, or its key where a field is an array and cannot be hashed."""
    return key(state) if any(isinstance(field, np.ndarray) for field in state) else state


@overload(_hashable)
def _choose_hashable(state):
    if any(isinstance(field, types.Array) for field in state):
        return lambda state: key(state)
    return lambda state: state


def canonical_key(state: Any) -> int:
    """The least key of the images of a state."""
    return min(key(image) for image in symmetries(state)) if has_symmetries(state) else key(state)


@overload(canonical_key)
def _choose_canonical_key(state):
    own = rule_of(state, "symmetries")
    if own is None:
        return lambda state: key(state)
    check_answer("states", own, state)

    def least(state):
        best = key(state)
        for image in own(state):
            best = min(best, key(image))
        return best

    return least


def _declares(verb: str, rule: str) -> Callable[[Any], bool]:
    """Whether a game defines an optional rule; the compiler drops what it need not do."""

    def has(state: Any) -> bool:
        return rule in rules_of[type(state)]

    has.__name__ = has.__qualname__ = verb

    @overload(has)
    def choose(state):
        answer = rule_of(state, rule) is not None
        return lambda state: answer

    return has


has_tactical_moves = _declares("has_tactical_moves", "is_tactical")
has_null_move = _declares("has_null_move", "null_move")
has_symmetries = _declares("has_symmetries", "symmetries")


def evaluate(evaluator: Any, state: Any) -> int:
    """The value of a state for its mover, as an evaluator sees it."""
    known = evaluators_of[type(evaluator)]
    return known.function(state) if known.weights is None else known.function(evaluator, state)


def quick_eval(evaluator: Any, state: Any) -> int:
    """A quick estimate of what the evaluator would answer; 0 where it has none."""
    known = evaluators_of[type(evaluator)]
    if known.rough is None:
        return 0
    return known.rough(state) if known.weights is None else known.rough(evaluator, state)


def features(evaluator: Any, state: Any) -> tuple[int, ...]:
    """The components of an evaluator; its value alone where it declares none."""
    known = evaluators_of[type(evaluator)]
    if known.features is None:
        return (evaluate(evaluator, state),)
    function = known.features.function
    return function(state) if known.weights is None else function(evaluator, state)


def feature_names(evaluator: Any) -> tuple[str, ...]:
    """The names of the numbers of `features`."""
    declared = evaluators_of[type(evaluator)].features
    return ("value",) if declared is None else declared.names


def _evaluating(function: Function, evaluator: Any, state: Any) -> Function:
    """How compiled code calls a function that values a state."""
    if evaluators_of[class_of(evaluator)].weights is None:  # type: ignore[index]
        check_answer("number", function, state)
        return lambda evaluator, state: np.int64(function(state))
    check_answer("number", function, evaluator, state)
    return lambda evaluator, state: np.int64(function(evaluator, state))


@overload(evaluate)
def _choose_evaluate(evaluator, state):
    known = evaluators_of.get(class_of(evaluator) or object)
    return None if known is None else _evaluating(known.function, evaluator, state)


@overload(quick_eval)
def _choose_quick_eval(evaluator, state):
    known = evaluators_of.get(class_of(evaluator) or object)
    if known is None:
        return None
    if known.rough is None:
        return lambda evaluator, state: np.int64(0)
    return _evaluating(known.rough, evaluator, state)


@overload(features)
def _choose_features(evaluator, state):
    known = evaluators_of.get(class_of(evaluator) or object)
    if known is None:
        return None
    if known.features is None:
        return lambda evaluator, state: (evaluate(evaluator, state),)
    function = known.features.function
    if known.weights is None:
        check_answer("features", function, state)
        return lambda evaluator, state: function(state)
    check_answer("features", function, evaluator, state)
    return lambda evaluator, state: function(evaluator, state)


@compiled
def _zero(state):
    return 0


# The evaluator that values nothing, which every game has.
ZERO = register_evaluator("plies", "zero", Evaluator(_zero))
