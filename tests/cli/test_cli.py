"""The shell around the commands: help, version, exit status, and one line for every failure."""

import errno
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.cli.app import COMMANDS, make_app
from plies.cli.errors import guarded
from plies.cli.main import main

HEAVY = ("numba", "numpy", "rich", "plies.registry", "plies.core.contract")
BROKEN = {
    "syntax.py": "def initial(:\n",
    "empty.py": "",
    "raises.py": "import math\n\nmath.sqrt('x')\n",
    "unfinished.py": "from plies.core import Game\n\nGAME = Game(__name__, title='x')\n",
}


@pytest.fixture(autouse=True)
def no_compile_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether something is compiled depends on which test ran before."""
    monkeypatch.setenv("PLIES_QUIET", "1")


def python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, **options)


def command(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """`plies ...` in a process of its own."""
    return python("-m", "plies.cli.main", *arguments, **options)


def is_one_line(text: str) -> bool:
    return text.startswith("plies: ") and text.count("\n") == 1 and text.endswith("\n")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["perft", "--help"]])
def test_help_and_version_load_neither_compiler_nor_tables(arguments: list[str]) -> None:
    code = f"""
import sys
from plies.cli.main import main
status = main({arguments})
loaded = [name for name in {HEAVY} if name in sys.modules]
print(status, loaded, file=sys.stderr)
"""
    assert python("-c", code, check=True).stderr == "0 []\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_shows_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    assert f"plies {name}" in capsys.readouterr().out.partition("Example:")[2]


def test_help_is_framed_for_people_only(capsys: pytest.CaptureFixture[str]) -> None:
    from typer.testing import CliRunner

    pretty = CliRunner().invoke(make_app(is_pretty=True), ["--help"]).output
    main(["--help"])
    plain = capsys.readouterr().out
    assert "╭" in pretty
    assert "╭" not in plain
    assert all(name in pretty and name in plain for name in COMMANDS)


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"plies {plies.__version__}\n"


def test_no_command_at_all_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Usage: plies" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bogus"], "no such command 'bogus'; see plies --help"),
        (["perft"], "missing argument 'GAME'; see plies perft --help"),
        (["perft", "tictactoe", "three"], "valid integer"),
        (["perft", "tictactoe", "-1"], "-1"),
        (["perft", "tictactoe", "--", "-1"], "depth is 0 to 127, not -1"),
        (["perft", "tictactoe", "1000000000000000000000"], "depth is 0 to 127"),
        (["perft", "tictactoe", "3", "--bogus"], "no such option: --bogus"),
        (["perft", "tictactoe", "3", "4"], "unexpected extra argument"),
        (["perft", "tictactoe", "3", "--position"], "requires an argument"),
        (["perft", "tictactoe", "3", "--split", "--ends"], "exclude one another"),
        (["perft", "tictacto", "3"], "did you mean tictactoe?"),
        (["perft", "tictactoe:size=3", "3"], "it has width=3, height=3, k=3"),
        (["perft", "tictactoe:width", "3"], "is not key=value"),
        (["perft", "tictactoe:k=9", "3"], "no line of 9 fits"),
        (["perft", "tictactoe", "3", "--position", "XX/.."], "not a tictactoe position"),
        (["search", "tictactoe", "--agent", "alphabet"], "did you mean alphabeta?"),
        (["search", "tictactoe", "--agent", "alphabeta:depth=0"], "depth is 1 to 127"),
        (["search", "tictactoe", "--agent", "alphabeta:eval=x"], "no evaluator x"),
        (["search", "tictactoe", "--position", "XXX/OO./... O"], "the game is over"),
        (["play", "tictactoe", "--position", "XXX/OO./... O"], "the game is over"),
        (["play", "tictactoe", "--second", "nobody"], "there is no agent nobody"),
        (["play", "tictactoe", "--player", "random"], "has 2 players"),
        (["check", "tictactoe", "--games", "0"], "--games is 1 or more, not 0"),
        (["check", "missing.py"], "missing.py: No such file or directory"),
        (["new", "game.txt"], "does not end in .py"),
        (["new", "my-game.py"], "'my-game' is no Python name"),
        (["new", "class.py"], "'class' is no Python name"),
        (["new", "missing/game.py"], "missing/game.py: No such file or directory"),
        (["new", "game.py", "--template", "chess"], "there are board, numbers"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert is_one_line(output.err)
    assert said in output.err


@pytest.mark.parametrize("name", [*BROKEN, "latin.py", "folder.py"])
@pytest.mark.parametrize("verb", [["check"], ["perft"], ["search"], ["play"]])
def test_a_file_that_holds_no_game_is_one_line_and_status_2(
    name: str, verb: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / name
    if name == "folder.py":
        path.mkdir()
    elif name == "latin.py":
        path.write_bytes('"""Mühle"""\n'.encode("latin-1"))
    else:
        path.write_text(BROKEN[name])
    assert main([*verb, str(path), *(["2"] if verb == ["perft"] else [])]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert is_one_line(output.err)
    assert path.stem in output.err


def failing(error: BaseException) -> Callable[[], int]:
    def action() -> int:
        raise error

    return action


def test_a_bug_is_one_line_that_asks_for_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(failing(ZeroDivisionError("by\nzero"))) == 2
    output = capsys.readouterr().err
    assert is_one_line(output)
    assert "ZeroDivisionError (test_cli.py, line" in output
    assert ": by zero; please report it" in output


def test_the_traceback_of_a_bug_is_shown_on_demand(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIES_DEBUG", "1")
    assert guarded(failing(ZeroDivisionError("by zero"))) == 2
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupted_command_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(failing(KeyboardInterrupt())) == 130
    assert capsys.readouterr().err == "plies: interrupted\n"


def test_a_full_disk_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert guarded(lambda: 0) == 2
    assert capsys.readouterr().err == "plies: input or output: No space left on device\n"


# Says when the second count begins: the first one only lets the compiler finish.
ANNOUNCE = """
import plies.search.perft as perft
count, calls = perft.count, []
def announcing(*arguments):
    calls.append(arguments)
    if len(calls) == 2:
        print("counting", flush=True)
    return count(*arguments)
perft.count = announcing
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_stops_a_count_that_would_never_end() -> None:
    arguments = ["perft", "tictactoe:width=7,height=7,k=7", "40"]
    code = f"import sys; from plies.cli.main import run; sys.argv[1:] = {arguments}; run()"
    process = subprocess.Popen(
        [sys.executable, "-c", ANNOUNCE + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "counting\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "plies: interrupted"
    assert "Traceback" not in errors


def test_a_reader_who_leaves_early_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "plies.cli.main", "--help"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 141
    process.stderr.close()


def test_symbols_that_the_output_cannot_encode_are_escaped() -> None:
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = command("tree", "-", input="M(1, 2)", env=ascii_only)
    assert done.returncode == 0, done.stderr
    assert "\\u2514" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to whole consoles only")
def test_ctrl_c_ends_the_check_of_a_game_with_an_endless_rule(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "data" / "games" / "take.py").read_text()
    rule = "def legal_moves(state):\n"
    assert rule in text
    endless = f"{rule}    zero = 0\n    while zero < 1:\n        zero *= 1\n"
    (tmp_path / "endless.py").write_text(text.replace(rule, endless))
    command = [sys.executable, "-m", "plies.cli.main", "check", str(tmp_path / "endless.py")]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, encoding="utf-8")
    assert process.stdout is not None
    while "the rules compile" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.splitlines()[-1] == "plies: interrupted"
    assert process.returncode == 130
