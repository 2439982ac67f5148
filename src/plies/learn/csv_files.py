"""Datasets as CSV, for notebooks and spreadsheets: the columns of the chess report.

Two layouts.  *Multi-input* has the features of the evaluator, then `evaluation` (H_0) and
`best_value` (H_L).  *Single-input* has these two alone, named by their depths: `H_0,H_4`.

Opinions are in what people count in, for chess in pawns; a Parquet file has whole points.  A CSV
file has no card, so that only the Parquet file can be learned from.
"""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plies.files import CannotWrite, check_writable, new_file
from plies.learn.dataset_files import TARGET, Dataset
from plies.models.predictor import VALUE

SUFFIX = ".csv"

# The report's names of the features of `sef`: the parts of the opinion, already weighted, ...
OPINIONS = {
    "material": "material",
    "pawn_structure": "pawn_structure",
    "centre": "center_control_val",
    "mobility": "mobility_val",
    "king_safety": "king_safety_val",
}
# ... and what is only counted; the phase is 0 in the opening, 1 in the middlegame, then 2.
COUNTS = {
    "phase": "phase",
    "own_pieces": "num_pieces",
    "own_moves": "num_moves",
    "opponent_pieces": "opponent_pieces",
}
MULTI_INPUT = {VALUE: "evaluation", TARGET: "best_value"}


def csv_path(path: Path) -> Path:
    """Where rows are to be written, refused before the work if they cannot be."""
    if path.suffix != SUFFIX:
        raise CannotWrite(f"CSV is written to a file that ends with {SUFFIX}, not {path}")
    if not path.parent.is_dir():
        raise CannotWrite(f"there is no folder {path.parent} to write {path.name} to")
    check_writable(path)
    return path


def write_csv(path: Path, dataset: Dataset, *, is_single: bool = False) -> None:
    """Write the rows, whole or not at all; `is_single`: H_0 and H_L alone."""
    import pyarrow
    import pyarrow.csv

    names = single_input(dataset.card) if is_single else multi_input(dataset.card)
    in_points = {VALUE, TARGET, *(OPINIONS if _is_of_the_report(dataset.card) else ())}
    points = dataset.measure.points
    columns = {
        name: dataset.columns[own] / points if own in in_points else dataset.columns[own]
        for own, name in names.items()
    }
    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(columns)  # pyarrow would quote every name
    options = pyarrow.csv.WriteOptions(include_header=False)
    with new_file(path) as part, part.open("wb") as file:
        file.write(header.getvalue().encode())
        pyarrow.csv.write_csv(pyarrow.table(columns), file, options)


def single_input(card: Mapping[str, Any]) -> dict[str, str]:
    """`H_0` and `H_4`, by the names of our columns; `H_L` where the depth is no one number."""
    depth = card["depth"]
    return {VALUE: "H_0", TARGET: f"H_{depth}" if isinstance(depth, int) and depth else "H_L"}


def multi_input(card: Mapping[str, Any]) -> dict[str, str]:
    """What the columns are called in CSV, by our names; other evaluators keep their names."""
    report = {**OPINIONS, **COUNTS} if _is_of_the_report(card) else {}
    features: list[str] = [name for name in card["features"] if name != VALUE]
    return {name: report.get(name, name) for name in features} | MULTI_INPUT


def _is_of_the_report(card: Mapping[str, Any]) -> bool:
    return {*card["features"]} == {*OPINIONS, *COUNTS, VALUE}
