"""`plies blackbox`."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plies.blackbox import STRATEGIES
from plies.cli.main import main

QUICK = ["--length", "40", "--runs", "2", "--budget", "2000"]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["blackbox", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_list_names_every_strategy(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "list", "--json")
    assert (status, [each["name"] for each in json.loads(out)["strategies"]]) == (
        0, list(STRATEGIES)
    )  # fmt: skip
    status, out, _ = said(capsys, "list")
    assert all(f"{name} " in out for name in STRATEGIES)
    assert all(f"\n{option} " in out for option in STRATEGIES["recipe"].options)


def test_run_tells_programs_how_many_calls_were_needed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = said(
        capsys, "run", "--problem", "2", "--problem", "1", "--strategy", "linkage", *QUICK, "--json"
    )
    second, first = json.loads(out)
    assert status == 0
    assert (second["problem"], first["problem"]) == (2, 1)
    assert (first["runs"], first["solved"], first["track"]) == (2, 2, "grey box")
    assert 1 < first["median_calls"] <= first["most_calls"] < 100
    assert first["best_by_calls"]["1000"] == 1.0


def test_run_tells_people_and_draws(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, start in (("curves.svg", b"<svg"), ("curves.png", b"\x89PNG")):
        status, out, _ = said(
            capsys, "run", "--problem", "1", "--strategy", "linkage", "--strategy", "tabu", *QUICK,
            "--plot", str(tmp_path / name),
        )  # fmt: skip
        assert (status, "2 of 2" in out, "median calls" in out) == (0, True, True)
        assert (tmp_path / name).read_bytes().startswith(start)
    assert len(list(tmp_path.iterdir())) == 2


def test_runs_that_are_kept_are_not_run_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["run", "--problem", "1", *QUICK, "--out", str(tmp_path / "runs.jsonl"), "--json"]
    first = said(capsys, *command)
    monkeypatch.setattr("plies.blackbox.experiment.Job.run", None)
    assert said(capsys, *command) == first


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--strategy", "linkge"], "there is no strategy linkge; did you mean linkage?"),
        (["--strategy", "linkage:k=2"], "linkage has no option k; it has none"),
        (
            ["--strategy", "recipe:population=0"],
            "recipe: population is at least 1, not 0",
        ),
        (
            ["--strategy", "recipe:tournament=11"],
            "recipe: tournament is 1 to 10 (the population), or 0 for all of them, not 11",
        ),
        (
            ["--strategy", "recipe:flips=1001"],
            "recipe: flips is at most 1000, the loci there are, not 1001",
        ),
        (["--strategy", "recipe:flips=-1"], "recipe: flips is at least 0, not -1"),
        (
            ["--strategy", "recipe:flips=0,crossover=no,reorder=no"],
            "recipe: children need flips, crossover or reorder to differ",
        ),
        (["--problem", "0"], "1000 loci cannot be split into 0 equal classes"),
        (["--problem", "3"], "1000 loci cannot be split into 3 equal classes"),
        (["--runs", "0"], "runs and budget are at least 1, not 0 and 100000"),
        (["--seed", "-1"], "a seed is at least 0, not -1"),
        (["--out", "no/a.jsonl"], "no/a.jsonl cannot be written: no is no folder"),
        (["--plot", "no/a.svg"], "there is no folder no to draw a.svg in"),
        (["--plot", "curves.pdf"], "--plot is a file that ends with .svg or .png, not curves.pdf"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    assert said(capsys, "run", *arguments) == (2, "", f"plies: {complaint}\n")


def test_what_cannot_be_kept_is_not_begun(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plies.blackbox.experiment.Job.run", None)
    path = tmp_path / "runs.jsonl"
    path.symlink_to(tmp_path / "nowhere" / "runs.jsonl")
    status, _, err = said(capsys, "run", "--problem", "1", *QUICK, "--out", str(path))
    assert (status, err.count("\n")) == (2, 1)
    assert f"{path} cannot be written: No such file" in err


def test_no_number_of_workers_means_every_core(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "--problem", "1", *QUICK, "--json", "--workers"]
    assert said(capsys, *command, "0")[:2] == said(capsys, *command, "1")[:2]
    status, _, err = said(capsys, *command, "-1")
    assert (status, "--workers" in err) == (2, True)


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    command = ["blackbox", "run", "--problem", "10", "--strategy", "tabu", "--budget", "3000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "plies", *command, "--runs", "9999", "--out", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip
    while process.poll() is None and not (path.exists() and path.read_text().count("\n") > 1):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    kept = path.read_text().count("\n")
    assert process.returncode == 130
    assert kept >= 2
    assert path.read_text().endswith("\n")
    assert f"interrupted; {kept} of 9999 runs are kept in {path}" in error
