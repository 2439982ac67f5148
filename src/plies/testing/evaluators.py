"""Checks of an evaluator in a file: whole numbers, always the same, compiled or not."""

import inspect
import random
from collections.abc import Iterator
from operator import index
from pathlib import Path
from typing import Any, NamedTuple

from plies import game_files
from plies.core import verbs
from plies.core.compiler_errors import reason_text
from plies.core.contract import Game
from plies.core.scores import MAX_EVALUATION, SCORED
from plies.core.states import fresh
from plies.core.verbs import Evaluator
from plies.errors import BadSpec
from plies.evaluators.files import evaluator_in, own_evaluator
from plies.registry import game as find_game
from plies.registry import game_names
from plies.testing import CheckResult, promise, result_of
from plies.testing.agents import GAMES, positions
from plies.testing.sample import MAX_PLIES, Problems
from plies.testing.sentences import at_position, error_problem

SCORED_GAMES = 10  # played at random to the end
WIDE = 4  # times what random games end with: no value of a good evaluator is so high


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
            raise BadSpec(
                self.at(state, f"{type(error).__name__}: {reason_text(error)}")
            ) from error

    def plain_value(self, state: Any) -> Any:
        """The same without the compiler, which would not notice an index beyond an array."""
        weights = () if self.plain.weights is None else (self.plain.weights,)
        function = self.plain.function
        try:
            return function(*weights, fresh(state))
        except Exception as error:
            source = inspect.getfile(inspect.unwrap(function))
            problem = error_problem("it", error, source)
            raise BadSpec(self.at(state, problem)) from error

    def at(self, state: Any, problem: str) -> str:
        return at_position(self.game.position_text(state), problem)


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
            yield its.at(state, f"{value} is beyond {MAX_EVALUATION}, as wins are")
    return f"{min(values)} to {max(values)} in {len(values)} positions"


def compiled_equals_interpreted(its: Candidate) -> Problems:
    """The same value as plain Python."""
    for state in its.states:
        compiled, plain = its.value(state), its.plain_value(state)
        if compiled != plain:
            yield its.at(state, f"{compiled} compiled, {plain} interpreted")
    return ""


def states_stay_as_they_are(its: Candidate) -> Problems:
    """It writes into no array of a state, and answers the same again."""
    for state in its.states:
        before, value = fresh(state), its.value(state)
        if before != state:
            yield its.at(state, "it changes the state")
        if value != (again := its.value(state)):
            yield its.at(state, f"it answers {value}, then {again}")
    return ""


def both_players_are_alike(its: Candidate) -> Problems:
    """A hint, no failure: whether exchanging the players leaves the value for the mover."""
    yield from ()
    swap = verbs.rules_of[its.game.State].get("swap_players")
    if swap is None:
        return "not compared: the game has no rule swap_players"
    other = [state for state in its.states if its.value(swap(state)) != its.value(state)]
    problem = f"hint: {len(other)} values differ when the players are exchanged"
    return its.at(other[0], problem) if other else ""


def values_are_on_the_scale_of_payoffs(its: Candidate) -> Problems:
    """A hint, no failure: in a game for points a search compares values with payoffs."""
    yield from ()
    payoffs = [abs(payoff) for payoff in _scores(its.game)]
    if not payoffs:
        return "not compared: won, lost and drawn games have no points"
    most, highest = max(payoffs), max(abs(its.value(state)) for state in its.states)
    if highest <= WIDE * max(most, 1):
        return f"up to {highest}; games end with up to {most}"
    return f"hint: values up to {highest}, but games end with up to {most}: write points"


def _scores(game: Game) -> Iterator[int]:
    """What the first player gets at the end of random games that are for points."""
    for seed in range(SCORED_GAMES):
        rng, state = random.Random(seed), game.initial()
        for _ in range(MAX_PLIES):
            if game.is_over(state):
                break
            state = game.play(state, rng.choice(game.moves(state)))
        if game.outcome(state) == SCORED:
            yield game.payoffs(state)[0]


CHECKS = (
    values_are_in_range,
    values_are_on_the_scale_of_payoffs,
    compiled_equals_interpreted,
    states_stay_as_they_are,
    both_players_are_alike,
)
