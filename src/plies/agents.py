"""Agents: whoever can choose a move, named by a text such as `alphabeta:depth=4`.

Every agent is made by a function whose signature declares its options.
"""

import random as random_numbers
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.errors import BadGame, BadSpec, GameOver
from plies.core.spec import join_spec, read_options, split_spec, suggestion
from plies.core.telling import result_text
from plies.search import alphabeta as alphabeta_search
from plies.search import minimax as minimax_search
from plies.search.alphabeta import Cut, Fail
from plies.search.decision import Decision
from plies.search.limits import checked_budget, checked_depth
from plies.search.runner import NoLegalMove, StopFlag

# A method decides on a state; the random numbers are the game's, so games can be repeated.
Method = Callable[[Any, random_numbers.Random, StopFlag | None], Decision]


@dataclass(frozen=True)
class Agent:
    """A player of one game."""

    spec: str
    game: Game
    method: Method

    def prepare(self, state: Any) -> None:
        """Compile what choosing needs, so that no clock and no person waits for it later."""
        stopped = StopFlag()
        stopped.stop()
        self.choose(state, stop=stopped)

    def choose(
        self,
        state: Any,
        rng: random_numbers.Random | None = None,
        stop: StopFlag | None = None,
    ) -> Decision:
        """The move to play; `rng` makes chance repeatable, `stop` ends thinking early."""
        if self.game.is_over(state):
            raise GameOver(f"the game is over: {result_text(self.game, state)}")
        try:
            with explaining(self.game):
                return self.method(state, rng or random_numbers.Random(), stop)
        except NoLegalMove as stuck:
            where = self.game.position_text(stuck.state)
            complaint = f"{where} has no legal move although the game goes on"
            raise BadGame(f"{self.game.name}: {complaint}") from stuck


def agent(spec: str, game: Game) -> Agent:
    """The agent that a spec names, ready to play a game."""
    name, texts = split_spec(spec)
    if name not in MAKERS:
        raise BadSpec(f"there is no agent {name}{suggestion(name, MAKERS)}")
    options = read_options(name, texts, MAKERS[name])
    return Agent(join_spec(name, options), game, MAKERS[name](**options)(game))


def random() -> Callable[[Game], Method]:
    """Any legal move, all equally likely."""

    def make(game: Game) -> Method:
        def choose(state: Any, rng: random_numbers.Random, stop: StopFlag | None) -> Decision:
            began = time.perf_counter()
            moves = game.moves(state)
            if not moves:
                raise NoLegalMove(state)
            move = rng.choice(moves)
            return Decision(move, seconds=time.perf_counter() - began, line=(move,))

        return choose

    return make


def minimax(depth: int = 3, eval: str = "", nodes: int = 0) -> Callable[[Game], Method]:  # noqa: A002
    """Looks at every line `depth` plies deep."""
    checked_depth(depth)
    checked_budget(nodes)

    def make(game: Game) -> Method:
        evaluator = game.evaluator(eval)
        refuse_other_than_zero_sum(game)
        return lambda state, rng, stop: minimax_search.search(state, depth, evaluator, nodes, stop)

    return make


def alphabeta(
    depth: int = 4,
    eval: str = "",  # noqa: A002
    fail: Fail = "soft",
    cut: Cut = "equal",
    nodes: int = 0,
) -> Callable[[Game], Method]:
    """Minimax without the lines that cannot matter."""
    checked_depth(depth)
    checked_budget(nodes)

    def make(game: Game) -> Method:
        evaluator = game.evaluator(eval)
        refuse_other_than_zero_sum(game)
        return lambda state, rng, stop: alphabeta_search.search(
            state, depth, evaluator, fail, cut, nodes, stop
        )

    return make


MAKERS: dict[str, Callable[..., Callable[[Game], Method]]] = {
    maker.__name__: maker for maker in (random, minimax, alphabeta)
}


def refuse_other_than_zero_sum(game: Game) -> None:
    """Minimax values mean nothing when one's gain is not the other's loss."""
    if not game.is_zero_sum(game.initial()):
        raise BadSpec(
            f"{game.spec} is not a two-player zero-sum game, which minimax and alphabeta are for;"
            " random can play it"
        )
