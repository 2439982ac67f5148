"""Datasets as Parquet files that say what they are.

One row is one position, seen by its mover.  The columns:

    key        of the position, equal for equal positions
    ...        the features of the evaluator, by their names
    value      what the evaluator says of the position itself: H_0
    target     what the search says, so many plies deep: H_L
    decided    1 or -1 where the search has proven a win or a loss, else 0; the target is then
               the `cap` of the card, or less the cap

The card is JSON in the schema's metadata, under `plies`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plies.core.scores import MAX_EVALUATION
from plies.core.verbs import Measure
from plies.errors import PliesError
from plies.files import CannotWrite, new_file
from plies.models.predictor import VALUE

FORMAT = 1
SUFFIX = ".parquet"
METADATA = b"plies"
KEY, TARGET, DECIDED = "key", "target", "decided"
OWN = (KEY, VALUE, TARGET, DECIDED)  # columns that every dataset has
SAME = ("game", "evaluator", "search", "features")  # in datasets that are joined


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return type(value) is int  # True is none


def _is_count(value: Any) -> bool:
    return _is_whole(value) and value >= 0


def _are_plies(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_count, value))


def _are_names(value: Any) -> bool:
    is_list = isinstance(value, list) and all(map(_is_text, value))
    return is_list and 0 < len(value) == len(set(value))


def _is_cap(value: Any) -> bool:
    return _is_count(value) and 1 <= value <= MAX_EVALUATION


def _is_measure(value: Any) -> bool:
    return isinstance(value, dict) and (
        value.keys() == {*Measure._fields} and _is_cap(value["points"]) and _is_text(value["name"])
    )


# What every card says, and how it is known to make sense.
FIELDS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("game", "evaluator", "search", "positions", "player", "version"), _is_text),
    **dict.fromkeys(("asked", "rows", "decided", "depth"), _is_count),
    "seed": _is_whole,
    "plies": _are_plies,
    "features": _are_names,
    "cap": _is_cap,
    "measure": _is_measure,
}


class BadData(PliesError):
    """A dataset that cannot be read, is damaged, or does not fit what it is used for."""


@dataclass(frozen=True)
class Dataset:
    """Rows as columns, and the card that says how they were made."""

    card: dict[str, Any]
    columns: dict[str, np.ndarray]

    @property
    def measure(self) -> Measure:
        return Measure(**self.card["measure"])

    @property
    def rows(self) -> int:
        return len(self.columns[TARGET])

    def matrix(self, names: Sequence[str]) -> np.ndarray:
        """Some columns beside one another: one row of inputs for each row."""
        return np.column_stack([np.asarray(self.columns[name], np.float64) for name in names])


def data_path(path: Path) -> Path:
    """Where a dataset is to be written, refused before the work if it cannot be."""
    if path.suffix != SUFFIX:
        hint = "; for CSV say --csv" if path.suffix == ".csv" else ""
        raise CannotWrite(
            f"a dataset is written to a file that ends with {SUFFIX}, not {path}{hint}"
        )
    if not path.parent.is_dir():
        raise CannotWrite(f"there is no folder {path.parent} to write {path.name} to")
    return path


def write_dataset(path: Path, dataset: Dataset) -> None:
    """Write a dataset, whole or not at all."""
    import pyarrow
    import pyarrow.parquet

    card = json.dumps({"format": FORMAT, **dataset.card}, allow_nan=False)
    table = pyarrow.table(dataset.columns).replace_schema_metadata({METADATA: card.encode()})
    with new_file(path) as part:
        pyarrow.parquet.write_table(table, part)


def read_card(path: Path) -> dict[str, Any]:
    """What a dataset says about itself."""
    import pyarrow
    import pyarrow.parquet

    try:
        schema = pyarrow.parquet.read_schema(path)
    except FileNotFoundError as error:
        raise BadData(f"there is no dataset {path}") from error
    except (OSError, pyarrow.ArrowException) as error:
        raise BadData(f"{path} is no Parquet file, or it is damaged") from error
    try:
        card = json.loads((schema.metadata or {})[METADATA])
        known = card["format"]
    except (KeyError, TypeError, ValueError) as error:
        raise BadData(f"{path} is no dataset of plies: it has no card") from error
    if known != FORMAT:
        raise BadData(f"{path} has format {known}, this version of plies reads format {FORMAT}")
    for name, is_right in FIELDS.items():
        if name not in card or not is_right(card[name]):
            raise BadData(f"{path} is no dataset of plies: its card does not say its {name}")
    for name in dict.fromkeys((*card["features"], *OWN)):
        if (count := schema.names.count(name)) != 1:
            there = "more than one column" if count else "no column"
            raise BadData(f"{path} has {there} {name}, which its card speaks of")
    return card


def read_dataset(path: Path) -> Dataset:
    """Read a dataset whose numbers can be learned from: there are some, and all are finite."""
    import pyarrow
    import pyarrow.parquet

    card = read_card(path)
    names = list(dict.fromkeys((KEY, *card["features"], VALUE, TARGET, DECIDED)))
    try:
        table = pyarrow.parquet.read_table(path, columns=names)
    except (OSError, pyarrow.ArrowException) as error:
        raise BadData(f"{path} is damaged: its rows cannot be read") from error
    if table.num_rows == 0:
        raise BadData(f"{path} has no rows")
    columns = {name: _numbers(path, name, table.column(name)) for name in names}
    if not np.isin(columns[DECIDED], (-1, 0, 1)).all():
        raise BadData(f"the column {DECIDED} of {path} holds something else than -1, 0 and 1")
    return Dataset(card, columns)


def _numbers(path: Path, name: str, column: Any) -> np.ndarray:
    """One column; what is no finite number is counted and refused."""
    found = column.to_numpy()
    if not np.issubdtype(found.dtype, np.number) or np.issubdtype(found.dtype, np.complexfloating):
        raise BadData(f"the column {name} of {path} holds no numbers but {column.type}")
    wrong = int(np.count_nonzero(~np.isfinite(found)))
    if wrong:
        raise BadData(
            f"the column {name} of {path} is not a finite number in {wrong} of"
            f" {len(found)} rows; take these rows out first"
        )
    return found


def joined(datasets: Mapping[Path, Dataset]) -> Dataset:
    """Several datasets as one; they must be about the same things.

    A proven win counts as the greatest cap of them all.
    """
    (first, one), *others = datasets.items()
    for path, other in others:
        for name in SAME:
            if other.card[name] != one.card[name]:
                raise BadData(
                    f"{path} is of the {name} {other.card[name]},"
                    f" {first} of the {name} {one.card[name]}: they cannot be joined"
                )
    columns = {
        name: np.concatenate([dataset.columns[name] for dataset in datasets.values()])
        for name in one.columns
    }
    cap = max(int(dataset.card["cap"]) for dataset in datasets.values())
    decided = np.asarray(columns[DECIDED], np.int64)
    columns[TARGET] = np.where(decided == 0, columns[TARGET], cap * decided)
    return Dataset({**one.card, "rows": len(decided), "cap": cap}, columns)
