"""The kinds of models by name, and evaluators from model files of any kind.

The module of a kind has two functions.  `check(model)` raises `BadModel` for arrays that
break an assumption of its kernel; `evaluator(model, game)` returns the record that
`evaluate` takes, for a model that was checked and made for that game.
"""

from copy import copy
from pathlib import Path
from types import ModuleType
from typing import Any

from plies.core import report_words
from plies.core.contract import Game
from plies.core.spec import split_spec, suggestion
from plies.errors import BadSpec
from plies.evaluators.files import SUFFIX as FILE_SUFFIX
from plies.evaluators.files import installed, own_evaluator
from plies.models import forest, mixture, mlp, moves, network, table, tuples, weights
from plies.models.files import SUFFIX, BadModel, Model, load_model

KINDS: dict[str, ModuleType] = {
    "forest": forest,
    "mixture": mixture,
    "mlp": mlp,
    "moves": moves,
    "network": network,
    "table": table,
    "tuples": tuples,
    "weights": weights,
}

TRAINED = Path(__file__).with_name("trained")  # GAME-NAME.npz


def find_evaluator(game: Game, text: str = "") -> Any:
    """The record to evaluate with: of a model or of a user's file, or by its name."""
    shipped = trained(game)
    path = text if text.endswith(SUFFIX) else shipped.get(text)
    if path is None:
        _check_name(game, text, shipped)
        return own_evaluator(game, text)
    model = read_model(path)
    try:
        return model_evaluator(model, game)
    except BadModel as error:
        raise BadModel(f"{path}: {error}") from error


def _check_name(game: Game, text: str, shipped: dict[str, Path]) -> None:
    """`BadSpec` where no evaluator has that name."""
    known = (*game.evaluators, "zero", *shipped)
    if not text or text in known or text.endswith(FILE_SUFFIX) or text in installed():
        return
    if set(text) & set("./"):
        ends = f"{SUFFIX} (a model) or {FILE_SUFFIX} (an evaluator)"
        raise BadSpec(f"{text} is not a file of an evaluator: its name must end with {ends}")
    raise BadSpec(
        f"{game.name} has no evaluator {text}{suggestion(text, known, report_words.EVALUATORS)}"
    )


def trained(game: Game) -> dict[str, Path]:
    """The models of a game that come with plies, by name."""
    paths = sorted(TRAINED.glob(f"{game.name}-*{SUFFIX}"))
    return {path.stem.removeprefix(f"{game.name}-"): path for path in paths}


def read_model(path: str | Path) -> Model:
    """A model from a file, checked so that its kernel can trust it."""
    model = load_model(path)
    if model.kind not in KINDS:
        known = suggestion(model.kind, KINDS)
        raise BadModel(f"{path} is a model of the unknown kind {model.kind}{known}")
    try:
        KINDS[model.kind].check(model)
    except BadModel as error:
        raise BadModel(f"{path}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        missing = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise BadModel(f"{path} is not a sound {model.kind} model: {missing}") from error
    return model


def model_evaluator(model: Model, game: Game) -> Any:
    """The evaluator of a checked model, for the game it was made for."""
    if not is_for(model, game):
        raise BadModel(f"it was made for {model.game}, not for {game.spec}")
    return KINDS[model.kind].evaluator(model, game)


def is_for(model: Model, game: Game) -> bool:
    """Whether the model's game is that game, with the same options."""
    name, _, options = model.game.partition(":")
    if Path(name).name != Path(game.address).name:
        return False
    plain = copy(game)
    plain.options = {}
    try:
        made_for = plain.with_options(split_spec(f"{game.name}:{options}")[1])
    except BadSpec:
        return False
    return {**game.defaults, **made_for.options} == {**game.defaults, **game.options}
