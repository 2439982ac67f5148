"""What a check is, and its positions: those of seeded random games."""

import random
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import diagnose, failure_text
from plies.core.states import fresh, state_problem
from plies.errors import PliesError
from plies.testing.sentences import at_position

MAX_PLIES = 1000  # after which a random game is left unfinished
MAX_POSITIONS = 200  # that a check looks at
FEW = 30  # for checks whose work grows with the square of the number of moves


# What a check yields is wrong, and the first of it is reported; what it returns is a remark.
Problems = Generator[str, None, str | None]


@dataclass
class RandomGame:
    """One random game: its states in order, and how it ended."""

    states: list[Any] = field(default_factory=list)
    is_over: bool = False
    is_stuck: bool = False  # goes on by the rules, but without a legal move
    is_endless: bool = False  # still went on after MAX_PLIES


class Sample:
    """Random games of one game; `at` is the position under check."""

    def __init__(self, game: Game, seed: int, games: int):
        self.game = game
        self.seed = seed
        self.games = games
        self.played: list[RandomGame] = []
        self.at: Any = None

    def play(self) -> None:
        """Play the games, and then raise the first error of a rule, if there was one."""
        failures: list[tuple[Any, Exception]] = []
        for number in range(self.games):
            try:
                self._play_one(random.Random(f"{self.seed}/{number}"))
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
        return any(len(each.states) > 1 for each in self.played)

    def random_states(self, rng: random.Random) -> Iterator[Any]:
        """The states of one random game, each before any rule has seen it."""
        state = self.game.initial()
        for _ in range(MAX_PLIES):
            self.at = state
            yield state
            moves = self.game.moves(fresh(state))
            if not moves:
                return
            state = self.game.play(fresh(state), rng.choice(moves))

    def _play_one(self, rng: random.Random) -> None:
        game, moves = RandomGame(), ()
        self.played.append(game)
        for state in self.random_states(rng):
            moves = self.game.moves(fresh(state))
            game.is_over = self.game.is_over(fresh(state))
            game.is_stuck = not (moves or game.is_over)
            game.states.append(state)
        game.is_endless = bool(moves)

    def positions(self, most: int = MAX_POSITIONS) -> Iterator[Any]:
        """Different states, ongoing and decided, each a fresh copy."""
        going, decided = {}, {}
        for each in self.played:
            for state in each.states[:-1] if each.is_over else each.states:
                going[content(state)] = state
            if each.is_over:
                decided[content(each.states[-1])] = each.states[-1]
        for states in (going, decided):
            for state in _spread(list(states.values()), most):
                self.at = state
                yield fresh(state)

    def ongoing(self, most: int = MAX_POSITIONS) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """Different states that go on, with their moves."""
        for state in self.positions(most):
            if moves := self.game.moves(fresh(state)):
                yield state, moves

    def moves(self, most: int = MAX_POSITIONS) -> Iterator[tuple[Any, int]]:
        """Every legal move of these states, with its state."""
        return ((state, move) for state, moves in self.ongoing(most) for move in moves)

    def located(self, problem: str) -> str:
        """A problem with the last position, if there is one."""
        if self.at is None:
            return problem
        try:
            text = self.game.position_text(self.at)
        except Exception:  # the text of a position may be what is broken
            text = repr(self.at)
        return at_position(text, problem)

    def failure(self, error: Exception) -> str:
        """The text of an error, with the line of the game's file if known."""
        if isinstance(error, PliesError):
            return str(error)
        explain = diagnose if isinstance(error, NumbaError) else failure_text
        return explain(self.game, error)


# A check looks at a game and a sample of it; its name is what it promises.
Check = Callable[[Game, Sample], Problems]


def content(state: Any) -> tuple[Any, ...]:
    """The fields of a state in a form that can be compared and hashed."""
    return tuple(map(_plain, state))


def fields_of(state: Any) -> dict[str, Any]:
    """The fields of a state by name, with lists of numbers instead of arrays."""
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else _plain(value)
        for name, value in zip(state._fields, state, strict=True)
    }


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    return int(value) if isinstance(value, np.integer) else value


def state_problems(game: Game, state: Any, source: str) -> Problems:
    """What is wrong with something that should be a State of this game."""
    if problem := state_problem(game.State, state):
        yield f"{source} {problem}"
        return
    for name, value in zip(state._fields, state, strict=True):
        if isinstance(value, bool):
            yield f"{source} makes {name} {value}, expected a number; write int(...)"


def visible(game: Game, state: Any) -> tuple[Any, ...]:
    """What the players see of a state, without counters that a key may leave out."""
    children = [game.key(verbs.play(fresh(state), move)) for move in game.moves(fresh(state))]
    facts = game.mover(state), game.outcome(state), game.moves(state)
    return (*facts, children, game.pieces(state))


def _spread(items: list[Any], most: int) -> list[Any]:
    """At most `most` of the items, evenly spread, the first among them."""
    step = -(-len(items) // most) or 1
    return items[::step]
