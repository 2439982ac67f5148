"""What people read when something is wrong, whole sentences in one file.

`tests/data/messages.txt` holds them; other tests assert only the class of an error and the
word that matters.  After improving a sentence, write the file anew and read its diff:

    PLIES_WRITE_MESSAGES=yes .venv/bin/pytest tests/test_messages.py
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import plies
from plies.core.diagnosis import compile_rules
from plies.errors import PliesError

DATA = Path(__file__).parent / "data"
MESSAGES = DATA / "messages.txt"
TAKE = (DATA / "games" / "take.py").read_text()

GAMES = (
    *("nosuch", "quix", "", ":n=3", "nim:k", "nim:k=2,k=3", "nim, k=2,j=3", "missing.py"),
    *("quixo:n=99", "quixo:size=3", "quixo:n=many", "nim:rows=1-x", "nim:misere=maybe"),
    *("morris:board=7", "seega:size=4", "tictactoe:k=9", "tree:file=missing.tree"),
)
AGENTS = {
    "tictactoe": (
        *("nosuch", "pvs", "alphabta", "alphabeta:dpth=3", "alphabeta:depth=x", "minimax:depth=0"),
        *("minimax:depth=1000", "alphabeta:fail=loud", "alphabeta:eval=lines", "mcts:c=-1"),
        *(
            "alphabeta:look=2",
            "deepening:prune=none,table=3",
            "engine:seconds=-1",
            "uci",
            "process",
        ),
        *(
            "engine:threads=0",
            "engine:table=x",
            "branch:width=0",
            "beam:share=2",
            "theory",
            "q:x.npz",
        ),
        *(
            "fsab:L=4",
            "minimax:BF=5",
            "alphabeta:SEF",
            "mixed",
            "mixed:engine=1",
            "perfect:positions=0",
        ),
    ),
    "nim:players=3": ("alphabeta", "engine:seconds=1"),
    "chess": ("alphabeta:eval=MA", "engine:eval=missing.npz", "uci:./missing-engine"),
}
POSITIONS = {
    "chess": ("hello world", "8/8/8/8/8/8/8/8 w - - 0 1"),
    "tictactoe": ("", "X../.O. X", "XXX/XXX/XXX O", "X../.O./... Z"),
    "quixo": ("", "O/X"),
    "nim": ("", "1 2 x"),
    "morris": ("", "xxxx"),
    "seega": ("", "X/O"),
}
MOVES = {
    "chess": ("", "Ke3", "e5", "hello", "e2", "a1b9"),
    "tictactoe": ("", "d4", "hello"),
    "quixo": ("a1", "z9", "b2 a1"),
    "nim": ("", "9-9", "take all"),
}
# What is changed in a game file that keeps every promise: text, what stands there instead.
FILES = {
    "no State": ("class State", "class Position"),
    "no play": ("def play(", "def played("),
    "plain rule": ("@compiled\ndef outcome", "def outcome"),
    "field of a kind that is not allowed": ("heap: int", "heap: tuple"),
    "field without a type": ("    heap: int\n    turn: int", "    pass"),
    "option without a default": ("heap: int = 7", "heap: int"),
    "syntax": ("return state.turn", "return state."),
    "name that nobody knows": ("np.arange", "np.arang"),
    "plain helper": (
        "@compiled\ndef mover(state):\n    return state.turn",
        "def side(s):\n    return s.turn\n@compiled\ndef mover(state):\n    return side(state)",
    ),
    "name of a function that nobody knows": ("return state.turn", "return len_of(state)"),
    "assigns to a state": ("return State(state.heap - move", "state.heap = 1\n    return State(1"),
    "initial raises": ("return State(heap, 0)", "return State([][heap], 0)"),
    "initial answers a fraction": ("return State(heap, 0)", "return State(0.5, 0)"),
    "initial answers something else": ("return State(heap, 0)", "return heap"),
    "play answers a number": ("return State(state.heap - move, 1 - state.turn)", "return move"),
    "no game": ("GAME = ", "TAKE = "),
}


def ask_about_games() -> Iterator[tuple[str, Callable[[], object]]]:
    for spec in GAMES:
        yield spec, lambda spec=spec: plies.game(spec)


def ask_about_agents() -> Iterator[tuple[str, Callable[[], object]]]:
    for game, specs in AGENTS.items():
        for spec in specs:
            yield (
                f"{game} | {spec}",
                lambda game=game, spec=spec: plies.agent(spec, plies.game(game)),
            )


def ask_about_positions() -> Iterator[tuple[str, Callable[[], object]]]:
    for game, texts in POSITIONS.items():
        for text in texts:
            yield (
                f"{game} | {text}",
                lambda game=game, text=text: plies.game(game).parse_position(text),
            )


def ask_about_moves() -> Iterator[tuple[str, Callable[[], object]]]:
    for name, texts in MOVES.items():
        for text in texts:
            game = plies.game(name)
            yield (
                f"{name} | {text}",
                lambda game=game, text=text: game.parse_move(game.initial(), text),
            )


def ask_about_files() -> Iterator[tuple[str, Callable[[], object]]]:
    for label, (text, instead) in FILES.items():

        def load(text: str = text, instead: str = instead) -> object:
            assert text in TAKE
            Path("changed.py").write_text(TAKE.replace(text, instead))
            game = plies.game("changed.py")
            compile_rules(game)
            return game.play(game.initial(), game.moves(game.initial())[0])

        yield label, load


SECTIONS = {
    "games": ask_about_games,
    "agents": ask_about_agents,
    "positions": ask_about_positions,
    "moves": ask_about_moves,
    "game files": ask_about_files,
}


def section_text(name: str) -> str:
    """Every question of a section, and below it the error that answers it."""
    lines = []
    for label, ask in SECTIONS[name]():
        with pytest.raises(PliesError) as error:
            ask()
        message, kind = str(error.value), type(error.value).__name__
        assert "\n" not in message, message
        lines.append(f"{label}\n    {kind}: {message}")
    return "\n".join(lines).replace(f"{Path.cwd()}/", "")


def stored_sections() -> dict[str, str]:
    parts = MESSAGES.read_text().split("== ")[1:]
    return {name: text.strip("\n") for name, _, text in (part.partition(" ==\n") for part in parts)}


@pytest.mark.parametrize("name", SECTIONS)
def test_messages_are_those_that_were_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    text = section_text(name)
    if os.environ.get("PLIES_WRITE_MESSAGES"):
        sections = {**(stored_sections() if MESSAGES.exists() else {}), name: text}
        MESSAGES.write_text(
            "\n\n".join(f"== {each} ==\n{sections[each]}" for each in SECTIONS if each in sections)
            + "\n"
        )
    assert text == stored_sections()[name]
