"""Agents that are programs hear of the whole game at the terminal, as docs/protocol.md promises."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

import plies
from plies.agents import process
from plies.cli.main import main
from plies.errors import AgentFault

ROOT = Path(__file__).parents[2]
PROGRAM = f"process:{ROOT / 'examples' / 'agents' / 'chance.py'}"
ENGINE = ROOT / "tests" / "data" / "uci" / "engine.py"


class Program:
    """Stands for a running program: it plays the first legal move, or crashes at that ply."""

    heard: ClassVar[list[dict[str, Any]]] = []
    crashes_at: ClassVar[int | str] = ""
    errors = b""

    def __init__(self, *_: Any):
        self.answer = ""

    def send(self, line: str) -> None:
        message = json.loads(line)
        self.heard.append(message)
        if message.get("ply", "start") == self.crashes_at:
            raise AgentFault("crash", "it crashed")
        is_start = message["type"] == "start"
        self.answer = json.dumps({"type": "ready"} if is_start else {"move": message["legal"][0]})

    def receive(self, deadline: float) -> str:
        return self.answer

    def dismiss(self, line: str, seconds: float) -> None:
        self.heard.append(json.loads(line))

    def resume(self) -> None: ...

    def suspend(self) -> float:
        return 0.0

    def close(self) -> None: ...


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> type[Program]:
    monkeypatch.setattr(process, "Confined", Program)
    monkeypatch.setattr(Program, "heard", [])
    monkeypatch.setattr(Program, "crashes_at", "")
    return Program


def play(
    monkeypatch: pytest.MonkeyPatch,
    *lines: str,
    game: str = "tictactoe",
    second: str = PROGRAM,
    words: tuple[str, ...] = (),
) -> int:
    """A person at the terminal types these lines against a program."""
    typed = list(lines)
    monkeypatch.setattr("builtins.input", lambda prompt: typed.pop(0))
    return main(["play", game, "--second", second, *words])


def test_a_program_hears_of_the_start_and_of_all_moves(
    program: type[Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play(monkeypatch, "b2", "c1", "quit") == 0
    kinds = [message["type"] for message in program.heard]
    assert kinds == ["start", "move", "move"]
    empty = plies.game("tictactoe").position_text(plies.game("tictactoe").initial())
    assert [message["start"] for message in program.heard[1:]] == [empty] * 2
    assert [message["played"] for message in program.heard[1:]] == [["b2"], ["b2", "a1", "c1"]]
    assert [message["ply"] for message in program.heard[1:]] == [1, 3]


def test_a_game_from_a_position_starts_there(
    program: type[Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play(monkeypatch, "b2", "quit", words=("--position", "XO./.../... X")) == 0
    assert program.heard[-1]["start"] == "XO./.../... X"
    assert program.heard[-1]["played"] == ["b2"]


def test_moves_that_are_taken_back_were_never_played(
    program: type[Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play(monkeypatch, "b2", "c1", "undo", "a3", "undo", "undo", "c3", "quit") == 0
    assert [message["played"] for message in program.heard[1:]] == [
        ["b2"],
        ["b2", "a1", "c1"],
        ["b2", "a1", "a3"],
        ["c3"],
    ]


def test_a_program_hears_how_the_game_ended(
    program: type[Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play(monkeypatch, "b2", "resign") == 0
    assert program.heard[-1]["type"] == "end"
    assert program.heard[-1]["payoffs"] == [-1, 1]
    assert "resigns" in program.heard[-1]["reason"]


@pytest.mark.parametrize("at", ["start", 1])
def test_a_program_that_crashes_loses_and_the_game_can_go_on_with_another(
    at: int | str,
    program: type[Program],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(program, "crashes_at", at)
    assert play(monkeypatch, "b2") == 0
    *_, result, command = capsys.readouterr().out.splitlines()
    assert result.startswith("second (O) lost by a fault: ")
    assert "crashed" in result
    assert command.startswith("To go on: plies play tictactoe --first human --second process:")


def test_an_engine_hears_of_the_start_and_of_the_moves_that_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = shlex.join([sys.executable, str(ENGINE), str(tmp_path / "heard"), "bestmove e7e5"])
    lines = ("e4", "undo", "d4", "quit")
    assert play(monkeypatch, *lines, game="chess", second=f"uci:{command}") == 0
    heard = (tmp_path / "heard").read_text(encoding="utf-8").splitlines()
    positions = [line for line in heard if line.startswith("position")]
    assert positions == ["position startpos moves e2e4", "position startpos moves d2d4"]
