"""`Game`: a game file and its options as one object, with every question about a state.

A game file is a module with these names; its last statement creates the game:

    State(NamedTuple)
    initial(**options), mover(state), legal_moves(state), play(state, move), outcome(state)
    GAME = Game(__name__, title="Tic-tac-toe")

and optional rules.  The table in `plies.core.rules` has all of them.
"""

import copy
import sys
from collections.abc import Callable, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from plies.compiling.compiler import name_class
from plies.core import report_words, verbs
from plies.core.appearance import Appearance
from plies.core.diagnosis import explaining
from plies.core.keys import mixed_key
from plies.core.requirements import (
    check_evaluator,
    check_file,
    check_keywords,
    check_strategy,
    check_texts,
    check_weights,
)
from plies.core.rules import COMPILED
from plies.core.scores import DRAW, ONGOING, SCORED, win_payoffs
from plies.core.spec import join_spec, nearest, options_of, read_options, suggestion
from plies.core.states import read_only, state_problem
from plies.core.verbs import Evaluator
from plies.errors import BadGame, BadSpec, GameOver, IllegalMove, shorten

THEORY = "theory"  # the strategy that needs no declaration

# state -> a move, several equal ones, or None where it has no advice
Strategy = Callable[[Any], int | Sequence[int] | None]


class Game(Appearance):
    """A game with its options fixed: rules, notation and drawings under one roof.

    States are values: every method answers about the state it is given.
    """

    def __init__(
        self,
        module: str,
        *,
        title: str = "",
        name: str = "",
        marks: tuple[str, ...] = ("X", "O"),
        neutral: str = "",
        sides: tuple[str, ...] = (),
        evaluators: Mapping[str, Evaluator] | None = None,
        strategies: Mapping[str, Strategy] | None = None,
        **unknown: Any,
    ):
        """Collect a game file's names; `module` is its `__name__`.

        `marks[player]` holds the symbols of that player's pieces, `neutral` those of
        nobody's, `sides[player]` what the player is called where a mark does not say it,
        such as White.  Each of the `strategies` is an agent of that name for this game.
        """
        if (source := sys.modules.get(module)) is None:
            raise BadGame(f"write Game(__name__, ...), not Game({module!r}, ...)")
        self._names: dict[str, Any] = dict(vars(source))
        self.name = name or Path(getattr(source, "__file__", None) or module).stem
        check_keywords(self.name, unknown, Game.__init__.__kwdefaults__ or {}, title)
        check_texts(self.name, marks=marks, sides=sides)
        self.address = self.name  # by which `plies.game` finds it: a name or a path
        self.title = title
        self.source = str(getattr(source, "__file__", None) or "")
        self.package: str = self._names.get("__package__") or ""
        self.rules = (source.__doc__ or "").strip()
        self.marks = marks
        self.neutral = neutral
        self.sides = sides
        self.options: dict[str, Any] = {}
        self.evaluators: dict[str, Any] = {}
        check_file(self.name, self._names)
        self.State = self._names["State"]
        if self.State in verbs.rules_of:
            raise BadGame(f"{self.name}: its State is that of another game; write a class anew")
        own = {rule: self._names[rule] for rule in COMPILED if rule in self._names}
        rules = {"key": mixed_key, **own}
        name_class(self.State, self.name, list(rules.values()))
        verbs.rules_of[self.State] = rules
        self.add_evaluators(evaluators or {})
        own_theory = {THEORY: self._names[THEORY]} if THEORY in self._names else {}
        self.strategies: dict[str, Strategy] = {**own_theory, **(strategies or {})}
        for strategy, function in self.strategies.items():
            check_strategy(self.name, strategy, function)

    def __repr__(self) -> str:
        return f"<Game {self.spec}>"

    def add_evaluators(self, evaluators: Mapping[str, Evaluator]) -> None:
        """Let agents name these evaluators as `eval=...`; the first one is the default."""
        for name, evaluator in evaluators.items():
            check_evaluator(self.name, name, evaluator)
            self.evaluators[name] = verbs.register_evaluator(self.name, name, evaluator)

    def evaluator(self, name: Any = "") -> Any:
        """The record to evaluate with: by name, the game's first, `zero`, or with own weights."""
        known = {**self.evaluators, "zero": verbs.ZERO}
        if not isinstance(name, str):
            check_weights(self.name, self.evaluators, name)
            return name
        name = name or next(iter(known))
        if name not in known:
            near = suggestion(name, known, report_words.EVALUATORS)
            raise BadSpec(f"{self.name} has no evaluator {name}{near}")
        return known[name]

    def evaluate(self, state: Any, evaluator: Any = "") -> int:
        """The value of a state for the player to move, as an evaluator sees it."""
        self.check_state(state)
        with explaining(self):
            return int(verbs.evaluate(self.evaluator(evaluator), state))

    # Options

    @property
    def spec(self) -> str:
        """The text that `plies.game` turns into this game again."""
        return join_spec(self.address, self.options)

    @property
    def defaults(self) -> dict[str, Any]:
        """Every option of the game with its default."""
        return options_of(self.option_taker)

    @property
    def option_taker(self) -> Callable[..., Any]:
        """The function whose parameters are the game's options."""
        return self._names["initial"]

    def fixed(self) -> "Game":
        """The same game with its options as they are: nobody can choose others."""
        game, taker, options = copy.copy(self), self.option_taker, self.options
        game.options = {}
        game._names = {**self._names, "initial": lambda: taker(**options)}
        return game

    def with_options(self, texts: Mapping[str, str]) -> "Game":
        """The same game with other options, given as text."""
        game = copy.copy(self)
        game.options = {**self.options, **read_options(self.name, texts, self.option_taker)}
        game.initial()  # refuses options that do not fit together
        return game

    def at(self, address: str, name: str = "") -> "Game":
        """The same game found by another name or path; with `name`, also called so."""
        game = copy.copy(self)
        game.address, game.name = address, name or self.name
        return game

    # Rules

    def initial(self) -> Any:
        """The state in which the game begins."""
        with explaining(self, "initial"):
            try:
                state = self._names["initial"](**self.options)
            except ValueError as error:
                raise BadSpec(f"{self.spec}: {error}") from error
        self._check_fields(state, "initial")
        return read_only(state)

    def _check_fields(self, state: Any, source: str) -> None:
        """Refuse a state from plain Python that compiled code would read as another one."""
        if problem := state_problem(self.State, state):
            raise BadGame(f"{self.name}: {source} {problem}")

    def players(self, state: Any) -> int:
        """The number of players."""
        answer = self._call("players", state, default=2)
        if not isinstance(answer, int) or answer < 1:
            raise BadGame(f"{self.name}: players answers {answer!r}, expected 1, 2 or more")
        return answer

    def is_zero_sum(self, state: Any) -> bool:
        """Whether there are two players, and one gets what the other loses."""
        own = self._call("is_zero_sum", state)
        return self.players(state) == 2 if own is None else own

    def check_state(self, state: Any) -> None:
        """Refuse what is not a state of this game: verbs would answer for another game."""
        if type(state) is not self.State:
            raise BadSpec(f"{state!r:.300} is not a state of {self.name}")

    def prepare(self, state: Any) -> None:
        """Compile the rules that everybody needs who plays from this state."""
        for move in self.moves(state)[:1]:
            self.move_texts(state)
            for each in (state, self.play(state, move)):
                self.key(each)
                self.mover(each)
                self.position_text(each)

    def mover(self, state: Any) -> int:
        """The player to move."""
        self.check_state(state)
        with explaining(self):
            return int(verbs.mover(state))

    def moves(self, state: Any) -> tuple[int, ...]:
        """The legal moves; none when the game is over."""
        self.check_state(state)
        with explaining(self):
            if verbs.outcome(state) != ONGOING:
                return ()
            return tuple(map(int, verbs.legal_moves(state)))

    def play(self, state: Any, move: int) -> Any:
        """The state after a legal move."""
        if move not in self.moves(state):
            if self.is_over(state):
                raise GameOver("the game is over: no move can be played")
            if isinstance(move, str):
                raise BadSpec(f"a move is a number: write game.parse_move(state, {move!r})")
            legal = self.move_texts(state)
            raise IllegalMove(f"move {move} is not legal here; legal are {shorten(legal)}", legal)
        with explaining(self):
            return read_only(verbs.play(state, move))

    def outcome(self, state: Any) -> int:
        """ONGOING, DRAW, SCORED, or the player who has won."""
        self.check_state(state)
        with explaining(self):
            return int(verbs.outcome(state))

    def is_over(self, state: Any) -> bool:
        return self.outcome(state) != ONGOING

    def payoffs(self, state: Any) -> tuple[int, ...]:
        """What each player gets at the end: 1 / -1 / 0 for two, 1 / 0 for more."""
        result, players = self.outcome(state), self.players(state)
        if result == ONGOING:
            raise BadSpec("the game goes on: there are no payoffs yet")
        if result == SCORED:
            with explaining(self):
                return tuple(int(verbs.payoff(state, player)) for player in range(players))
        return (0,) * players if result == DRAW else win_payoffs(result, players)

    def ending(self, state: Any) -> str:
        """Why a game is over, in words; empty where the game's file gives no reason."""
        return self._call("ending", state, default="")

    def draw_claim(self, state: Any, earlier: Sequence[Any]) -> str:
        """Why a match is drawn here although the rules go on; empty if it is not.

        `earlier` holds the states before this one, the oldest first.
        """
        return self._call("draw_claim", state, earlier, default="")

    def theory(self, state: Any) -> int | None:
        """The best move by the theory of the game's file, None where it knows none."""
        return next(iter(self.strategy(THEORY, state)), None)

    def strategy(self, name: str, state: Any) -> tuple[int, ...]:
        """The moves that a strategy of the game's file recommends, if any."""
        if name not in self.strategies:
            if name == THEORY:
                raise BadSpec(f"{self.name} has no theory: its file does not define theory(state)")
            raise BadSpec(f"{self.name} has no strategy {name}{nearest(name, self.strategies)}")
        with explaining(self, name):
            answer = self.strategies[name](state)
            moves = () if answer is None else tuple(map(index, np.atleast_1d(answer)))
        for move in set(moves) - set(self.moves(state)):
            raise BadGame(f"{self.name}: {name} answers {move}, which is not legal here")
        return moves

    def key(self, state: Any) -> int:
        """A number that is equal for equal states."""
        with explaining(self):
            return int(verbs.key(state))

    def symmetries(self, state: Any) -> tuple[Any, ...]:
        """Equivalent states, the state itself among them."""
        with explaining(self):
            return tuple(map(read_only, verbs.symmetries(state)))
