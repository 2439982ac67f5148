"""What a game file must define; checked when the file is loaded."""

import difflib
import inspect
import re
from collections.abc import Mapping
from operator import index
from typing import Any, get_type_hints

from plies.compiling.compiler import STATE_TYPES, is_interpreting
from plies.core.rules import COMPILED, REQUIRED, RULE
from plies.core.spec import nearest
from plies.core.states import FIELD_KINDS
from plies.core.verbs import ZERO, Evaluator
from plies.errors import BadGame, BadSpec, shorten

MOST_WEIGHT = 10**6  # of an evaluator: beyond, sums could look like proven wins
ALIKE = 0.85  # the ratio of difflib from which a name is nearly a rule's
STRATEGY_NAME = re.compile(r"[a-zA-Z]\w*(-\w+)*")  # as a spec can name it


def check_file(game: str, names: Mapping[str, Any]) -> None:
    """Refuse a file in which something is missing or of the wrong kind."""
    near = _misspelt(names)
    missing = [name for name in REQUIRED if name not in names]
    if missing and not set(near) & set(missing):
        raise BadGame(f"{game} does not define {shorten(missing)}")
    for right, wrong in near.items():
        raise BadGame(f"{game} defines {wrong}; did you mean {right}?")
    _check_state(game, names)
    _check_options(game, names["initial"])
    for name in RULE:
        if name in names and name != "initial":
            _check_parameters(game, name, names[name])
            if name in COMPILED:
                _check_compiled(game, name, names[name])


def check_keywords(
    game: str, unknown: Mapping[str, Any], known: Mapping[str, Any], title: str
) -> None:
    """Refuse what `Game(...)` does not take, and a game without a title."""
    for keyword in unknown:
        near = nearest(keyword, known) or f"; it takes {shorten(list(known))}"
        raise BadGame(f"{game}: Game(...) has no {keyword}{near}")
    if not title:
        raise BadGame(f"{game}: write Game(__name__, title=...)")


def check_texts(game: str, **keywords: Any) -> None:
    """Refuse what should be a text for each player and is not, such as `sides=("White")`."""
    for keyword, texts in keywords.items():
        is_row = isinstance(texts, (tuple, list)) and all(isinstance(each, str) for each in texts)
        if not is_row:
            right = "a tuple of texts, one for each player"
            raise BadGame(f"{game}: {keyword} is {texts!r:.60}; write {right}")


def check_evaluator(game: str, name: str, evaluator: Any) -> None:
    """Refuse an evaluator that no search could call."""
    if name == "zero":
        raise BadGame(f"{game}: zero is an evaluator of every game; choose another name")
    if not isinstance(evaluator, Evaluator):
        raise BadGame(f"{game}: write Evaluator(...) for {name}, not {evaluator!r}")
    declared = evaluator.features.function if evaluator.features else None
    for function in (evaluator.function, evaluator.rough, declared):
        if function is not None:
            _check_compiled(game, getattr(function, "__name__", name), function)


def check_weights(game: str, evaluators: Mapping[str, Any], record: Any) -> None:
    """Refuse a record that is not one of the game's evaluators with other weights."""
    if type(record) is type(ZERO):
        return
    own = next((each for each in evaluators.values() if type(each) is type(record)), None)
    if own is None:
        known = shorten(list(evaluators))
        raise BadSpec(f"{record!r:.60} is none of the evaluators of {game}: {known}")
    for name, default, weight in zip(own._fields, own, record, strict=True):
        if not isinstance(default, int):
            continue
        try:
            number = index(weight)
        except TypeError:
            raise BadSpec(f"the weight {name} is a whole number, not {weight!r}") from None
        if abs(number) > MOST_WEIGHT:
            raise BadSpec(f"the weight {name} is at most {MOST_WEIGHT}, not {weight!r}")


def check_strategy(game: str, name: Any, function: Any) -> None:
    """Refuse what no spec could name or no agent could call."""
    if not isinstance(name, str) or not STRATEGY_NAME.fullmatch(name):
        raise BadGame(f"{game}: a strategy is named by letters, digits, _ and -, not {name!r}")
    if not callable(function):
        raise BadGame(f"{game}: strategy {name} is a function of a state, not {function!r}")


def _misspelt(names: Mapping[str, Any]) -> dict[str, str]:
    """Rules that a file does not define -> its own function or class that is nearly one.

    A helper may well be called like a rule: `piece`, `drawn` and `steps_of` are no mistakes,
    nor is a function of other parameters.
    """
    near = {}
    for name, value in names.items():
        function = getattr(value, "py_func", value)
        is_own = getattr(function, "__module__", None) == names.get("__name__")
        if name in REQUIRED or name in RULE or name.startswith("_") or not is_own:
            continue
        rules = [rule for rule in ("State", *RULE) if rule not in names]
        exchanged = [rule for rule in rules if sorted(rule) == sorted(name)]
        for right in exchanged or difflib.get_close_matches(name, rules, n=1, cutoff=ALIKE):
            parts = name.startswith(right) or right.startswith(name)
            if right in REQUIRED or (("_" in right or not parts) and _takes(function, right)):
                near[right] = name
    return near


def _takes(function: Any, rule: str) -> bool:
    code = getattr(function, "__code__", None)
    return code is not None and code.co_argcount == len(RULE[rule].takes)


def _check_state(game: str, names: Mapping[str, Any]) -> None:
    state = names["State"]
    if not hasattr(state, "_fields"):
        raise BadGame(f"{game}: write class State(NamedTuple)")
    declared = get_type_hints(state)
    if not declared or set(declared) != set(state._fields):
        raise BadGame(f"{game}: write class State(NamedTuple) and the type of each field")
    for field, kind in declared.items():
        if kind not in STATE_TYPES:
            kind = getattr(kind, "__name__", kind)
            raise BadGame(f"{game}: State.{field} is a {kind}; use {FIELD_KINDS}")


def _check_options(game: str, initial: Any) -> None:
    """Every option has a name and a default: a game works without naming any."""
    for option in inspect.signature(initial).parameters.values():
        if option.kind not in (option.POSITIONAL_OR_KEYWORD, option.KEYWORD_ONLY):
            raise BadGame(f"{game}: initial takes {option}; write a name for each option")
        if option.default is option.empty:
            raise BadGame(f"{game}: option {option.name} of initial needs a default")


def _check_parameters(game: str, name: str, function: Any) -> None:
    takes = RULE[name].takes
    try:
        signature = inspect.signature(getattr(function, "py_func", function))
        signature.bind(*takes)
        is_in_order = set(signature.parameters) != set(takes) or (*signature.parameters,) == takes
    except TypeError:
        is_in_order = False
    if not is_in_order:
        raise BadGame(f"{game}: write def {name}({', '.join(takes)})")


def _check_compiled(game: str, name: str, function: Any) -> None:
    if not is_interpreting() and not hasattr(function, "py_func"):
        raise BadGame(f"{game}: write @compiled above def {name}")
