"""What the compiler complains about, in the author's words and with the author's line.

Numba explains a typing error over a page, starting from the outermost caller.  Mistakes that it
does not expect end in an error of its own, such as `KeyError: 'cutofs'`.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

from numba.core import ir

from plies.core.author_lines import (
    PLACE,
    compiler_parts,
    empty_container,
    error_place,
    first_place,
    is_of_package,
    loop_place,
    name_place,
    place,
)

CLASS_NAME = re.compile(r"\w+_(\w+)_[0-9a-f]{16}(?:_\d+)?(\([^()]*\))?")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
FLOAT = "/ makes one; use //, or int(...)"
BITS = "i?and_?|i?or_?|i?xor|i?lshift|i?rshift|invert"
ENDLESS = "a loop never ends"
UNTYPED = r"the empty \1 has no type; use an array, such as np.empty(n, np.int64)"
# Messages of the compiler about common mistakes -> what to tell the author.
TRANSLATIONS = {
    r".*Untyped global name '(\w+)'.*<class 'function'>.*": (
        r"\1 is plain Python; write @compiled above def \1"
    ),
    r"No definition for lowering .*_State_.*\.(\w+) = .*": (
        r"it assigns to \1 of a state; states never change: answer a new State(...)"
    ),
    r".*>>> setitem\(readonly array.*": "it writes into a global array, which is a constant here",
    r".*>>> (?:static_)?[gs]etitem\(.*, float64.*": "an index is a float; use // or int(...)",
    rf".*>>> (?:{BITS})\(.*float64.*": f"a bit operation got a float: {FLOAT}",
    r"No implementation of function .*>>> (.*)": r"there is no compiled \1",
    r".*type of variable '\$\S+' \(temporary variable\), have imprecise type: (\w+).*": UNTYPED,
    r".*type of variable '(\w+)(?:\.\d+)?', have imprecise type: (list|DictType|set).*": UNTYPED,
    r".*unsupported keyword arguments when calling .*\.(\w+)'>.*": (
        r"\1(...) takes its fields in order, without their names"
    ),
    r".*\.(\w+)'>': missing a required argument: '(\w+)'.*": r"\1 lacks its field \2",
    r".*\.(\w+)'>': too many positional arguments.*": r"\1 gets more values than it has fields",
    r"Unknown attribute '_replace' of type (\w+).*": r"answer a new \1(...); there is no _replace",
    r".*Untyped global name '(\w+)'.*Cannot determine Numba type of <class '(\w+)'>.*": (
        r"\1 is a \2; use a tuple or an array"
    ),
    r".*reflected (list|set)\(.*assigned to variable '(\w+)' in globals.*": (
        r"\2 is a \1; use a tuple or an array"
    ),
    r"Type of variable '(\w+)(?:\.\d+)?' cannot be determined.*": r"the type of \1 is not known",
    r"Cannot unify (.*) and (.*) for '(\w+)(?:\.\d+)?', .*": r"\3 is \1 or \2; use one type",
    r"The use of yield in a closure is unsupported.*": "it uses (... for ...); write a loop",
    r"Literal\[(\w+)\]\([^()]*\)": r"\1",
}
UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
WRONG_CALL = re.compile(r"Cannot bind 'args=\((.*)\) kws=\{(.*)\}' to signature '\((.*)\)' due to")
BRACKETS = re.compile(r"[(\[{][^()\[\]{}]*[)\]}]")
# How the compiler names a function that the author's code calls, and where.
CALLEE = re.compile(r"resolving callee type: \S*\(<function (\w+) at (\w+)>")
CALLED = re.compile(CALLEE.pattern + r"\)*\s+During: typing of call at (.+) \((\d+)\)")
NOISE = ("During:", "File ", "Failed in", "<source", "Overload", "def ", "There are", "Of which")


class Complaint(NamedTuple):
    """The innermost line of what the compiler says, and all of it."""

    error: BaseException
    text: str
    reason: str

    @property
    def place(self) -> str:
        return error_place(self.error, self.text)


Words = tuple[str, str]  # what to tell the author, and the place; "" where it is not known


def reason_text(error: BaseException, rule: Any = None) -> str:
    """The innermost complaint of the compiler, and the author's line that led to it."""
    complaint = _complaint_of(error)
    explanations = (explain(complaint) for explain in EXPLANATIONS)
    reason, where = next(filter(None, explanations), None) or _translated(complaint, rule)
    where = where or (first_place(rule.py_func) if rule is not None else "")
    return own_names(f"{reason} ({where})" if where else reason)


def own_names(text: str) -> str:
    """A text with the names of classes as their author wrote them."""
    return CLASS_NAME.sub(lambda match: match[1], text)


def _complaint_of(error: BaseException) -> Complaint:
    text = COLOURS.sub("", str(error))
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(NOISE)]
    lines = lines or [type(error).__name__]
    return Complaint(error, text, " ".join(lines[:2]) if lines[0].endswith(":") else lines[0])


def _translated(complaint: Complaint, rule: Any) -> Words:
    reason = complaint.reason
    for pattern, translation in TRANSLATIONS.items():
        reason = re.sub(pattern, translation, reason)
    places = PLACE.findall(complaint.text)
    if places and is_of_package(places[0][0]):
        # The compiler repeats an error with all callers: name the one in the rule's file.
        file = Path(rule.py_func.__code__.co_filename).name if rule is not None else ""
        called = [call for call in CALLED.findall(complaint.text) if not is_of_package(call[2])]
        by_file = sorted(called, key=lambda call: Path(call[2]).name != file)
        for (name, *_), (*_, path, line) in zip(called[:1], by_file, strict=False):
            cause = f" got a float: {FLOAT}" if "float" in reason else f" fails: {reason}"
            return name + cause, place(path, line)
    return reason, complaint.place


def _undefined_name(complaint: Complaint) -> Words | None:
    """In a function that another calls, the compiler names only the line of the call."""
    name, callee = UNDEFINED.match(complaint.reason), CALLEE.search(complaint.text)
    if name is None:
        return None
    where = name_place(int(callee[2], 16), name[1]) if callee else ""
    return complaint.reason, where or complaint.place


def _loop_without_exit(complaint: Complaint) -> Words | None:
    if not complaint.reason.startswith("liveness info missing"):
        return None
    codes = (getattr(part, "func_ir", None) for part in compiler_parts(complaint.error))
    places = (loop_place(code) for code in codes if isinstance(code, ir.FunctionIR))
    return next(((ENDLESS, where) for where in places if where), None)


def _unknown_field(complaint: Complaint) -> Words | None:
    """A field that a record such as `work` lacks is a mere `KeyError` of the compiler."""
    if not isinstance(complaint.error, KeyError):
        return None
    for part in compiler_parts(complaint.error):
        if getattr(part, "attr", None) == complaint.error.args[0]:
            # To assign is to change the target; to read is to make it, and its name is text.
            record = part.value if isinstance(part.target, str) else part.target
            name = record.name.partition(".")[0]
            return f"Unknown attribute {complaint.reason} of {name}", complaint.place
    return None


def _wrong_call(complaint: Complaint) -> Words | None:
    """Too few arguments, too many, or one with a wrong name."""
    call, callee = WRONG_CALL.match(complaint.reason), CALLEE.search(complaint.text)
    if call is None or callee is None:
        return None
    given, named, takes = [_split(part) for part in call.groups()]
    count, noun = len(given) + len(named), "argument" if len(takes) == 1 else "arguments"
    does = f"takes {len(takes)} {noun}, {count} {'is' if count == 1 else 'are'} given"
    for name in (each.partition(":")[0].strip("' ") for each in named):
        if name not in [each.partition("=")[0].strip() for each in takes]:
            does = f"has no argument {name}"
    return f"{callee[1]}({call[3]}) {does}", complaint.place


def _split(arguments: str) -> list[str]:
    """Arguments at their commas, without those in brackets."""
    while BRACKETS.search(arguments):
        arguments = BRACKETS.sub("", arguments)
    return [each for each in arguments.split(",") if each.strip()]


def _empty_list(complaint: Complaint) -> Words | None:
    """The compiler may report what is made of an empty list, not the list."""
    own = [each for each in PLACE.findall(complaint.text) if not is_of_package(each[0])]
    if "cannot be determined" not in complaint.reason or not own:
        return None
    name, where = empty_container(own[0][0], int(own[0][1]))
    return (UNTYPED.replace(r"\1", name), where) if name else None


EXPLANATIONS = (_undefined_name, _loop_without_exit, _unknown_field, _wrong_call, _empty_list)
