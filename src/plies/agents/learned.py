"""Agents that evaluate every position one move ahead with a model file.

`pred`, `mi_pred` and `q` play alike; they differ in the models that they take.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

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


class Taken(NamedTuple):
    """The models that an agent takes, and what `plies agents` says about it."""

    kinds: tuple[str, ...]
    about: str
    only_value: bool = False  # those whose single input is the static value, or all others
    instead: str = ""  # the agent that plays by the models of these kinds that this one refuses


MODELS = {
    "pred": Taken(
        PREDICTORS,
        """The move whose child a predictor values best, knowing only the child's static value.

    A game that ends with the move counts as it ends.
    """,
        only_value=True,
        instead="mi_pred",
    ),
    "mi_pred": Taken(
        PREDICTORS,
        "The move whose child a predictor values best, by many features of that child.",
        instead="pred",
    ),
    "q": Taken(
        ("table",),
        "The move that a table of Q-learning values most; unknown positions count as even.",
    ),
}


@dataclass(frozen=True)
class Learned(Search):
    """The move after which a model values the position best."""

    model: str
    choice: Choice = "first"

    leading: ClassVar[str] = "model"
    taken: ClassVar[Taken]

    def decide(self, task: Task) -> Decision:
        return decide_one_ply(task, self.choice)

    def check(self, game: Game) -> None:
        """`BadModel` where the file holds a model of another kind or with other inputs."""
        model = read_model(self.model)
        if model.kind not in self.taken.kinds:
            right = " or ".join(self.taken.kinds)
            raise BadModel(f"{self.model} is a model of the kind {model.kind}, not {right}")
        has_only_value = model.card.get("inputs") == [VALUE]
        if self.taken.instead and has_only_value != self.taken.only_value:
            has = "no input but the value" if has_only_value else "more inputs than the value"
            raise BadModel(f"{self.model} has {has}; write {self.taken.instead}")


def learned_agents() -> dict[str, type[Learned]]:
    """An agent for every entry of the table."""
    return {
        name: type(name, (Learned,), {"taken": taken, "__doc__": taken.about})
        for name, taken in MODELS.items()
    }
