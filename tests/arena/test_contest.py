"""`plies contest validate`: what is wrong with an agent, in words."""

import json
from pathlib import Path

import pytest

from plies.arena.contest import ADVICE, baseline, validate
from plies.cli.contest import spec_of
from plies.cli.main import main
from plies.match import Clocks
from plies.records import FAULTS
from plies.registry import game as find_game

ROOT = Path(__file__).parents[2]
CHANCE = ROOT / "examples" / "agents" / "chance.py"
HOSTILE = ROOT / "tests" / "data" / "hostile"
PATIENT = ("--per-move", "60", "--startup", "60")
CHECKS = ["starts", "plays itself", "plays random", "plays alphabeta:depth=2"]


def test_a_good_agent_is_fit(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["contest", "validate", str(CHANCE), "--game", "tictactoe", "--pairs", "1", *PATIENT]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["agent"], found["game"], found["is_fit"]) == (
        f"process:{CHANCE}",
        "tictactoe",
        True,
    )
    assert [check["name"] for check in found["checks"]] == CHECKS
    assert all(check["is_good"] and check["text"] for check in found["checks"])


def test_an_agent_of_our_own_is_fit_for_three_players(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["contest", "validate", "random", "--game", "nim:players=3", "--pairs", "1", *PATIENT]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "random is fit for a contest of nim:players=3"
    assert [line[:4] for line in lines[:-1]] == ["ok  "] * 4
    assert "plays maxn:depth=2: " in lines[3]


@pytest.mark.parametrize(
    ("name", "check", "kind"),
    [
        ("exit_at_once.py", "starts", "crash"),
        ("illegal_move.py", "plays itself", "illegal"),
        ("invalid_json.py", "plays itself", "bad output"),
        ("sleeper.py", "plays itself", "time"),
    ],
)
def test_a_bad_agent_is_told_what_is_wrong_and_what_to_do(
    name: str, check: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["contest", "validate", str(HOSTILE / name), "--game", "tictactoe", "--json"]
    patience = ["--per-move", "0.5", "--startup", "60"] if kind == "time" else PATIENT
    assert main([*words, *patience]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["is_fit"] is False
    last = found["checks"][-1]
    assert (last["name"], last["is_good"], last["advice"]) == (check, False, ADVICE[kind])
    if check != "starts":
        assert last["text"].startswith(f"{kind}: ")
        assert "in the position" in last["text"]


def test_what_is_wrong_is_printed_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    path = HOSTILE / "exit_at_once.py"
    assert main(["contest", "validate", str(path), "--game", "tictactoe"]) == 1
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0].startswith("FAIL starts: ")
    assert lines[-1] == f"process:{path} is not fit for a contest of tictactoe"
    assert captured.err.startswith("guard ")  # the table of guards, and nothing else
    assert "plies:" not in captured.err


# Says more than is kept of what it says, and fails at its first move.
TALKATIVE = """
import sys
print(input() and '{"type": "ready"}', flush=True)
input()
print("first \\x1b[2J", file=sys.stderr)
print("middle\\n" * 20_000, file=sys.stderr)
raise KeyError("opponent")
"""


def test_the_standard_error_of_a_bad_agent_is_shown_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "agent.py").write_text(TALKATIVE)
    words = ["contest", "validate", str(tmp_path / "agent.py"), "--game", "tictactoe", *PATIENT]
    assert main([*words, "--log", str(tmp_path / "log")]) == 1
    shown = capsys.readouterr().out
    log = (tmp_path / "log").read_text()
    assert log.startswith("=== game 1, seat 1\nfirst ?[2J\nmiddle\n")
    assert "bytes left out ...\n" in log
    assert log.endswith("KeyError: 'opponent'\n")
    assert "     | KeyError: 'opponent'\n" in shown
    assert shown.count("     | ") == 20
    assert len(log) < 140_000  # from both seats


def test_a_link_to_anothers_program_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "alice.py").symlink_to(CHANCE)
    assert main(["contest", "validate", str(tmp_path / "alice.py"), "--game", "tictactoe"]) == 2
    spec = f"process:{tmp_path / 'alice.py'}"
    assert main(["match", "tictactoe", spec, "random"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(f"alice.py is a link to {CHANCE}" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no_such_file.py", "--game", "tictactoe"], "no_such_file.py: No such file"),
        (["process:no_such_file.py", "--game", "tictactoe"], "no_such_file.py"),
        (["random", "--game", "tictacto"], "did you mean tictactoe?"),
        (["random"], "missing option '--game'"),
        (["random", "--game", "tictactoe", "--log", "/nowhere/log"], "/nowhere/log cannot be"),
        (["random", "--game", "tictactoe", "--pairs", "0"], "--pairs"),
        (["alphabeta", "--game", "nim:players=3"], "not a two-player zero-sum game"),
    ],
)
def test_bad_usage_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["contest", "validate", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("plies: ")
    assert error.count("\n") == 1
    assert said in error


def test_there_is_advice_for_every_fault() -> None:
    assert ADVICE.keys() == set(FAULTS)


def test_a_path_alone_is_a_program() -> None:
    assert spec_of(str(CHANCE)) == f"process:{CHANCE}"
    assert spec_of("random") == "random"
    assert spec_of("nowhere.py") == "nowhere.py"


def test_an_agent_meets_everybody_from_every_seat() -> None:
    game = find_game("tictactoe")
    assert baseline(game) == "alphabeta:depth=2"
    checks = list(validate("random", game, Clocks(), games=2))
    for check in checks[1:]:
        won, drawn, lost = (int(part.split()[0]) for part in check.text.split(", ")[:3])
        assert won + drawn + lost == 4
