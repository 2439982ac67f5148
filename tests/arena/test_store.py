"""The store: what was written is there, and what is no run is refused in one line."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plies.arena.plan import Planned
from plies.arena.store import FORMAT, BadStore, Finished, Store, is_blank
from plies.records import TERMINATIONS, GameRecord, MoveRecord
from report_samples import small_files

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
NUMBERS = st.integers(-(2**53), 2**53)
TIMES = st.floats(0, 1e9)
MOVES = st.builds(
    MoveRecord,
    player=st.integers(0, 5),
    text=TEXTS,
    value=st.none() | NUMBERS,
    depth=st.integers(0, 127),
    nodes=st.integers(0, 2**53),
    seconds=TIMES,
    line=st.lists(TEXTS, max_size=3).map(tuple),
    fault=TEXTS,
)


@st.composite
def finished_games(draw: st.DrawFn) -> Finished:
    players = draw(st.integers(2, 4))
    each = st.lists(TEXTS, min_size=players, max_size=players).map(tuple)
    payoffs = st.lists(st.integers(-1, 1), min_size=players, max_size=players).map(tuple)
    game, seed = draw(TEXTS), draw(st.integers(0, 2**48 - 1))
    planned = Planned(0, game, draw(each), draw(TEXTS), seed, *draw(st.tuples(NUMBERS, NUMBERS)))
    record = GameRecord(
        game=game,
        agents=draw(each),
        seed=seed,
        moves=tuple(draw(st.lists(MOVES, max_size=5))),
        payoffs=draw(payoffs),
        reason=draw(TEXTS),
        start=draw(TEXTS),
        final=draw(TEXTS),
        termination=draw(st.sampled_from(TERMINATIONS)),
        faults=draw(each),
    )
    return Finished(planned, record, draw(TIMES), draw(TEXTS), draw(TEXTS))


def game(number: int, plies: int = 3) -> Finished:
    moves = tuple(MoveRecord(ply % 2, f"{ply}", None, 0, 0, 0.5) for ply in range(plies))
    record = GameRecord("tictactoe", ("a", "b"), 1, moves, (1, -1), "rules", "start", "final")
    return Finished(Planned(number, "tictactoe", ("a", "b"), "start", 1, 0, number // 2), record)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A run of three games."""
    path = tmp_path / "run.db"
    with Store.create(path, {"tournament": "{}"}) as store:
        for number in range(3):
            store.add(game(number))
    return path


def fill(store: Store) -> None:
    """Add games until there is no room."""
    for number in range(3, 1000):
        store.add(game(number, plies=50))


@settings(max_examples=60)
@given(finished_games())
def test_what_goes_in_comes_out(finished: Finished) -> None:
    with Store.create(None, {}) as store:
        store.add(finished)
        assert store.games() == [finished]


def test_games_come_out_by_their_numbers(tmp_path: Path) -> None:
    with Store.create(tmp_path / "run.db", {}) as store:
        for number in (5, 0, 3):
            store.add(game(number, plies=number))
    with Store.open(tmp_path / "run.db") as store:
        assert [each.planned.number for each in store.games()] == [0, 3, 5]
        assert [len(each.record.moves) for each in store.games()] == [0, 3, 5]
        assert store.numbers() == {0, 3, 5}


def test_no_game_is_kept_twice_and_none_in_part(path: Path) -> None:
    with Store.open(path, is_for_writing=True) as store:
        with pytest.raises(BadStore, match="UNIQUE"):
            store.add(game(1, plies=9))
        assert store.games() == [game(number) for number in range(3)]
        store.add(game(3))
        assert len(store.games()) == 4


def test_what_is_said_about_a_run_is_kept(path: Path) -> None:
    with Store.open(path, is_for_writing=True) as store:
        store.say("note", {"très": ["bien", 1, None]})
        store.say("note", ["again"])
    with Store.open(path) as store:
        assert store.about == {"tournament": "{}", "note": ["again"]}


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes\n" * 100)
    for attempt in (Store.open, is_blank):
        with pytest.raises(BadStore, match=r"notes\.txt is not a run of plies$"):
            attempt(path)
    with pytest.raises(BadStore):
        Store.create(path, {})
    assert path.read_text() == "these are my notes\n" * 100


def test_a_database_of_somebody_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE games (title TEXT)")
    before = path.read_bytes()
    with pytest.raises(BadStore, match="is a database, but not of a run of plies"):
        Store.open(path)
    with pytest.raises(BadStore, match="exists already"):
        Store.create(path, {})
    assert path.read_bytes() == before


def test_a_game_that_ends_while_others_are_read_is_not_seen_without_its_moves(path: Path) -> None:
    with Store.open(path, is_for_writing=True) as writer, Store.open(path) as reader:
        late = [game(3)]

        def add_between(statement: str) -> None:
            if "FROM games" in statement and late:
                writer.add(late.pop())

        reader._connection.set_trace_callback(add_between)
        seen = reader.games()
        assert not late
        assert all(each.record.moves for each in seen)
        reader._connection.set_trace_callback(None)
        assert [each.planned.number for each in reader.games()] == [0, 1, 2, 3]


def test_a_closed_run_is_one_file_that_can_be_read_where_nothing_can_be_written(path: Path) -> None:
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    with Store.open(path, is_for_writing=True) as store:
        store.add(game(3))
        assert path.with_name(f"{path.name}-wal").exists()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("other", [FORMAT - 1, FORMAT + 1])
def test_a_run_of_another_version_says_which_and_what_to_do(path: Path, other: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {other}")
    with pytest.raises(BadStore) as found:
        Store.open(path)
    assert f"has format {other}, this version of plies reads format {FORMAT}" in str(found.value)
    assert "use the plies that wrote it, or another file" in str(found.value)


def test_a_run_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    for missing in (tmp_path / "none.db", tmp_path):
        with pytest.raises(BadStore, match="plies tournament --out"):
            Store.open(missing)


def test_a_run_whose_making_was_cut_short_is_made_again(tmp_path: Path) -> None:
    empty, headed = tmp_path / "empty.db", tmp_path / "headed.db"
    empty.touch()
    with closing(sqlite3.connect(headed)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")  # which writes a page
    assert headed.stat().st_size > 0
    for path in (empty, headed):
        with Store.create(path, {}) as store:
            store.add(game(0))
        with Store.open(path) as store:
            assert store.numbers() == {0}


HOLDER = """
import sys
from plies.arena.store import Store
with Store.open(sys.argv[1], is_for_writing=True):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that writes to the run."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_only_one_process_writes_and_others_may_read(
    path: Path, holder: subprocess.Popen[str]
) -> None:
    with pytest.raises(BadStore, match="is being written to by another process"):
        Store.open(path, is_for_writing=True)
    with Store.open(path) as store:
        assert len(store.games()) == 3
    holder.kill()
    holder.wait()
    with Store.open(path, is_for_writing=True) as store:  # the lock died with its process
        store.add(game(3))


def test_a_reader_sees_games_while_they_are_written(path: Path) -> None:
    with Store.open(path, is_for_writing=True) as writer, Store.open(path) as reader:
        writer.add(game(3))
        assert reader.numbers() == {0, 1, 2, 3}


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be limited there")
def test_a_full_disk_loses_no_game_and_one_can_go_on(path: Path) -> None:
    with Store.open(path, is_for_writing=True) as store:
        with small_files(200_000), pytest.raises(BadStore) as found:
            fill(store)
        count = len(store.numbers())
        assert str(found.value).startswith(f"{path}: ")
        assert "\n" not in str(found.value)
        assert store.games()[3:] == [game(number, plies=50) for number in range(3, count)]
        assert count > 10
        store.add(game(count, plies=50))  # there is room again
    with Store.open(path) as store:
        assert store.numbers() == set(range(count + 1))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_full_disk_is_told_with_what_to_do(path: Path) -> None:
    with Store.open(path, is_for_writing=True) as store:
        # The limit of a database gives the very error of a disk without room.
        store._connection.execute("PRAGMA max_page_count = 20")
        with pytest.raises(BadStore) as found:
            fill(store)
        assert str(found.value) == (
            f"{path}: database or disk is full; the games that had ended are safe;"
            " free some space and run the command again"
        )
        assert store.numbers() == set(range(len(store.games())))


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match=r"there is no folder .*missing for run\.db"):
        Store.create(tmp_path / "missing" / "run.db", {})
