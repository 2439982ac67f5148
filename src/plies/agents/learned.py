"""Agents that evaluate every position one move ahead with a model file.

`pred`, `mi_pred` and `q` play alike; they differ in the models they take.
"""

from dataclasses import dataclass
from typing import ClassVar

from plies.agents.one_ply import decide_one_ply
from plies.core.contract import Game
from plies.models.files import BadModel
from plies.models.kinds import read_model
from plies.models.predictor import VALUE
from plies.search.decision import Decision
from plies.search.search import Search
from plies.search.task import Task
from plies.search.ties import Choice

PREDICTORS = ("forest", "mlp")


@dataclass(frozen=True)
class Learned(Search):
    """The move after which a model values the position best."""

    model: str
    choice: Choice = "first"

    leading: ClassVar[str] = "model"
    kinds: ClassVar[tuple[str, ...]]  # of the models that it takes
    only_value: ClassVar[bool] = False  # takes those whose single input is the static value
    other: ClassVar[str] = ""  # the agent for the remaining models of these kinds

    def decide(self, task: Task) -> Decision:
        return decide_one_ply(task, self.choice)

    def check(self, game: Game) -> None:
        """`BadModel` where the file holds a model of another kind or with other inputs."""
        model = read_model(self.model)
        if model.kind not in self.kinds:
            right = " or ".join(self.kinds)
            raise BadModel(f"{self.model} is a model of the kind {model.kind}, not {right}")
        has_only_value = model.card.get("inputs") == [VALUE]
        if self.other and has_only_value != self.only_value:
            has = "no input but the value" if has_only_value else "more inputs than the value"
            raise BadModel(f"{self.model} has {has}; write {self.other}")


class Pred(Learned):
    """The move whose child a predictor values best, knowing only the child's static value.

    A game that ends with the move counts as it ends.
    """

    kinds: ClassVar[tuple[str, ...]] = PREDICTORS
    only_value: ClassVar[bool] = True
    other: ClassVar[str] = "mi_pred"


class MiPred(Learned):
    """The move whose child a predictor values best, by many features of that child."""

    kinds: ClassVar[tuple[str, ...]] = PREDICTORS
    other: ClassVar[str] = "pred"


class Q(Learned):
    """The move that a table of Q-learning values most; unknown positions count as even."""

    kinds: ClassVar[tuple[str, ...]] = ("table",)
