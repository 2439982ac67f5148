"""The verbs that every search speaks, chosen by the class of the state.

In Python a verb looks the class up in a dictionary.  In compiled code the compiler does so
once, while it types the call: a search written with verbs is specialised to each game, at no
cost at run time.

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
from plies.compiling.overloads import constant_by, overload_by
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
    """The record that `evaluate` takes: the weights, or a stand-in where there are none."""
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


# How compiled code calls a rule, by the number of its arguments and what it answers: one type each.
RULE_CALLS: dict[tuple[int, str], Callable[[Function], Function]] = {
    (1, "number"): lambda rule: lambda state: np.int64(rule(state)),
    (1, "flag"): lambda rule: lambda state: bool(rule(state)),
    (1, ""): lambda rule: lambda state: rule(state),
    (2, "number"): lambda rule: lambda state, choice: np.int64(rule(state, np.int64(choice))),
    (2, "flag"): lambda rule: lambda state, choice: bool(rule(state, np.int64(choice))),
    (2, ""): lambda rule: lambda state, choice: rule(state, np.int64(choice)),
}


# What a rule answers that can be called as it is.
ANSWERS = {"number": types.int64, "flag": types.boolean}


def _verb(name: str, default: Any = None) -> Function:
    """The verb of a rule, for Python and for the compiler; `choice` is a move or a player.

    `default` is the rule of games that do not define one: Python runs it as it is, compiled code
    has it compiled for each state class.
    """
    answers, arity = RULE[name].answers, len(RULE[name].takes)
    cast = {"number": int, "flag": bool}.get(answers, lambda answer: answer)
    call = RULE_CALLS.get((arity, answers)) or RULE_CALLS[arity, ""]

    def choose(state, *choice):
        own = rule_of(state, name)
        if own is None:
            return default if class_of(state) in rules_of else None
        answer = check_answer(answers, own, state, *choice)
        is_exact = answer == ANSWERS.get(answers, answer)
        return (own, (state, *choice)) if is_exact else call(own)

    def unary(state: Any, /) -> Any:
        return cast(rules_of[type(state)].get(name, default)(state))  # type: ignore[misc]

    def binary(state: Any, choice: Any, /) -> Any:
        return cast(rules_of[type(state)].get(name, default)(state, choice))  # type: ignore[misc]

    verb = unary if arity == 1 else binary
    verb.__name__ = verb.__qualname__ = name
    verb.__doc__ = RULE[name].sentence
    if arity == 1:
        overload_by(verb)(lambda state: choose(state))
    else:
        overload_by(verb)(lambda state, choice: choose(state, types.int64))
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
        tactical = np.empty(len(moves), np.int64)
        count = 0
        for move in moves:
            if is_tactical(state, move):
                tactical[count] = move
                count += 1
        return tactical[:count]

    return among


def _hashable(state: Any) -> Any:
    """The state itself, or its key where a field is an array, which compiled code cannot hash.

    Python could, but both count the same positions as different.
    """
    return key(state) if any(isinstance(field, np.ndarray) for field in state) else state


@overload(_hashable)
def _choose_hashable(state):
    has_arrays = any(isinstance(field, types.Array) for field in state)
    return (lambda state: key(state)) if has_arrays else (lambda state: state)


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

    @constant_by(has)
    def answer(state):
        return None if class_of(state) not in rules_of else rule_of(state, rule) is not None

    @overload(has)
    def choose(state):
        value = answer(state)
        return None if value is None else lambda state: value

    return has


has_tactical_moves = _declares("has_tactical_moves", "is_tactical")
has_null_move = _declares("has_null_move", "null_move")
has_symmetries = _declares("has_symmetries", "symmetries")


# How compiled code calls a function of an evaluator, by whether it has weights and what it answers.
EVALUATOR_CALLS: dict[tuple[bool, str], Callable[[Function], Function]] = {
    (False, "number"): lambda rule: lambda evaluator, state: np.int64(rule(state)),
    (False, "features"): lambda rule: lambda evaluator, state: rule(state),
    (True, "number"): lambda rule: lambda evaluator, state: np.int64(rule(evaluator, state)),
    (True, "features"): lambda rule: lambda evaluator, state: rule(evaluator, state),
}


def _evaluator_verb(
    name: str,
    sentence: str,
    answers: str,
    part: Callable[[Evaluator], Function | None],
    default: Function | None = None,
) -> Function:
    """The verb of one function of an evaluator; `default` stands in where it has none."""

    def verb(evaluator: Any, state: Any, /) -> Any:
        declared = evaluators_of[type(evaluator)]
        function = part(declared)
        if function is None:
            return default(evaluator, state)  # type: ignore[misc]
        return function(state) if declared.weights is None else function(evaluator, state)

    verb.__name__ = verb.__qualname__ = name
    verb.__doc__ = sentence

    @overload_by(verb)
    def choose(evaluator, state):
        declared = evaluators_of.get(class_of(evaluator) or object)
        if declared is None:
            return None
        function = part(declared)
        if function is None:
            return default
        has_weights = declared.weights is not None
        arguments = (evaluator, state) if has_weights else (state,)
        answer = check_answer(answers, function, *arguments)
        if has_weights and answer == ANSWERS.get(answers, answer):
            return function, arguments
        return EVALUATOR_CALLS[has_weights, answers](function)

    return verb


evaluate = _evaluator_verb(
    *("evaluate", "The value of a state for its mover, as an evaluator sees it.", "number"),
    lambda evaluator: evaluator.function,
)
quick_eval = _evaluator_verb(
    *("quick_eval", "A quick estimate of that value; 0 where an evaluator has none.", "number"),
    lambda evaluator: evaluator.rough,
    lambda evaluator, state: np.int64(0),
)
features = _evaluator_verb(
    *("features", "The components of an evaluator, its value where it has none.", "features"),
    lambda evaluator: evaluator.features and evaluator.features.function,
    lambda evaluator, state: (evaluate(evaluator, state),),
)


def feature_names(evaluator: Any) -> tuple[str, ...]:
    """The names of the numbers of `features`."""
    declared = evaluators_of[type(evaluator)].features
    return ("value",) if declared is None else declared.names


@compiled
def _zero(state):
    return 0


# The evaluator that values nothing, which every game has.
ZERO = register_evaluator("plies", "zero", Evaluator(_zero))
