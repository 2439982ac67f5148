"""Every console example in docs/commands.md does what it shows."""

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from plies.cli.app import COMMANDS
from plies.cli.main import main

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE  # a new game may widen a table
PROMPT = re.compile(r"^\w+ \(.\)> (.*)$", re.MULTILINE)


def examples() -> Iterator[tuple[str, str]]:
    """Each command of the page and what it is said to print."""
    for block in BLOCK.findall(PAGE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def test_every_example_prints_what_the_page_shows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIES_QUIET", "1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for command, shown in examples():
        typed = PROMPT.findall(shown)

        def answer(prompt: str, typed: list[str] = typed) -> str:
            line = typed.pop(0)
            print(f"{prompt}{line}")
            return line

        monkeypatch.setattr("builtins.input", answer)
        program, *arguments = shlex.split(command)
        assert program == "plies"
        main(arguments)
        output = capsys.readouterr()
        printed = output.out + output.err
        assert doctest.OutputChecker().check_output(shown, printed, FLAGS), f"{command}\n{printed}"
        assert not typed, f"$ {command}: never asked for {typed}"


def test_every_command_has_a_section() -> None:
    assert re.findall(r"^## (\w+):", PAGE, re.MULTILINE) == list(COMMANDS)
