"""Checks that the rules compile, and that compiled code agrees with plain Python."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import compile_rules
from plies.core.rules import EXCHANGES, RULES
from plies.core.scores import MAX_EVALUATION
from plies.core.states import fresh
from plies.errors import BadGame
from plies.registry import interpreted_twin
from plies.testing.sample import Problems, Sample, content, fields_of, state_problems
from plies.testing.sentences import error_problem, first_difference

QUESTIONS = ("mover", "outcome", "legal_moves", "payoff")
IN_PLAY = ("tactical_moves", "must_respond", "null_move")  # only while the game goes on


def a_game_begins_with_whole_numbers(game: Game, sample: Sample) -> Problems:
    state = game.initial()
    yield from state_problems(game, state, "initial")
    if content(state) != content(game.initial()):
        yield f"initial answers {state!r}, and another state the second time"


def the_rules_compile(game: Game, sample: Sample) -> Problems:
    compile_rules(game)
    yield from ()


def compiled_rules_equal_the_interpreted(game: Game, sample: Sample) -> Problems:
    """Plain Python runs first: where it hangs, the error can name the line."""
    if not game.source:
        return "not compared: the game has no file"
    try:
        compile_rules(game)
    except BadGame:
        return "not compared: the rules do not compile"
    twin = interpreted_twin(game)
    count = 0
    for state in _along_random_games(sample):
        count += 1
        copy = twin.State(*fresh(state))
        answers = zip(_answers(twin, copy), _answers(game, state), strict=False)
        for (rule, interpreted), (_, compiled) in answers:
            expected, answer = _answer(interpreted), _answer(compiled)
            if _comparable(expected) != _comparable(answer):
                yield _disagreement(game, rule, answer, expected)
    return f"{count} positions"


def random_games_run(game: Game, sample: Sample) -> Problems:
    """This makes the positions for all later checks."""
    sample.play()
    plies = sum(len(each.states) - 1 for each in sample.played)
    if not plies and sample.played[0].is_stuck:
        yield "outcome is ONGOING and there is no legal move, expected an outcome"
    elif not plies:
        yield "the game is over before the first move"
    return f"{plies} moves in {len(sample.played)} games"


def evaluators_stay_inside_their_band(game: Game, sample: Sample) -> Problems:
    """And agree with plain Python, as far as their own code goes."""
    twin = interpreted_twin(game) if game.source else game
    for state, _ in sample.ongoing():
        for name, record in game.evaluators.items():
            value = verbs.evaluate(record, state)
            if not isinstance(value, (int, np.integer)) or abs(value) > MAX_EVALUATION:
                band = f"a whole number from -{MAX_EVALUATION} to {MAX_EVALUATION}"
                yield f"{name} answers {value}, expected {band}"
            if (expected := _interpreted_value(game, twin, name, state)) != value:
                yield f"{name} is {value} compiled, expected {expected} as interpreted"
    return ", ".join(game.evaluators) or "none declared"


def _along_random_games(sample: Sample) -> Iterator[Any]:
    """Different states at plies 0, 1, 2, 4, 8, ... of random games, and the last ones."""
    known = set()

    def unseen(state: Any) -> Iterator[Any]:
        if content(state) not in known:
            known.add(content(state))
            yield fresh(state)

    for number in range(sample.games):
        rng = random.Random(f"{sample.seed}/compared/{number}")
        state = sample.game.initial()
        with suppress(Exception):  # the checks of the rules report it
            for ply, state in enumerate(sample.random_states(rng)):
                if ply & (ply - 1) == 0:
                    yield from unseen(state)
            yield from unseen(state)


def _answers(game: Game, state: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every question about a state that the rules of the game's file answer."""
    yield "mover", lambda: game.mover(state)
    yield "outcome", lambda: game.outcome(state)
    yield "legal_moves", lambda: game.moves(state)
    try:
        moves = game.moves(state)
    except Exception:  # the line above reports it
        return
    if not moves:
        yield "payoff", lambda: game.payoffs(state)
    for rule in RULES:
        own = rule.is_compiled and rule.name in verbs.rules_of[game.State]
        if not own or rule.name in QUESTIONS or (rule.name in IN_PLAY and not moves):
            continue
        verb = getattr(verbs, rule.name)
        if len(rule.takes) == 1:
            yield rule.name, lambda verb=verb: _plain(verb(fresh(state)))
        for move in moves if len(rule.takes) == 2 else ():
            if rule.check != EXCHANGES or verbs.is_tactical(state, move):
                name = f"{rule.name} of move {move}"
                yield name, lambda verb=verb, move=move: _plain(verb(fresh(state), move))


def _plain(answer: Any) -> Any:
    """The answer of a rule in a form that `==` compares."""
    if isinstance(answer, np.ndarray):
        return answer.tolist()
    if hasattr(answer, "_fields"):
        return fields_of(answer)
    return tuple(map(_plain, answer)) if isinstance(answer, tuple) else int(answer)


def _answer(question: Callable[[], Any]) -> Any:
    """The answer, or the error: compiled code may not notice a wrong index."""
    try:
        return question()
    except Exception as error:
        return error


def _comparable(answer: Any) -> Any:
    return f"{type(answer).__name__}: {answer}" if isinstance(answer, Exception) else answer


def _disagreement(game: Game, rule: str, answer: Any, expected: Any) -> str:
    """How the compiled answer and that of plain Python, which may be errors, differ."""
    if isinstance(expected, Exception):
        # `Game` raises an error of its own from that of a rule.
        return error_problem(rule, expected.__cause__ or expected, game.source)
    place, one, other = first_difference(_comparable(answer), expected)
    of_what = f"{rule}: {place}" if place else rule
    return f"{of_what} is {one} compiled, expected {other} as interpreted"


def _interpreted_value(game: Game, twin: Game, name: str, state: Any) -> int:
    """The value of an evaluator that is not compiled."""
    if name in twin.evaluators:
        return verbs.evaluate(twin.evaluators[name], twin.State(*state))
    evaluator = verbs.evaluators_of[type(game.evaluators[name])]
    function = getattr(evaluator.function, "py_func", evaluator.function)
    # Parts that are compiled would take the unsigned fields for int64.
    kinds = type(state).__annotations__.items()
    words = {field: np.uint64(getattr(state, field)) for field, kind in kinds if kind is np.uint64}
    typed = state._replace(**words)
    return function(typed) if evaluator.weights is None else function(game.evaluators[name], typed)
