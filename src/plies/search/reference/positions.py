"""The positions of a game as a tree for the textbook searches."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from plies.core import verbs
from plies.core.scores import DRAW, ONGOING, SCORED
from plies.search.leaf import evaluation_for, leaf_value, result_for
from plies.search.runner import NoLegalMove


class Position(NamedTuple):
    """A state of a game and how many plies after the root it arose."""

    state: Any
    ply: int = 0


def on_game(evaluator: Any) -> dict[str, Any]:
    """The positions of a two-player game as a tree: `minimax(root, **on_game(...))`.

    Max is the first player, whoever moves at the root.
    """

    def evaluate(position: Position) -> int:
        state, ply = position
        value = leaf_value(state, verbs.outcome(state), ply, evaluator)
        return int(value if is_max(position) else -value)

    def is_max(position: Position) -> bool:
        return mover(position) == 0

    return {"children": Children, "evaluate": evaluate, "is_max": is_max}


def on_players(evaluator: Any, players: int) -> dict[str, Any]:
    """The positions of any game as a tree: `maxn(root, **on_players(...))`.

    The values of leaves for each player are those of `plies.search.leaf`.
    """

    def evaluate(position: Position) -> tuple[int, ...]:
        state, ply = position
        result = verbs.outcome(state)
        seats = range(players)
        if result != ONGOING:
            return tuple(int(result_for(seat, state, result, ply)) for seat in seats)
        evaluation = verbs.evaluate(evaluator, state)
        return tuple(int(evaluation_for(seat, state, evaluation, players)) for seat in seats)

    return {"children": Children, "evaluate": evaluate, "mover": mover}


def on_results(players: int) -> dict[str, Any]:
    """The positions of any game as a tree whose values are results: `mcts(root, **on_results(2))`.

    A win is 1, a loss -1 or, where more than two play, 0; an unfinished game is a draw.
    """

    def evaluate(position: Position) -> tuple[int, ...]:
        state = position.state
        result = verbs.outcome(state)
        if result in (DRAW, ONGOING):
            return (0,) * players
        if result == SCORED:
            return tuple(int(verbs.payoff(state, seat)) for seat in range(players))
        loss = -1 if players == 2 else 0
        return tuple(1 if seat == result else loss for seat in range(players))

    return {"children": Children, "evaluate": evaluate, "mover": mover}


class Children(Sequence[Position]):
    """The positions one move later, none when the game is over; each is made on access."""

    def __init__(self, position: Position):
        self.position = position
        state = position.state
        self.moves: Any = ()
        if verbs.outcome(state) == ONGOING:
            self.moves = verbs.legal_moves(state)
            if len(self.moves) == 0:
                raise NoLegalMove(state)

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, index: Any) -> Any:
        state, ply = self.position
        return Position(verbs.play(state, self.moves[index]), ply + 1)


def mover(position: Position) -> int:
    return int(verbs.mover(position.state))
