"""Datasets as CSV: the report's columns, in what people count in."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from learning_samples import COINS, dataset, written
from plies.cli.main import main
from plies.evaluators.chess.sef import FEATURES
from plies.learn.csv_files import single_input, write_csv
from plies.learn.dataset_files import Dataset

# facts/published.md: the multi-input columns, in the order of the report.
COLUMNS = (
    "material,pawn_structure,center_control_val,mobility_val,king_safety_val,phase,num_pieces,"
    "num_moves,opponent_pieces,evaluation,best_value"
)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def sef() -> Dataset:
    """Two rows of chess: the parts of the opinion are 100 to 500 points, what is counted 6 to 9."""
    names = [*FEATURES, "value"]
    numbers = [100, -200, 305, 400, 500, 1, 7, 8, 9, 1105]
    columns: dict[str, Any] = {
        name: np.array([number, 0]) for name, number in zip(names, numbers, strict=True)
    }
    columns |= {"key": np.array([3, 4]), "target": np.array([-1250, 0]), "decided": np.zeros(2)}
    card = {**dataset().card, "features": names, "measure": {"points": 100, "name": "pawn"}}
    return Dataset({**card, "depth": 4}, columns)


def test_a_dataset_of_chess_has_the_columns_of_the_report_in_pawns(sef: Dataset, tmp_path: Path):
    write_csv(tmp_path / "d.csv", sef)
    assert (tmp_path / "d.csv").read_text().splitlines() == [
        COLUMNS,
        "1,-2,3.05,4,5,1,7,8,9,11.05,-12.5",
        "0,0,0,0,0,0,0,0,0,0,0",
    ]
    write_csv(tmp_path / "s.csv", sef, is_single=True)
    assert (tmp_path / "s.csv").read_text().splitlines() == ["H_0,H_4", "11.05,-12.5", "0,0"]
    for depth in (0, (1, 2)):  # no limit, and one for every phase
        assert single_input({"depth": depth}) == {"value": "H_0", "target": "H_L"}


def test_other_evaluators_keep_the_names_of_their_features(tmp_path: Path):
    write_csv(tmp_path / "d.csv", dataset())
    rows = rows_of(tmp_path / "d.csv")
    names = {"own": "own", "other": "other", "first_coin": "first_coin", "last_coin": "last_coin"}
    names |= {"value": "evaluation", "target": "best_value"}
    assert list(rows[0]) == list(names.values())
    for own, name in names.items():
        assert [int(row[name]) for row in rows] == list(dataset().columns[own])


def test_the_command_writes_csv_of_new_rows_and_of_those_that_are_there(tmp_path: Path, capsys):
    multi, single, out = (tmp_path / name for name in ("m.csv", "s.csv", "d.parquet"))
    asked = ["train", "data", COINS, "--rows", "30", "--plies", "0-10", "--out", str(out)]
    asked += ["--search", "minimax:depth=1", "--csv", str(multi), "--csv-single", str(single)]
    assert main(asked) == 0
    assert f"as CSV: {multi}, {single}" in capsys.readouterr().out
    first = multi.read_text()
    assert len(first.splitlines()) == 31
    assert single.read_text().splitlines()[0] == "H_0,H_1"
    multi.unlink()
    assert main(["train", "data", "--show", str(out), "--csv", str(multi)]) == 0
    assert multi.read_text() == first
    damaged = written(tmp_path / "x.parquet")
    damaged.write_bytes(damaged.read_bytes()[:-100])
    capsys.readouterr()
    assert main(["train", "data", "--show", str(damaged), "--csv", str(multi)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert multi.read_text() == first
