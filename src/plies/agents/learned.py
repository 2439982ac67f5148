"""Agents that ask a model file about every position they can reach with one move."""

from dataclasses import dataclass
from typing import ClassVar

from plies.agents.one_ply import decide_one_ply
from plies.core.contract import Game
from plies.models.columns import VALUE
from plies.models.files import BadModel, Model
from plies.models.kinds import read_model
from plies.search.decision import Decision
from plies.search.search import Search
from plies.search.task import Task
from plies.search.ties import Choice

PREDICTORS = ("forest", "mlp")
TABLE = "table"


@dataclass(frozen=True)
class Pred(Search):
    """The move whose child a predictor likes best, knowing the child's static value alone.

    A game that ends with the move counts as it ends.
    """

    model: str
    choice: Choice = "first"

    leading: ClassVar[str] = "model"

    def decide(self, task: Task) -> Decision:
        return decide_one_ply(task, self.choice)

    def check(self, game: Game) -> None:
        model = _predictor(self.model)
        if model.card["inputs"] != [VALUE]:
            raise BadModel(f"{self.model} has more inputs than the value; write mi_pred")


@dataclass(frozen=True)
class MiPred(Pred):
    """The move whose child a predictor likes best, by many features of that child."""

    def check(self, game: Game) -> None:
        model = _predictor(self.model)
        if model.card["inputs"] == [VALUE]:
            raise BadModel(f"{self.model} has no input but the value; write pred")


@dataclass(frozen=True)
class Q(Pred):
    """The move that a table of Q-learning values most; what it never saw counts as even."""

    def check(self, game: Game) -> None:
        kind = read_model(self.model).kind
        if kind != TABLE:
            raise BadModel(f"{self.model} is a model of the kind {kind}, not {TABLE}")


def _predictor(path: str) -> Model:
    model = read_model(path)
    if model.kind not in PREDICTORS:
        raise BadModel(f"{path} is a model of the kind {model.kind}, not {' or '.join(PREDICTORS)}")
    return model
