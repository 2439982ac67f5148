"""What the rules must answer, as types.

A kernel that meets a second type of value or state compiles a second version of itself,
which the disk cache cannot load.  So each rule has one type of answer, and any other is an
error of one line.
"""

from pathlib import Path
from typing import Any

from numba.core import types

from plies.errors import BadGame


def check_answer(answers: str, rule: Any, *arguments: Any) -> Any:
    """The type that a rule answers for these argument types; `BadGame` if it is a wrong one.

    `answers` is an entry of the table of rules, or `features` of an evaluator.
    """
    answer = rule.part(arguments).signature.return_type
    state = arguments[0]
    if answers == "numbers":
        if getattr(answer, "ndim", 0) != 1 or answer.dtype != types.int64:
            _refuse(rule, f"answers {answer}, not an int64 array")
    elif answers == "state":
        _check_state(rule, answer, state)
    elif answers == "states":
        if set(getattr(answer, "types", ())) != {state}:
            _refuse(rule, f"answers {answer}, not a tuple of State")
    elif answers == "pair":
        if answer != types.UniTuple(types.int64, 2):
            _refuse(rule, f"answers {answer}, not two whole numbers")
    elif answers == "features":
        if not (isinstance(answer, types.UniTuple) and answer.dtype == types.int64):
            _refuse(rule, f"answers {answer}, not a tuple of whole numbers")
    elif answers == "number" and isinstance(answer, types.Boolean):
        _refuse(rule, "answers a bool, not a whole number")
    elif not isinstance(answer, (types.Integer, types.Boolean)):
        _refuse(rule, f"answers {answer}, not a whole number; write int(...)")
    return answer


def place(rule: Any) -> str:
    """`hexapawn.py, line 20`: where a compiled function begins."""
    code = rule.py_func.__code__
    return f"{Path(code.co_filename).name}, line {code.co_firstlineno}"


def _check_state(rule: Any, answer: Any, state: Any) -> None:
    if getattr(answer, "instance_class", None) is not state.instance_class:
        _refuse(rule, f"answers {answer}, not a State")
    for field, kind, declared in zip(state.fields, answer, state, strict=True):
        if kind != declared:
            _refuse(rule, f"makes the field {field} {kind}, not {declared}")


def _refuse(rule: Any, complaint: str) -> None:
    if "OptionalType" in complaint:
        complaint = "answers nothing in some cases; write return ... in every branch"
    raise BadGame(f"{rule.__name__} {complaint} ({place(rule)})")
