"""What the programs do, apart from files and arguments: a board in, an answer out."""

from typing import TYPE_CHECKING, Any, NamedTuple

from plies.errors import PliesError

if TYPE_CHECKING:
    from plies.search.decision import Decision

MAX_DEPTH = 127  # for which the workspace of a search has room
BOARD_NAMES = ("22", "23", "21b", "21n", "21x", "18", "24")
WHITE, BLACK, EMPTY = "WBx"
SWAPPED = str.maketrans(WHITE + BLACK, BLACK + WHITE)


class UnreadableBoard(PliesError):
    """Text that is no board."""


class NoMove(PliesError):
    """A board on which the side to move cannot move."""


class Program(NamedTuple):
    """One of the eight."""

    is_opening: bool
    has_cuts: bool = False
    is_black: bool = False
    is_improved: bool = False


PROGRAMS = {
    "MiniMaxOpening": Program(is_opening=True),
    "MiniMaxGame": Program(is_opening=False),
    "ABOpening": Program(is_opening=True, has_cuts=True),
    "ABGame": Program(is_opening=False, has_cuts=True),
    "MiniMaxOpeningBlack": Program(is_opening=True, is_black=True),
    "MiniMaxGameBlack": Program(is_opening=False, is_black=True),
    "MiniMaxOpeningImproved": Program(is_opening=True, is_improved=True),
    "MiniMaxGameImproved": Program(is_opening=False, is_improved=True),
}


def description(program: Program) -> str:
    """What the program does, in a sentence or two."""
    colour, other = ("Black", "White") if program.is_black else ("White", "Black")
    action = "Adds a piece for" if program.is_opening else "Moves a piece of"
    method = "alpha-beta" if program.has_cuts else "minimax"
    estimation = "the improved estimation" if program.is_improved else "the static estimation"
    return f"{action} {colour}, against the best play of {other}: {method} with {estimation}."


class Answer(NamedTuple):
    """The result of a program; the estimate is for its own colour."""

    board: str
    positions: int
    estimate: int
    move: str  # the points it touches: origin, target and removed, as far as there are
    cutoffs: int
    cpu_seconds: float


def answer(name: str, board: str, depth: int, variant: str = "22") -> Answer:
    """The answer of the program of that name to a board, `depth` plies ahead."""
    from plies.core.scores import ONGOING
    from plies.core.verbs import outcome, play
    from plies.games.morris import letters
    from plies.morris_programs.rules import GAME, state_of

    program = PROGRAMS[name]
    check_board(board, variant)
    own = swap(board) if program.is_black else board
    state = state_of(own, variant, program.is_opening, program.is_improved)
    if outcome(state) != ONGOING:
        colour = "Black" if program.is_black else "White"
        action = "add a piece" if program.is_opening else "move"
        raise NoMove(f"no move is possible: {colour} cannot {action} on {board}")
    decision = _decision(program, state, depth)
    assert decision.value is not None  # nothing stops the search but its end
    after = letters(play(state, decision.move))
    return Answer(
        swap(after) if program.is_black else after,
        decision.leaves,
        decision.value,
        GAME.move_text(state, decision.move),
        decision.cutoffs,
        decision.cpu_seconds,
    )


def _decision(program: Program, state: Any, depth: int) -> "Decision":
    """The search of the program; its time does not contain the compiler's."""
    from plies.morris_programs.rules import ESTIMATE
    from plies.search.alphabeta import AlphaBeta
    from plies.search.minimax import Minimax
    from plies.search.runner import StopFlag
    from plies.search.task import Task

    method = (AlphaBeta if program.has_cuts else Minimax)(depth=depth)
    stopped = StopFlag()
    stopped.stop()
    method.decide(Task(state, ESTIMATE, stop=stopped))  # compiles, and ends before it has begun
    task = Task(state, ESTIMATE)
    decision = method.decide(task)
    if task.stop.was_interrupted:
        raise KeyboardInterrupt
    return decision


def swap(board: str) -> str:
    """The board with the colours exchanged."""
    return board.translate(SWAPPED)


def check_board(board: str, variant: str) -> None:
    """Refuse what is not one letter for every point of the board."""
    from plies.games.morris.boards import BOARDS
    from plies.games.morris.position import read_letters

    if len(board.split()) > 1:
        raise UnreadableBoard("write the board in one line, without spaces between the letters")
    try:
        read_letters(board, BOARDS[variant])
    except ValueError as error:
        fitting = [name for name in BOARDS if len(BOARDS[name].points) == len(board)]
        hint = f"; did you mean --board {' or '.join(fitting)}?"
        is_helpful = fitting and variant not in fitting
        raise UnreadableBoard(f"{error}{hint if is_helpful else ''}") from error
