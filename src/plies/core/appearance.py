"""How a game looks: its board, its pieces, and a move as points and words.

Drawings, prompts and clicks all come from here, so they cannot disagree.
"""

from typing import TYPE_CHECKING, Any

from plies.core.diagnosis import blaming
from plies.core.rules import RULE
from plies.drawing import svg, text
from plies.drawing.board import Board


class Showing:
    """The part of a game that calls the plain functions of its file."""

    _names: dict[str, Any]  # of the game's file
    marks: tuple[str, ...]

    if TYPE_CHECKING:

        def position_text(self, state: Any) -> str: ...

    def says(self, name: str) -> bool:
        """Whether the file has a function of that name."""
        return name in self._names

    def _ask(self, name: str, *arguments: Any, default: Any = None) -> Any:
        """What a plain function of the game file answers, or the default where it has none."""
        if name not in self._names:
            return default
        with blaming(self, name):
            answer = self._names[name](*arguments)
            if RULE[name].answers == "text" and not isinstance(answer, str):
                raise TypeError(f"it answers {answer!r}, not text")
            return answer

    def steps(self, state: Any, move: int) -> tuple[str, ...]:
        """A move as point names and choice words."""
        if "steps" not in self._names:
            return (str(move),)
        with blaming(self, "steps"):
            answer = self._names["steps"](state, move)
            if isinstance(answer, str):
                raise TypeError(f"it answers {answer!r}; write ({answer!r},)")
            return tuple(answer)

    def clicks(self, state: Any, move: int) -> tuple[str, ...]:
        """The points and words to click for a move; by default its steps."""
        if "clicks" not in self._names:
            return self.steps(state, move)
        return tuple(self._ask("clicks", state, move))

    def motions(self, state: Any, move: int) -> tuple[tuple[str, str], ...]:
        """What visibly moves, from one point to another.

        By default the piece on the first step's point moves, if the second step is a point.
        """
        if "motions" in self._names:
            return tuple(self._ask("motions", state, move))
        board, (origin, *rest) = self.board(state), self.steps(state, move)
        if board is None or not rest or rest[0] not in board.points:
            return ()
        return ((origin, rest[0]),) if origin in self.pieces(state) else ()

    def situation(self, state: Any) -> str:
        """One line about what the pieces do not show; empty by default."""
        return self._ask("situation", state, default="")

    def glyphs(self) -> dict[str, str]:
        """How pieces are drawn: symbol -> elements of SVG in a box of 45 x 45."""
        return self._ask("glyphs", default={})

    def board(self, state: Any) -> Board | None:
        """The geometry of the board, None for a game that declares none."""
        return self._ask("board", state)

    def pieces(self, state: Any) -> dict[str, str]:
        """Point name -> symbol, for every point that is not empty."""
        return self._ask("pieces", state, default={})

    def draw(self, state: Any) -> str:
        """The position as lines of text."""
        if "draw" in self._names:
            return self._ask("draw", state)
        board = self.board(state)
        if board is None:
            return self.position_text(state)
        with blaming(self, "drawing board and pieces"):
            return text.draw_board(board, self.pieces(state))

    def svg(self, state: Any) -> str:
        """The position as a picture."""
        if "svg" in self._names:
            return self._ask("svg", state)
        board = self.board(state)
        if board is None:
            return svg.draw_text(self.draw(state))
        with blaming(self, "drawing board and pieces"):
            return svg.draw_board(board, self.pieces(state), self.marks)
