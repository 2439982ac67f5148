"""`plies tournament`: files, options, going on, and what is refused."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena_samples import (
    command,
    deadly_game,
    environment,
    kept,
    let_workers_start_uncompiled,
    start,
)
from held_samples import held_game
from plies.arena.store import Store
from plies.cli.main import main
from plies.errors import PliesError

PATIENCE_SECONDS = 120
WORDS = ("tournament", "--game", "tictactoe", "--agent", "random", "--agent", "greedy")
FILE = """
name = "spring cup"
pairs = 2
seed = 4
games = ["tictactoe", "nim"]
agents = ["random", { name = "keen", spec = "greedy" }, { name = "wild", spec = "random" }]

[rules]
faults = "warnings"
"""


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    let_workers_start_uncompiled(monkeypatch)


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a command ends with."""
    assert main([*words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("plies: ")
    assert captured.err.count("\n") == 1
    return captured.err


def test_a_file_says_everything_and_options_come_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cup.toml").write_text(FILE)
    assert main(["tournament", "cup.toml", "--pairs", "1", "--json", "--workers", "2"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert captured.err == ""
    assert (found["name"], found["kind"], found["games"]) == ("spring cup", "round-robin", 12)
    assert {each["agent"] for each in found["standings"]} == {"random", "keen", "wild"}
    assert "3 faults in a game" in found["faults"]
    assert len(kept(tmp_path / "spring cup.db")) == 12  # named after the tournament


def test_the_same_command_goes_on_and_then_has_nothing_left_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*WORDS, "--pairs", "4", "--out", "run.db", "--workers", "1"]
    assert main(words) == 0
    whole = kept(tmp_path / "run.db")
    capsys.readouterr()
    with closing(sqlite3.connect("run.db")) as connection, connection:
        for table in ("games", "moves"):
            connection.execute(f"DELETE FROM {table} WHERE number IN (2, 5, 7)")
    assert main(words) == 0
    captured = capsys.readouterr()
    assert captured.err == "run.db: 5 of 8 games are there already\n"
    assert "kept in run.db" in captured.out
    assert kept(tmp_path / "run.db") == whole
    assert main(words) == 0
    assert capsys.readouterr().err == "run.db: all games have been played\n"


def test_another_tournament_in_the_same_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*WORDS, "--pairs", "1", "--out", "run.db", "--workers", "1"]) == 0
    capsys.readouterr()
    before = kept(tmp_path / "run.db")
    said = complaint(capsys, *WORDS, "--pairs", "1", "--seed", "2", "--out", "run.db")
    assert said == ("plies: run.db: this is another run: seed is 1, not 2; choose another --out\n")
    assert kept(tmp_path / "run.db") == before


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cup.toml").write_text(FILE)
    assert main(["tournament", "cup.toml", "--dry-run", "--workers", "2"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    for said in ("24", "on 2 workers", "spring cup.db", "3 faults in a game"):
        assert said in captured.out
    assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]


def test_a_code_that_has_changed_is_told_and_no_reason_to_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*WORDS, "--pairs", "1", "--out", "run.db", "--workers", "1"]
    assert main(words) == 0
    capsys.readouterr()
    with Store.open(tmp_path / "run.db", is_for_writing=True) as store:
        store.say("source", "another")
    assert main(words) == 0
    said = "plies: the code has changed since run.db was begun: its games may differ\n"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "a tournament needs a FILE, or --game and --agent twice or more"),
        (["--game", "tictactoe"], "a tournament needs a FILE"),
        (["missing.toml"], "missing.toml cannot be read"),
        ([*WORDS[1:], "--kind", "swis"], "did you mean swiss?"),
        ([*WORDS[1:], "--kind", "sprt"], "kind sprt needs a table [sprt]"),
        ([*WORDS[1:], "--agent", "greedi"], "did you mean greedy?"),
        ([*WORDS[1:], "--set", "pears=3"], "did you mean pairs?"),
        ([*WORDS[1:], "--set", "clocks.per_mov=3"], "did you mean per_move?"),
        ([*WORDS[1:], "--set", "rules.warnings=0"], "warnings is a whole number from 1 on"),
        ([*WORDS[1:], "--game", "nim:players=3"], "players"),
        ([*WORDS[1:], "--out", "no/folder/run.db"], "there is no folder no/folder for run.db"),
        ([*WORDS[1:], "--out", "."], "unable to open database file"),
    ],
)
def test_bad_usage_is_one_line_before_anything_is_played(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in complaint(capsys, "tournament", *words)
    assert list(tmp_path.iterdir()) == []


def test_a_typo_in_a_file_is_told_with_the_right_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cup.toml").write_text(FILE.replace("faults", "fault"))
    said = complaint(capsys, "tournament", "cup.toml")
    assert "cup.toml" in said
    assert "rules has no key fault; did you mean faults?" in said


def test_files_that_cannot_be_gone_on_with_are_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.db"
    path.write_text("no database at all " * 100)
    assert "run.db is not a run of plies" in complaint(capsys, *WORDS, "--out", "run.db")
    assert path.read_text() == "no database at all " * 100
    path.unlink()
    with Store.create(path, {}):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert "has format 99" in complaint(capsys, *WORDS, "--out", "run.db")


def test_a_run_that_another_process_writes_to_is_left_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*WORDS, "--pairs", "1", "--out", "run.db", "--workers", "1"]
    assert main(words) == 0
    capsys.readouterr()
    with Store.open(tmp_path / "run.db", is_for_writing=True):
        assert "run.db is being written to by another process" in complaint(capsys, *words)


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be limited there")
def test_a_full_disk_ends_the_run_in_a_line_loses_nothing_and_one_can_go_on(
    tmp_path: Path,
) -> None:
    words = [*WORDS, "--pairs", "100", "--out", "run.db", "--workers", "1"]
    line = shlex.join([sys.executable, "-m", "plies", *words])
    # Blocks of 1 kB: no file can grow beyond so many, as on a disk that is full.
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 100; exec {line}"],
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert all(each.startswith("plies: ") for each in lines)
    count = len(kept(tmp_path / "run.db"))
    assert f"{count} games are kept in run.db; to go on: plies tournament" in lines[0]
    assert 0 < count < 200
    assert main(words) == 0
    assert [game["number"] for game in kept(tmp_path / "run.db")] == list(range(200))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_game_that_ends_every_worker_is_told_in_a_line(tmp_path: Path) -> None:
    game = deadly_game(tmp_path, 10, is_once=False)
    (tmp_path / "cup.toml").write_text(
        f'games = ["{game}"]\nagents = ["random", "greedy"]\npairs = 2\n'
        'openings.positions = ["10 0", "9 0"]\n'
    )
    done = command("tournament", "cup.toml", "--workers", "2", cwd=tmp_path)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert "2 games are kept in cup.db; to go on: plies tournament cup.toml" in lines[0]
    assert "and 1 more ended 3 workers; is there enough memory?" in lines[1]
    assert {game["opening"] for game in kept(tmp_path / "cup.db")} == {"9 0"}


def games_in(path: Path) -> int:
    try:
        with Store.open(path) as store:
            return len(store.numbers())
    except PliesError:
        return 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no Ctrl-C for a group there")
def test_ctrl_c_keeps_what_has_ended_and_the_printed_command_goes_on(tmp_path: Path) -> None:
    words = ("tournament", "--game", held_game(tmp_path), "--agent", "random", "--agent", "greedy")
    process = start(*words, "--pairs", "30", "--workers", "1", cwd=tmp_path)
    path = tmp_path / "tournament.db"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while games_in(path) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130
    before = kept(path)
    assert len(before) == 3
    assert f"games  {len(before)}, " in stdout
    told, again = stderr.removesuffix("\n").split("; to go on: ")
    assert told == f"plies: {len(before)} games are kept in tournament.db"
    (tmp_path / "go").touch()
    done = command(*shlex.split(again)[1:], "--json", cwd=tmp_path)
    assert done.returncode == 0
    found: dict[str, Any] = json.loads(done.stdout)
    assert (found["games"], found["is_finished"]) == (60, True)
    after = kept(path)
    assert [each["number"] for each in after] == list(range(60))
    assert all(each in after for each in before)


@pytest.mark.skipif(sys.platform == "win32", reason="programs need a Unix")
def test_an_edited_program_is_named_and_plays_again_and_a_newcomer_only_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Path(__file__).parents[2] / "examples" / "agents" / "chance.py"
    program = tmp_path / "alice.py"
    program.write_text(source.read_text())
    file = 'game = "tictactoe"\npairs = 1\nagents = [{ name = "alice", spec = "process:alice.py" },'
    Path("cup.toml").write_text(f'{file} "random", "greedy"]')
    words = ["tournament", "cup.toml", "--workers", "1"]
    assert main(words) == 0
    before = {game["number"]: game for game in kept(Path("cup.db"))}
    own = {number for number, game in before.items() if "alice" in game["seats"]}
    capsys.readouterr()

    program.write_text(source.read_text() + "\n# edited\n")
    assert main(words) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"plies: cup.db: alice's program has changed since {len(own)} games")
    assert said.endswith("`--replay alice` plays its games again, or choose another --out")
    assert main([*words, "--replay", "alice"]) == 0
    assert "plies: alice plays its 4 games again\n" in capsys.readouterr().err
    with Store.open(Path("cup.db")) as store:
        assert {each.number for each in store.aside("replayed")} == own
    after = {game["number"]: game for game in kept(Path("cup.db"))}
    assert after.keys() == before.keys()
    assert all(after[number] == before[number] for number in before.keys() - own)

    Path("cup.toml").write_text(f'{file} "random", "greedy", "minimax:depth=1"]')
    assert main(words) == 0
    captured = capsys.readouterr()
    assert "plies: minimax:depth=1 joins\ncup.db: 6 of 12 games are there already\n" in captured.err
    grown = {game["number"]: game for game in kept(Path("cup.db"))}
    assert len(grown) == 12
    assert after.items() <= grown.items()
