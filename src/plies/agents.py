"""Agents: whoever can choose a move, named by a text such as `alphabeta:depth=4`.

Every agent is a method, a frozen record whose fields are its options, for one game.
"""

import random as random_numbers
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.errors import BadGame, BadSpec, GameOver
from plies.core.spec import join_spec, read_options, split_spec, suggestion
from plies.core.telling import result_text
from plies.search.alphabeta import AlphaBeta
from plies.search.beam import Beam
from plies.search.branch import Branch
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.deepening import Deepening
from plies.search.dfpn import Dfpn
from plies.search.engine import Engine
from plies.search.maxn import Maxn
from plies.search.mcts import Mcts
from plies.search.minimax import Minimax
from plies.search.paranoid import Paranoid
from plies.search.runner import Interrupted, NoLegalMove, StopFlag, first_move
from plies.search.solve import Solve
from plies.search.table import forget_game
from plies.search.task import Method, Progress, Task


@dataclass(frozen=True)
class Agent:
    """A player of one game; `memory` is what its method keeps between the moves of a game."""

    spec: str
    game: Game
    method: Method
    evaluator: Any
    memory: dict[str, Any] = field(default_factory=dict, repr=False)

    def prepare(self, state: Any) -> None:
        """Compile what choosing needs, so that no clock and no person waits for it later."""
        stopped = StopFlag()
        stopped.stop()
        self.choose(state, stop=stopped)
        self.forget()

    def forget(self) -> None:
        """A new game begins."""
        forget_game(self.memory)

    def choose(
        self,
        state: Any,
        rng: random_numbers.Random | None = None,
        stop: StopFlag | None = None,
        past: Sequence[int] = (),
        clock: Clock | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Decision:
        """The move to play.

        `rng` makes chance repeatable, `stop` ends thinking early; `past` are the keys of the
        game's earlier positions and `clock` is what is left of the player's time; `on_progress`
        is told now and then how far it is.  Ctrl-C raises `Interrupted`, which holds a decision.
        """
        if self.game.is_over(state):
            raise GameOver(f"the game is over: {result_text(self.game, state)}")
        task = Task(
            state=state,
            evaluator=self.evaluator,
            players=self.game.players(state),
            past=tuple(past),
            clock=clock,
            rng=rng or random_numbers.Random(),
            stop=stop or StopFlag(),
            memory=self.memory,
            on_progress=on_progress,
        )
        try:
            with explaining(self.game):
                decision = self.method.decide(task)
        except NoLegalMove as stuck:
            where = self.game.position_text(stuck.state)
            complaint = f"{where} has no legal move although the game goes on"
            raise BadGame(f"{self.game.name}: {complaint}") from stuck
        if task.stop.was_interrupted:
            raise Interrupted(decision)
        return decision


def agent(spec: str, game: Game) -> Agent:
    """The agent that a spec names, ready to play a game."""
    name, texts = split_spec(spec)
    if name not in METHODS:
        raise BadSpec(f"there is no agent {name}{suggestion(name, METHODS)}")
    options = read_options(name, texts, METHODS[name])
    method = METHODS[name](**options)
    evaluator = game.evaluator(getattr(method, "eval", ""))
    if not method.for_any_game:
        refuse_other_than_zero_sum(name, game)
    return Agent(join_spec(name, options), game, method, evaluator)


@dataclass(frozen=True)
class Random:
    """Any legal move, all equally likely."""

    for_any_game: ClassVar[bool] = True

    def decide(self, task: Task) -> Decision:
        began = time.perf_counter()
        first_move(task.state)
        move = int(task.rng.choice(verbs.legal_moves(task.state)))
        return Decision(move, seconds=time.perf_counter() - began, line=(move,))


METHODS: dict[str, type[Any]] = {
    "random": Random,
    "minimax": Minimax,
    "alphabeta": AlphaBeta,
    "deepening": Deepening,
    "engine": Engine,
    "branch": Branch,
    "beam": Beam,
    "maxn": Maxn,
    "paranoid": Paranoid,
    "solve": Solve,
    "dfpn": Dfpn,
    "mcts": Mcts,
}


def refuse_other_than_zero_sum(name: str, game: Game) -> None:
    """Most searches mean nothing when one's gain is not the other's loss."""
    if not game.is_zero_sum(game.initial()):
        others = sorted(other for other, method in METHODS.items() if method.for_any_game)
        raise BadSpec(
            f"{game.spec} is not a two-player zero-sum game, which {name} is for;"
            f" {' or '.join(others)} can play it"
        )
