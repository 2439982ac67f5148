"""`plies bench` and `plies agents`."""

import json
from pathlib import Path

import pytest

import plies
from plies.agents import AGENTS, agent
from plies.agents.options import OPTIONS
from plies.bench import Result, read_signatures, signatures, write_signatures
from plies.cli.main import main
from plies.core.spec import options_of

# A game of one move: whoever moves wins.
GAME = """
from typing import NamedTuple

import numpy as np

from plies import ONGOING, Game, compiled


class State(NamedTuple):
    turn: int


def initial():
    return State(0)


@compiled
def mover(state):
    return state.turn


@compiled
def legal_moves(state):
    return np.zeros(1, np.int64)


@compiled
def play(state, move):
    return State(1)


@compiled
def outcome(state):
    return 0 if state.turn else ONGOING


GAME = Game(__name__, title="One move")
"""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of signatures of the test's own."""
    path = tmp_path / "signatures.txt"
    for function in (read_signatures, write_signatures):
        monkeypatch.setattr(function, "__defaults__", (path,))
    return path


def bench(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main(["bench", "--game", "tictactoe", "--method", "minimax", *arguments])
    return status, capsys.readouterr().out


def test_bench_tells_nodes_and_rates(capsys: pytest.CaptureFixture[str]) -> None:
    status, output = bench(capsys, "--json")
    (row,) = json.loads(output)
    assert status == 0
    # 549,946 nodes of the whole game; the middle has 5 empty cells and the end 2
    assert row["positions"]["opening"] == {"nodes": 549946, "value": 0}
    assert row["nodes"] == sum(each["nodes"] for each in row["positions"].values())
    assert (row["game"], row["work"]) == ("tictactoe", "minimax:depth=9")
    assert row["is_expected"] is True
    assert row["cpu_seconds"] > 0
    assert row["rate"] == row["nodes"] / row["cpu_seconds"]


def test_bench_tells_people_whether_signatures_are_as_kept(
    capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    status, output = bench(capsys)
    assert (status, "new" in output) == (0, True)
    assert bench(capsys, "--write")[0] == 0
    status, output = bench(capsys)
    assert (status, "as kept" in output) == (0, True)
    kept.write_text(kept.read_text().replace("opening=549946:", "opening=549947:"))
    status, output = bench(capsys)
    assert (status, "DIFFERS" in output) == (1, True)


def test_signatures_read_back_as_they_were_written_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "signatures.txt"
    found = {
        ("nim", "b:depth=2"): {"opening": Result(3, -4), "end": Result(5, None)},
        ("nim", "a:depth=2"): {"opening": Result(0, 0)},
    }
    signatures.write_signatures(found, path)
    assert path.read_text() == ("nim a:depth=2 opening=0:0\nnim b:depth=2 opening=3:-4 end=5:\n")
    assert signatures.read_signatures(path) == found


def test_bench_measures_a_game_of_ones_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "one_move.py"
    path.write_text(GAME)
    assert main(["bench", "--game", str(path), "--method", "alphabeta", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["positions"], row["is_expected"]) == (
        {"opening": {"nodes": 2, "value": plies.core.scores.WIN - 1}}, None
    )  # fmt: skip


def test_bench_refuses_a_method_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--method", "minimix"]) == 2
    error = capsys.readouterr().err
    assert error == "plies: there is no method minimix; did you mean minimax?\n"


def test_agents_lists_every_agent_with_its_options_and_an_example(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["agents", "--json"]) == 0
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert sorted(found) == sorted([*AGENTS, "gabriele", "nim-sum"])
    for name in AGENTS:
        each = found[name]
        assert each["description"]
        if None in each["options"].values():  # must be told where a program is
            continue
        game = plies.game("nim" if name == "theory" else "tictactoe")
        assert type(agent(each["example"], game).search) is AGENTS[name]
        given = [f"{key}={text}" for key, text in each["options"].items() if text]
        if not each["any_option"]:  # which has no defaults
            agent(f"{name}:{','.join(given)}", game)
    assert found["alphabeta"]["options"]["fail"] == "soft"
    assert set(found) >= set(AGENTS)


def test_agents_tells_people_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents"]) == 0
    output = capsys.readouterr().out
    assert all(f"{name}: " in output for name in AGENTS)
    assert "  example  alphabeta:depth=4\n" in output
    assert "  options  none\n" in output


def test_every_option_is_explained_and_nothing_else() -> None:
    assert {name for method in AGENTS.values() for name in options_of(method)} == set(OPTIONS)
