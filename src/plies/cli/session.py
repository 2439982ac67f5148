"""The dialogue of a game at the terminal, without the terminal.

A session reads lines from `ask` and shows lines through `tell`, so that a test
can hold the conversation; `waiting` shows a sign of life while an agent thinks.
"""

import random
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from plies.agents import Agent
from plies.core.contract import Game
from plies.core.result_text import line_texts, player_name
from plies.core.scores import value_text
from plies.errors import PliesError
from plies.match import Rules
from plies.match.endings import ending, ending_text
from plies.records import MoveRecord
from plies.search.decision import Decision

WIDTH = 80
HELP = """\
?        list the legal moves (or: moves)
board    draw the board again
undo     take back to your previous turn
resign   give the game up
quit     leave (or: exit); the command to go on is shown
Anything else is a move, such as {example}."""


class Session:
    """One game: who sits where, every state so far, and what was said last.

    `seats[player]` is the agent that plays there, or None for a person.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[Agent | None],
        state: Any,
        *,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
        waiting: Callable[[str], AbstractContextManager[Any]] = nullcontext,
        seed: int = 0,
        rules: Rules | None = None,
    ):
        self.game = game
        self.seats = tuple(seats)
        self.states = [state]
        self.moves: list[MoveRecord] = []  # that led from each state to the next
        self.rules = rules or Rules()
        self.ask = ask
        self.tell = tell
        self.waiting = waiting
        self.is_left = False
        self.is_resigned = False
        self._chances = [random.Random(f"{seed}/{seat}") for seat in range(len(seats))]
        self._words: dict[str, Callable[[], None]] = {
            "?": self.list_moves,
            "moves": self.list_moves,
            "help": self.explain,
            "board": self.show_board,
            "undo": self.undo,
            "resign": self.resign,
            "quit": self.leave,
            "exit": self.leave,
        }

    @property
    def state(self) -> Any:
        """The position on the board."""
        return self.states[-1]

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return self.game.mover(self.state)

    @property
    def name(self) -> str:
        return player_name(self.game, self.player)

    def run(self) -> None:
        """Play until the game is over, given up or left."""
        self.show_board()
        while not (self.is_left or self.is_resigned):
            if result := self.result():
                self.tell(result)
                return
            agent = self.seats[self.player]
            if agent is None:
                self._listen()
            else:
                self._let_play(agent)

    def result(self) -> str:
        """How the game has ended, by its rules or as a match ends; empty while it goes on."""
        seen = Counter(map(self.game.key, self.states))
        end = ending(self.game, self.rules, self.states, seen, self.moves)
        return "" if end is None else ending_text(self.game, self.rules, end, self.state)

    # What a person may type

    def list_moves(self) -> None:
        moves = " ".join(
            self.game.move_notation(self.state, move) for move in self.game.moves(self.state)
        )
        self.tell(textwrap.fill(moves, WIDTH, break_on_hyphens=False, break_long_words=False))

    def explain(self) -> None:
        self.tell(HELP.format(example=self._example()))

    def show_board(self) -> None:
        self.tell(f"\n{self.game.draw(self.state)}\n")

    def undo(self) -> None:
        """Back to the last position before this one in which a person was to move."""
        for count in range(len(self.states) - 1, 0, -1):
            if self.seats[self.game.mover(self.states[count - 1])] is None:
                del self.states[count:], self.moves[count - 1 :]
                self.show_board()
                return
        self.tell("There is no move of yours to take back.")

    def resign(self) -> None:
        self.is_resigned = True
        others = [seat for seat in range(len(self.seats)) if seat != self.player]
        result = f"; {self._seat(others[0])} wins" if len(others) == 1 else ""
        self.tell(f"{self.name} resigns{result}.")

    def leave(self) -> None:
        self.is_left = True

    # Turns

    def _listen(self) -> None:
        """One line from a person: a word, a move, or something to explain."""
        try:
            text = self.ask(f"{self.name}> ").strip()
        except EOFError:
            self.tell("")
            self.leave()
            return
        if text.lower() in self._words:
            self._words[text.lower()]()
        elif not text:
            self.tell(f"Type a move such as {self._example()}, ? for all of them, or help.")
        else:
            try:
                move = self.game.parse_move(self.state, text)
            except PliesError as error:
                self.tell(str(error))
            else:
                self._advance(Decision(move))

    def _let_play(self, agent: Agent) -> None:
        with self.waiting(f"{self.name} is thinking"):
            past = [self.game.key(before) for before in self.states[:-1]]
            decision = agent.choose(self.state, self._chances[self.player], past=past)
        self.tell(f"{self.name} plays {self._reasons(decision)}")
        self._advance(decision)

    def _reasons(self, decision: Decision) -> str:
        """The move, its value and the line behind it."""
        text = self.game.move_notation(self.state, decision.move)
        if decision.value is None:
            return text
        line = " ".join(line_texts(self.game, self.state, decision.line, is_spoken=True))
        value = value_text(decision.value)
        return f"{text} (value {value}, line {line}, {decision.nodes:,} nodes)"

    def _advance(self, decision: Decision) -> None:
        text = self.game.move_text(self.state, decision.move)
        thought = (decision.value, decision.depth, decision.nodes, decision.seconds)
        self.moves.append(MoveRecord(self.player, text, *thought))
        self.states.append(self.game.play(self.state, decision.move))
        self.show_board()

    def _example(self) -> str:
        first = next(iter(self.game.moves(self.state)), None)
        if first is None:
            return "none: the rules leave no move here"
        return self.game.move_notation(self.state, first)

    def _seat(self, player: int) -> str:
        return player_name(self.game, player)
