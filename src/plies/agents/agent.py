"""Agents: whoever can choose a move, named by a text such as `alphabeta:depth=4`.

Every agent is a method, a frozen record whose fields are its options, for one game.
"""

import inspect
import random as random_numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from plies.agents.methods import LEADING, METHODS, methods_of
from plies.core import report_words
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.result_text import over_text
from plies.core.spec import join_spec, options_of, read_options, split_spec, suggestion
from plies.errors import BadGame, BadSpec, GameOver
from plies.models.kinds import find_evaluator
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.runner import Interrupted, NoLegalMove, StopFlag
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
        if getattr(self.method, "is_outside", False):
            return
        stopped = StopFlag()
        stopped.stop()
        self.choose(state, stop=stopped)
        self.forget()

    def forget(self) -> None:
        """A new game begins."""
        forget_game(self.memory)

    def begin(
        self, state: Any, seat: int, seed: int = 0, clock: Clock | None = None, seconds: float = 10
    ) -> None:
        """Sit down for a game from `state`; to get ready may take so many seconds."""
        self.forget()
        if hasattr(self.method, "begin"):
            chance = random_numbers.Random(seed)
            task = self._task(state, seat=seat, start=state, clock=clock, rng=chance)
            with explaining(self.game):
                self.method.begin(task, seconds)  # type: ignore[attr-defined]

    def finish(self, state: Any, seat: int, payoffs: Sequence[int], reason: str) -> None:
        """The game has ended like this."""
        if hasattr(self.method, "finish"):
            task = self._task(state, seat=seat)
            self.method.finish(task, tuple(payoffs), reason)  # type: ignore[attr-defined]

    def close(self) -> None:
        """End whatever runs for this agent."""
        for value in self.memory.values():
            if hasattr(value, "close"):
                value.close()
        self.memory.clear()

    def choose(
        self,
        state: Any,
        rng: random_numbers.Random | None = None,
        stop: StopFlag | None = None,
        past: Sequence[int] = (),
        clock: Clock | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        start: Any = None,
        played: Sequence[int] = (),
        deadline: float | None = None,
    ) -> Decision:
        """The move to play.

        `rng` makes chance repeatable, `stop` ends thinking early; `past` are the keys of the
        game's earlier positions and `clock` is what is left of the player's time; `on_progress`
        is told now and then how far it is.  Ctrl-C raises `Interrupted`, which holds a decision.

        Programs outside are told that the game began at `start` (by default: here) and what
        was `played` since, and are waited for until `deadline`, a `time.perf_counter()`; what
        they do wrong raises `AgentFault`.
        """
        if self.game.is_over(state):
            raise GameOver(over_text(self.game, state))
        task = self._task(
            state,
            past=tuple(past),
            clock=clock,
            rng=rng or random_numbers.Random(),
            stop=stop or StopFlag(),
            on_progress=on_progress,
            seat=self.game.mover(state),
            start=state if start is None else start,
            played=tuple(played),
            deadline=deadline,
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

    def _task(self, state: Any, **details: Any) -> Task:
        return Task(
            state=state,
            evaluator=self.evaluator,
            players=self.game.players(state),
            memory=self.memory,
            game=self.game,
            **details,
        )


def agent(spec: str, game: Game, evaluator: Any = None) -> Agent:
    """The agent that a spec names, ready to play a game.

    `evaluator` is an evaluator of the game with weights of one's own, instead of one by name.
    """
    name, texts = split_spec(spec, LEADING)
    known = methods_of(game)
    if name not in known:
        near = suggestion(name, known, report_words.agent(name, texts))
        raise BadSpec(f"there is no agent {name} for {game.name}{near}")
    for key, default in options_of(known[name]).items():
        if default is inspect.Parameter.empty and key not in texts:
            raise BadSpec(f"{name} needs a {key}; write {name}:{key.upper()}")
    options = read_options(name, texts, known[name])
    method = known[name](**options)
    opinion = getattr(method, "model", "") or getattr(method, "eval", "")
    if evaluator is None:
        evaluator = find_evaluator(game, opinion)
    elif opinion or not hasattr(method, "eval"):
        why = f"names {opinion} already" if opinion else f"is of an agent that asks none: {name}"
        raise BadSpec(f"an evaluator is given, but the spec {why}")
    else:
        evaluator = game.evaluator(evaluator)
    if not method.for_any_game:
        refuse_other_than_zero_sum(name, game)
    if hasattr(method, "check"):
        method.check(game)
    return Agent(join_spec(name, options, LEADING.get(name, "")), game, method, evaluator)


def refuse_other_than_zero_sum(name: str, game: Game) -> None:
    """Most searches mean nothing when one's gain is not the other's loss."""
    if not game.is_zero_sum(game.initial()):
        others = sorted(other for other, method in METHODS.items() if method.for_any_game)
        raise BadSpec(
            f"{game.spec} is not a two-player zero-sum game, which {name} is for;"
            f" {' or '.join(others)} can play it"
        )
