"""Matches between evaluators."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "matches.py"


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


def test_an_evaluator_is_exactly_as_strong_as_itself(capsys: pytest.CaptureFixture[str]) -> None:
    result = result_of(capsys, "quixo:n=4", "lines", "lines", "--depth", "1", "--pairs", "6")
    assert (result["games"], result["distinct_games"], result["score"]) == (12, 6, 0.5)
    assert result["wins"] == result["losses"]
    assert result["pairs"] == [0, 0, 6, 0, 0]


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
        for standing in result["standings"]:
            del standing["seconds"]
    assert alone == shared


def test_openings_may_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "positions.txt"
    path.write_text("# lost for whoever waits\nXX./OO./... X\n")
    words = ["tictactoe", "zero", "zero", "--openings", str(path), "--pairs", "1"]
    assert sum(row["moves"] for row in result_of(capsys, *words)["standings"]) == 2


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
