"""Files of datasets: they come back as written, and what cannot be learned from is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import plies
from learning_samples import COINS, dataset
from plies.cli.main import main
from plies.learn.dataset_files import (
    BadData,
    Dataset,
    joined,
    read_card,
    read_dataset,
    write_dataset,
)
from plies.learn.datasets import DataPlan, data_plan, made_chunk, put_together


def test_a_dataset_comes_back_as_it_was_written(tmp_path: Path):
    write_dataset(tmp_path / "d.parquet", dataset())
    found = read_dataset(tmp_path / "d.parquet")
    assert found.card == {"format": 1, **json.loads(json.dumps(dataset().card))}
    for name, column in dataset().columns.items():
        assert np.array_equal(found.columns[name], column)
    card = read_card(tmp_path / "d.parquet")
    wanted = {"game": COINS, "evaluator": "lead", "depth": 3, "seed": 1, "rows": 240}
    assert {name: card[name] for name in wanted} == wanted
    assert card["version"] == plies.__version__
    assert card["features"] == ["own", "other", "first_coin", "last_coin", "value"]


# Files that are refused


def changed(path: Path, **columns: Any) -> Path:
    """The sample dataset with other columns; None takes one away."""
    write_dataset(path, dataset())
    table = pq.read_table(path)
    for name, values in columns.items():
        index = table.column_names.index(name)
        if values is None:
            table = table.remove_column(index)
        else:
            table = table.set_column(index, name, pa.array(values))
    pq.write_table(table, path)
    return path


HOLES = [None, None, *range(238)]
NAN = [float("nan"), float("inf"), 0.5, *([1.0] * 237)]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"own": NAN}, "the column own of .* is not a finite number in 2 of 240 rows"),
        ({"target": HOLES}, "the column target of .* is not a finite number in 2 of 240 rows"),
        ({"value": ["a"] * 240}, "the column value of .* holds no numbers but string"),
        ({"value": [[1]] * 240}, "the column value of .* holds no numbers"),
        ({"other": None}, "has no column other"),
        ({"decided": [7] * 240}, "the column decided of .* something else than -1, 0 and 1"),
    ],
    ids=["nan", "holes", "texts", "lists", "missing", "decided"],
)
def test_rows_that_cannot_be_learned_from_are_counted_and_refused(columns, said, tmp_path: Path):
    with pytest.raises(BadData, match=said):
        read_dataset(changed(tmp_path / "d.parquet", **columns))


def test_a_dataset_without_rows_is_refused(tmp_path: Path):
    empty = Dataset(dataset().card, {name: c[:0] for name, c in dataset().columns.items()})
    write_dataset(tmp_path / "d.parquet", empty)
    with pytest.raises(BadData, match="has no rows"):
        read_dataset(tmp_path / "d.parquet")


def test_a_damaged_file_is_refused_wherever_it_is_cut(tmp_path: Path):
    path = tmp_path / "d.parquet"
    write_dataset(path, dataset())
    content = path.read_bytes()
    for end in range(0, len(content), len(content) // 40):
        path.write_bytes(content[:end])
        with pytest.raises(BadData, match="damaged"):
            read_dataset(path)


def test_a_file_of_something_else_is_refused(tmp_path: Path):
    path = tmp_path / "d.parquet"
    with pytest.raises(BadData, match="there is no dataset"):
        read_dataset(path)
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(BadData, match="is no dataset of plies"):
        read_dataset(path)
    for card in ("[]", "{}", "no", '{"format": 1, "game": 1, "evaluator": "", "search": ""}'):
        pq.write_table(pa.table({"a": [1]}).replace_schema_metadata({b"plies": card}), path)
        with pytest.raises(BadData, match="is no dataset of plies"):
            read_dataset(path)


BAD_FIELDS: dict[str, list[Any]] = {
    "cap": ["nan", "7.5", 7.5, 0, -1, True, 10**30],
    "features": [[], "value", [1], ["own", "own"]],
    "plies": [[1], "10", [1, "2"], [-1, 2]],
    "game": [1],
    "positions": [None],
    "player": [None],
    "asked": ["40"],
    "rows": [-1],
    "decided": [1.5],
    "seed": ["1"],
    "version": [1],
    "depth": ["4"],
    "measure": ["pawn", {"points": 100}, {"points": 0, "name": "pawn"}, {"points": 1, "name": 2}],
}


@pytest.mark.parametrize("name", BAD_FIELDS)
def test_a_card_that_makes_no_sense_is_refused(name: str, tmp_path: Path, capsys):
    path = tmp_path / "d.parquet"
    without = {field: value for field, value in dataset().card.items() if field != name}
    for card in (without, *({**without, name: value} for value in BAD_FIELDS[name])):
        write_dataset(path, Dataset(card, dataset().columns))
        with pytest.raises(BadData, match=f"its card does not say its {name}"):
            read_dataset(path)
        assert main(["train", "data", "--show", str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_column_that_is_there_twice_is_refused(tmp_path: Path):
    path = changed(tmp_path / "d.parquet")
    table = pq.read_table(path)
    pq.write_table(table.append_column("own", table.column("own")), path)
    with pytest.raises(BadData, match="has more than one column own"):
        read_dataset(path)


# Several files


@pytest.mark.parametrize("name", ["game", "evaluator", "search", "features"])
def test_datasets_about_different_things_are_not_joined(name: str):
    other = Dataset({**dataset().card, name: "another"}, dataset().columns)
    with pytest.raises(BadData, match=f"is of the {name} another"):
        joined({Path("a"): dataset(), Path("b"): other})
    both = joined({Path("a"): dataset(), Path("b"): dataset()})
    assert both.rows == both.card["rows"] == 480


def test_a_proven_win_counts_the_same_in_all_datasets_that_are_joined():
    made = data_plan(DataPlan(COINS, "lead", "alphabeta:depth=3", rows=100, plies=(0, 10)))
    rows = made_chunk((made, 0))
    caps = {Path(str(cap)): put_together(made, rows, cap=cap) for cap in (50, 70)}
    both = joined(caps)
    decided = both.columns["decided"]
    assert both.card["cap"] == 70
    assert set(both.columns["target"][decided == 1]) == {70}
    assert set(both.columns["target"][decided == -1]) == {-70}
    is_open = decided[:100] == 0
    assert np.array_equal(both.columns["target"][:100][is_open], rows[:, -1][is_open])
