"""`plies solve`: what it says of a game, and with which status it ends."""

import json
from typing import Any

import pytest

from plies.cli import search
from plies.cli.main import main
from plies.search.decision import Decision


@pytest.fixture(autouse=True)
def no_compile_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIES_QUIET", "1")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    assert main(["solve", *arguments, "--json"]) == status
    return json.loads(capsys.readouterr().out)


def test_a_draw_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "tictactoe")
    assert (found["value"], found["plies"], len(found["line"])) == ("draw", 9, 9)
    assert found["move"] == found["line"][0]
    assert found["positions"] > 0
    assert found["position"] == ".../.../... X"


@pytest.mark.parametrize(
    ("game", "position", "value", "plies"),
    [
        # three in a row next move; two threats at once cannot be met
        ("tictactoe", "XX./OO./... X", "win", 1),
        ("tictactoe", "XO./X../..O X", "win", 1),
        ("tictactoe", "X.X/O../X.O O", "loss", 2),
        # with one row the last object is taken at once; 1-1 leaves one for the other
        ("nim:rows=3", "3 first", "win", 1),
        ("nim:rows=1-1", "1-1 first", "loss", 2),
    ],
)
def test_wins_and_losses_have_their_distance(
    capsys: pytest.CaptureFixture[str], game: str, position: str, value: str, plies: int
) -> None:
    found = answer(capsys, game, "--position", position)
    assert (found["value"], found["plies"]) == (value, plies)


def test_a_position_that_is_over_has_its_result(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "tictactoe", "--position", "XXX/OO./... O")
    assert (found["value"], found["plies"], found["line"]) == ("loss", 0, [])
    assert main(["solve", "tictactoe", "--position", "XXX/OO./... O"]) == 0
    assert "first (X) wins" in capsys.readouterr().out


def test_people_read_the_value_the_line_and_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "tictactoe", "--position", "XX./OO./... X"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert "value  win in 1 plies" in shown
    assert "line   c3" in shown


def test_points_are_told_beside_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    # project facts, n players: the tree of 28 leaves is worth 1, by the third move
    assert main(["solve", "tree"]) == 0
    assert "value  win by 1 in 4 plies" in capsys.readouterr().out.splitlines()
    assert answer(capsys, "tree")["score"] == 1


def test_what_is_not_solved_within_the_limits_ends_with_status_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = answer(capsys, "quixo", "--nodes", "1000", status=1)
    assert (found["value"], found["plies"], found["line"]) == (None, None, [])
    assert found["positions"] == 1000
    assert main(["solve", "quixo", "--nodes", "1000"]) == 1
    assert "not solved" in capsys.readouterr().out


def test_ctrl_c_shows_how_far_it_came(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> tuple[Decision, bool]:
        return Decision(0, depth=3, nodes=77, is_complete=False), True

    monkeypatch.setattr(search, "decide", interrupted)
    assert main(["solve", "tictactoe"]) == 130
    shown = capsys.readouterr()
    assert "not solved, looking 3 plies ahead" in shown.out
    assert shown.err == "plies: interrupted; nothing is proven\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nim:players=3"], "not a two-player zero-sum game"),
        (["tictactoe", "--table", "-1"], "table is 0 to"),
        (["tictactoe", "--nodes", "-5"], "nodes is 0"),
        (["tictactoe", "--position", "nonsense"], "nonsense"),
        (["tictacto"], "did you mean tictactoe"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    assert main(["solve", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert complaint in shown.err
    assert shown.err.count("\n") == 1
