"""What a game may tell a search beyond its rules, chosen by the class of the state.

None of this changes what is legal or who wins.  A game that declares nothing is
searched as well as it can be without; each hint makes the engine stronger.

    is_tactical(state, move)   whether a move changes the balance at once, as a capture does:
                            the engine never values a position in the midst of such moves
    tactical_moves(state)      the noisy ones of the legal moves, if they are quicker to find
    capture_gain(state, move)       what a noisy move takes at once, in the unit of the evaluators
    static_exchange(state, move)   what is left of it after the replies; negative where it loses
    must_respond(state)    whether the mover must answer something at once, as in check
    threatens(state, move)  whether a move makes a threat of that kind; a quick guess will do
    null_move(state)             the state after the mover has passed the turn, or the state itself
                            where passing might be an advantage or is senseless
    inputs(state)           what is there, as the mover sees it: the numbers of the inputs of
                            a network that are on, in an array; none in a game that says none
    input_count(state)      how many inputs there are
    phase(state)            the number of the phase the game is in, 0 for the first: time and
                            depth may be divided by it
    canonical_key(state)        the same key for all images of a state under `symmetries`
    has_tactical_moves(state), has_null_move(state), has_symmetries(state)
                            whether the game declares these; known to the compiler
"""

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload

from plies.compiling.compiler import compiled
from plies.core.answers import check_answer
from plies.core.verbs import class_of, evaluators_of, key, legal_moves, rule_of, rules_of


@compiled
def never_tactical(state, move):
    """For games that declare no noisy moves."""
    return False


def is_tactical(state: Any, move: int) -> bool:
    """Whether a move changes the balance at once (a capture, say)."""
    return bool(rules_of[type(state)]["is_tactical"](state, move))


def tactical_moves(state: Any) -> np.ndarray:
    """The noisy ones of the legal moves."""
    own = rules_of[type(state)].get("tactical_moves")
    return own(state) if own is not None else _tactical_among(state, legal_moves(state))


def capture_gain(state: Any, move: int) -> int:
    """What a noisy move takes at once; 1 in a game that does not say it."""
    own = rules_of[type(state)].get("capture_gain")
    return own(state, move) if own is not None else 1


def static_exchange(state: Any, move: int) -> int:
    """What is left of a noisy move's gain after the replies; all, in a game that does not say."""
    own = rules_of[type(state)].get("static_exchange")
    return own(state, move) if own is not None else capture_gain(state, move)


def must_respond(state: Any) -> bool:
    """Whether the mover must answer something at once."""
    own = rules_of[type(state)].get("must_respond")
    return own is not None and bool(own(state))


def threatens(state: Any, move: int) -> bool:
    """Whether a move makes a threat that must be answered at once."""
    own = rules_of[type(state)].get("threatens")
    return own is not None and bool(own(state, move))


def null_move(state: Any) -> Any:
    """The state after the mover has passed, or the state itself."""
    own = rules_of[type(state)].get("null_move")
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


def canonical_key(state: Any) -> int:
    """The least key of the images of a state."""
    own = rules_of[type(state)].get("symmetries")
    return key(state) if own is None else min(key(image) for image in own(state))


def has_tactical_moves(state: Any) -> bool:
    return rules_of[type(state)]["is_tactical"] is not never_tactical


def has_null_move(state: Any) -> bool:
    return "null_move" in rules_of[type(state)]


def has_symmetries(state: Any) -> bool:
    return "symmetries" in rules_of[type(state)]


def quick_eval(evaluator: Any, state: Any) -> int:
    """A quick guess at what the evaluator would say; 0 where it has none."""
    opinion = evaluators_of[type(evaluator)]
    if opinion.rough is None:
        return 0
    return opinion.rough(state) if opinion.weights is None else opinion.rough(evaluator, state)


@compiled
def _tactical_among(state, moves):
    found = np.empty(len(moves), np.int64)
    count = 0
    for move in moves:
        if is_tactical(state, move):
            found[count] = move
            count += 1
    return found[:count]


@overload(is_tactical)
def _choose_is_noisy(state, move):
    rule = rule_of(state, "is_tactical")
    if rule is None:
        return None
    check_answer("is_tactical", rule, state, types.int64)
    return lambda state, move: bool(rule(state, np.int64(move)))


@overload(tactical_moves)
def _choose_noisy_moves(state):
    own = rule_of(state, "tactical_moves")
    if own is None:
        return lambda state: _tactical_among(state, legal_moves(state))
    check_answer("tactical_moves", own, state)
    return lambda state: own(state)


@overload(capture_gain)
def _choose_gain(state, move):
    own = rule_of(state, "capture_gain")
    if own is None:
        return lambda state, move: np.int64(1)
    check_answer("capture_gain", own, state, types.int64)
    return lambda state, move: np.int64(own(state, np.int64(move)))


@overload(static_exchange)
def _choose_exchange(state, move):
    own = rule_of(state, "static_exchange")
    if own is None:
        return lambda state, move: capture_gain(state, move)
    check_answer("static_exchange", own, state, types.int64)
    return lambda state, move: np.int64(own(state, np.int64(move)))


@overload(must_respond)
def _choose_is_threatened(state):
    own = rule_of(state, "must_respond")
    if own is None:
        return lambda state: False
    check_answer("must_respond", own, state)
    return lambda state: bool(own(state))


@overload(threatens)
def _choose_threatens(state, move):
    own = rule_of(state, "threatens")
    if own is None:
        return lambda state, move: False
    check_answer("threatens", own, state, types.int64)
    return lambda state, move: bool(own(state, np.int64(move)))


@overload(null_move)
def _choose_skip(state):
    own = rule_of(state, "null_move")
    if own is None:
        return lambda state: state
    check_answer("null_move", own, state)
    return lambda state: own(state)


@overload(inputs)
def _choose_inputs(state):
    own = rule_of(state, "inputs")
    if own is None:
        return lambda state: np.empty(0, np.int64)
    check_answer("inputs", own, state)
    return lambda state: own(state)


@overload(canonical_key)
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


@overload(has_tactical_moves)
def _choose_has_noisy_moves(state):
    has = rule_of(state, "is_tactical") is not never_tactical
    return lambda state: has


@overload(has_null_move)
def _choose_has_skip(state):
    has = rule_of(state, "null_move") is not None
    return lambda state: has


@overload(has_symmetries)
def _choose_has_symmetries(state):
    has = rule_of(state, "symmetries") is not None
    return lambda state: has


@overload(quick_eval)
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
