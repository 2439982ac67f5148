"""Learning that was interrupted, on disk: what to go on from, and of which run it is.

The file is one of `plies.models.files`; its card says all that decides how the run goes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from plies.models.files import BadModel, Model, load_model, save_model


def save_run(
    path: Path, kind: str, game: str, card: Mapping[str, Any], arrays: dict[str, np.ndarray]
) -> None:
    """Keep how far a run has come, whole or not at all."""
    save_model(path, Model(kind, game, dict(card), arrays))


def load_run(
    path: Path, kind: str, game: str, card: Mapping[str, Any], names: tuple[str, ...]
) -> list[np.ndarray]:
    """The arrays of these names from the file of a run; `BadModel` where it is of another one."""
    model = load_model(path)
    kept = {"kind": model.kind, "game": model.game, **model.card}
    for name, value in {"kind": kind, "game": game, **card}.items():
        if kept.get(name) != value:
            raise BadModel(
                f"{path} holds another run ({name} is {kept.get(name)}, not {value});"
                " remove it or choose another --out"
            )
    if missing := [name for name in names if name not in model.arrays]:
        raise BadModel(f"{path} is damaged: it has no {missing[0]}")
    return [model.arrays[name] for name in names]
