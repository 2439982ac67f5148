"""Learning on disk that was interrupted, or finished: of which run it is.

What to go on from is a file of `plies.models.files`; its card says all that decides how the
run goes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from plies.learn.parts import OtherWork, difference
from plies.models.files import BadModel, Model, load_model, save_model
from plies.models.kinds import read_model

ANEW = "remove it to begin anew"


def finished(path: Path, kind: str, game: str, plan: Mapping[str, Any]) -> Model | None:
    """The model that a run of this plan has written there; None where there is no file.

    Its card says what of the plan it was made by.  What another run has written is not
    touched: `OtherWork`.
    """
    if not path.exists():
        return None
    model = read_model(path)
    kept = {"kind": model.kind, "game": model.game, "files": {}, **model.card}
    if found := difference(kept, {"kind": kind, "game": game, **plan}):
        raise OtherWork(f"{path} is there and holds another model ({found}); choose another --out")
    return model


def save_run(
    path: Path, kind: str, game: str, card: Mapping[str, Any], arrays: dict[str, np.ndarray]
) -> None:
    """Keep how far a run has come, whole or not at all."""
    save_model(path, Model(kind, game, dict(card), arrays))


def load_run(
    path: Path, kind: str, game: str, card: Mapping[str, Any], names: tuple[str, ...]
) -> list[np.ndarray]:
    """The arrays of these names from the file of a run; `BadModel` where it is of another one."""
    try:
        model = load_model(path)
    except BadModel as error:
        raise BadModel(f"{error}; {ANEW}") from error
    kept = {"kind": model.kind, "game": model.game, "files": {}, **model.card}
    if found := difference(kept, {"kind": kind, "game": game, **card}):
        raise BadModel(f"{path} holds another run ({found}); remove it or choose another --out")
    if missing := [name for name in names if name not in model.arrays]:
        raise BadModel(f"{path} is damaged: it has no {missing[0]}; {ANEW}")
    return [model.arrays[name] for name in names]
