"""Checks of an evaluator in a file: whole numbers, always the same, compiled or not."""

import copy
from collections.abc import Iterator
from operator import index
from pathlib import Path
from typing import Any, NamedTuple

from plies import game_files
from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import reason_text
from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import Evaluator
from plies.errors import BadSpec
from plies.evaluators.files import evaluator_in, own_evaluator
from plies.registry import game as find_game
from plies.registry import game_names
from plies.testing import CheckResult, promise, result_of
from plies.testing.agents import GAMES, positions
from plies.testing.sample import Problems


class Candidate(NamedTuple):
    """An evaluator on a game that it fits: its record, and itself as plain Python."""

    game: Game
    record: Any
    plain: Evaluator
    states: tuple[Any, ...]

    def value(self, state: Any) -> int:
        try:
            return index(verbs.evaluate(self.record, state))
        except Exception as error:
            why = f"{type(error).__name__}: {reason_text(error)}"
            raise BadSpec(f"{self.text(state)}: {why}") from error

    def text(self, state: Any) -> str:
        return self.game.position_text(state)


def evaluator_checks(path: Path, game: str = "", seed: int = 0) -> Iterator[CheckResult]:
    """The results one by one, on its own game or on all that it fits."""
    fitting, why = 0, ""
    for name in [game] if game else dict.fromkeys([*GAMES, *game_names()]):
        if fitting and name not in GAMES and not game:
            break  # a few games say enough, unless it fits none of these
        rules = find_game(name)
        try:
            record = own_evaluator(rules, str(path))
        except BadSpec as refusal:
            why = why or str(refusal)
            if game:
                yield CheckResult(f"evaluates {name}", False, why)
            continue
        fitting += 1
        plain = evaluator_in(game_files.load_interpreted(path, ""), path.name)
        candidate = Candidate(rules, record, plain, tuple(positions(rules, seed)))
        for check in CHECKS:
            yield result_of(f"{name}: {promise(check)}", check(candidate))
    if not fitting and not game:
        right = 'for a game of your own write GAME = "my_game.py"'
        yield CheckResult("evaluates a game", False, f"{why}; {right}")


def values_are_in_range(its: Candidate) -> Problems:
    """No evaluation may look like a proven win."""
    values = [its.value(state) for state in its.states]
    for state, value in zip(its.states, values, strict=True):
        if abs(value) > MAX_EVALUATION:
            yield f"{its.text(state)}: {value} is beyond {MAX_EVALUATION}, as wins are"
    return f"{min(values)} to {max(values)} in {len(values)} positions"


def compiled_equals_interpreted(its: Candidate) -> Problems:
    """The same value as plain Python."""
    weights = () if its.plain.weights is None else (its.plain.weights,)
    for state in its.states:
        compiled, plain = its.value(state), its.plain.function(*weights, state)
        if compiled != plain:
            yield f"{its.text(state)}: {compiled} compiled, {plain} interpreted"
    return ""


def states_stay_as_they_are(its: Candidate) -> Problems:
    """It writes into no array of a state, and answers the same again."""
    for state in its.states:
        before, value = copy.deepcopy(state), its.value(state)
        if repr(before) != repr(state):
            yield f"{its.text(state)}: it changes the state"
        if value != (again := its.value(state)):
            yield f"{its.text(state)}: it answers {value}, then {again}"
    return ""


def both_players_are_alike(its: Candidate) -> Problems:
    """A hint, no failure: whether exchanging the players leaves the value for the mover."""
    yield from ()
    swap = verbs.rules_of[its.game.State].get("swap_players")
    if swap is None:
        return "not compared: the game has no rule swap_players"
    other = [state for state in its.states if its.value(swap(state)) != its.value(state)]
    differ = "values differ when the players are exchanged, as in"
    return f"hint: {len(other)} {differ} {its.text(other[0])}" if other else ""


CHECKS = (
    values_are_in_range,
    compiled_equals_interpreted,
    states_stay_as_they_are,
    both_players_are_alike,
)
