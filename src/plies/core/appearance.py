"""How people see a game: boards, pieces and drawings, moves and positions as text.

Drawings, prompts and clicks all come from here, so they cannot disagree.
"""

from typing import TYPE_CHECKING, Any

from plies.core.diagnosis import explaining
from plies.core.rules import RULE
from plies.core.states import read_only, read_state, state_problem, state_text
from plies.drawing import svg, text
from plies.drawing.board import Board
from plies.drawing.notation import find_move, is_same, steps_text
from plies.errors import BadGame, GameOver, IllegalMove, UnreadableMove, UnreadablePosition


class Appearance:
    """The half of `Game` that calls the plain Python functions of its file."""

    _names: dict[str, Any]  # of the game's file
    name: str
    marks: tuple[str, ...]
    State: Any

    if TYPE_CHECKING:  # the rules, which `Game` adds

        def initial(self) -> Any: ...
        def mover(self, state: Any) -> int: ...
        def moves(self, state: Any) -> tuple[int, ...]: ...
        def players(self, state: Any) -> int: ...
        def check_state(self, state: Any) -> None: ...
        def _check_fields(self, state: Any, source: str) -> None: ...

    def defines(self, name: str) -> bool:
        """Whether the game's file defines a function of that name."""
        return name in self._names

    def _call(self, name: str, *arguments: Any, default: Any = None) -> Any:
        """The answer of a plain function of the game file, or the default where it has none."""
        if name not in self._names:
            return default
        with explaining(self, name):
            answer = self._names[name](*arguments)
            if RULE[name].answers == "text" and not isinstance(answer, str):
                raise TypeError(f"it answers {answer!r}, not text")
            return answer

    def steps(self, state: Any, move: int) -> tuple[str, ...]:
        """A move as point names and choice words."""
        self.check_state(state)
        if "steps" not in self._names:
            return (str(move),)
        try:
            with explaining(self, "steps"):
                answer = self._names["steps"](state, move)
                if isinstance(answer, str):
                    raise TypeError(f"it answers {answer!r}; write ({answer!r},)")
                return tuple(answer)
        except BadGame:
            self._refuse_illegal(state, move)
            raise

    def _refuse_illegal(self, state: Any, move: int) -> None:
        """A function that fails for a move that is not legal is not to blame."""
        if move not in self.moves(state):
            raise IllegalMove(f"move {move!r} is not legal here") from None

    def clicks(self, state: Any, move: int) -> tuple[str, ...]:
        """The points and words to click for a move; by default its steps."""
        if "clicks" not in self._names:
            return self.steps(state, move)
        return tuple(self._call("clicks", state, move))

    def motions(self, state: Any, move: int) -> tuple[tuple[str, str], ...]:
        """The pieces that visibly move, each from one point to another.

        By default the piece on the first step's point moves, if the second step is a point.
        """
        if "motions" in self._names:
            return tuple(self._call("motions", state, move))
        board, (origin, *rest) = self.board(state), self.steps(state, move)
        if board is None or not rest or rest[0] not in board.points:
            return ()
        return ((origin, rest[0]),) if origin in self.pieces(state) else ()

    def situation(self, state: Any) -> str:
        """One line about what the pieces do not show; empty by default."""
        return self._call("situation", state, default="")

    def glyphs(self) -> dict[str, str]:
        """How pieces are drawn: symbol -> elements of SVG in a box of 45 x 45."""
        return self._call("glyphs", default={})

    def board(self, state: Any) -> Board | None:
        """The geometry of the board, None in a game without one."""
        return self._call("board", state)

    def pieces(self, state: Any) -> dict[str, str]:
        """Point name -> symbol, for every point that is not empty."""
        return self._call("pieces", state, default={})

    def draw(self, state: Any) -> str:
        """The position as lines of text."""
        self.check_state(state)
        if "draw" in self._names:
            return self._call("draw", state)
        board = self.board(state)
        if board is None:
            return self.position_text(state)
        with explaining(self, "drawing board and pieces"):
            drawing, below = text.draw_board(board, self.pieces(state)), self.situation(state)
        return f"{drawing}\n\n{below}" if below else drawing

    def svg(self, state: Any) -> str:
        """The position as a picture."""
        self.check_state(state)
        if "svg" in self._names:
            return self._call("svg", state)
        board = self.board(state)
        if board is None:
            return svg.draw_text(self.draw(state))
        with explaining(self, "drawing board and pieces"):
            return svg.draw_board(board, self.pieces(state), self.marks)

    def move_text(self, state: Any, move: int) -> str:
        """A move as text: its steps joined by `-`, or the game's own notation."""
        self.check_state(state)
        if "move_text" not in self._names:
            return steps_text(self.steps(state, move))
        try:
            return self._call("move_text", state, move)
        except BadGame:
            self._refuse_illegal(state, move)
            raise

    def move_notation(self, state: Any, move: int) -> str:
        """A move as people write it, where `move_text` is for programs."""
        if "move_notation" in self._names:
            return self._call("move_notation", state, move)
        return self.move_text(state, move)

    def move_texts(self, state: Any) -> list[str]:
        """Every legal move as text."""
        return [self.move_text(state, move) for move in self.moves(state)]

    def parse_move(self, state: Any, text: str) -> int:
        """The legal move that a text means."""
        if not isinstance(text, str):
            raise UnreadableMove(f"a move is read from a text, not from {text!r:.60}")
        moves = {self.steps(state, move): move for move in self.moves(state)}
        if not moves:
            raise GameOver("the game is over: no move can be played")
        texts = [self.move_text(state, move) for move in moves.values()]
        same = [m for m, own in zip(moves.values(), texts, strict=True) if is_same(own, text)]
        if len(same) == 1:
            return same[0]
        move = self._call("find_move", state, text)
        if move is not None:
            if move not in moves.values():
                raise BadGame(f"{self.name}: find_move answers {move}, which is not legal here")
            return move
        board = self.board(state)
        return find_move(text, moves, board.points if board else (), texts)

    def position_text(self, state: Any) -> str:
        """A state as one line of text."""
        self.check_state(state)
        if "position_text" in self._names:
            return self._call("position_text", state)
        return state_text(state)

    def parse_position(self, text: str) -> Any:
        """The state that a text describes."""
        read = self._names.get("parse_position", self._parse_numbers)
        initial = self.initial()
        if not isinstance(text, str):
            right = f"from a text such as {self.position_text(initial)!r}"
            raise UnreadablePosition(f"a position is read {right}, not from {text!r:.60}")
        with explaining(self, "parse_position"):
            try:
                state = read(text, initial)
            except ValueError as error:
                message = f"{text!r} is not a {self.name} position: {error}"
                raise UnreadablePosition(message) from error
        self._check_fields(state, "parse_position")
        mover, last = self.mover(state), self.players(state) - 1
        if not 0 <= mover <= last:
            message = f"the player to move is {mover}, expected 0 to {last}"
            raise UnreadablePosition(f"{text!r} is not a {self.name} position: {message}")
        return read_only(state)

    def _parse_numbers(self, text: str, initial: Any) -> Any:
        """The fields as whole numbers, as `position_text` writes them by default."""
        state = read_state(text, initial)
        if problem := state_problem(self.State, state):
            raise ValueError(f"it {problem}")
        return state
