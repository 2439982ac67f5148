"""Game files of tests: those that keep their promises, and the same with changed parts."""

from pathlib import Path

from plies.core.contract import Game
from plies.registry import game

GAMES = Path(__file__).parent / "data" / "games"
STUCK = GAMES / "stuck.py"  # a player may be unable to move, which is not told as an end
ENDLESS = GAMES / "endless.py"
TAKE = (GAMES / "take.py").read_text()  # one or two from a heap, of seven by default
ARRAY = (GAMES / "changed_argument.py").read_text()  # the same with the heap in an array

# Parts of the first one, to be replaced.
INITIAL = "return State(heap, 0)"
LEGAL_MOVES = "return np.arange(1, min(state.heap, 2) + 1)"
PLAY = "return State(state.heap - move, 1 - state.turn)"
OUTCOME = "return ONGOING if state.heap > 0 else 1 - state.turn"
LAST = 'GAME = Game(__name__, title="Take")'


def replaced(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def changed_file(folder: Path, *changes: tuple[str, str], text: str = TAKE) -> Path:
    path = folder / "changed.py"
    path.write_text(replaced(text, *changes))
    return path


def changed(folder: Path, *changes: tuple[str, str], text: str = TAKE) -> Game:
    """The game of taking from a heap with parts of its file replaced."""
    return game(str(changed_file(folder, *changes, text=text)))


def extended(folder: Path, *lines: str) -> Game:
    """The game with more lines in its file, before the last."""
    return changed(folder, (LAST, "\n".join([*lines, LAST])))
