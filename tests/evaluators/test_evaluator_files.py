"""Evaluators in files and packages of users."""

import json
from pathlib import Path

import pytest

import plies
from plies.cli.main import main
from plies.errors import BadSpec
from plies.models.files import load_model
from user_samples import EVALUATOR, install, written

MOVES = (
    "from plies.core import compiled, count_moves\n"
    "@compiled\ndef evaluate(state):\n    return count_moves(state)\n"
)


def spec_with(path: object) -> str:
    return f"alphabeta:depth=1,eval={path}"


def refusal(path: Path, name: str = "quixo") -> str:
    """The one line that somebody reads who evaluates with a file."""
    with pytest.raises(BadSpec) as error:
        plies.agent(spec_with(path), plies.game(name))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_an_evaluator_written_with_verbs_fits_every_game(tmp_path: Path):
    path = written(tmp_path, MOVES)
    for name in ("quixo", "tictactoe", "quixo:n=4"):
        game = plies.game(name)
        found = plies.search(game, game.initial(), spec_with(path))
        children = [game.play(game.initial(), move) for move in game.moves(game.initial())]
        assert found.value == max(-len(game.moves(child)) for child in children)


def test_weights_are_those_of_the_file_as_it_is_now(tmp_path: Path):
    text = EVALUATOR.read_text()
    path, game = written(tmp_path, text, "rows.py"), plies.game("quixo")
    before = plies.search(game, game.initial(), spec_with(path)).value
    assert before is not None
    written(tmp_path, text.replace("cube: int = 10", "cube: int = 1010"), "rows.py")
    assert plies.search(game, game.initial(), spec_with(path)).value == before + 1000


def test_a_file_may_declare_the_whole_evaluator(tmp_path: Path):
    text = f"from plies.core import Evaluator\n{MOVES}EVALUATOR = Evaluator(evaluate, unit=7)\n"
    game = plies.game("tictactoe")
    found = plies.search(game, game.initial(), spec_with(written(tmp_path, text)))
    assert found.value == -8


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "evaluate(state)"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("def evaluate(state):\n    return 0\n", "@compiled above def evaluate"),
        (
            MOVES.replace("(state):\n    return count", "(a, b):\n    return 1 or count"),
            "arguments",
        ),
        (MOVES + "WEIGHTS = 3\n", "evaluate(weights, state)"),
        (
            MOVES.replace("evaluate(state)", "evaluate(weights, state)") + "WEIGHTS = 3\n",
            "NamedTuple",
        ),
        (MOVES.replace("count_moves(state)", "state.zebra"), "zebra"),
        (MOVES.replace("count_moves(state)", "zebra(state)"), "zebra"),
        (MOVES.replace("count_moves(state)", "'zebra'"), "evaluate"),
        (f'GAME = "chess"\n{MOVES}', "chess, not for quixo"),
        (f'UNIT = "x"\n{MOVES}', "UNIT"),
        ("def choose(game, state): ...\n", "evaluate(state)"),
    ],
)
def test_a_file_without_an_evaluator_of_the_game_says_why(text: str, word: str, tmp_path: Path):
    assert word in refusal(written(tmp_path, text))


def test_fields_that_another_game_does_not_have_are_named():
    assert "not for tictactoe" in refusal(EVALUATOR, "tictactoe")


def test_a_file_for_no_game_in_particular_is_refused_by_its_fields(tmp_path: Path):
    path = written(tmp_path, EVALUATOR.read_text().replace('GAME = "quixo"', ""))
    line = refusal(path, "chess")
    assert "not for chess" in line
    assert "theirs" in line or "mine" in line


def test_evaluators_are_found_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    points = {"rows": "offered_rows", "absent": "no_such_module"}
    install(monkeypatch, tmp_path, "plies.evaluators", points, offered_rows=EVALUATOR.read_text())
    game = plies.game("quixo")
    found = [plies.search(game, game.initial(), spec_with(e)).value for e in ("rows", EVALUATOR)]
    assert found[0] == found[1]
    assert "no_such_module" in refusal(Path("absent"))
    assert "not for tictactoe" in refusal(Path("rows"), "tictactoe")


def test_the_weights_of_a_file_are_tuned_like_those_of_the_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, EVALUATOR.read_text(), "rows.py")
    words = ["train", "weights", "quixo:n=3", "--eval", "rows.py", "--out", "rows.npz"]
    words += ["--generations", "1", "--pairs", "2", "--match-pairs", "0", "--scale", "2"]
    assert main([*words, "--workers", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["own"] == {"cube": 10, "best": 100, "other_best": 90}
    assert "rows.py" in load_model("rows.npz").card["files"]
    game = plies.game("quixo:n=3")
    found = plies.search(game, game.initial(), spec_with("rows.npz"))
    assert found.value is not None
    written(tmp_path, EVALUATOR.read_text().replace("cube", "cubes"), "rows.py")
    with pytest.raises(plies.PliesError, match="cubes"):
        plies.agent(spec_with("rows.npz"), game)
