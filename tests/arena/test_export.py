"""Exports: what another program reads is what the store holds."""

import io
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import chess.pgn
import pyarrow.parquet
import pytest

from plies.arena.export import export
from plies.arena.plan import Entry, Planned
from plies.arena.store import Finished
from plies.cli.main import main
from plies.core.scores import win_in
from plies.errors import BadSpec
from plies.files import CannotWrite
from plies.games.chess.pgn import games_of_pgn
from plies.match import Clocks
from plies.records import GameRecord, MoveRecord
from report_samples import HOSTILE, keep, rows_of, small_files, tournament

PLAYED = tournament("random", Entry(HOSTILE, "random"), games=("tictactoe", "nim:rows=3-4"))
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LATER = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run") / "run.db"


@pytest.fixture(scope="module")
def games(run: Path) -> list[Finished]:
    """Two pairs of each of two games, one with what only a searching agent says."""
    found = keep(run, PLAYED)
    first = found[0].record.moves[0]
    told = replace(first, value=-7, depth=3, nodes=12, line=("a1", "b2"), fault='quoted "," text')
    record = replace(found[0].record, moves=(told, *found[0].record.moves[1:]))
    return [replace(found[0], record=record), *found[1:]]


def read_back(data: dict[str, Any]) -> Finished:
    """A game from what an export holds of it."""
    moves = tuple(
        MoveRecord(**(move | {"line": tuple(move["line"])})) for move in data.pop("moves")
    )
    tuples = {name: tuple(data.pop(name)) for name in ("seats", "agents", "payoffs")}
    planned = {name: data[name] for name in ("number", "game", "opening", "seed", "round", "pair")}
    record = {name: data[name] for name in ("game", "seed", "reason", "start", "final")}
    return Finished(
        Planned(seats=tuples["seats"], **planned),
        GameRecord(
            agents=tuples["agents"],
            payoffs=tuples["payoffs"],
            termination=data["termination"],
            moves=moves,
            **record,
        ),
        **{name: data[name] for name in ("seconds", "ended", "worker")},
    )


def test_json_lines_hold_everything(games: list[Finished], tmp_path: Path) -> None:
    export(PLAYED, games, tmp_path / "games.jsonl")
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert [read_back(json.loads(line)) for line in lines] == games


def test_parquet_holds_everything_one_game_a_row(games: list[Finished], tmp_path: Path) -> None:
    export(PLAYED, games, tmp_path / "games.parquet")
    rows = pyarrow.parquet.read_table(tmp_path / "games.parquet").to_pylist()
    assert [read_back(row) for row in rows] == games


def test_csv_has_one_row_for_every_game(games: list[Finished], tmp_path: Path) -> None:
    export(PLAYED, games, tmp_path / "games.csv")
    for row, finished in zip(rows_of(tmp_path / "games.csv"), games, strict=True):
        planned, record = finished.planned, finished.record
        assert (row["agent_1"], row["agent_2"]) == planned.seats
        assert [int(row["payoff_1"]), int(row["payoff_2"])] == list(record.payoffs)
        assert float(row["points_1"]) + float(row["points_2"]) == 1
        for name in ("termination", "reason", "start", "final"):
            assert row[name] == getattr(record, name)
        assert int(row["plies"]) == len(record.moves)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_without_times_the_same_run_gives_the_same_bytes(
    suffix: str, games: list[Finished], tmp_path: Path
) -> None:
    again = [
        replace(
            each,
            seconds=7.5,
            ended="another day",
            worker="another one",
            record=replace(
                each.record, moves=tuple(replace(move, seconds=9.0) for move in each.record.moves)
            ),
        )
        for each in games
    ]
    texts = []
    for number, played in enumerate((games, again)):
        path = tmp_path / f"{number}{suffix}"
        export(PLAYED, played, path, has_times=False)
        texts.append(path.read_bytes())
    assert texts[0] == texts[1]
    assert b"seconds" not in texts[0]


# PGN


def chess_game(number: int, start: str, payoffs: tuple[int, int], *moves: MoveRecord) -> Finished:
    """A game as a run keeps it; the last position is not looked at."""
    seats = ("random", HOSTILE)[:: 1 if number % 2 == 0 else -1]
    planned = Planned(number, "chess", seats, start, 5, 0, number // 2)
    record = GameRecord("chess", ("random",) * 2, 5, moves, payoffs, "rules", start, "")
    return Finished(planned, record, 1.5, "2025-03-04T05:06:07+00:00", "1")


def chess_games() -> list[Finished]:
    """Fool's mate, whole and from its second move on; then a game lost by a late move."""
    opening = (
        MoveRecord(0, "f2f3", None, 0, 0, 0.25),
        MoveRecord(1, "e7e5", 31, 12, 900, 0.1),
    )
    ending = (
        MoveRecord(0, "g2g4", -250, 2, 80, 0.5, fault="said {nothing}"),
        MoveRecord(1, "d8h4", win_in(1), 1, 30, 0.125),
    )
    late = chess_game(2, START, (-1, 1), *opening)
    record = replace(late.record, termination="time", reason="moved too late")
    return [
        chess_game(0, START, (-1, 1), *opening, *ending),
        chess_game(1, LATER, (-1, 1), *ending),
        replace(late, record=record),
    ]


def chess_tournament(**more: Any) -> Any:
    return tournament(*("random", Entry(HOSTILE, "random")), games=("chess",), name="Cup", **more)


def test_pgn_is_read_by_other_programs_and_by_our_own(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    games = chess_games()
    export(chess_tournament(clocks=Clocks(credit=60, increment=0.5)), games, path)
    text = path.read_text()
    own = list(games_of_pgn(text))
    stream = io.StringIO(text)
    for finished, ours in zip(games, own, strict=True):
        theirs = chess.pgn.read_game(stream)
        assert theirs is not None
        assert not theirs.errors
        moves = tuple(move.text for move in finished.record.moves)
        assert tuple(move.uci() for move in theirs.mainline_moves()) == moves
        assert ours.moves == moves
        # python-chess leaves the backslash before a quotation mark where it is.
        assert (ours.headers["White"], ours.headers["Black"]) == finished.planned.seats
        assert theirs.board().fen() == finished.record.start
        assert ours.start == finished.record.start
        told = {name: theirs.headers[name] for name in ("Event", "Date", "Result", "TimeControl")}
        assert told == {
            "Event": "Cup",
            "Date": "2025.03.04",
            "Result": "0-1",
            "TimeControl": "60+0.5",
        }
    assert chess.pgn.read_game(stream) is None


def test_pgn_tells_value_depth_time_and_what_ended_the_game(tmp_path: Path) -> None:
    export(chess_tournament(), chess_games(), tmp_path / "games.pgn")
    stream = io.StringIO((tmp_path / "games.pgn").read_text())
    first, _, late = (chess.pgn.read_game(stream) for _ in range(3))
    assert first is not None
    assert late is not None
    # Values are in pawns, of the player who moves; a brace would end the comment.
    assert [node.comment for node in first.mainline()] == [
        "0.25s",
        "+0.31/12 0.1s",
        "-2.50/2 0.5s said (nothing)",
        "+M1/1 0.125s",
    ]
    assert first.headers["Termination"] == "normal"
    assert late.headers["Termination"] == "time forfeit"
    assert late.headers["Reason"] == "moved too late"
    assert late.headers["TimeControl"] == "-"


def test_pgn_without_times_has_neither_date_nor_seconds(tmp_path: Path) -> None:
    export(chess_tournament(), chess_games(), tmp_path / "games.pgn", has_times=False)
    text = (tmp_path / "games.pgn").read_text()
    assert '[Date "????.??.??"]' in text
    assert "0.25s" not in text
    assert "+0.31/12" in text


# What cannot be


def test_pgn_is_for_chess(games: list[Finished], tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match=r"PGN is for chess, .*games of nim:rows=3-4, tictactoe"):
        export(PLAYED, games, tmp_path / "games.pgn")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_the_old_file_and_nothing_half_written(
    games: list[Finished], tmp_path: Path
) -> None:
    for suffix in (".jsonl", ".csv", ".parquet"):
        path = tmp_path / f"games{suffix}"
        path.write_text("old")
        with small_files(100), pytest.raises(CannotWrite, match="cannot be written: "):
            export(PLAYED, games, path)
        assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 3


def test_the_command_writes_the_file_or_says_in_one_line_why_not(
    run: Path, games: list[Finished], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    assert main(["export", str(run), str(path), "--no-times"]) == 0
    assert capsys.readouterr().out == f"{path}: {len(games)} games\n"
    assert "seconds" not in path.read_text()
    for name, complaint in (
        ("games.xlsx", "ends in .jsonl or .csv or .parquet or .pgn"),
        ("games.pgn", "PGN is for chess"),
        ("missing/games.csv", "cannot be written: No such file or directory"),
    ):
        assert main(["export", str(run), str(tmp_path / name)]) == 2
        complaints = capsys.readouterr().err
        assert complaint in complaints
        assert complaints.count("\n") == 1


def test_a_record_is_told_by_its_own_names(games: list[Finished], tmp_path: Path) -> None:
    export(PLAYED, games, tmp_path / "games.jsonl")
    told = json.loads((tmp_path / "games.jsonl").read_text().splitlines()[0])
    own = asdict(games[0])
    del own["errors"]  # which are in the logs
    expected = {*own.pop("planned"), *own.pop("record"), *own}
    assert told.keys() == expected
