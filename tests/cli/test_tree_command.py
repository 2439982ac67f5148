"""`plies tree`, and what its page in the documentation shows of it."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from plies.cli.main import main
from tree_samples import PAPER, THREE_PLAYERS

ROOT = Path(__file__).parents[2]


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["tree", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("options", "leaves"),
    [
        # project facts, n players: 28 leaves; left to right 20, right to left 14, best ordering 9
        (["--algorithm", "minimax"], 28),
        ([], 20),
        (["--order", "right"], 14),
        (["--order", "best", "--fail", "hard"], 9),
    ],
)
def test_the_paper_tree_as_json(
    capsys: pytest.CaptureFixture[str], options: list[str], leaves: int
) -> None:
    found = answer(capsys, str(PAPER), *options)
    assert (found["value"], found["move"], found["move_number"]) == (1, "3", 3)
    assert found["leaves"] == leaves
    assert found["orderings"] == {"left": 20, "right": 14, "best": 9}


def test_three_players_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    # project facts, n players: root (1,2,3)
    found = answer(capsys, str(THREE_PLAYERS), "--algorithm", "maxn")
    assert (found["value"], found["nodes"], found["leaves"]) == ([1, 2, 3], 15, 8)
    assert found["orderings"] is None


def test_a_dash_reads_the_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("M(1, m(2, 3))"))
    assert answer(capsys, "-")["value"] == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["missing.tree"], "missing.tree: No such file"),
        ([str(THREE_PLAYERS), "--algorithm", "alphabeta"], "two-player zero-sum tree"),
        ([str(PAPER), "--order", "up"], "--order"),
        ([], "FILE"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    assert main(["tree", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert complaint in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize("tree", sorted((ROOT / "examples" / "trees").iterdir()), ids=str)
def test_every_example_can_be_searched(capsys: pytest.CaptureFixture[str], tree: Path) -> None:
    assert answer(capsys, str(tree))["move"]
