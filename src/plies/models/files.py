"""Models as files: arrays and a card that says what they are.

A file is a zip archive as numpy's `.npz`: every array is a member `NAME.npy`, and the card
is the member `card.json`, which any zip tool shows.  Nothing in it is ever executed, and
nothing is trusted: sizes are checked before memory is allocated, and each kind of model
checks its arrays (`plies.models.kinds`).
"""

import io
import json
import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from plies.errors import PliesError
from plies.files import check_writable, new_file, open_file

FORMAT = 1
SUFFIX = ".npz"
CARD = "card.json"
MOST_BYTES = 2**30  # of all arrays together
MOST_CARD_BYTES = 2**22
MOST_MEMBERS = 256
CHUNK = 2**20  # bytes read at a time
HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


class BadModel(PliesError):
    """A model file that cannot be read, is damaged, or does not fit what it is used for."""


@dataclass(frozen=True)
class Model:
    """What was learned: arrays, and a card that describes them.

    `kind` names the kernel that evaluates it, `game` is the spec of its game, `card` is
    everything else, as JSON: settings, data, quality.
    """

    kind: str
    game: str
    card: dict[str, Any]
    arrays: dict[str, np.ndarray]


def save_model(path: str | Path, model: Model) -> None:
    """Write a model, whole or not at all."""
    card = {"format": FORMAT, "kind": model.kind, "game": model.game, **model.card}
    text = json.dumps(card, indent=1, allow_nan=False)
    with new_file(model_path(path)) as part, zipfile.ZipFile(part, "w", _packing()) as archive:
        archive.writestr(_member(CARD), text)
        for name, array in model.arrays.items():
            content = io.BytesIO()
            npy.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(_member(f"{name}.npy"), content.getvalue())


def model_path(path: str | Path) -> Path:
    """The path to write a model to; refused before the work if it cannot be written."""
    path = Path(path)
    if path.suffix != SUFFIX:
        raise BadModel(f"a model is written to a file that ends with {SUFFIX}, not {path}")
    if not path.parent.is_dir():
        raise BadModel(f"there is no folder {path.parent} to write {path.name} to")
    if not path.is_file():  # an existing file is not touched before the work is done
        check_writable(path)
    return path


def load_model(path: str | Path) -> Model:
    """Read a model; its arrays have still to be checked by its kind."""
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            members = {member.filename: member for member in archive.infolist()}
            _check_sizes(path, members)
            card = _read_card(path, archive.read(CARD))
            arrays = {
                name.removesuffix(".npy"): _read_array(archive, member)
                for name, member in members.items()
                if name != CARD
            }
    except BadModel:
        raise
    except FileNotFoundError as error:
        raise BadModel(f"there is no model file {path}") from error
    except OSError as error:
        raise BadModel(f"{path} cannot be read: {error.strerror or error}") from error
    except Exception as error:  # a damaged archive can raise anything
        raise BadModel(
            f"{path} is not a model file, or it is damaged ({_one_line(error)})"
        ) from error
    kind, game = card.pop("kind"), card.pop("game")
    del card["format"]
    return Model(kind, game, card, arrays)


def check_arrays(model: Model, kinds: dict[str, Any]) -> None:
    """Refuse arrays that are missing, of another type or dimension, or not finite."""
    for name, kind in kinds.items():
        if name not in model.arrays:
            raise BadModel(f"it has no array {name}")
        array = model.arrays[name]
        if array.dtype != kind or array.ndim != 1:
            raise BadModel(
                f"its array {name} is not a one-dimensional array of {np.dtype(kind).name}"
            )
        if not np.isfinite(array).all():
            raise BadModel(f"its array {name} holds a number that is not finite")


def _packing() -> int:
    return zipfile.ZIP_DEFLATED


def _member(name: str) -> zipfile.ZipInfo:
    """A member with a fixed date, so that equal models are equal files."""
    member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    member.compress_type = _packing()
    return member


def _check_sizes(path: str | Path, members: Mapping[str, zipfile.ZipInfo]) -> None:
    if CARD not in members:
        raise BadModel(f"{path} has no {CARD} in it: it is not a model of plies")
    total = sum(member.file_size for member in members.values())
    is_large = total > MOST_BYTES or members[CARD].file_size > MOST_CARD_BYTES
    if is_large or len(members) > MOST_MEMBERS:
        raise BadModel(f"{path} is larger than any model may be ({MOST_BYTES >> 20} MB)")
    foreign = [name for name in members if name != CARD and not name.endswith(".npy")]
    if foreign:
        raise BadModel(f"{path} holds {foreign[0]}, which is not an array")


def _read_card(path: str | Path, content: bytes) -> dict[str, Any]:
    card = json.loads(content, parse_constant=_refuse_constant)
    if not isinstance(card, dict) or not isinstance(card.get("format"), int):
        raise BadModel(f"the card of {path} does not say its format")
    if card["format"] != FORMAT:
        raise BadModel(
            f"{path} has format {card['format']}, this version of plies reads format {FORMAT}"
        )
    for name in ("kind", "game"):
        if not isinstance(card.get(name), str):
            raise BadModel(f"the card of {path} does not say its {name}")
    return card


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not a JSON number")


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """An array whose header agrees with its size; memory is allocated only then."""
    with archive.open(member) as stream:
        version = npy.read_magic(stream)
        if version not in HEADERS:
            raise ValueError(f"an array of version {version}")
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a header that needs repair is not of our making
            shape, is_fortran, kind = HEADERS[version](stream)
        if kind.hasobject or is_fortran:
            raise ValueError("an array of objects or in another order")
        size = kind.itemsize * int(np.prod(shape, dtype=object))
        if size != member.file_size - stream.tell():
            raise ValueError("an array of another size than it says")
        content = np.empty(size, np.uint8)
        filled = 0
        while part := stream.read(CHUNK):  # to the end, where zipfile checks the CRC
            content[filled : filled + len(part)] = np.frombuffer(part, np.uint8)
            filled += len(part)
    if filled != size:
        raise ValueError("an array of another size than it says")
    return content.view(kind).reshape(shape)


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0][:120]
