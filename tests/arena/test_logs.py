"""What programs wrote to their standard error, in files for their authors."""

from pathlib import Path

import pytest

from plies.arena import logs
from plies.arena.config import Openings, Tournament
from plies.arena.logs import add_to_logs, log_folder, log_path
from plies.arena.plan import Entry, Planned
from plies.arena.runner import open_run, run
from plies.arena.store import Finished
from plies.match import Clocks
from plies.records import GameRecord

CRASHING = Path(__file__).parents[1] / "data" / "hostile" / "exit_in_the_middle.py"


def finished(number: int, *errors: str, seats: tuple[str, str] = ("alice", "bob")) -> Finished:
    planned = Planned(number, "nim", seats, "", 0, 0, 0)
    record = GameRecord("nim", seats, 0, (), (1, -1), "rules", "", "")
    return Finished(planned, record, errors=errors)


def test_every_agent_has_a_log_in_a_stored_run(tmp_path: Path):
    tournament = Tournament(
        name="logs",
        games=("tictactoe",),
        agents=(Entry("alice", f"process:{CRASHING}"), Entry("random", "random")),
        kind="match",
        pairs=1,
        openings=Openings(plies=0),
        clocks=Clocks(startup=60, per_move=60),
    )
    with open_run(tournament, tmp_path / "run.db") as store:
        run(store, workers=1)
        assert len(store.games()) == 2
    assert [path.name for path in log_folder(tmp_path / "run.db").iterdir()] == ["alice.log"]
    text = log_path(tmp_path / "run.db", "alice").read_text()
    assert text.count("=== game ") == 2
    assert text.count("Traceback (most recent call last):") == 2
    assert text.rstrip().endswith("KeyError: 'opponent'")


def test_who_wrote_nothing_has_no_log(tmp_path: Path):
    run_path = tmp_path / "run.db"
    add_to_logs(run_path, finished(0))
    add_to_logs(run_path, finished(1, "", ""))
    assert not log_folder(run_path).exists()
    add_to_logs(run_path, finished(2, "", "oops\n"))
    add_to_logs(run_path, finished(3, "", "again"))
    title = "=== game {} of Nim, alice against bob, seat 2: normal: rules\n{}\n\n"
    expected = title.format(2, "oops") + title.format(3, "again")
    assert log_path(run_path, "bob").read_text() == expected


def test_a_log_grows_to_its_limit_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(logs, "MAX_BYTES", 1000)
    for number in range(9):
        add_to_logs(tmp_path / "run.db", finished(number, "x" * 300, ""))
    content = log_path(tmp_path / "run.db", "alice").read_bytes()
    assert len(content) == 1000 + len(logs.FULL)
    assert content.endswith(logs.FULL)


def test_any_name_has_a_log_of_its_own_in_the_folder(tmp_path: Path):
    run_path = tmp_path / "run.db"
    names = ("alice", "../alice", "..-alice", "process:a/b.py", "x" * 300, "x" * 301, "\0", "..")
    names += ("\u68cb" * 90, "\u68cb" * 91)  # three bytes each
    paths = {log_path(run_path, name) for name in names}
    assert len(paths) == len(names)
    for path in paths:
        assert path.parent == log_folder(run_path)
        assert path.resolve().parent == log_folder(run_path).resolve()
        assert len(path.name.encode()) < 255


def test_a_log_with_a_long_name_in_chinese_is_written(tmp_path: Path):
    name = "\u68cb" * 90
    add_to_logs(tmp_path / "run.db", finished(0, "oops", "", seats=(name, "bob")))
    assert "oops" in log_path(tmp_path / "run.db", name).read_text()
