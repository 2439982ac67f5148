"""The dialogue of a match at the terminal, without the terminal."""

import textwrap
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from plies.core.result_text import line_texts, player_name
from plies.core.scores import value_text
from plies.errors import PliesError
from plies.match import Match
from plies.match.endings import ending_text
from plies.records import FAULTS
from plies.search.decision import Decision

WIDTH = 80
HELP = """\
?        list the legal moves (or: moves)
board    draw the board again
undo     take back to your previous turn
resign   give the game up
quit     leave (or: exit); the command to go on is shown
Anything else is a move, such as {example}."""


class Dialogue:
    """What people type and read during a match; where `match` has no agent, a person plays.

    It reads lines from `ask` and shows lines through `tell`, so that a test can hold the
    conversation; `waiting` shows a sign of life while an agent thinks.
    """

    def __init__(
        self,
        match: Match,
        *,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
        waiting: Callable[[str], AbstractContextManager[Any]] = nullcontext,
    ):
        self.match, self.game = match, match.game
        self.ask, self.tell, self.waiting = ask, tell, waiting
        self.has_quit = False
        self.commands: dict[str, Callable[[], None]] = {
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
    def name(self) -> str:
        """The player to move."""
        return player_name(self.game, self.game.mover(self.match.state))

    @property
    def can_go_on(self) -> bool:
        """Whether somebody may want to go on from here: nobody has won by playing."""
        return self.match.end is None or self.match.end.termination in FAULTS

    def run(self) -> None:
        """Play until the game is over or left."""
        match = self.match
        with self.waiting("Waiting for the agents"):
            match.begin()
        self.show_board()
        while match.mover is not None and not self.has_quit:
            if match.agents[match.mover] is None:
                self._listen()
            else:
                self._step()
        if match.end is not None:
            self.tell(ending_text(self.game, match.rules, match.end, match.state))
            match.finish()

    # What a person may type

    def list_moves(self) -> None:
        state = self.match.state
        moves = " ".join(self.game.move_notation(state, move) for move in self.game.moves(state))
        self.tell(textwrap.fill(moves, WIDTH, break_on_hyphens=False, break_long_words=False))

    def explain(self) -> None:
        self.tell(HELP.format(example=self._example()))

    def show_board(self) -> None:
        self.tell(f"\n{self.game.draw(self.match.state)}\n")

    def undo(self) -> None:
        persons = [player for player, agent in enumerate(self.match.agents) if agent is None]
        if self.match.undo(persons):
            self.show_board()
        else:
            self.tell("There is no move of yours to take back.")

    def resign(self) -> None:
        self.match.resign(self.game.mover(self.match.state))

    def leave(self) -> None:
        self.has_quit = True

    # Turns

    def _listen(self) -> None:
        """One line from a person: a command or a move."""
        try:
            text = self.ask(f"{self.name}> ").strip()
        except EOFError:
            self.tell("")
            self.leave()
            return
        if text.lower() in self.commands:
            self.commands[text.lower()]()
        elif not text:
            self.tell(f"Type a move such as {self._example()}, ? for all of them, or help.")
        else:
            try:
                self.match.play(self.game.parse_move(self.match.state, text))
            except PliesError as error:
                self.tell(str(error))
            else:
                self.show_board()

    def _step(self) -> None:
        """One move of an agent."""
        name, state = self.name, self.match.state
        with self.waiting(f"{name} is thinking"):
            decision = self.match.step()
        if decision is not None:
            self.tell(f"{name} plays {self._reasons(state, decision)}")
            self.show_board()

    def _reasons(self, state: Any, decision: Decision) -> str:
        """The move, its value and the line behind it."""
        text = self.game.move_notation(state, decision.move)
        if decision.value is None:
            return text
        line = " ".join(line_texts(self.game, state, decision.line, is_spoken=True))
        value = value_text(decision.value)
        return f"{text} (value {value}, line {line}, {decision.nodes:,} nodes)"

    def _example(self) -> str:
        state = self.match.state
        first = next(iter(self.game.moves(state)), None)
        if first is None:
            return "none: the rules leave no move here"
        return self.game.move_notation(state, first)
