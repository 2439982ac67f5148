"""Agents without a search: random moves, one ply ahead, and a person."""

import textwrap
from dataclasses import dataclass
from typing import ClassVar

from plies.agents.one_ply import decide_one_ply
from plies.core import verbs
from plies.core.result_text import player_name, result_text
from plies.errors import AgentFault, PliesError
from plies.search.decision import Decision
from plies.search.runner import Stopwatch, first_move
from plies.search.search import Search
from plies.search.task import Task

WIDTH = 80  # of the list of moves


@dataclass(frozen=True)
class Random(Search):
    """Any legal move, all equally likely."""

    for_any_game: ClassVar[bool] = True

    def decide(self, task: Task) -> Decision:
        watch = Stopwatch()
        first_move(task.state)
        move = int(task.rng.choice(verbs.legal_moves(task.state)))
        return Decision(move, seconds=watch.seconds, line=(move,), cpu_seconds=watch.cpu_seconds)


@dataclass(frozen=True)
class Greedy(Search):
    """The move with the best evaluation after it; a random one of equal moves.

    A move that wins at once is better than any evaluation.
    """

    eval: str = ""

    def decide(self, task: Task) -> Decision:
        return decide_one_ply(task, "random")


@dataclass(frozen=True)
class Human(Search):
    """A person at the terminal, who types every move.

    `?` lists the legal moves and `board` draws the position again.  A player whose input ends
    loses the game.
    """

    for_any_game: ClassVar[bool] = True
    is_outside: ClassVar[bool] = True

    def finish(self, task: Task, payoffs: tuple[int, ...], reason: str) -> None:
        """Print how the game ended."""
        result = result_text(task.game, task.state) or f"The game is over: {reason}."
        print(f"\n{task.game.draw(task.state)}\n\n{result}")

    def decide(self, task: Task) -> Decision:
        watch = Stopwatch()
        game, state = task.game, task.state
        first = game.move_notation(state, *first_move(state))
        board = f"\n{game.draw(state)}\n"
        print(board)
        while True:
            try:
                text = input(f"{player_name(game, task.seat)}> ").strip()
            except EOFError:
                raise AgentFault("crash", "there is no more input to read a move from") from None
            if text == "?":
                moves = " ".join(game.move_notation(state, move) for move in game.moves(state))
                print(textwrap.fill(moves, WIDTH, break_on_hyphens=False, break_long_words=False))
            elif text.lower() == "board":
                print(board)
            elif not text:
                print(f"Type a move such as {first}, ? for all of them, or board.")
            else:
                try:
                    move = game.parse_move(state, text)
                except PliesError as error:
                    print(error)
                else:
                    return Decision(move, seconds=watch.seconds, line=(move,))
