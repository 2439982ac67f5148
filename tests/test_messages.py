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
from game_samples import INITIAL, LAST, LEGAL_MOVES, OUTCOME, PLAY, TAKE, changed_file
from plies.core.diagnosis import compile_rules
from plies.errors import PliesError

MESSAGES = Path(__file__).parent / "data" / "messages.txt"
STATE = "class State(NamedTuple):\n    heap: int\n    turn: int\n"
UNTYPED = "State = new('State', 'heap turn')\n"

GAMES = (
    *("nosuch", "quix", "", ":n=3", "nim:k", "nim:k=2,k=3", "nim, k=2,j=3", "missing.py"),
    *("nim:k=", "nim:=2", "tictactoe:width=0", "tictactoe:nope=1"),
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
TABLE = "\n\n\nTABLE = np.zeros(9, np.int64)"
# What is changed in a game file that keeps every promise: text, what stands there instead.
FILES = {
    "no State": ("class State", "class Position"),
    "no play": ("def play(", "def played("),
    "plain rule": ("@compiled\ndef outcome", "def outcome"),
    "plain class": ("class State(NamedTuple)", "class State"),
    "fields without types": (STATE, "from collections import namedtuple as new\n" + UNTYPED),
    "no field": (STATE, 'State = NamedTuple("State", [])\n'),
    "field of a kind that is not allowed": ("heap: int\n", "heap: tuple\n"),
    "text field": ("heap: int\n", "heap: str\n"),
    "float field": ("heap: int\n", "heap: float\n"),
    "option without a default": ("heap: int = 7", "heap: int"),
    "option without a name": ("heap: int = 7", "*heap: int"),
    "any options": ("heap: int = 7", "**heap"),
    "syntax": ("return state.turn", "return state."),
    "misspelt keyword of Game": ("title=", "titel="),
    "unknown keyword of Game": ('"Take")', '"Take", mark=("A", "B"))'),
    "no title": ("title=", "name="),
    "sides that are one text": ('"Take")', '"Take", sides="White")'),
    "marks that are no texts": ('"Take")', '"Take", marks=(1, 2))'),
    "evaluator that is not compiled": (
        LAST,
        "from plies.core import Evaluator\ndef mine(state):\n    return 0\n"
        + LAST.replace(")", ', evaluators={"mine": Evaluator(mine)})'),
    ),
    "evaluator that is none": (LAST, LAST.replace(")", ', evaluators={"op": 7})')),
    "evaluator called zero": (LAST, LAST.replace(")", ', evaluators={"zero": 7})')),
    "name that nobody knows": ("np.arange", "np.arang"),
    "plain helper": (
        "@compiled\ndef mover(state):\n    return state.turn",
        "def side(s):\n    return s.turn\n@compiled\ndef mover(state):\n    return side(state)",
    ),
    "name of a function that nobody knows": ("return state.turn", "return len_of(state)"),
    "assigns to a state": (PLAY, "state.heap = 1\n    return State(1, 0)"),
    "assigns to a constant": (PLAY, f"TABLE[0] = move\n    {PLAY}{TABLE}"),
    "initial raises": (INITIAL, "return State([][heap], 0)"),
    "initial leaves out a field": (INITIAL, "return State(heap)"),
    "initial answers a fraction": (INITIAL, "return State(0.5, 0)"),
    "initial answers a text": (INITIAL, "return State('a', 0)"),
    "initial answers too much": (INITIAL, "return State(2**63, 0)"),
    "initial answers a tuple": (INITIAL, "return heap, 0"),
    "initial answers nothing": (INITIAL, "return None"),
    "play answers a number": (PLAY, "return move"),
    "play answers nothing": (PLAY, PLAY.removeprefix("return ")),
    "play answers nothing in one branch": (
        PLAY,
        f"return None if state.heap > 5 else {PLAY.removeprefix('return ')}",
    ),
    "play makes a bool": (PLAY, PLAY.replace("1 - state.turn", "state.turn == 0")),
    "play leaves out a field": (PLAY, "return State(state.heap - move)"),
    "play leaves out a parameter": (f"move):\n    {PLAY}", "):\n    return state"),
    "play divides by zero": (PLAY, PLAY.replace("- move", "// (move - move)")),
    "legal_moves answers a list": (LEGAL_MOVES, "return list(range(1, min(state.heap, 2) + 1))"),
    "outcome answers a fraction": (OUTCOME, "return -1.0"),
    "adds a text": (PLAY, PLAY.replace("- move", '- "one"')),
    "unknown field": (PLAY, PLAY.replace("state.heap", "state.heep")),
    "list that begins empty": (PLAY, f"empty = []; {PLAY}"),
    "float as index": (PLAY, PLAY.replace("move,", "TABLE[move / 2],") + TABLE),
    "float among bits": (PLAY, PLAY.replace("move,", "(move / 2 & 1),")),
    "float in a helper of the package": (PLAY, PLAY.replace("move,", "len(set_bits(move / 2)),")),
    "expression that yields": (PLAY, PLAY.replace("move,", "sum(n for n in range(move)),")),
    "no game": ("GAME = ", "TAKE = "),
}
MOVE = "return game.moves(state)[0]"
CHOOSE = f"def choose(game, state):\n    {MOVE}\n"
DECIDE = "    def decide(self, task):\n        return task.best_by(kernel, 2)\n"
SEARCH = f"class Mine(plies.Search):\n{DECIDE}"
KERNEL = """@plies.compiled
def kernel(state, depth, alpha, beta, ply, evaluator, work):
    return 0
"""
AGENT_FILES = {
    "empty": "",
    "no function": "choose = 5\n",
    "an object": f"AGENT = plies.Decision(1)\n{CHOOSE}",
    "syntax": "def choose(game, state)\n    return 1\n",
    "raises at import": "1 / 0\n",
    "leaves at import": "raise SystemExit(3)\n",
    "too few parameters": CHOOSE.replace("game, state", "state"),
    "option without a default": CHOOSE.replace("state):", "state, depth):"),
    "option of another type": CHOOSE.replace("state):", "state, depth=[]):"),
    "option that is None": CHOOSE.replace("state):", "state, book=None):"),
    "default of another type": CHOOSE.replace("state):", "state, depth: int = 'x'):"),
    "option called like a hook": CHOOSE.replace("state):", "state, check=1):"),
    "raises": CHOOSE.replace(MOVE, "1 / 0"),
    "raises in the library": CHOOSE.replace(MOVE, "import json; json.loads('')"),
    "leaves": CHOOSE.replace(MOVE, "raise SystemExit(3)"),
    "raises what is no Exception": CHOOSE.replace(MOVE, "raise GeneratorExit"),
    "takes all memory": CHOOSE.replace(MOVE, "raise MemoryError"),
    "recurs": CHOOSE.replace(MOVE, "return choose(game, state)"),
    "reads a field that is not there": CHOOSE.replace(MOVE, "return state.zebra"),
    "answers nothing": CHOOSE.replace(MOVE, "pass"),
    "answers a text": CHOOSE.replace(MOVE, "return 'a1'"),
    "answers a list": CHOOSE.replace(MOVE, "return [0]"),
    "answers an array": CHOOSE.replace(MOVE, "import numpy; return numpy.zeros(2)"),
    "answers another move": CHOOSE.replace(MOVE, "return 99"),
    "answers a value that is too large": CHOOSE.replace(
        MOVE, "return plies.Decision(0, value=10**30)"
    ),
    "answers a time that is no number": CHOOSE.replace(
        MOVE, "return plies.Decision(0, seconds=float('nan'))"
    ),
    "two searches": f"{KERNEL}{SEARCH}{SEARCH.replace('Mine', 'Other')}",
    "no decide": SEARCH.replace("decide", "decides"),
    "fields without a dataclass": SEARCH.replace(DECIDE, f"    depth: int = 3\n{DECIDE}"),
    "a constructor without a dataclass": f"{SEARCH}    def __init__(self, depth): ...\n",
    "check leaves": f"{SEARCH}    def check(self, game):\n        raise SystemExit(3)\n",
    "decide answers a move": SEARCH.replace("task.best_by(kernel, 2)", "task.moves[0]"),
    "kernel that does not compile": KERNEL.replace("0", "state.zebra") + SEARCH,
    "kernel that answers a fraction": KERNEL.replace("0", "0.5") + SEARCH,
    "kernel that divides by zero": KERNEL.replace("0", "1 // (depth - depth)") + SEARCH,
}
EVALUATE = "@plies.compiled\ndef evaluate(state):\n    return 0\n"
WEIGHTED = EVALUATE.replace("state", "weights, state")
EVALUATOR_FILES = {
    "empty": "",
    "another game": f'GAME = "quixo"\n{EVALUATE}',
    "plain Python": EVALUATE.replace("@plies.compiled\n", ""),
    "no function": "evaluate = 7\n",
    "no weights": WEIGHTED,
    "weights that are none": f"WEIGHTS = [1]\n{WEIGHTED}",
    "a weight that is a text": (
        f"from collections import namedtuple\nWEIGHTS = namedtuple('W', 'a')('x')\n{WEIGHTED}"
    ),
    "a unit that is none": f"UNIT = 'x'\n{EVALUATE}",
    "answers a fraction": EVALUATE.replace("0", "0.5"),
    "answers nothing": EVALUATE.replace("return 0", "pass"),
    "answers what looks like a win": EVALUATE.replace("0", "10**12"),
    "reads a field that is not there": EVALUATE.replace("0", "state.zebra"),
    "raises at once": EVALUATE.replace("return 0", "raise ValueError('zebra')"),
    "raises later": EVALUATE.replace("0", "1 // (state.turn - 1)"),
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
            base = TAKE.replace("import ONGOING,", "import ONGOING, set_bits,")
            changed_file(Path(), (text, instead), text=base)
            game = plies.game("changed.py")
            compile_rules(game)
            return game.play(game.initial(), game.moves(game.initial())[0])

        yield label, load


def ask_about_agent_files() -> Iterator[tuple[str, Callable[[], object]]]:
    game = plies.game("tictactoe")
    for label, text in AGENT_FILES.items():

        def play(text: str = text) -> object:
            Path("mine.py").write_text(f"import plies\n{text}")
            return plies.agent("mine.py", game).choose(game.initial())

        yield label, play


def ask_about_evaluator_files() -> Iterator[tuple[str, Callable[[], object]]]:
    game = plies.game("tictactoe")
    for label, text in EVALUATOR_FILES.items():

        def search(text: str = text) -> object:
            Path("mine.py").write_text(f"import plies\n{text}")
            return plies.agent("minimax:depth=1,eval=mine.py", game).choose(game.initial())

        yield label, search


SECTIONS = {
    "games": ask_about_games,
    "agents": ask_about_agents,
    "positions": ask_about_positions,
    "moves": ask_about_moves,
    "game files": ask_about_files,
    "agent files": ask_about_agent_files,
    "evaluator files": ask_about_evaluator_files,
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
