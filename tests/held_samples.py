"""A game that holds whoever plays it up, so that a run is in the middle when a test looks."""

from pathlib import Path

TAKE = Path(__file__).parent / "data" / "games" / "take.py"
# A rule that is asked in plain Python after every move.
HELD = """
import time
from pathlib import Path

GO = Path({go!r})
BEGUN = []


def draw_claim(state, earlier):
    if len(earlier) == 1:
        BEGUN.append(state)
    while len(BEGUN) > {games} and not GO.exists():
        time.sleep(0.01)
    return ""


"""


def held_game(folder: Path, games: int = 3) -> str:
    """A game of which a process plays so many, and goes on when `folder / "go"` is there."""
    rule = HELD.format(go=str(folder / "go"), games=games)
    path = folder / "held.py"
    text = TAKE.read_text().replace("heap: int = 7", "heap: int = 40")
    path.write_text(text.replace("GAME = Game(", f"{rule}GAME = Game("))
    return str(path)
