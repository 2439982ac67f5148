"""Agents: whoever can choose a move, named by a text such as `alphabeta:depth=4`.

Every agent is a search, a frozen record whose fields are its options, for one game.
"""

import copy
import inspect
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from plies.agents.builtin import AGENTS, agents_of
from plies.agents.faults import AgentErrors, checked_decision, crash_text, is_foreign
from plies.agents.files import installed, installed_search, search_in, search_of
from plies.agents.patience import watched
from plies.agents.spec import SUFFIX, read_spec, spec_text
from plies.core import report_words
from plies.core.contract import Game
from plies.core.diagnosis import error_text
from plies.core.result_text import over_text
from plies.core.spec import options_of, read_options, suggestion
from plies.core.states import fresh
from plies.core.verbs import ZERO
from plies.errors import BadSpec, GameOver, PliesError
from plies.evaluators.files import is_own
from plies.models.kinds import find_evaluator
from plies.registry import game as find_game
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.runner import Interrupted, StopFlag, Stopwatch
from plies.search.search import Search
from plies.search.table import forget_game
from plies.search.task import Progress, Task

PLAYERS = "an agent is a spec such as 'alphabeta:depth=4', or has or is choose(game, state)"


@dataclass(frozen=True)
class Agent:
    """A player of one game: a search with its options, and its memory from move to move."""

    name: str
    options: dict[str, Any]  # those that its spec gives
    game: Game
    search: Search
    evaluator: Any
    foreign: str = ""  # the file or package of a user that is at fault for errors
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
        # A user's agent that fails here fails in the game, too, and loses it.
        with self._watched(state), self._forgiving():
            self.search.prepare(task)
        self.forget()
        if stop.was_interrupted:
            raise KeyboardInterrupt

    def forget(self) -> None:
        """Empty the memory for a new game."""
        with self._forgiving():
            forget_game(self.memory)
            return
        # A user's object failed to forget: nothing of the last game may stay for the next.
        self.memory.clear()

    def begin(
        self, state: Any, seat: int, seed: int = 0, clock: Clock | None = None, seconds: float = 10
    ) -> None:
        """Get ready for a game from `state`, within `seconds`."""
        self.forget()
        rng = random.Random(seed)
        task = self._task(state, seat=seat, clock=clock, rng=rng)
        with self._watched(state), self._explaining():
            self.search.begin(task, seconds)

    def finish(self, state: Any, seat: int, payoffs: Sequence[int], reason: str) -> None:
        """Tell the search how the game has ended."""
        with self._forgiving():  # the game is over: a fault changes nothing
            self.search.finish(self._task(state, seat=seat), tuple(payoffs), reason)

    def close(self) -> None:
        """End the processes of this agent."""
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

        `rng` makes chance repeatable, and `stop` ends thinking early; `past` holds the keys of
        the game's earlier positions, and `clock` the player's remaining time; `on_progress`
        receives reports.  Ctrl-C raises `Interrupted`, which holds a decision.

        Programs outside learn that the game began at `start` (by default: here) and the moves
        `played` since.  They have until `deadline`, a `time.perf_counter()`; what they do wrong
        raises `AgentFault`.
        """
        watch = Stopwatch()
        self._refuse_over(state)
        if clock is not None and not isinstance(clock, Clock):
            raise BadSpec(f"a clock is a plies.search.clock.Clock, not {clock!r:.60}")
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
            watch=watch,
        )
        with self._watched(state), self._explaining():
            decision = self.search.decide(task)
            if self.foreign:
                decision = checked_decision(decision, self.game, state, self.foreign)
                decision = _timed(decision, watch)
        if task.stop.was_interrupted:
            raise Interrupted(decision)
        return decision

    def _refuse_over(self, state: Any) -> None:
        if self.game.is_over(state):
            raise GameOver(over_text(self.game, state))

    def _watched(self, state: Any) -> AbstractContextManager[None]:
        """Say so if a user's agent is busy with a position for long."""
        game = self.game
        if not self.foreign:
            return nullcontext()
        return watched(self.foreign, lambda: f"{game.spec} at {game.position_text(state)}")

    def _explaining(self) -> AbstractContextManager[None, None]:
        errors: Any = AgentErrors(self.game, self.foreign)  # which forgives none
        return errors

    def _forgiving(self) -> AgentErrors:
        return AgentErrors(self.game, self.foreign, is_forgiving=True)

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


def _timed(decision: Decision, watch: Stopwatch) -> Decision:
    """The decision, with the times that a user's search left out as its caller measured them."""
    seconds = decision.seconds or watch.seconds
    return replace(decision, seconds=seconds, cpu_seconds=decision.cpu_seconds or watch.cpu_seconds)


def agent(player: Any, game: Game | str, evaluator: Any = None) -> Agent:
    """The agent for whatever names or is a player of the game, which may be given by its spec.

    `player` is a spec (`alphabeta:depth=4`, `./mine.py:depth=5`), a function like `choose` in a
    file, an object with such a method, or a `Search`; an `Agent` is answered as it is.
    `evaluator` is an evaluator of the game with weights of your own, instead of one by name.
    """
    game = find_game(game)
    if isinstance(player, Agent):
        if player.game.State is not game.State:
            made_for = player.game.spec
            raise BadSpec(f"the agent {player.spec} was made for {made_for}, not for {game.spec}")
        return player
    if isinstance(player, str):
        name, options, search = _read_player(player, game)
    else:
        name, options, search = _wrap_player(player)
    record = _find_evaluator(name, game, search, evaluator)
    if not search.for_any_game:
        refuse_other_than_zero_sum(name, game)
    with _refusing(name):
        search.check(game)
    option = getattr(search, "eval", "")
    foreign = name if is_foreign(type(search)) else option if is_own(game, option) else ""
    # A copy: what a user's code does to its game, others do not see.
    game = copy.copy(game) if foreign else game
    return Agent(name, options, game, search, record, Path(foreign).name)


def _read_player(spec: str, game: Game) -> tuple[str, dict[str, Any], Search]:
    """The name, the options and the search of a spec."""
    name, texts = read_spec(spec)
    kind = _find_search(name, game, texts)
    for key, default in options_of(kind).items():
        if default is inspect.Parameter.empty and key not in texts:
            value = key.upper() if key == kind.leading else f"{key}={key.upper()}"
            raise BadSpec(f"{name} needs a {key}; write {name}:{value}")
    options = read_options(name, texts, kind)
    with _refusing(name):
        return name, options, kind(**options)


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    """Turn what a search raises about its options into `BadSpec`."""
    try:
        yield
    except (PliesError, KeyboardInterrupt):
        raise
    except ValueError as error:
        raise BadSpec(f"{name}: {error_text(error)}") from error
    except BaseException as error:
        raise BadSpec(crash_text(Path(name).name, error)) from error


def _wrap_player(player: Any) -> tuple[str, dict[str, Any], Search]:
    """The same of a search, of a function, or of an object with `choose`."""
    if isinstance(player, Search):
        declared = fields(player) if is_dataclass(player) else ()
        options = {each.name: getattr(player, each.name) for each in declared}
        return type(player).__name__, options, player
    if isinstance(player, type) and not issubclass(player, Search):
        raise BadSpec(f"{player.__name__} is a class, no agent; write {player.__name__}()")
    function = getattr(player, "choose", player)
    if not callable(function):
        raise BadSpec(f"{player!r:.60} is no agent; {PLAYERS}")
    name = getattr(player, "__name__", type(player).__name__)
    return name, {}, search_of(function, name, is_prepared=False)()


def _find_search(name: str, game: Game, texts: Mapping[str, str]) -> type[Search]:
    """The search class of that name: a file, one of the package's, the game's, or installed."""
    if name.endswith(SUFFIX):
        return search_in(Path(name))
    known = agents_of(game)
    if name in known:
        return known[name]
    others = installed()
    if name in others:
        return installed_search(name)
    near = suggestion(name, [*known, *others], report_words.agent(name, texts))
    if Path(f"{name}{SUFFIX}").is_file():
        near = f"; did you mean the file {name}{SUFFIX}?"
    raise BadSpec(f"there is no agent {name} for {game.name}{near}")


def _find_evaluator(name: str, game: Game, search: Search, evaluator: Any) -> Any:
    """The evaluator that a search's option names, or the caller's own instead of it."""
    option = getattr(search, "model", "") or getattr(search, "eval", "")
    if evaluator is None:
        return find_evaluator(game, option)
    if option or not hasattr(search, "eval"):
        why = f"names {option} already" if option else f"is of an agent that has none: {name}"
        raise BadSpec(f"an evaluator is given, but the spec {why}")
    return game.evaluator(evaluator)


def no_evaluator_text(game: Game) -> str:
    """A warning for searches by evaluators in a game that has none."""
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
