"""The files of the page: small, typed, self-contained, and without a way to become code."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

import plies
from plies.web import messages
from plies.web.contests import messages as contest_messages
from plies.web.lab import messages as lab_messages

STATIC = Path(plies.__file__).parent / "web" / "static"
SCRIPTS = sorted(STATIC.rglob("*.js"))
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
MOST_LINES = 320
MOST_BYTES = 400_000  # of all pages together, uncompressed; one page loads a part of it
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""")
# What turns text into markup or code, or loads something from elsewhere.
FORBIDDEN = re.compile(
    r"\b(?:(?:innerHTML|outerHTML)\s*\+?=|(?:insertAdjacentHTML|document\.write|eval|Function)\()"
)
OTHER_HOST = re.compile(r"""(https?:|wss?:)?//(?!www\.w3\.org/)[\w-]+\.\w""")
RECORDS = [
    each
    for module in (messages, lab_messages, contest_messages)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, BaseModel) and each.__module__ == module.__name__
]
# `@typedef {{a: string, b?: {c: number}}} Name`: the name and the keys of the outermost braces.
TYPEDEF = re.compile(r"@typedef \{\{(.*)\}\} (\w+)")
NESTED = re.compile(r"\{[^{}]*\}|<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")


def keys(inner: str) -> set[str]:
    while NESTED.search(inner):
        inner = NESTED.sub("", inner)
    return set(re.findall(r"(\w+)\??:", inner))


TYPES = {
    found[2]: keys(found[1]) for path in SCRIPTS for found in TYPEDEF.finditer(path.read_text())
}


def name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_a_script_is_short_and_checked_for_types(path: Path):
    text = path.read_text()
    assert text.startswith("// @ts-check\n")
    assert len(text.splitlines()) <= MOST_LINES
    code = (line for line in text.splitlines() if not line.startswith(" * @typedef"))
    assert max(map(len, code)) <= 140


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_a_script_makes_no_markup_of_text(path: Path):
    assert FORBIDDEN.findall(path.read_text()) == []


@pytest.mark.parametrize("path", FILES, ids=name)
def test_nothing_is_loaded_from_elsewhere(path: Path):
    assert OTHER_HOST.findall(path.read_text()) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_imports_name_files_that_are_there(path: Path):
    for target in IMPORT.findall(path.read_text()):
        if target.startswith("."):
            assert (path.parent / target).resolve().is_file(), target


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_types_mirror_the_messages(record: type[BaseModel]):
    """A typedef of a message's name has its fields."""
    fields = TYPES.get(record.__name__)
    if fields is not None:
        assert fields == set(record.model_fields)


def test_most_messages_have_a_type():
    assert len(TYPES.keys() & {record.__name__ for record in RECORDS}) > 20


def test_every_script_is_used():
    used = {STATIC / "js" / file for file in ("main.js", "theme.js", "types.js")}
    waiting = list(used)
    while waiting:
        path = waiting.pop()
        for target in IMPORT.findall(path.read_text()):
            found = (path.parent / target).resolve()
            if target.startswith(".") and found not in used:
                used.add(found)
                waiting.append(found)
    assert set(SCRIPTS) - used == set()


def test_all_pages_together_weigh_little():
    assert sum(path.stat().st_size for path in FILES) < MOST_BYTES


def test_the_page_has_no_script_or_style_of_its_own_in_the_markup():
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<style|style=|\son\w+=|javascript:", page)
    scripts = ['<script src="js/theme.js">', '<script type="module" src="js/main.js">']
    assert re.findall(r"<script[^>]*>", page) == scripts
