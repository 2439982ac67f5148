"""What the commands answer: games, perft, search, new and check."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.cli.main import main
from plies.core.scores import win_in
from plies.search.alphabeta import AlphaBeta

Answer = tuple[int, str, str]  # status, stdout, stderr
Run = Callable[..., Answer]

# One move from a win for the first player, who moves: a3 completes the top row.
ALMOST = ".XX/OO./... X"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("perft", "tictactoe", "3")` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Answer:
        status = main(list(arguments))
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


def data(run: Run, *arguments: str) -> Any:
    """The JSON document that is all of stdout."""
    status, output, errors = run(*arguments, "--json")
    assert status == 0, errors
    return json.loads(output)


# games


def test_games_lists_every_game_with_its_options(run: Run) -> None:
    status, output, _ = run("games")
    assert status == 0
    for name in plies.game_names():
        game = plies.game(name)
        assert name in output
        assert game.title in output
        assert all(option in output for option in game.defaults)


def test_games_as_json_holds_what_specs_are_made_of(run: Run) -> None:
    found = {game["name"]: game for game in data(run, "games")}
    nim = data(run, "games", "nim")
    assert nim.pop("rules").startswith("Nim: take objects from one row")
    assert nim == found["nim"]
    assert sorted(found) == plies.game_names()
    assert found["tictactoe"]["options"] == {"width": "3", "height": "3", "k": "3"}
    assert found["tictactoe"]["players"] == 2
    assert "zero" in found["tictactoe"]["evaluators"]


def test_games_says_which_game_is_broken_and_lists_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plies.registry.game_names", lambda: ["broken", "tictactoe"])
    status, output, errors = run("games", "--json")
    assert status == 0
    assert [game["name"] for game in json.loads(output)] == ["tictactoe"]
    assert errors.startswith("plies: warning: there is no game broken")


# perft


# 255168 complete games are the published count; by length, from 5 to 9 plies, they are
# 1440 + 5328 + 47952 + 72576 + 127872, and a game of nine plies is a line of nine plies.
def test_perft_counts_the_lines_of_tic_tac_toe(run: Run) -> None:
    assert data(run, "perft", "tictactoe", "9")["nodes"] == 127872
    assert data(run, "perft", "tictactoe", "9", "--ends")["games"] == 255168


# 5478 positions are reachable, the empty board included (published count); none of them
# can arise after different numbers of plies.
def test_perft_counts_different_positions_ply_by_ply(run: Run) -> None:
    answer = data(run, "perft", "tictactoe", "9", "--distinct")
    assert len(answer["distinct"]) == 10
    assert sum(answer["distinct"]) == answer["nodes"] == 5478


@pytest.mark.parametrize("depth", ["0", "1", "4"])
def test_the_split_adds_up_to_the_whole(depth: str, run: Run) -> None:
    whole = data(run, "perft", "tictactoe", depth)
    parts = data(run, "perft", "tictactoe", depth, "--split")
    assert parts["nodes"] == whole["nodes"]
    assert depth == "0" or sum(parts["moves"].values()) == whole["nodes"]
    assert depth == "0" or list(parts["moves"]) == [
        "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"
    ]  # fmt: skip


def test_perft_begins_at_the_given_position(run: Run) -> None:
    answer = data(run, "perft", "tictactoe", "1", "--position", ALMOST, "--split")
    assert sorted(answer["moves"]) == ["a1", "a3", "b1", "c1", "c2"]
    assert answer["position"] == ALMOST


def test_perft_of_a_decided_position_is_empty(run: Run) -> None:
    answer = data(run, "perft", "tictactoe", "2", "--position", "XXX/OO./... O", "--split")
    assert (answer["nodes"], answer["moves"]) == (0, {})


def test_perft_tells_people_counts_time_and_rate(run: Run) -> None:
    _, output, _ = run("perft", "tictactoe", "2", "--split")
    assert "a1  8\n" in output
    assert "72 nodes in " in output
    assert "of CPU time" in output


def test_the_time_of_perft_leaves_the_compiler_out(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plies.search import perft

    depths: list[int] = []
    count = perft.count

    def recording(kernel: Any, state: Any, depth: int) -> Any:
        depths.append(depth)
        return count(kernel, state, depth)

    monkeypatch.setattr(perft, "count", recording)
    data(run, "perft", "tictactoe", "3")
    assert depths == [1, 3]


# search


def test_search_finds_the_winning_move_and_its_line(run: Run) -> None:
    answer = data(run, "search", "tictactoe", "--agent", "alphabeta:depth=3", "--position", ALMOST)
    assert (answer["move"], answer["line"]) == ("a3", ["a3"])
    assert answer["value"] == win_in(1)
    assert answer["value_text"] == "win in 1"
    assert answer["is_complete"] is True
    expected = {"depth", "nodes", "leaves", "cutoffs", "cpu_seconds", "game", "agent", "position"}
    assert expected <= set(answer)


def test_search_counts_only_the_search_itself(run: Run) -> None:
    game = plies.game("tictactoe")
    decision = plies.search(game, game.initial(), "alphabeta:depth=5")
    answer = data(run, "search", "tictactoe", "--agent", "alphabeta:depth=5")
    assert (answer["nodes"], answer["leaves"], answer["cutoffs"]) == (
        decision.nodes,
        decision.leaves,
        decision.cutoffs,
    )


def test_the_time_of_search_leaves_the_compiler_out(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide, nodes = AlphaBeta.decide, []

    def recording(*arguments: Any) -> Any:
        decision = decide(*arguments)
        nodes.append(decision.nodes)
        return decision

    monkeypatch.setattr(AlphaBeta, "decide", recording)
    answer = data(run, "search", "tictactoe", "--agent", "alphabeta:depth=5")
    assert nodes == [0, answer["nodes"]]


def test_search_draws_the_board_and_says_the_value_in_words(run: Run) -> None:
    _, output, _ = run("search", "tictactoe", "--position", ALMOST)
    game = plies.game("tictactoe")
    assert output.startswith(game.draw(game.parse_position(ALMOST)))
    facts = dict(line.split(maxsplit=1) for line in output.split("\n\n")[1].splitlines())
    assert facts["mover"] == "first (X)"
    assert facts["move"] == "a3"
    assert facts["value"] == "win in 1 ply"


def test_search_says_when_its_budget_ended_it(run: Run) -> None:
    _, output, _ = run("search", "tictactoe", "--agent", "alphabeta:depth=9,nodes=50")
    assert "stopped before the search was complete" in output


def test_an_agent_without_opinion_has_no_value(run: Run) -> None:
    answer = data(run, "search", "tictactoe", "--agent", "random")
    assert answer["value"] is None
    assert "value" not in run("search", "tictactoe", "--agent", "random")[1]


# new and check


@pytest.mark.parametrize("template", ["board", "numbers"])
def test_a_new_game_passes_every_check_as_written(template: str, run: Run, tmp_path: Path) -> None:
    status, output, _ = run("new", "my_game.py", "--template", template)
    assert status == 0
    assert "plies check my_game.py" in output
    status, output, errors = run("check", "my_game.py")
    assert status == 0, output + errors
    assert output.count("✓") == len(output.splitlines()) > 5
    assert plies.game(str(tmp_path / "my_game.py")).name == "my_game"


# Plambeck and Whitehead, The Secrets of Notakto (2013): the first player wins with the
# middle cell and then always a knight's move away from the other's last cross.
def test_the_board_template_is_won_for_the_first_player(run: Run) -> None:
    run("new", "my_game.py")
    answer = data(run, "search", "my_game.py", "--agent", "alphabeta:depth=9")
    assert answer["move"] == "b2"
    assert answer["value_text"].startswith("win")


# 21 is one more than a multiple of 1 + 3, so adding 1 leaves multiples of 4 to the other.
def test_the_numbers_template_is_won_by_multiples(run: Run) -> None:
    run("new", "my_game.py", "--template", "numbers")
    answer = data(run, "search", "my_game.py", "--agent", "alphabeta:depth=21")
    assert answer["move"] == "1"
    assert answer["value_text"].startswith("win")


def test_new_never_overwrites_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "my_game.py").write_text("mine")
    status, _, errors = run("new", "my_game.py")
    assert status == 2
    assert "my_game.py exists" in errors
    assert (tmp_path / "my_game.py").read_text() == "mine"


def edited(run: Run, path: Path, old: str, new: str) -> None:
    """A new game with one mistake."""
    run("new", path.name)
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_check_names_the_broken_promise_and_the_position(run: Run, tmp_path: Path) -> None:
    edited(run, tmp_path / "broken.py", "if not state.crosses >> cell & 1", "if True")
    status, output, _ = run("check", "broken.py")
    failures = [line for line in output.splitlines() if line.startswith("✗")]
    assert status == 1
    assert failures
    assert any("at " in line and "/" in line for line in failures)


def test_check_as_json_holds_every_result_and_keeps_the_exit_status(
    run: Run, tmp_path: Path
) -> None:
    run("new", "sound.py", "--template", "numbers")
    results = data(run, "check", "sound.py", "--games", "2")
    assert [set(result) for result in results] == [{"name", "passed", "detail"}] * len(results)
    assert all(result["passed"] for result in results)
    edited(run, tmp_path / "broken.py", "if not state.crosses >> cell & 1", "if True")
    status, output, _ = run("check", "broken.py", "--json")
    assert status == 1
    failures = [result for result in json.loads(output) if not result["passed"]]
    assert any(failure["detail"].startswith("at ") for failure in failures)


def test_an_error_in_the_users_own_game_file_is_told_as_such(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    edited(run, path, "GAME = Game(", "def draw(state):\n    return [][state]\n\n\nGAME = Game(")
    status, _, errors = run("search", "broken.py")
    line = path.read_text().splitlines().index("    return [][state]") + 1
    complaint = errors.splitlines()[-1]
    assert status == 2
    assert complaint.startswith("plies: broken: draw fails: TypeError: list indices must be ")
    assert complaint.endswith(f"(broken.py, line {line})")


def test_check_says_what_the_compiler_did_not_like(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    edited(run, path, "(state):\n    return state.turn", "(state):\n    return state.trun")
    line = path.read_text().splitlines().index("    return state.trun") + 1
    status, output, errors = run("check", "broken.py")
    assert (status, output) == (2, "")
    complaint = errors.splitlines()[-1]
    assert "mover does not compile" in complaint
    assert "trun" in complaint
    assert f"broken.py, line {line}" in complaint
