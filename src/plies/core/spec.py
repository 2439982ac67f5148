"""Texts of the form `name:key=value,...` and what their values mean.

Games and agents are both named this way.  The signature of the function that takes
the options declares them: their names, types and defaults.
"""

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Literal, get_args, get_origin, get_type_hints

from plies.core import report_words
from plies.errors import BadSpec, shorten

YES = ("true", "yes", "on", "1")
NO = ("false", "no", "off", "0")
NOTHING: Mapping[str, str] = {}
ANY = inspect.Parameter.VAR_KEYWORD
EXAMPLES = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple[int, ...]: "whole numbers joined by -",
    tuple[float, ...]: "numbers joined by -",
}


def split_spec(spec: str, leading: Mapping[str, str] = NOTHING) -> tuple[str, dict[str, str]]:
    """`nim:rows=3-4-5,k=2` -> ("nim", {"rows": "3-4-5", "k": "2"}).

    `leading` holds, by name, the key of an option that may stand first without its key:
    with {"uci": "path"}, `uci:stockfish,elo=1500` has the path `stockfish`.
    """
    name, _, rest = spec.partition(":")
    if not name.strip():
        raise BadSpec(f"{spec!r} has no name; write name or name:key=value,...")
    before, comma, after = name.partition(",")
    if comma and "=" in after:
        right = f"{before.strip()}:{after.strip()}"
        raise BadSpec(f"{spec!r} has no colon before its options; write {right}")
    options: dict[str, str] = {}
    parts = [part for part in (part.strip() for part in rest.split(",")) if part]
    first = leading.get(name.strip(), "")
    if first and parts and not is_option(parts[0]):
        options[first] = parts.pop(0)
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            ours = report_words.bare(part)
            hint = f"; did you mean {ours}?" if ours else ""
            raise BadSpec(f"{part!r} in {spec!r} is not key=value{hint}")
        if key in options:
            raise BadSpec(f"{key} is given twice in {spec!r}")
        options[key] = value
    return name.strip(), options


def is_option(part: str) -> bool:
    """Whether a part of a spec begins with `key=`."""
    key, equals, _ = part.partition("=")
    return bool(equals) and key.strip().isidentifier()


def join_spec(name: str, options: Mapping[str, Any], leading: str = "") -> str:
    """The text that `split_spec` reads back, the option `leading` first and without its key."""
    first = [option_text(options[leading])] if leading in options else []
    rest = (f"{key}={option_text(value)}" for key, value in options.items() if key != leading)
    parts = [*first, *rest]
    return f"{name}:{','.join(parts)}" if parts else name


def option_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "-".join(map(_item_text, value))
    return str(value)


def _item_text(item: Any) -> str:
    """One of several values that are joined by `-`, so that a number is never 1e-05."""
    return f"{Decimal(str(item)):f}" if isinstance(item, float) else option_text(item)


def read_options(name: str, texts: Mapping[str, str], taker: Callable[..., Any]) -> dict[str, Any]:
    """The option texts as keyword arguments of `taker`."""
    parameters = options_of(taker)
    hints = get_type_hints(taker)
    if getattr(taker, "any_option", ""):  # options of any name, all of them numbers
        return {key: _read(name, key, text, float) for key, text in texts.items()}
    for key, text in texts.items():
        if key not in parameters:
            hint = _option_hint(name, key, text, parameters)
            raise BadSpec(f"{name} has no option {key}; {options_text(parameters)}{hint}")
    kinds = {key: hints.get(key, type(default)) for key, default in parameters.items()}
    return {key: _read(name, key, text, kinds[key]) for key, text in texts.items()}


def options_of(taker: Callable[..., Any]) -> dict[str, Any]:
    """Option name -> default, from a function's signature; `**options` is left out."""
    parameters = inspect.signature(taker).parameters.values()
    return {each.name: each.default for each in parameters if each.kind != ANY}


def options_text(defaults: Mapping[str, Any]) -> str:
    if not defaults:
        return "it has none"
    return f"it has {', '.join(f'{k}={option_text(v)}' for k, v in defaults.items())}"


def _option_hint(name: str, key: str, text: str, known: Iterable[str]) -> str:
    """`; did you mean depth=4?` for `L=4`, as reports write it."""
    ours = report_words.option(key, text)
    if not ours:
        return nearest(key, known)
    if ours.partition("=")[0] not in known:
        return f"; {key} is {ours} here, which {name} does not have"
    return f"; did you mean {ours}?"


def suggestion(wrong: str, known: Iterable[str], words: Mapping[str, str] = NOTHING) -> str:
    """`; did you mean quixo?` or the list of known names.

    `words` maps other people's names to ours, which may be a spec.
    """
    known = sorted(known)
    ours = words.get(wrong, "")
    if ours.partition(":")[0] in known:
        return f"; did you mean {ours}?"
    return nearest(wrong, known) or f"; there are {shorten(known)}"


def nearest(wrong: str, known: Iterable[str]) -> str:
    """`; did you mean quixo?`, or nothing where no name is near."""
    close = difflib.get_close_matches(wrong, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def misnamed(names: Mapping[str, Any], right: str) -> str:
    """`; did you mean choose instead of chose?`, where a file has a function of such a name."""
    functions = [name for name, value in names.items() if callable(value)]
    close = difflib.get_close_matches(right, functions, n=1, cutoff=0.8)
    return f"; did you mean {right} instead of {close[0]}?" if close else ""


def _read(name: str, key: str, text: str, kind: Any) -> Any:
    if get_origin(kind) is Literal:
        if text in get_args(kind):
            return text
        raise BadSpec(f"{name}: {key} is {' or '.join(get_args(kind))}, not {text}")
    if get_origin(kind) is tuple:
        try:
            return tuple(_read(name, key, item, get_args(kind)[0]) for item in text.split("-"))
        except BadSpec:
            each = EXAMPLES.get(kind, f"{EXAMPLES[get_args(kind)[0]]}, or several joined by -")
            raise BadSpec(f"{name}: {key} is {each}, not {text!r}") from None
    if kind is bool:
        if text.lower() in YES + NO:
            return text.lower() in YES
    elif kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    else:
        return text
    raise BadSpec(f"{name}: {key} is {EXAMPLES[kind]}, not {text!r}")
