"""Evaluators of users for games that exist: a Python file, or an installed package.

A file defines a compiled `evaluate(state)`, or `evaluate(weights, state)` and the record
`WEIGHTS` of its default weights.  `GAME = "quixo"` names its game, `UNIT` is the value of a
small but clear advantage.  `EVALUATOR = Evaluator(...)` declares all this at once.
"""

import inspect
import re
from importlib.metadata import EntryPoint, entry_points
from operator import index
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from plies import game_files
from plies.core import verbs
from plies.core.compiler_errors import reason_text
from plies.core.contract import Game
from plies.core.requirements import check_evaluator
from plies.core.scores import MAX_EVALUATION
from plies.core.spec import misnamed
from plies.core.verbs import Evaluator, register_evaluator
from plies.errors import BadSpec, PliesError, reporting

SUFFIX = ".py"
ENTRY_POINTS = "plies.evaluators"
RIGHT = "an evaluator is a compiled evaluate(state), or evaluate(weights, state) and WEIGHTS"
# What Python and the compiler say about a field that a state does not have.
NO_FIELD = re.compile(r"Unknown attribute '(\w+)' of type (\w+)|'(\w+)' .*has no attribute '(\w+)'")

_checked: set[tuple[type, type]] = set()  # classes of evaluators and states


def own_evaluator(game: Game, text: str) -> Any:
    """The record of an evaluator of the game: by name, in a file, or of an installed package."""
    if text.endswith(SUFFIX):
        path = Path(text)
        return _register(game_files.load(path, (BadSpec, BadSpec)), path.name, game)
    if is_own(game, text):
        with reporting(BadSpec, f"evaluator {text} cannot be imported"):
            source = installed()[text].load()
        if not isinstance(source, (ModuleType, Evaluator)):
            raise BadSpec(f"evaluator {text} is {source!r:.80}; {RIGHT}")
        return _register(source, text, game)
    return game.evaluator(text)


def is_own(game: Game, text: str) -> bool:
    """Whether an evaluator is a user's, and not the game's."""
    if text.endswith(SUFFIX):
        return True
    return text not in {"", "zero", *game.evaluators} and text in installed()


def installed() -> dict[str, EntryPoint]:
    """Evaluators that other installed packages offer, by name."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def evaluator_in(module: ModuleType, name: str) -> Evaluator:
    """What a file declares; `BadSpec` where that is no evaluator."""
    names = vars(module)
    if isinstance(names.get("EVALUATOR"), Evaluator):
        return names["EVALUATOR"]
    if "evaluate" not in names:
        near = misnamed(names, "evaluate")
        if not near and hasattr(names.get("GAME"), "spec"):
            near = ". It is a game: name it as one"
        raise BadSpec(f"{name} has no evaluator; {RIGHT}{near}")
    function = names["evaluate"]
    weights = names.get("WEIGHTS")
    if not callable(function):
        raise BadSpec(f"{name}: evaluate is {function!r:.80}; {RIGHT}")
    for field in getattr(weights, "_fields", ()):
        weight = getattr(weights, field)
        if not isinstance(weight, (int, float, np.generic, np.ndarray, tuple)):
            raise BadSpec(f"{name}: WEIGHTS.{field} is {weight!r:.80}, not a number")
    arguments = len(inspect.signature(getattr(function, "py_func", function)).parameters)
    if weights is None and arguments == 2:
        raise BadSpec(f"{name}: evaluate takes 2 arguments, but there is no WEIGHTS; {RIGHT}")
    if arguments != 1 + (weights is not None):
        takes = "evaluate(state)" if weights is None else "evaluate(weights, state)"
        raise BadSpec(f"{name}: evaluate takes {arguments} arguments; write {takes}")
    unit = names.get("UNIT", 0)
    if not isinstance(unit, int) or unit < 0:
        raise BadSpec(f"{name}: UNIT is a whole number of points from 0 on, not {unit!r}")
    return Evaluator(cast(Any, function), weights, unit=unit)


def _register(source: Any, name: str, game: Game) -> Any:
    """The record of an evaluator that can evaluate the game's first position."""
    own_game = getattr(source, "GAME", "")  # a name, or the path of a game file
    own_name = Path(own_game.partition(":")[0]).stem if isinstance(own_game, str) else ""
    if own_name not in ("", game.name):
        raise BadSpec(f"{name} is an evaluator for {own_name}, not for {game.name}")
    evaluator = source if isinstance(source, Evaluator) else evaluator_in(source, name)
    try:
        check_evaluator(name, name, evaluator)
        record = register_evaluator(Path(name).stem, Path(name).stem, evaluator)
    except (PliesError, TypeError, AttributeError) as error:
        raise BadSpec(str(error)) from error
    if (type(record), game.State) not in _checked:
        _check_first_position(record, name, game)
        _checked.add((type(record), game.State))
    return record


def _check_first_position(record: Any, name: str, game: Game) -> None:
    """`BadSpec` where it cannot evaluate the first position."""
    try:
        value = verbs.evaluate(record, game.initial())
    except Exception as error:
        missing = NO_FIELD.search(str(error))
        if missing and game.State.__name__ in missing.groups():
            field = missing[1] or missing[4]
            there = f"its State has {', '.join(game.State._fields)}"
            raise BadSpec(f"{name} is not for {game.name}: it reads {field}; {there}") from error
        raise BadSpec(f"{name} does not evaluate {game.name}: {reason_text(error)}") from error
    try:
        number = index(value)
    except TypeError:
        raise BadSpec(f"{name}: evaluate answers {value!r}, not a whole number") from None
    if abs(number) > MAX_EVALUATION:
        raise BadSpec(f"{name}: evaluate answers {number}, beyond {MAX_EVALUATION}, as wins are")
