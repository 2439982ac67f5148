"""What a game may tell a search beyond its rules, chosen by the class of the state.

None of this changes what is legal or who wins.  A game that declares nothing is
searched as well as it can be without; each hint makes the engine stronger.

    is_noisy(state, move)   whether a move changes the balance at once, as a capture does:
                            the engine never values a position in the midst of such moves
    noisy_moves(state)      the noisy ones of the legal moves, if they are quicker to find
    gain(state, move)       what a noisy move takes at once, in the unit of the evaluators
    exchange(state, move)   what is left of it after the replies; negative where it loses
    is_threatened(state)    whether the mover must answer something at once, as in check
    threatens(state, move)  whether a move makes a threat of that kind; a quick guess will do
    skip(state)             the state after the mover has passed the turn, or the state itself
                            where passing might be an advantage or is senseless
    inputs(state)           what is there, as the mover sees it: the numbers of the inputs of
                            a network that are on, in an array; none in a game that says none
    input_count(state)      how many inputs there are
    phase(state)            the number of the phase the game is in, 0 for the first: time and
                            depth may be divided by it
    least_key(state)        the same key for all images of a state under `symmetries`
    has_noisy_moves(state), has_skip(state), has_symmetries(state)
                            whether the game declares these; known to the compiler
"""

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload

from plies.core.answers import check_answer
from plies.core.compiler import compiled
from plies.core.verbs import class_of, evaluators_of, key, legal_moves, rule_of, rules_of


@compiled
def never_noisy(state, move):
    """For games that declare no noisy moves."""
    return False


def is_noisy(state: Any, move: int) -> bool:
    """Whether a move changes the balance at once (a capture, say)."""
    return bool(rules_of[type(state)]["is_noisy"](state, move))


def noisy_moves(state: Any) -> np.ndarray:
    """The noisy ones of the legal moves."""
    own = rules_of[type(state)].get("noisy_moves")
    return own(state) if own is not None else _noisy_among(state, legal_moves(state))


def gain(state: Any, move: int) -> int:
    """What a noisy move takes at once; 1 in a game that does not say it."""
    own = rules_of[type(state)].get("gain")
    return own(state, move) if own is not None else 1


def exchange(state: Any, move: int) -> int:
    """What is left of a noisy move's gain after the replies; all, in a game that does not say."""
    own = rules_of[type(state)].get("exchange")
    return own(state, move) if own is not None else gain(state, move)


def is_threatened(state: Any) -> bool:
    """Whether the mover must answer something at once."""
    own = rules_of[type(state)].get("is_threatened")
    return own is not None and bool(own(state))


def threatens(state: Any, move: int) -> bool:
    """Whether a move makes a threat that must be answered at once."""
    own = rules_of[type(state)].get("threatens")
    return own is not None and bool(own(state, move))


def skip(state: Any) -> Any:
    """The state after the mover has passed, or the state itself."""
    own = rules_of[type(state)].get("skip")
    return state if own is None else own(state)


def inputs(state: Any) -> np.ndarray:
    """The numbers of the inputs that are on."""
    own = rules_of[type(state)].get("inputs")
    return np.empty(0, np.int64) if own is None else own(state)


def input_count(state: Any) -> int:
    """How many inputs there are; 0 in a game that declares none."""
    own = rules_of[type(state)].get("input_count")
    return 0 if own is None else own(state)


def phase(state: Any) -> int:
    """The phase the game is in; 0 in a game that declares none."""
    own = rules_of[type(state)].get("phase")
    return 0 if own is None else int(own(state))


def least_key(state: Any) -> int:
    """The least key of the images of a state."""
    own = rules_of[type(state)].get("symmetries")
    return key(state) if own is None else min(key(image) for image in own(state))


def has_noisy_moves(state: Any) -> bool:
    return rules_of[type(state)]["is_noisy"] is not never_noisy


def has_skip(state: Any) -> bool:
    return "skip" in rules_of[type(state)]


def has_symmetries(state: Any) -> bool:
    return "symmetries" in rules_of[type(state)]


def rough_opinion(evaluator: Any, state: Any) -> int:
    """A quick guess at what the evaluator would say; 0 where it has none."""
    opinion = evaluators_of[type(evaluator)]
    if opinion.rough is None:
        return 0
    return opinion.rough(state) if opinion.weights is None else opinion.rough(evaluator, state)


@compiled
def _noisy_among(state, moves):
    found = np.empty(len(moves), np.int64)
    count = 0
    for move in moves:
        if is_noisy(state, move):
            found[count] = move
            count += 1
    return found[:count]


@overload(is_noisy)
def _choose_is_noisy(state, move):
    rule = rule_of(state, "is_noisy")
    if rule is None:
        return None
    check_answer("is_noisy", rule, state, types.int64)
    return lambda state, move: bool(rule(state, np.int64(move)))


@overload(noisy_moves)
def _choose_noisy_moves(state):
    own = rule_of(state, "noisy_moves")
    if own is None:
        return lambda state: _noisy_among(state, legal_moves(state))
    check_answer("noisy_moves", own, state)
    return lambda state: own(state)


@overload(gain)
def _choose_gain(state, move):
    own = rule_of(state, "gain")
    if own is None:
        return lambda state, move: np.int64(1)
    check_answer("gain", own, state, types.int64)
    return lambda state, move: np.int64(own(state, np.int64(move)))


@overload(exchange)
def _choose_exchange(state, move):
    own = rule_of(state, "exchange")
    if own is None:
        return lambda state, move: gain(state, move)
    check_answer("exchange", own, state, types.int64)
    return lambda state, move: np.int64(own(state, np.int64(move)))


@overload(is_threatened)
def _choose_is_threatened(state):
    own = rule_of(state, "is_threatened")
    if own is None:
        return lambda state: False
    check_answer("is_threatened", own, state)
    return lambda state: bool(own(state))


@overload(threatens)
def _choose_threatens(state, move):
    own = rule_of(state, "threatens")
    if own is None:
        return lambda state, move: False
    check_answer("threatens", own, state, types.int64)
    return lambda state, move: bool(own(state, np.int64(move)))


@overload(skip)
def _choose_skip(state):
    own = rule_of(state, "skip")
    if own is None:
        return lambda state: state
    check_answer("skip", own, state)
    return lambda state: own(state)


@overload(inputs)
def _choose_inputs(state):
    own = rule_of(state, "inputs")
    if own is None:
        return lambda state: np.empty(0, np.int64)
    check_answer("inputs", own, state)
    return lambda state: own(state)


@overload(least_key)
def _choose_least_key(state):
    own = rule_of(state, "symmetries")
    if own is None:
        return lambda state: key(state)
    check_answer("symmetries", own, state)

    def least(state):
        found = key(state)
        for image in own(state):
            found = min(found, key(image))
        return found

    return least


@overload(has_noisy_moves)
def _choose_has_noisy_moves(state):
    has = rule_of(state, "is_noisy") is not never_noisy
    return lambda state: has


@overload(has_skip)
def _choose_has_skip(state):
    has = rule_of(state, "skip") is not None
    return lambda state: has


@overload(has_symmetries)
def _choose_has_symmetries(state):
    has = rule_of(state, "symmetries") is not None
    return lambda state: has


@overload(rough_opinion)
def _choose_rough_opinion(evaluator, state):
    opinion = evaluators_of.get(class_of(evaluator) or object)
    if opinion is None:
        return None
    function = opinion.rough
    if function is None:
        return lambda evaluator, state: np.int64(0)
    if opinion.weights is None:
        check_answer("evaluate", function, state)
        return lambda evaluator, state: np.int64(function(state))
    check_answer("evaluate", function, evaluator, state)
    return lambda evaluator, state: np.int64(function(evaluator, state))
