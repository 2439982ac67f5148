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
    is_noisy(state, move)   whether a move changes the balance at once
    evaluate(evaluator, state)    an opinion, from the mover's side
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba.core import types
from numba.extending import overload

from plies.core.compiled import compiled, name_class
from plies.core.fingerprint import module_fingerprint

@dataclass(frozen=True)
class Evaluator:
    """An opinion: a compiled function and, if it has any, its weights.

    `function(state)`, or `function(weights, state)` with `weights` a NamedTuple of
    numbers, answers from the mover's side.  New weights need no new compile.
    """

    function: Callable[..., int]
    weights: Any = None


# Rules by state class; evaluators by the class of the record that stands for them.
rules_of: dict[type, dict[str, Callable[..., Any]]] = {}
evaluators_of: dict[type, Evaluator] = {}


def register_evaluator(owner: str, name: str, evaluator: Evaluator) -> Any:
    """The record that `evaluate` takes: the weights, or a stand-in for none."""
    record = evaluator.weights
    if record is None:
        record = NamedTuple(name, [("unused", int)])(0)  # type: ignore[misc]
    kind = type(record)
    if kind not in evaluators_of:
        fingerprint = module_fingerprint(evaluator.function.__module__)
        name_class(kind, f"{owner}_{name}", fingerprint or f"{id(evaluator):016x}")
        evaluators_of[kind] = evaluator
    return record


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
    return rules_of[type(state)]["key"](state)


def is_noisy(state: Any, move: int) -> bool:
    """Whether a move changes the balance at once (a capture, say)."""
    return rules_of[type(state)]["is_noisy"](state, move)


def evaluate(evaluator: Any, state: Any) -> int:
    """What an evaluator thinks of a state, from the mover's side."""
    opinion = evaluators_of[type(evaluator)]
    if opinion.weights is None:
        return opinion.function(state)
    return opinion.function(evaluator, state)


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
def never_noisy(state, move):
    """For games that declare no noisy moves."""
    return False


@compiled
def mixed_key(state):
    """The fields of a state mixed into one number (the finaliser of splitmix64)."""
    mixed = np.uint64(0)
    for field in state:
        mixed = (mixed ^ np.uint64(field)) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ (mixed >> np.uint64(31))
    return np.int64(mixed)


def _class_of(kind: Any) -> type | None:
    return kind.instance_class if isinstance(kind, types.BaseNamedTuple) else None


def _rule(kind: Any, name: str) -> Callable[..., Any] | None:
    return rules_of.get(_class_of(kind) or object, {}).get(name)


def _teach_compiler_unary(verb: Callable[..., Any]) -> None:
    @overload(verb)
    def choose(state):
        rule = _rule(state, verb.__name__)
        return None if rule is None else lambda state: rule(state)


def _teach_compiler_binary(verb: Callable[..., Any], argument: str) -> None:
    def by_move(state, move):
        rule = _rule(state, verb.__name__)
        return None if rule is None else lambda state, move: rule(state, move)

    def by_player(state, player):
        rule = _rule(state, verb.__name__)
        return None if rule is None else lambda state, player: rule(state, player)

    overload(verb)(by_move if argument == "move" else by_player)


for _verb in (mover, legal_moves, outcome, key):
    _teach_compiler_unary(_verb)
for _verb in (play, is_noisy):
    _teach_compiler_binary(_verb, "move")
_teach_compiler_binary(payoff, "player")


@overload(evaluate)
def _choose_evaluation(evaluator, state):
    opinion = evaluators_of.get(_class_of(evaluator) or object)
    if opinion is None:
        return None
    function = opinion.function
    if opinion.weights is None:
        return lambda evaluator, state: function(state)
    return lambda evaluator, state: function(evaluator, state)
