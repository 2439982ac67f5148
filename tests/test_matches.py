"""Matches between evaluators: honest openings, honest intervals."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import plies
from plies.core.errors import BadSpec

PATH = Path(__file__).parents[1] / "benchmarks" / "matches.py"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_matches", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for their module
    spec.loader.exec_module(module)
    return module


matches = _load()


def result_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert matches.main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


# By hand: [100, 500, 1000, 600, 150] scores 1225 of 2350 pairs = 0.52128, a pair varies by
# 0.05540, so 95 % is 0.52128 +/- 0.00952 and Elo 14.79 +/- 6.63.  [13, 37, 50, 25, 3] scores
# 56 of 128 pairs = 7/16, and -400 log10(9/7) = -43.658.
def test_the_interval_is_that_of_the_pairs() -> None:
    low, elo, high = matches.elo_interval([100, 500, 1000, 600, 150])
    assert (round(elo, 2), round((high - low) / 2, 2)) == (14.79, 6.63)
    assert round(matches.elo_interval([13, 37, 50, 25, 3])[1], 3) == -43.658


def test_an_interval_that_reaches_a_perfect_score_has_no_upper_end() -> None:
    low, elo, high = matches.elo_interval([0, 0, 0, 1, 9])
    assert 0 < low < elo < high == float("inf")


def test_openings_differ_and_go_on_and_come_back_with_their_seed() -> None:
    game = plies.game("tictactoe")
    found = matches.random_openings(game, 60, 5, seed=7)
    assert len(set(found)) == 60
    states = [game.parse_position(text) for text in found]
    assert not any(game.is_over(state) for state in states)
    assert {text.count(".") for text in found} == {4}
    assert matches.random_openings(game, 60, 5, seed=7) == found
    assert matches.random_openings(game, 60, 5, seed=8) != found


def test_a_game_with_too_few_openings_says_how_many_it_has() -> None:
    with pytest.raises(BadSpec, match="shows only 9 openings of 1 random plies"):
        matches.random_openings(plies.game("tictactoe"), 10, 1, seed=1)


# Whoever moves first here wins by force, which a search of 9 plies sees and one of 1
# ply finds as well: X completes the top row, O the middle one.
def test_seats_are_swapped_within_a_pair() -> None:
    sides = ("alphabeta:depth=9", "alphabeta:depth=1")
    pair = matches.play_pair(matches.Task("tictactoe", sides, "XX./OO./... X", 1, 300))
    assert [game.points for game in pair.games] == [2, 0]
    assert [game.line for game in pair.games] == [("c3",), ("c3",)]
    assert [[count > 0 for count in game.nodes] for game in pair.games] == [
        [True, False],
        [False, True],
    ]


def test_an_evaluator_is_exactly_as_strong_as_itself(capsys: pytest.CaptureFixture[str]) -> None:
    result = result_of(capsys, "quixo:n=4", "lines", "lines", "--depth", "1", "--pairs", "6")
    assert (result["games"], result["distinct_games"], result["score"]) == (12, 6, 0.5)
    assert result["wins"] == result["losses"]
    assert result["pairs_by_half_points"] == [0, 0, 6, 0, 0]


def test_an_opinion_beats_none(capsys: pytest.CaptureFixture[str]) -> None:
    result = result_of(capsys, "quixo:n=4", "lines", "zero", "--depth", "2", "--pairs", "20")
    assert result["wins"] > result["losses"]
    assert result["wins"] + result["draws"] + result["losses"] == result["games"] == 40
    assert result["elo_low"] > 0


def test_processes_play_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["quixo:n=4", "lines", "zero", "--depth", "1", "--pairs", "4"]
    alone = result_of(capsys, *words)
    command = [sys.executable, str(PATH), *words, "--workers", "2", "--json"]
    shared = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    for result in (alone, shared):
        del result["seconds"], result["cpu_seconds"]
    assert alone == shared


def test_openings_may_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "positions.txt"
    path.write_text("# lost for whoever waits\nXX./OO./... X\n\nXXX/OO./... O  # over\n")
    words = ["tictactoe", "zero", "zero", "--openings", str(path), "--pairs"]
    assert result_of(capsys, *words, "1")["plies"] == 1
    assert matches.main([*words, "2"]) == 2
    assert "holds 1 positions to play from: --pairs asks for 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["quixo", "linez", "zero"], "quixo has no evaluator linez; did you mean lines?"),
        (["quixot", "lines", "zero"], "there is no game quixot; did you mean quixo?"),
        (["quixo", "lines", "zero", "--openings", "nowhere.txt"], "nowhere.txt cannot be read"),
    ],
)
def test_bad_usage_is_one_line(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert matches.main(words) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
