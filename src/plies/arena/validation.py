"""Records from JSON: unknown keys and wrong values are told in one line."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from plies.core.spec import nearest
from plies.errors import BadSpec

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

T = TypeVar("T")
INTERNAL = "internal"  # marks a field that no file of a user sets

# pydantic's type of a mistake -> what the value should be.
SHOULD_BE = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "a text",
    "tuple_type": "a list",
    "dataclass_type": "a table",
}


def read_json(kind: type[T], text: str) -> T:
    """The dataclass that a JSON object describes; tables in it are dataclasses again."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_json(text)
    except BadSpec as error:
        raise BadSpec(f"{_table_at_fault(kind, json.loads(text))}{error}") from error
    except ValidationError as error:
        found = error.errors()
        unknown = [each for each in found if each["type"] == "unexpected_keyword_argument"]
        raise BadSpec(_complaint(kind, [*unknown, *found][0])) from error


def _complaint(root: Any, error: "ErrorDetails") -> str:
    """What pydantic found wrong, with the key, and the right key or value."""
    where, kind, value = _where(error["loc"]), error["type"], error["input"]
    above = error["loc"][:-1]
    there = f"{_where(above)} has" if above else "there is"
    if kind == "json_invalid":
        return f"it is no JSON: {error.get('ctx', {}).get('error')}"
    if kind == "missing":
        return f"{there} no key {error['loc'][-1]}, which is needed"
    if kind == "unexpected_keyword_argument":
        key = str(error["loc"][-1])
        return f"{there} no key {key}{_better(root, key, above)}"
    if kind == "literal_error":
        choices = error.get("ctx", {}).get("expected", "").replace("'", "")
        near = nearest(str(value), choices.replace(" or ", ", ").split(", "))
        return f"{where} is {choices}, not {value!r}{near}"
    right = SHOULD_BE.get(kind)
    return f"{where} is {right}, not {value!r}" if right else f"{where}: {error['msg']}"


def _table_at_fault(root: Any, given: Mapping[str, Any]) -> str:
    """Whose values do not fit together, `clocks: ` for example; empty for none of the tables."""
    from pydantic import TypeAdapter

    for key, shape in _keys(root).items():
        if key in given and _keys(shape):
            try:
                TypeAdapter(shape).validate_json(json.dumps(given[key]))
            except BadSpec:
                return f"{key}: "
    return ""


def _where(loc: Sequence[int | str]) -> str:
    """`clocks.per_move`, `agents (entry 2).name`; `it` for the whole."""
    text = ""
    for part in loc:
        text += f" (entry {part + 1})" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".") or "it"


def _better(root: Any, wrong: str, above: Sequence[int | str]) -> str:
    """The key that was meant: one of the same table, or of another."""
    kind = root
    for part in above:
        kind = get_args(kind)[0] if isinstance(part, int) else _keys(kind)[part]
    own, top = _keys(kind), _keys(root)
    if above and wrong in top:
        return "; it belongs above the first [table]"
    homes = [table for table, shape in top.items() if wrong in _keys(shape)]
    if homes and not nearest(wrong, own):
        return f"; it belongs below [{homes[0]}]"
    return nearest(wrong, own) or f"; it has {', '.join(own)}"


def _keys(kind: Any) -> Mapping[str, Any]:
    """Key -> type of its value, of a table."""
    if not is_dataclass(kind):
        kinds = get_args(kind) if get_origin(kind) is not tuple else ()
        kind = next((each for each in kinds if is_dataclass(each)), None)
    if kind is None:
        return {}
    hints = get_type_hints(kind)
    return {
        field.name: hints[field.name] for field in fields(kind) if INTERNAL not in field.metadata
    }
