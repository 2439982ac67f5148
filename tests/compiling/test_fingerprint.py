"""What goes into a piece of compiled code, and what does not."""

import os
import shutil
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.extending import overload

import plies
from plies.compiling.fingerprint import fingerprint
from plies.core import compiled, inlined

FIRST = """
LIMIT = 3
def helper(x):
    return x + 1
def rule(state):
    return helper(state) + LIMIT
"""


def rule_of(text: str, **names: Any) -> Callable[..., Any]:
    """The function `rule` of a module with this text."""
    namespace: dict[str, Any] = {"__name__": "game", "np": np, **names}
    exec(text, namespace)
    return namespace["rule"]


def test_the_same_text_has_the_same_fingerprint() -> None:
    assert fingerprint(rule_of(FIRST)) == fingerprint(rule_of(FIRST))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = 3.0"),
        ("x + 1", "x + 2"),
        ("x + 1", "x - 1"),
        ("+ LIMIT", "- LIMIT"),
        ("def rule(state)", "def rule(state, more=2)"),
        ("helper(state) + LIMIT", "(lambda y: helper(y) + 5)(state)"),
    ],
)
def test_an_edit_of_a_rule_its_helper_or_a_number_counts(old: str, new: str) -> None:
    assert FIRST.count(old) >= 1
    assert fingerprint(rule_of(FIRST)) != fingerprint(rule_of(FIRST.replace(old, new)))


def test_what_a_function_does_not_use_does_not_count() -> None:
    other = "import json\nUNUSED = 5\ndef unrelated(): return UNUSED\n" + FIRST
    assert fingerprint(rule_of(FIRST)) == fingerprint(rule_of(other))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (2, 3),
        (2.0, 2),
        (True, 1),
        ("a", "b"),
        (b"a", b"b"),
        (1j, 2j),
        (slice(0, 2), slice(0, 3)),
        (range(3), range(4)),
        ((1, (2,)), (1, (3,))),
        ((1, 2), (12,)),
        ([1], [2]),
        (np.int64(2), np.int32(2)),
        (np.zeros(4, np.int64), np.zeros(8, np.int32)),
        (np.zeros((2, 2)), np.zeros(4)),
        (np.array([1, 2]), np.array([1, 3])),
        ((rule_of(FIRST),), (rule_of(FIRST.replace("x + 1", "x + 2")),)),
    ],
)
def test_the_data_a_function_refers_to_counts(one: Any, two: Any) -> None:
    text = "def rule(state):\n    return DATA[state]\n"
    prints = [fingerprint(rule_of(text, DATA=data)) for data in (one, two, one)]
    assert prints[0] == prints[2] != prints[1]


def test_data_that_is_defined_later_counts_as_it_is_when_asked() -> None:
    rule = rule_of("def rule(state):\n    return LATE\n")
    rule.__globals__["LATE"] = 1
    before = fingerprint(rule)
    rule.__globals__["LATE"] = 2
    assert fingerprint(rule) != before


def test_the_values_a_closure_holds_count() -> None:
    def make(most: int) -> Callable[[int], int]:
        return lambda state: state + most

    assert fingerprint(make(2)) == fingerprint(make(2)) != fingerprint(make(3))


def test_what_is_taken_from_a_module_counts_and_nothing_else_of_it() -> None:
    def using(**content: Any) -> str:
        beside = types.ModuleType("beside")
        vars(beside).update(content)
        return fingerprint(rule_of("def rule(s):\n    return beside.VALUE + s\n", beside=beside))

    assert using(VALUE=1, OTHER=1) == using(VALUE=1, OTHER=2) != using(VALUE=2, OTHER=1)


def test_a_compiled_function_is_its_text() -> None:
    plain = rule_of(FIRST)
    assert fingerprint(compiled(plain)) == fingerprint(plain)


def test_fields_of_a_record_and_members_of_an_enumeration_count() -> None:
    fields = ([("a", int), ("b", int)], [("a", int), ("c", int)], [("a", int), ("b", float)])
    kinds = [NamedTuple("State", pair) for pair in fields]  # type: ignore[misc]
    assert len({fingerprint(kind) for kind in kinds}) == 3
    one, two = IntEnum("Side", {"FIRST": 0}), IntEnum("Side", {"FIRST": 1})
    assert fingerprint(one) != fingerprint(two)


def test_functions_that_call_each_other_are_finite() -> None:
    text = (
        "def rule(n):\n    return other(n - 1)\ndef other(n):\n    return rule(n) if n else LAST\n"
    )
    prints = [fingerprint(rule_of(text, LAST=last)) for last in (0, 1)]
    assert prints[0] != prints[1]


def test_a_docstring_does_not_count_but_other_text_does() -> None:
    text = 'def rule(state):\n    """What it is."""\n    return "one"\n'
    assert fingerprint(rule_of(text)) == fingerprint(rule_of(text.replace("What it is", "Other")))
    assert fingerprint(rule_of(text)) != fingerprint(rule_of(text.replace('"one"', '"two"')))


def test_text_at_the_beginning_of_a_comprehension_counts() -> None:
    text = 'def rule(state):\n    return ["one" for _ in state]\n'
    assert fingerprint(rule_of(text)) != fingerprint(rule_of(text.replace("one", "two")))


def test_a_part_that_is_copied_into_its_caller_counts_as_such() -> None:
    text = "def rule(state):\n    return part(state)\n"
    parts = [decorate(rule_of(FIRST)) for decorate in (compiled, inlined)]
    assert len({fingerprint(rule_of(text, part=part)) for part in parts}) == 2


def test_a_function_that_the_compiler_knows_counts_as_its_overload() -> None:
    def overloaded(amount: int, python: int) -> Callable[..., Any]:
        def verb(state: Any) -> int:
            return state + python

        overload(verb)(lambda state: lambda state: state + amount)
        return rule_of("def rule(state):\n    return verb(state)\n", verb=verb)

    assert fingerprint(overloaded(1, 1)) == fingerprint(overloaded(1, 2))
    assert fingerprint(overloaded(1, 1)) != fingerprint(overloaded(2, 1))


KERNEL = """
from plies.compiling.cache import cache_version
from plies.compiling.fingerprint import fingerprint
from plies.core import compiled, popcount, verbs
from plies.core.keys import mixed_key

@compiled
def kernel(state, move):
    if verbs.threatens(state, move) or verbs.capture_gain(state, move) > popcount(move):
        return mixed_key(verbs.play(state, move))
    return verbs.quick_eval(verbs.ZERO, state)

print(cache_version(), fingerprint(kernel))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to be edited."""
    folder = tmp_path_factory.mktemp("copied")
    for part in ("core", "compiling", "drawing", "__init__.py", "errors.py", "version.py"):
        origin, copy = Path(plies.__file__).parent / part, folder / "plies" / part
        copy.parent.mkdir(exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(origin, copy)
    return folder


def version(package: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-B", "-c", KERNEL],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


SENTENCES = [  # and a colour, and a constant that the kernel does not use
    ("core/rules.py", "whether a move makes a threat", "whether a threat is made"),
    ("core/verbs.py", "A quick estimate", "An estimate"),
    ("core/answers.py", "not a whole number", "no whole number"),
    ("core/requirements.py", "write class State", "please write class State"),
    ("drawing/svg.py", "#", "#0"),
    ("core/scores.py", "ONGOING =", "ONGOING = 1 +"),
    ("compiling/compiler.py", "not a number", "no number"),
]


@pytest.fixture(scope="module")
def before(package: Path) -> str:
    return version(package)


@contextmanager
def edited(package: Path, *edits: tuple[str, str, str]) -> Iterator[None]:
    texts = {file: (package / "plies" / file).read_text("utf-8") for file, *_ in edits}
    try:
        for file, old, new in edits:
            assert old in texts[file]
            (package / "plies" / file).write_text(texts[file].replace(old, new), "utf-8")
        yield
    finally:
        for file, text in texts.items():
            (package / "plies" / file).write_text(text, "utf-8")


def test_other_sentences_recompile_nothing(package: Path, before: str) -> None:
    with edited(package, *SENTENCES):
        assert version(package) == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("core/verbs.py", "np.int64(rule(state, np", "1 + np.int64(rule(state, np"),
        ("core/verbs.py", "state, choice: np.int64(1)", "state, choice: np.int64(2)"),
        ("core/bits.py", "builder.ctpop(bits)", "builder.bswap(bits)"),
        ("compiling/unsigned.py", '"floordiv", ', ""),
        ("compiling/unsigned.py", "types.uint64 in kinds", "types.int64 in kinds"),
        ("core/keys.py", "STEP = np.uint64(0x9", "STEP = np.uint64(0x8"),
        ("compiling/libraries.py", "release_gil=True", "release_gil=False"),
    ],
)
def test_another_overload_recompiles_what_uses_it(
    package: Path, before: str, file: str, old: str, new: str
) -> None:
    with edited(package, (file, old, new)):
        assert version(package) != before
