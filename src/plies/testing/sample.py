"""The positions that checks look at: those of seeded random games."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import diagnose, failure_text
from plies.core.states import state_problem
from plies.errors import PliesError

MAX_PLIES = 1000  # after which a random game is left unfinished
MAX_POSITIONS = 200  # that a check looks at
FEW = 30  # for checks whose work grows with the square of the number of moves
LINE_LENGTH = 300


class ContractError(AssertionError):
    """A broken promise of the contract; the text says what was expected and what came."""


@dataclass
class Walk:
    """One random game: its states in order, and how it came to an end, if it did."""

    states: list[Any] = field(default_factory=list)
    is_over: bool = False
    is_stuck: bool = False  # goes on by the rules, but without a legal move
    is_endless: bool = False  # still went on after MAX_PLIES


class Sample:
    """Random games of one game, and the position that is being looked at."""

    def __init__(self, game: Game, seed: int, games: int):
        self.game = game
        self.seed = seed
        self.games = games
        self.walks: list[Walk] = []
        self.at: Any = None

    def play(self) -> None:
        """Play the games; the error of the first rule that fails is raised in the end."""
        failures: list[tuple[Any, Exception]] = []
        for number in range(self.games):
            try:
                self._walk(random.Random(f"{self.seed}/{number}"))
            except Exception as error:  # a rule may raise anything
                failures.append((self.at, error))
                if not self.has_positions:
                    break
        if failures:
            self.at, error = failures[0]
            raise error

    @property
    def has_positions(self) -> bool:
        """Whether a single move could be played."""
        return any(len(walk.states) > 1 for walk in self.walks)

    def _walk(self, rng: random.Random) -> None:
        walk = Walk()
        self.walks.append(walk)
        state = self.game.initial()
        for _ in range(MAX_PLIES):
            self.at = state
            moves = self.game.moves(fresh(state))
            walk.is_over = self.game.is_over(fresh(state))
            walk.is_stuck = not (moves or walk.is_over)
            walk.states.append(state)
            if not moves:
                return
            state = self.game.play(fresh(state), rng.choice(moves))
        walk.is_endless = True

    def positions(self, most: int = MAX_POSITIONS) -> Iterator[Any]:
        """Different states, decided ones among them, each as a copy of its own."""
        going, decided = {}, {}
        for walk in self.walks:
            for state in walk.states[:-1] if walk.is_over else walk.states:
                going[content(state)] = state
            if walk.is_over:
                decided[content(walk.states[-1])] = walk.states[-1]
        for states in (going, decided):
            for state in _spread(list(states.values()), most):
                self.at = state
                yield fresh(state)

    def ongoing(self, most: int = MAX_POSITIONS) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """Different states that go on, with their moves."""
        for state in self.positions(most):
            if moves := self.game.moves(fresh(state)):
                yield state, moves

    def place(self) -> str:
        """`at POSITION: `, for the position that was looked at last."""
        if self.at is None:
            return ""
        try:
            return f"at {one_line(self.game.position_text(self.at))}: "
        except Exception:  # the text of a position may be what is broken
            return f"at {one_line(repr(self.at))}: "

    def story(self, error: Exception) -> str:
        """What went wrong, with the line of the game's file where that is known."""
        if isinstance(error, NumbaError):
            return one_line(diagnose(self.game, error))
        if isinstance(error, PliesError):
            return one_line(error)
        return one_line(failure_text(self.game, error))


# A check looks at a sample and returns a remark, or raises `ContractError`.
Check = Callable[[Sample], str | None]


def content(state: Any) -> tuple[Any, ...]:
    """What a state holds, as something that can be compared and hashed."""
    return tuple(
        (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else _plain(value)
        for value in state
    )


def fresh(state: Any) -> Any:
    """A copy that shares no array with the state."""
    if any(isinstance(value, np.ndarray) for value in state):
        return type(state)(*(np.array(value) if _is_array(value) else value for value in state))
    return state


def expect_state(game: Game, state: Any, source: str) -> None:
    """A State of this game whose fields are what its annotations say."""
    if problem := state_problem(game.State, state):
        raise ContractError(f"{source} {problem}")
    for name, value in zip(state._fields, state, strict=True):
        if isinstance(value, bool):
            raise ContractError(f"{source} makes {name} {value}, expected a number; write int(...)")


def visible(game: Game, state: Any) -> tuple[Any, ...]:
    """What the players see of a state; counters that a key may leave out are no part of it."""
    children = [game.key(verbs.play(fresh(state), move)) for move in game.moves(fresh(state))]
    facts = game.mover(state), game.outcome(state), game.moves(state)
    return (*facts, children, game.pieces(state))


def one_line(text: object, most: int = LINE_LENGTH) -> str:
    """A text as one line of bearable length."""
    line = " ".join(str(text).split())
    return line if len(line) <= most else f"{line[:most]} ..."


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, np.integer) else value


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _spread(items: list[Any], most: int) -> list[Any]:
    """At most `most` of the items, evenly spread, the first among them."""
    step = -(-len(items) // most) or 1
    return items[::step]
