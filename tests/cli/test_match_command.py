"""`plies match`: two agents, or as many as the game has players."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arena_samples import command, kept, let_workers_start_uncompiled, start, tournament_of
from held_samples import held_game
from plies.arena.runner import plan_of
from plies.arena.statistics.sprt import Sprt
from plies.arena.store import Store
from plies.cli.main import main
from plies.cli.results import as_data, show
from plies.errors import PliesError
from report_samples import keep

PATIENCE_SECONDS = 120


@pytest.fixture(autouse=True)
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    let_workers_start_uncompiled(monkeypatch)


def result_of(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    assert main(["match", *words, "--json", "--workers", "1"]) == status
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def games_in(path: Path) -> int:
    try:
        with Store.open(path) as store:
            return len(store.numbers())
    except PliesError:
        return 0


def interrupted(*words: str, out: Path, games: int = 3) -> subprocess.CompletedProcess[str]:
    """Ctrl-C at a terminal, which all processes of it get, after so many games."""
    process = start(*words, "--out", str(out), cwd=out.parent)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while games_in(out) < games and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
    return subprocess.CompletedProcess(words, process.returncode, stdout, stderr)


def test_json_has_the_keys_that_programs_read(capsys: pytest.CaptureFixture[str]) -> None:
    found = result_of(capsys, "tictactoe", "greedy", "random", "--pairs", "10", "--seed", "3")
    assert found["games"] == 20 == found["wins"] + found["draws"] + found["losses"]
    assert {"elo", "elo_error", "distinct_games"} <= found.keys()
    assert 1 < found["distinct_games"] <= 20
    assert (found["a"], found["b"]) == ("greedy", "random")
    assert sum(found["pairs"]) == 10
    assert found["is_finished"] is True
    assert found["terminations"] == {"normal": 20}


def test_the_same_seed_gives_the_same_match(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("tictactoe", "random", "greedy", "--pairs", "4", "--seed")
    one, same, other = (result_of(capsys, *words, seed) for seed in ("5", "5", "6"))
    for found in (one, same, other):
        for each in found["standings"]:
            del each["seconds"]
    assert one == same != other


def test_one_game_of_everything_won_has_no_elo_and_still_is_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = result_of(
        capsys, "nim", "perfect", "random", "--pairs", "2", "--set", "openings.plies=0"
    )
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_people_see_a_table_and_what_to_doubt(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("tictactoe", "alphabeta:depth=1", "alphabeta:depth=1", "--pairs", "2")
    assert main(["match", *words, "--openings", "2", "--workers", "1"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "alphabeta:depth=1 (2)" in captured.out
    assert "Elo" in captured.out


def test_a_test_answers_by_its_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--sprt", "0,200", "--pairs", "200")
    found = result_of(capsys, "tictactoe", "greedy", "random", *words)
    assert found["sprt"]["verdict"] == "H1"
    assert found["games"] < 400
    found = result_of(capsys, "tictactoe", "random", "greedy", *words, status=1)
    assert found["sprt"]["verdict"] == "H0"


def test_a_test_without_verdict_is_no_yes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("tictactoe", "greedy", "random", "--sprt", "0,1", "--pairs", "1")
    found = result_of(capsys, *words, status=1)
    assert (found["games"], found["sprt"]["verdict"], found["is_finished"]) == (2, "", True)


def test_half_a_pair_of_a_test_can_be_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tournament = tournament_of(("random", "greedy"), kind="sprt", sprt=Sprt(elo0=0, elo1=5))
    games = keep(tmp_path / "run.db", tournament, most=1)
    show(plan_of(tournament), games)
    assert "no verdict" in capsys.readouterr().out
    found = as_data(plan_of(tournament), games)
    assert (found["sprt"]["llr"], found["elo"], found["is_finished"]) == (None, None, False)


def test_three_players_have_a_match_of_three(capsys: pytest.CaptureFixture[str]) -> None:
    agents = ["random", "maxn:depth=1", "random"]
    found = result_of(capsys, "nim:players=3", *agents, "--pairs", "2")
    assert found["games"] == 6
    assert "elo_error" not in found
    assert sum(each["points"] for each in found["standings"]) == pytest.approx(6)


def test_a_dry_run_plays_nothing_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["match", "tictactoe", "random", "greedy", "--pairs", "7", "--out", "run.db"]
    assert main([*words, "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert "14" in told
    assert "about" in told
    assert main([*words, "--dry-run", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["kind"]) == (14, "match")
    assert found["seconds"] >= 0
    assert list(tmp_path.iterdir()) == []


def test_a_person_plays_by_typing(monkeypatch: pytest.MonkeyPatch) -> None:
    # All nine points again and again: those that are taken are refused and asked again.
    points = "".join(f"{column}{row}\n" for column in "abc" for row in "123")
    words = ("match", "tictactoe", "human", "random", "--pairs", "1", "--openings", "2")
    done = command(*words, input=20 * points)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "normal 2" in done.stdout
    done = command(*words, input="")
    assert done.returncode == 0
    assert "crash 2" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tictactoe", "random"], "has 2 players; name as many agents, not 1"),
        (
            ["tictactoe", "random", "randm"],
            "no agent randm for tictactoe; did you mean random?",
        ),
        (["tictactoe", "random", "mcts:simulation=3"], "did you mean simulations?"),
        (["tictacto", "random", "random"], "did you mean tictactoe?"),
        (["tictactoe", "random", "random", "random"], "has 2 players; name as many agents, not 3"),
        (["nim:players=3", "random", "random"], "has 3 players"),
        (["nim:players=3", *["random"] * 3, "--sprt", "0,5"], "--sprt is for two agents"),
        (["nim:players=3", "random", "random", "alphabeta"], "not a two-player zero-sum game"),
        (["tictactoe", "random", "random", "--sprt", "5"], "--sprt is ELO0,ELO1"),
        (["tictactoe", "random", "random", "--clock", "1m"], "--clock is SECONDS"),
        (["tictactoe", "random", "random", "--pairs", "0"], "pairs is at least 1, not 0"),
        (["tictactoe", "random", "random", "--set", "rules.cycle=1"], "did you mean cycles?"),
        (["tictactoe", "random", "random", "--set", "cycles"], "--set is KEY=VALUE"),
        (["tictactoe", "random", "random", "--openings", "no.txt"], "no.txt cannot be read"),
        (
            ["tictactoe", "random", "random", "--workers", "-1"],
            "'--workers': Input should be greater",
        ),
    ],
)
def test_bad_usage_is_one_line_before_anything_is_played(
    words: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["match", *words, "--out", "run.db"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("plies: ")
    assert captured.err.count("\n") == 1
    assert said in captured.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no Ctrl-C for a group there")
def test_ctrl_c_shows_what_there_is_and_how_to_go_on(tmp_path: Path) -> None:
    out, game = tmp_path / "run.db", held_game(tmp_path)
    words = ("match", game, "greedy", "random", "--pairs", "2000", "--sprt", "0,0.5")
    done = interrupted(*words, out=out)
    assert done.returncode == 130
    assert "no verdict" in done.stdout
    count = len(kept(out))
    again = f"plies match {game} greedy random --pairs 2000 --sprt 0,0.5 --out {out}"
    assert done.stderr == f"plies: {count} games are kept in {out}; to go on: {again}\n"
