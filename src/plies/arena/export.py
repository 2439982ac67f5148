"""The games of a run in formats that other programs read.

JSON lines and Parquet hold one game a line or row with all its moves, the same names in both;
CSV one game a row without its moves; PGN games of chess.
"""

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plies.arena.config import Tournament
from plies.arena.plan import points_of
from plies.arena.store import Finished
from plies.core.scores import WIN, is_decided
from plies.core.spec import split_spec
from plies.errors import BadSpec
from plies.files import new_file
from plies.match import Clocks
from plies.records import ADJUDICATED, NORMAL, MoveRecord

TIMES = ("seconds", "ended", "worker")  # what differs when the same run is played again
PGN_TERMINATIONS = {
    NORMAL: "normal",
    ADJUDICATED: "adjudication",
    "time": "time forfeit",
    "illegal": "rules infraction",
    "bad output": "rules infraction",
}


def export(
    tournament: Tournament, games: Sequence[Finished], path: Path, *, has_times: bool = True
) -> None:
    """Write games to a file whose suffix says how.

    Without times two runs that went the same way give the same bytes.
    """
    writers: dict[str, Callable[[Path], None]] = {
        ".jsonl": lambda part: _write_lines(part, games, has_times),
        ".csv": lambda part: write_csv(part, game_rows(games, has_times)),
        ".parquet": lambda part: _write_parquet(part, games, has_times),
        ".pgn": lambda part: _write_pgn(part, tournament, games, has_times),
    }
    if path.suffix not in writers:
        raise BadSpec(f"{path}: the name of an export ends in {' or '.join(writers)}")
    with new_file(path) as part:
        writers[path.suffix](part)


def game_dict(finished: Finished, has_times: bool = True) -> dict[str, Any]:
    """Everything that the store holds of a game."""
    record = asdict(finished.record)
    moves = [
        {name: value for name, value in move.items() if has_times or name not in TIMES}
        for move in record.pop("moves")
    ]
    times = {name: getattr(finished, name) for name in TIMES} if has_times else {}
    return {**asdict(finished.planned), **record, **times, "moves": moves}


def _write_lines(part: Path, games: Iterable[Finished], has_times: bool) -> None:
    with part.open("w", encoding="utf-8") as file:
        for finished in games:
            file.write(json.dumps(game_dict(finished, has_times), ensure_ascii=False) + "\n")


def game_rows(games: Iterable[Finished], has_times: bool = True) -> list[dict[str, Any]]:
    """One row for every game: `agent_1`, `points_1`, ... are the name and the points of a seat."""
    rows = []
    for finished in games:
        planned, record = finished.planned, finished.record
        row: dict[str, Any] = {"number": planned.number, "round": planned.round}
        row |= {"pair": planned.pair, "game": planned.game, "seed": planned.seed}
        for seat, points in enumerate(points_of(record.payoffs)):
            row |= {f"agent_{seat + 1}": planned.seats[seat], f"points_{seat + 1}": points}
            row[f"payoff_{seat + 1}"] = record.payoffs[seat]
        row |= {"termination": record.termination, "reason": record.reason}
        row |= {"plies": len(record.moves), "start": record.start, "final": record.final}
        rows.append(row | ({name: getattr(finished, name) for name in TIMES} if has_times else {}))
    return rows


def write_csv(part: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Rows under the names of all columns that any of them has."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _write_parquet(part: Path, games: Iterable[Finished], has_times: bool) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    whole, text, real = pa.int64(), pa.string(), pa.float64()
    move = {"player": whole, "text": text, "value": whole, "depth": whole, "nodes": whole}
    move |= {"seconds": real, "line": pa.list_(text), "fault": text}
    game = {"number": whole, "game": text, "seats": pa.list_(text), "opening": text}
    game |= {"seed": whole, "round": whole, "pair": whole, "agents": pa.list_(text)}
    game |= {"payoffs": pa.list_(whole), "reason": text, "start": text, "final": text}
    game |= {
        "termination": text,
        "faults": pa.list_(text),
        "seconds": real,
        "ended": text,
        "worker": text,
    }
    kept = [name for name in move if has_times or name not in TIMES]
    game["moves"] = pa.list_(pa.struct([(name, move[name]) for name in kept]))
    columns = [(name, kind) for name, kind in game.items() if has_times or name not in TIMES]
    rows = [game_dict(finished, has_times) for finished in games]
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows, pa.schema(columns)), part)


# Chess


def _write_pgn(
    part: Path, tournament: Tournament, games: Sequence[Finished], has_times: bool
) -> None:
    from plies.games.chess.pgn import to_pgn

    others = {each.planned.game for each in games if split_spec(each.planned.game)[0] != "chess"}
    if others:
        raise BadSpec(
            f"PGN is for chess, and the run has games of {', '.join(sorted(others))};"
            " choose .jsonl, .csv or .parquet"
        )
    with part.open("w", encoding="utf-8") as file:
        for finished in games:
            comments = [_comment(move, has_times) for move in finished.record.moves]
            tags = _tags(tournament, finished, has_times)
            file.write(to_pgn(finished.record, headers=tags, comments=comments) + "\n")


def _tags(tournament: Tournament, finished: Finished, has_times: bool) -> dict[str, str]:
    planned, record = finished.planned, finished.record
    tags = {
        "Event": tournament.name,
        "Round": f"{planned.round + 1}.{planned.number + 1}",
        "White": planned.seats[0],
        "Black": planned.seats[1],
        "TimeControl": _time_control(tournament.clocks),
        "Termination": PGN_TERMINATIONS.get(record.termination, "abandoned"),
        "Reason": record.reason,
    }
    if has_times and finished.ended:
        tags["Date"] = finished.ended[:10].replace("-", ".")
    return tags


def _time_control(clocks: Clocks) -> str:
    """As PGN writes it: `60+0.5`, `1/5` (5 seconds for every move), `-` for none."""
    if clocks.credit:
        return f"{clocks.credit:g}" + (f"+{clocks.increment:g}" if clocks.increment else "")
    return f"1/{clocks.per_move:g}" if clocks.per_move else "-"


def _comment(move: MoveRecord, has_times: bool) -> str:
    """`+0.31/12 0.1s`: value in pawns, or moves to mate, of the player; depth; seconds."""
    parts = []
    if move.value is not None:
        value = f"{move.value / 100:+.2f}"
        if is_decided(move.value):
            value = f"{'+' if move.value > 0 else '-'}M{(WIN - abs(move.value) + 1) // 2}"
        parts.append(f"{value}/{move.depth}")
    if has_times:
        parts.append(f"{move.seconds:.3g}s")
    if move.fault:
        parts.append(move.fault)
    return " ".join(parts)
