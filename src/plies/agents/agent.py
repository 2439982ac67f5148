"""Agents: whoever can choose a move, named by a text such as `alphabeta:depth=4`.

Every agent is a search, a frozen record whose fields are its options, for one game.
"""

import inspect
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from plies.agents.builtin import AGENTS, agents_of
from plies.agents.spec import read_spec, spec_text
from plies.core import report_words
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.result_text import over_text
from plies.core.spec import options_of, read_options, suggestion
from plies.core.verbs import ZERO
from plies.errors import BadGame, BadSpec, GameOver
from plies.models.kinds import find_evaluator
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.runner import Interrupted, NoLegalMove, StopFlag
from plies.search.search import Search
from plies.search.table import forget_game
from plies.search.task import Progress, Task


@dataclass(frozen=True)
class Agent:
    """A player of one game: a search with its options, and what it remembers between moves."""

    name: str
    options: dict[str, Any]  # those that its spec gives
    game: Game
    search: Search
    evaluator: Any
    memory: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def spec(self) -> str:
        """The text that `agent` turns into this agent again."""
        return spec_text(self.name, self.options)

    @property
    def is_blind(self) -> bool:
        """Whether it needs an evaluator, and the game has none."""
        has_none = not self.game.evaluators and self.evaluator is ZERO
        return has_none and self.search.needs_evaluator

    def prepare(self, state: Any) -> None:
        """Compile what choosing needs, so that no clock and no person waits for it later."""
        self._refuse_over(state)
        stop = StopFlag()
        stop.stop()
        task = self._task(state, stop=stop, seat=self.game.mover(state), start=state)
        with self._explaining():
            self.search.prepare(task)
        self.forget()
        if stop.was_interrupted:
            raise KeyboardInterrupt

    def forget(self) -> None:
        """A new game begins."""
        forget_game(self.memory)

    def begin(
        self, state: Any, seat: int, seed: int = 0, clock: Clock | None = None, seconds: float = 10
    ) -> None:
        """Sit down for a game from `state`; to get ready may take so many seconds."""
        self.forget()
        rng = random.Random(seed)
        task = self._task(state, seat=seat, start=state, clock=clock, rng=rng)
        with explaining(self.game):
            self.search.begin(task, seconds)

    def finish(self, state: Any, seat: int, payoffs: Sequence[int], reason: str) -> None:
        """The game has ended like this."""
        self.search.finish(self._task(state, seat=seat), tuple(payoffs), reason)

    def close(self) -> None:
        """End whatever runs for this agent."""
        for value in self.memory.values():
            if hasattr(value, "close"):
                value.close()
        self.memory.clear()

    def choose(
        self,
        state: Any,
        rng: random.Random | None = None,
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
        self._refuse_over(state)
        task = self._task(
            state,
            past=tuple(past),
            clock=clock,
            rng=rng or random.Random(),
            stop=stop or StopFlag(),
            on_progress=on_progress,
            seat=self.game.mover(state),
            start=state if start is None else start,
            played=tuple(played),
            deadline=deadline,
        )
        with self._explaining():
            decision = self.search.decide(task)
        if task.stop.was_interrupted:
            raise Interrupted(decision)
        return decision

    def _refuse_over(self, state: Any) -> None:
        if self.game.is_over(state):
            raise GameOver(over_text(self.game, state))

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Errors of the game's rules as `BadGame`, with the position where it has no move."""
        try:
            with explaining(self.game):
                yield
        except NoLegalMove as stuck:
            where = self.game.position_text(stuck.state)
            complaint = f"{where} has no legal move although the game goes on"
            raise BadGame(f"{self.game.name}: {complaint}") from stuck

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
    name, texts = read_spec(spec)
    known = agents_of(game)
    if name not in known:
        near = suggestion(name, known, report_words.agent(name, texts))
        raise BadSpec(f"there is no agent {name} for {game.name}{near}")
    for key, default in options_of(known[name]).items():
        if default is inspect.Parameter.empty and key not in texts:
            raise BadSpec(f"{name} needs a {key}; write {name}:{key.upper()}")
    options = read_options(name, texts, known[name])
    search = known[name](**options)
    chosen = _evaluator(name, game, search, evaluator)
    if not search.for_any_game:
        refuse_other_than_zero_sum(name, game)
    search.check(game)
    return Agent(name, options, game, search, chosen)


def _evaluator(name: str, game: Game, search: Search, given: Any) -> Any:
    """The evaluator that a search's option names, or the one that is given instead."""
    option = getattr(search, "model", "") or getattr(search, "eval", "")
    if given is None:
        return find_evaluator(game, option)
    if option or not hasattr(search, "eval"):
        why = f"names {option} already" if option else f"is of an agent that has none: {name}"
        raise BadSpec(f"an evaluator is given, but the spec {why}")
    return game.evaluator(given)


def no_evaluator_text(game: Game) -> str:
    """What to know about searches by evaluators in a game that has none."""
    return (
        f"{game.name} has no evaluator: where a search ends before the game, all positions count"
        " the same. mcts needs none"
    )


def refuse_other_than_zero_sum(name: str, game: Game) -> None:
    """Most searches mean nothing when one's gain is not the other's loss."""
    if not game.is_zero_sum(game.initial()):
        others = sorted(other for other, search in AGENTS.items() if search.for_any_game)
        raise BadSpec(
            f"{game.spec} is not a two-player zero-sum game, which {name} is for;"
            f" {' or '.join(others)} can play it"
        )
