"""Agents: whoever can choose a move, named by a text such as `alphabeta:depth=4`.

Every agent is a search, a frozen record whose fields are its options, for one game.
"""

import copy
import inspect
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from plies.agents.builtin import AGENTS, agents_of
from plies.agents.faults import blaming_agent, checked, crash_text, is_foreign
from plies.agents.files import installed, installed_search, search_in, search_of
from plies.agents.spec import SUFFIX, read_spec, spec_text
from plies.core import report_words
from plies.core.contract import Game
from plies.core.diagnosis import error_text, explaining
from plies.core.result_text import over_text
from plies.core.spec import options_of, read_options, suggestion
from plies.core.states import fresh
from plies.core.verbs import ZERO
from plies.errors import AgentFault, BadGame, BadSpec, GameOver, PliesError
from plies.evaluators.files import is_own
from plies.models.kinds import find_evaluator
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.runner import Interrupted, NoLegalMove, StopFlag
from plies.search.search import Search
from plies.search.table import forget_game
from plies.search.task import Progress, Task

NO_OPTIONS: Mapping[str, str] = {}


@dataclass(frozen=True)
class Agent:
    """A player of one game: a search with its options, and what it remembers between moves."""

    name: str
    options: dict[str, Any]  # those that its spec gives
    game: Game
    search: Search
    evaluator: Any
    foreign: str = ""  # the name of what is a user's, and at fault where something goes wrong
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
        task = self._task(state, stop=stop, seat=self.game.mover(state))
        with self._forgiving():  # what goes wrong is a fault of the game that is about to begin
            self.search.prepare(task)
        self.forget()
        if stop.was_interrupted:
            raise KeyboardInterrupt

    def forget(self) -> None:
        """A new game begins."""
        with self._forgiving():
            forget_game(self.memory)
            return
        self.memory.clear()  # nothing of the last game may be seen in the next

    def begin(
        self, state: Any, seat: int, seed: int = 0, clock: Clock | None = None, seconds: float = 10
    ) -> None:
        """Sit down for a game from `state`; to get ready may take so many seconds."""
        self.forget()
        rng = random.Random(seed)
        task = self._task(state, seat=seat, clock=clock, rng=rng)
        with self._explaining():
            self.search.begin(task, seconds)

    def finish(self, state: Any, seat: int, payoffs: Sequence[int], reason: str) -> None:
        """The game has ended like this."""
        with self._forgiving():  # a fault changes nothing any more
            self.search.finish(self._task(state, seat=seat), tuple(payoffs), reason)

    def close(self) -> None:
        """End whatever runs for this agent."""
        for value in self.memory.values():
            with self._forgiving():
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
            start=start,
            played=tuple(played),
            deadline=deadline,
        )
        with self._explaining():
            decision = self.search.decide(task)
            if self.foreign:
                decision = checked(decision, self.game, state, self.foreign)
        if task.stop.was_interrupted:
            raise Interrupted(decision)
        return decision

    def _refuse_over(self, state: Any) -> None:
        if self.game.is_over(state):
            raise GameOver(over_text(self.game, state))

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Errors of the game's rules as `BadGame`, with the position where it has no move.

        Errors of somebody else's agent are `AgentFault`.
        """
        try:
            with blaming_agent(self.foreign) if self.foreign else explaining(self.game):
                yield
        except NoLegalMove as stuck:
            where = self.game.position_text(stuck.state)
            complaint = f"{where} has no legal move although the game goes on"
            raise BadGame(f"{self.game.name}: {complaint}") from stuck

    @contextmanager
    def _forgiving(self) -> Iterator[None]:
        """Where no game is going on, a fault of somebody else's agent costs nothing."""
        with suppress(*([AgentFault] if self.foreign else [])), self._explaining():
            yield

    def _task(self, state: Any, start: Any = None, **details: Any) -> Task:
        start = state if start is None else start
        if self.foreign:  # it might write into an array of a state
            state, start = fresh(state), fresh(start)
        return Task(
            state=state,
            start=start,
            evaluator=self.evaluator,
            players=self.game.players(state),
            memory=self.memory,
            game=self.game,
            **details,
        )


def agent(player: Any, game: Game, evaluator: Any = None) -> Agent:
    """The agent for whatever names or is a player of the game.

    `player` is a spec (`alphabeta:depth=4`, `./mine.py:depth=5`), a function like `choose` in a
    file, an object with such a method, or a `Search`; an `Agent` is answered as it is.
    `evaluator` is an evaluator of the game with weights of one's own, instead of one by name.
    """
    if isinstance(player, Agent):
        return player
    if not isinstance(player, str):
        return _agent_from(player, game, evaluator)
    name, texts = read_spec(player)
    kind = find_search(name, game, texts)
    for key, default in options_of(kind).items():
        if default is inspect.Parameter.empty and key not in texts:
            value = key.upper() if key == kind.leading else f"{key}={key.upper()}"
            raise BadSpec(f"{name} needs a {key}; write {name}:{value}")
    options = read_options(name, texts, kind)
    with _refusing(name, is_foreign(kind)):
        search = kind(**options)
    return _made(name, options, game, search, evaluator)


def find_search(name: str, game: Game, texts: Mapping[str, str] = NO_OPTIONS) -> type[Search]:
    """The search class of that name: a file, one of the package's, the game's, or installed."""
    if name.endswith(SUFFIX):
        return search_in(Path(name))
    known = agents_of(game)
    if name in known:
        return known[name]
    others = installed()
    if name in others:
        return installed_search(name)
    near = suggestion(name, [*known, *others], report_words.agent(name, dict(texts)))
    if Path(f"{name}{SUFFIX}").is_file():
        near = f"; did you mean the file {name}{SUFFIX}?"
    raise BadSpec(f"there is no agent {name} for {game.name}{near}")


def _agent_from(player: Any, game: Game, evaluator: Any) -> Agent:
    """The agent for a function, an object with `choose`, a search or a class of searches."""
    if isinstance(player, Search):
        shown = fields(player) if is_dataclass(player) else ()
        options = {each.name: getattr(player, each.name) for each in shown}
        return _made(type(player).__name__, options, game, player, evaluator)
    choose = getattr(player, "choose", player)
    name = getattr(player, "__name__", type(player).__name__)
    with _refusing(name, True):
        search = search_of(choose, name, is_prepared=False)()
    return _made(name, {}, game, search, evaluator)


@contextmanager
def _refusing(name: str, is_foreign: bool) -> Iterator[None]:
    """What somebody else's class raises about its options as `BadSpec`."""
    try:
        yield
    except (PliesError, KeyboardInterrupt):
        raise
    except BaseException as error:
        if not is_foreign:
            raise
        wrong = isinstance(error, ValueError)  # as `check` says what does not fit
        text = f"{name}: {error_text(error)}" if wrong else crash_text(Path(name).name, error)
        raise BadSpec(text) from error


def _made(name: str, options: dict[str, Any], game: Game, search: Search, evaluator: Any) -> Agent:
    chosen = _evaluator(name, game, search, evaluator)
    if not search.for_any_game:
        refuse_other_than_zero_sum(name, game)
    is_users = is_foreign(type(search))
    with _refusing(name, is_users):
        search.check(game)
    option = getattr(search, "eval", "")
    foreign = name if is_users else option if is_own(game, option) else ""
    # What a user's code does to its game is not seen by others.
    game = copy.copy(game) if foreign else game
    return Agent(name, options, game, search, chosen, Path(foreign).name)


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
