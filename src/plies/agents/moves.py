"""The agent that looks its moves up in a table."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from plies.core import verbs
from plies.core.contract import Game
from plies.errors import AgentFault
from plies.models.files import BadModel, Model
from plies.models.kinds import is_for, read_model
from plies.models.moves import KIND, move_of
from plies.search.decision import Decision
from plies.search.runner import Stopwatch, first_move
from plies.search.search import Search
from plies.search.task import Task


@dataclass(frozen=True)
class Moves(Search):
    """The move that a table in a file has for the position; any legal one where it has none."""

    path: str

    for_any_game: ClassVar[bool] = True
    leading: ClassVar[str] = "path"

    @cached_property
    def _table(self) -> Model:
        """The file's content, read once for all games."""
        return read_model(self.path)

    def check(self, game: Game) -> None:
        """`BadModel` where the file holds no moves of this game."""
        model = self._table
        if model.kind != KIND:
            raise BadModel(f"{self.path} is a model of the kind {model.kind}, not {KIND}")
        if not is_for(model, game):
            raise BadModel(f"{self.path} was made for {model.game}, not for {game.spec}")

    def decide(self, task: Task) -> Decision:
        watch = Stopwatch()
        first_move(task.state)
        arrays = self._table.arrays
        legal = [int(move) for move in verbs.legal_moves(task.state)]
        move = move_of(arrays["keys"], arrays["moves"], int(verbs.key(task.state)))
        if move is None:
            move = task.rng.choice(legal)
        elif move not in legal:
            raise AgentFault(
                "illegal", f"{Path(self.path).name} has move {move}, which is not legal here"
            )
        return Decision(move, seconds=watch.seconds, line=(move,), cpu_seconds=watch.cpu_seconds)
