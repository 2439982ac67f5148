"""Checks that compiled code says the same as the Python text it comes from."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import compile_rules
from plies.core.scores import MAX_EVALUATION
from plies.registry import interpreted_twin
from plies.testing.sample import Check, ContractError, Sample, content, fresh


def the_rules_compile(sample: Sample) -> None:
    compile_rules(sample.game)


def compiled_rules_equal_the_interpreted(sample: Sample) -> str:
    game = sample.game
    if not game.source:
        return "not compared: the game has no file"
    twin = interpreted_twin(game)
    for state in sample.positions():
        copy = twin.State(*fresh(state))
        answers = zip(_answers(game, state), _answers(twin, copy), strict=False)
        for (rule, compiled), (_, interpreted) in answers:
            expected, found = _answer(interpreted), _answer(compiled)
            if expected != found:
                raise ContractError(
                    f"{rule} is {found} compiled, expected {expected} as interpreted"
                )
    return ""


def evaluators_stay_inside_their_band(sample: Sample) -> str:
    """And say the same interpreted: their own text at least, where not all they call."""
    game = sample.game
    twin = interpreted_twin(game) if game.source else game
    for state, _ in sample.ongoing():
        for name, record in game.evaluators.items():
            value = verbs.evaluate(record, state)
            if not isinstance(value, (int, np.integer)) or abs(value) > MAX_EVALUATION:
                band = f"a whole number from -{MAX_EVALUATION} to {MAX_EVALUATION}"
                raise ContractError(f"{name} answers {value}, expected {band}")
            if (expected := _opinion(game, twin, name, state)) != value:
                raise ContractError(
                    f"{name} is {value} compiled, expected {expected} as interpreted"
                )
    return ", ".join(game.evaluators) or "none declared"


CHECKS: tuple[Check, ...] = (
    compiled_rules_equal_the_interpreted,
    evaluators_stay_inside_their_band,
)


def _answers(game: Game, state: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every question about a state that rules answer."""
    rules = verbs.rules_of[game.State]
    yield "mover", lambda: game.mover(state)
    yield "outcome", lambda: game.outcome(state)
    yield "legal_moves", lambda: game.moves(state)
    yield "key", lambda: game.key(state)
    if game.is_over(state):
        yield "payoff", lambda: game.payoffs(state)
    if "symmetries" in rules:
        yield "symmetries", lambda: [content(image) for image in game.symmetries(state)]
    if "phase" in rules:
        yield "phase", lambda: verbs.phase(state)
    for move in game.moves(state):
        yield f"play of move {move}", lambda move=move: content(rules["play"](fresh(state), move))
        if "is_tactical" in rules:
            yield (
                f"is_tactical of move {move}",
                lambda move=move: bool(rules["is_tactical"](state, move)),
            )


def _answer(question: Callable[[], Any]) -> Any:
    """The answer, or the error as text: compiled code may not notice a wrong index."""
    try:
        with np.errstate(over="ignore"):
            return question()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _opinion(game: Game, twin: Game, name: str, state: Any) -> int:
    """What an evaluator says when it is not compiled."""
    if name in twin.evaluators:
        return verbs.evaluate(twin.evaluators[name], twin.State(*state))
    evaluator = verbs.evaluators_of[type(game.evaluators[name])]
    function = getattr(evaluator.function, "py_func", evaluator.function)
    typed = _typed(state)
    return function(typed) if evaluator.weights is None else function(game.evaluators[name], typed)


def _typed(state: Any) -> Any:
    """The state with its unsigned fields as such: parts that are compiled would take them
    for int64 otherwise."""
    unsigned = [name for name, kind in type(state).__annotations__.items() if kind is np.uint64]
    return state._replace(**{name: np.uint64(getattr(state, name)) for name in unsigned})
