"""Checks of an evaluator in a file: whole numbers, always the same, compiled or not."""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from plies import game_files
from plies.core import verbs
from plies.core.contract import Game
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import Evaluator
from plies.errors import BadSpec, PliesError
from plies.evaluators.files import evaluator_in, own_evaluator
from plies.registry import game as find_game
from plies.registry import game_names
from plies.testing import CheckResult
from plies.testing.agents import GAMES, positions
from plies.testing.sample import ContractError, one_line


class Tried(NamedTuple):
    """An evaluator on a game it fits: its record, and the same as plain Python."""

    game: Game
    record: Any
    plain: Evaluator
    states: tuple[Any, ...]


def evaluator_checks(path: Path, game: str = "", seed: int = 0) -> Iterator[CheckResult]:
    """The results as they come, on the game that it is for, or on all that it fits."""
    found = 0
    for name in [game] if game else dict.fromkeys([*GAMES, *game_names()]):
        if found and name not in GAMES and not game:
            break  # a few games say enough, unless it fits none of these
        rules = find_game(name)
        try:
            record = own_evaluator(rules, str(path))
        except BadSpec as refusal:
            if game:
                yield CheckResult(f"evaluates {name}", False, str(refusal))
            continue
        found += 1
        plain = evaluator_in(game_files.load_interpreted(path, ""), path.name)
        tried = Tried(rules, record, plain, tuple(positions(rules, seed)))
        for check in CHECKS:
            yield _result(f"{name}: {check.__name__.replace('_', ' ')}", check, tried)
    if not found and not game:
        yield CheckResult("evaluates a game", False, "it fits no game; say GAME = the name of one")


def _result(name: str, check: Callable[[Tried], str], tried: Tried) -> CheckResult:
    try:
        return CheckResult(name, True, check(tried))
    except (ContractError, PliesError) as wrong:
        return CheckResult(name, False, one_line(wrong))


def values_are_in_range(tried: Tried) -> str:
    """No evaluation may look like a proven win."""
    values = [_value(tried, state) for state in tried.states]
    for value, state in zip(values, tried.states, strict=True):
        if abs(value) > MAX_EVALUATION:
            where = tried.game.position_text(state)
            raise ContractError(f"{where}: {value} is beyond {MAX_EVALUATION}, as wins are")
    return f"{min(values)} to {max(values)} in {len(values)} positions"


def compiled_equals_interpreted(tried: Tried) -> str:
    """The same value as plain Python."""
    weights = tried.plain.weights
    for state in tried.states:
        plain = tried.plain.function(*(() if weights is None else (weights,)), state)
        if _value(tried, state) != plain:
            where = tried.game.position_text(state)
            raise ContractError(f"{where}: {_value(tried, state)} compiled, {plain} interpreted")
    return ""


def states_stay_as_they_are(tried: Tried) -> str:
    """It writes into no array of a state, and answers the same again."""
    for state in tried.states:
        before, value = copy.deepcopy(state), _value(tried, state)
        where = tried.game.position_text(state)
        if repr(before) != repr(state):
            raise ContractError(f"{where}: it changes the state")
        if value != _value(tried, state):
            raise ContractError(f"{where}: it answers {value}, then {_value(tried, state)}")
    return ""


def both_players_are_alike(tried: Tried) -> str:
    """A hint, no failure: whether exchanging the players leaves the value for the mover."""
    swap = verbs.rules_of[tried.game.State].get("swap_players")
    if swap is None:
        return "not compared: the game has no rule swap_players"
    other = [state for state in tried.states if _value(tried, swap(state)) != _value(tried, state)]
    if not other:
        return ""
    where = tried.game.position_text(other[0])
    return f"hint: {len(other)} values differ when the players are exchanged, as in {where}"


def _value(tried: Tried, state: Any) -> int:
    return int(verbs.evaluate(tried.record, state))


CHECKS = (
    values_are_in_range,
    compiled_equals_interpreted,
    states_stay_as_they_are,
    both_players_are_alike,
)
