"""`plies study`: what it prints, what it refuses, and going on after it was stopped."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import study_samples
from arena_samples import environment, kept, let_workers_start_uncompiled, played
from held_samples import held_game
from plies.cli.main import main
from plies.pages.charts import picture
from plies.studies import finding
from plies.studies.report.charts import Axis, lines
from study_samples import PAIRS, only_samples, tournament

PATIENCE_SECONDS = 120
PICTURE = {"svg": b"<svg", "png": b"\x89PNG"}  # how the files begin


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(finding, "studies", only_samples)
    let_workers_start_uncompiled(monkeypatch)


def test_studies_are_listed(capsys: pytest.CaptureFixture[str]):
    assert main(["study", "list"]) == 0
    assert "sample" in capsys.readouterr().out
    assert main(["study", "list", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == ["failing", "sample"]


def test_a_study_writes_a_report_results_and_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["study", "run", "sample", "--workers", "1", "--markdown", str(tmp_path), "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    folder = tmp_path / "build" / "studies" / "sample-quick"
    assert json.loads((folder / "results.json").read_text()) == told
    assert "Greedy beats chance." in (folder / "report.html").read_text()
    assert (tmp_path / "sample.md").read_text().startswith("# A sample")
    assert not list(folder.rglob("*.part"))


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_charts_of_a_study_that_is_there_are_exported_without_running_it(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["study", "run", "sample", "--workers", "1", "--out", "run"]
    assert main(words) == 0
    assert main([*words, "--charts", "drawn/here", "--chart-format", kind]) == 0
    drawn = sorted((tmp_path / "drawn" / "here").iterdir())
    assert [path.name for path in drawn] == [f"sample-results.{kind}", f"sample-squares.{kind}"]
    assert all(path.read_bytes().startswith(PICTURE[kind]) for path in drawn)
    assert f"drawn/here/sample-squares.{kind}\n" in capsys.readouterr().err
    assert (tmp_path / "run" / "files" / "begun.txt").read_text() == "begun\n"


def test_a_share_is_written_without_needless_digits():
    rows = [{"x": 1, "share": 0.5}, {"x": 2, "share": 1.0}]
    drawn = lines(rows, Axis("x", "depth", is_whole=True), Axis("share", "won", format="%"))
    shown = picture(drawn, "svg").decode()
    assert ">100%<" in shown
    assert "00000%" not in shown


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["run", "sampel"], "there is no study sampel; did you mean sample?"),
        (["run", "sample", "--markdown", "nowhere"], "there is no folder nowhere for --markdown"),
        (["run", "sample", "--charts", os.devnull], f"{os.devnull} cannot be made a folder"),
        (["run", "sample", "--charts", "a", "--chart-format", "gif"], "--chart-format"),
        (["run", "sample", "--workers", "-1"], "--workers"),
        (["run", "sample", "--seed", "-1"], "--seed"),
        (["run"], "see plies study run --help"),
        (["run", "failing"], "there is nothing to measure"),
    ],
)
def test_bad_usage_is_one_line(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["study", *words]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("plies: ")
    assert complaint in last


def test_all_studies_are_run_although_one_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["study", "all", "--out", "here", "--workers", "1", "--charts", "drawn"]) == 2
    assert (tmp_path / "drawn" / "sample-squares.svg").exists()
    assert "plies: failing: there is nothing to measure" in capsys.readouterr().err
    assert (tmp_path / "here" / "sample-quick" / "report.html").exists()


# Going on


def start(game: str) -> subprocess.Popen[str]:
    """The larger study, in a process and a session of its own."""
    words = ["study", "run", "sample", "--full", "--workers", "2", "--out", "run"]
    return subprocess.Popen(
        [sys.executable, study_samples.__file__, game, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )


def games_in(path: Path) -> int:
    """Read without touching the file."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def stopped_after_more_games(game: str, path: Path, how: int) -> tuple[int, str, int]:
    """The status and the last words of a run that got a signal, and how many games there are."""
    before, process = games_in(path), start(game)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while games_in(path) < before + 3 and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    os.kill(process.pid, how)
    said = process.communicate(timeout=PATIENCE_SECONDS)[1]
    return process.returncode, said, games_in(path)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_study_that_is_killed_and_interrupted_ends_as_if_undisturbed(tmp_path: Path):
    path, game = tmp_path / "run" / "files" / "games.db", held_game(tmp_path)
    status, _, killed = stopped_after_more_games(game, path, signal.SIGKILL)
    assert status == -signal.SIGKILL
    status, said, interrupted = stopped_after_more_games(game, path, signal.SIGINT)
    assert status == 130
    assert "what is done is kept in run; to go on: plies study run sample" in said
    assert 0 < killed < interrupted < 2 * PAIRS["full"]
    (tmp_path / "go").touch()
    last = start(game)
    last.communicate(timeout=PATIENCE_SECONDS)
    assert last.returncode == 0
    assert (tmp_path / "run" / "files" / "begun.txt").read_text() == "begun\n"
    undisturbed: list[dict[str, Any]] = played(tournament(1, PAIRS["full"], game), workers=2)
    assert kept(path) == undisturbed
    told = json.loads((tmp_path / "run" / "results.json").read_text())
    assert told["steps"]["play"]["games"] == 2 * PAIRS["full"]
