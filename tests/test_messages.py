"""What people read when something is wrong, whole sentences in one file.

`tests/data/messages.txt` holds them, each below what was asked (a text in quotes is read as
JSON); other tests assert only the class of an error and the word that matters.  After improving
a sentence or adding a question, write the file anew and read its diff:

    PLIES_WRITE_MESSAGES=yes .venv/bin/pytest tests/test_messages.py
"""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import plies
from game_samples import INITIAL, LAST, LEGAL_MOVES, OUTCOME, PLAY, TAKE, changed_file
from plies.arena.reading import read_tournament
from plies.core.diagnosis import compile_rules
from plies.errors import PliesError
from plies.games.tree.reading import read_tree

MESSAGES = Path(__file__).parent / "data" / "messages.txt"
STATE = "class State(NamedTuple):\n    heap: int\n    turn: int\n"
UNTYPED = "State = new('State', 'heap turn')\n"

HELPED = """return helper(state, move)


@compiled
def helper(state, move):
    turn = 1 - state.turn
    return State(state.heap - 1, turn)"""
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
    "name of a helper that nobody knows": (PLAY, HELPED.replace("- 1", "- mov")),
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
    "play leaves out a field further down": (
        PLAY,
        "heap = state.heap - move\n    return State(heap)",
    ),
    "play adds a field": (PLAY, PLAY.replace("move,", "move, 1,")),
    "play leaves out a parameter": (f"move):\n    {PLAY}", "):\n    return state"),
    "play divides by zero": (PLAY, PLAY.replace("- move", "// (move - move)")),
    "legal_moves answers a list": (LEGAL_MOVES, "return list(range(1, min(state.heap, 2) + 1))"),
    "outcome answers a fraction": (OUTCOME, "return -1.0"),
    "adds a text": (PLAY, PLAY.replace("- move", '- "one"')),
    "unknown field": (PLAY, PLAY.replace("state.heap", "state.heep")),
    "list that begins empty": (PLAY, f"empty = []; {PLAY}"),
    "list that begins empty and is a number later": (
        PLAY,
        f"turn, won = 1, []\n    if move > 1:\n        turn |= won\n    {PLAY}",
    ),
    "loop without an exit": (
        PLAY,
        f"while move > 2:\n        while True:\n            move += 1\n    {PLAY}",
    ),
    "loop without an exit at the end": (PLAY, f"while True:\n        move += 1\n    {PLAY}"),
    "helper with an argument missing": (PLAY, HELPED.replace("(state, move)\n", "(state)\n")),
    "helper with an argument too many": (PLAY, HELPED.replace("move)\n", "move, (1, 2))\n")),
    "helper with an argument that it does not have": (
        PLAY,
        HELPED.replace("move)\n", "mov=move)\n"),
    ),
    "float as index": (PLAY, PLAY.replace("move,", "TABLE[move / 2],") + TABLE),
    "float among bits": (PLAY, PLAY.replace("move,", "(move / 2 & 1),")),
    "float in a helper of the package": (PLAY, PLAY.replace("move,", "len(set_bits(move / 2)),")),
    "expression that yields": (PLAY, PLAY.replace("move,", "sum(n for n in range(move)),")),
    "parameters in another order": ("def play(state, move)", "def play(move, state)"),
    "outcome answers a bool": (OUTCOME, "return state.heap == 0"),
    "fields of State by name": (PLAY, "return State(heap=state.heap - move, turn=1 - state.turn)"),
    "replaces a field": (PLAY, "return state._replace(heap=state.heap - move)"),
    "reads a global dictionary": (PLAY, f"SIZES[0]; {PLAY}\nSIZES = {{0: 1}}\n"),
    "reads a global list": (PLAY, f"SIZES[0]; {PLAY}\nSIZES = [0, 1]\n"),
    "another name for Game": ("Game(__name__", 'Game("take"'),
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
    "a flag that is misspelt": SEARCH.replace(DECIDE, f"    is_exct = True\n{DECIDE}"),
    "an option without a type": (
        "import dataclasses\n@dataclasses.dataclass(frozen=True)\n"
        + SEARCH.replace(DECIDE, f"    deep = 4\n{DECIDE}")
    ),
    "chose": CHOOSE.replace("choose", "chose"),
    "a hook that is misspelt": f"{SEARCH}    def begins(self, task, seconds): ...\n",
    "a hook with too few parameters": f"{SEARCH}    def finish(self, task): ...\n",
    "fields without a dataclass": SEARCH.replace(DECIDE, f"    depth: int = 3\n{DECIDE}"),
    "a constructor without a dataclass": f"{SEARCH}    def __init__(self, depth): ...\n",
    "check leaves": f"{SEARCH}    def check(self, game):\n        raise SystemExit(3)\n",
    "decide answers a move": SEARCH.replace("task.best_by(kernel, 2)", "task.moves[0]"),
    "kernel that does not compile": KERNEL.replace("0", "state.zebra") + SEARCH,
    "kernel that is plain Python": KERNEL.replace("@plies.compiled\n", "") + SEARCH,
    "kernel that answers a fraction": KERNEL.replace("0", "0.5") + SEARCH,
    "kernel that divides": KERNEL.replace("0", "depth / 2") + SEARCH,
    "kernel that answers nothing": KERNEL.replace("return 0", "pass") + SEARCH,
    "kernel that reads what work does not have": (
        KERNEL.replace("return 0", "work.cutofs += 1\n    return 0") + SEARCH
    ),
    "kernel that leaves out a field": KERNEL.replace("0", "type(state)(1)") + SEARCH,
    "kernel that calls itself with an argument missing": (
        KERNEL.replace("0", "kernel(state, depth, alpha, beta, ply, evaluator)") + SEARCH
    ),
    "kernel that divides by zero": KERNEL.replace("0", "1 // (depth - depth)") + SEARCH,
}
EVALUATE = "@plies.compiled\ndef evaluate(state):\n    return 0\n"
WEIGHTED = EVALUATE.replace("state", "weights, state")
EVALUATOR_FILES = {
    "empty": "",
    "another game": f'GAME = "quixo"\n{EVALUATE}',
    "plain Python": EVALUATE.replace("@plies.compiled\n", ""),
    "no function": "evaluate = 7\n",
    "evalute": EVALUATE.replace("evaluate", "evalute"),
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


def load_game(spec: str) -> object:
    return plies.game(spec)


def make_agent(game: str, spec: str) -> object:
    return plies.agent(spec, plies.game(game))


def read_position(game: str, text: str) -> object:
    return plies.game(game).parse_position(text)


def read_move(name: str, *texts: str) -> object:
    """A move of the first position, or of one that is named before it."""
    game = plies.game(name)
    *position, move = texts
    return game.parse_move(game.parse_position(*position) if position else game.initial(), move)


def load_tournament(text: str) -> object:
    path = Path("contest.toml")
    path.write_text(text, "utf-8")
    return read_tournament(path)


def load_file(label: str) -> object:
    base = TAKE.replace("import ONGOING,", "import ONGOING, set_bits,")
    changed_file(Path(), FILES[label], text=base)
    game = plies.game("changed.py")
    compile_rules(game)
    return game.play(game.initial(), game.moves(game.initial())[0])


def play_file(label: str) -> object:
    game = plies.game("tictactoe")
    Path("mine.py").write_text(f"import plies\n{AGENT_FILES[label]}")
    return plies.agent("mine.py", game).choose(game.initial())


def evaluate_file(label: str) -> object:
    game = plies.game("tictactoe")
    Path("mine.py").write_text(f"import plies\n{EVALUATOR_FILES[label]}")
    return plies.agent("minimax:depth=1,eval=mine.py", game).choose(game.initial())


ASK: dict[str, Callable[..., object]] = {
    "games": load_game,
    "agents": make_agent,
    "positions": read_position,
    "moves": read_move,
    "trees": read_tree,
    "tournaments": load_tournament,
    "game files": load_file,
    "agent files": play_file,
    "evaluator files": evaluate_file,
}


def stored_sections() -> dict[str, str]:
    parts = re.split(r"^== (.*) ==\n", MESSAGES.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


def parts_of(question: str) -> list[str]:
    return [json.loads(part) if part[0] == '"' else part for part in question.split(" | ")]


def answer(name: str, question: str) -> str:
    with pytest.raises(PliesError) as error:
        ASK[name](*parts_of(question))
    message, kind = str(error.value), type(error.value).__name__
    assert "\n" not in message, message
    return f"{question}\n    {kind}: {message}".replace(f"{Path.cwd()}/", "")


def questions(name: str) -> list[str]:
    lines = stored_sections()[name].splitlines()
    return [line for line in lines if not line.startswith("    ")]


def test_every_faulty_file_is_asked_about():
    assert questions("game files") == list(FILES)
    assert questions("agent files") == list(AGENT_FILES)
    assert questions("evaluator files") == list(EVALUATOR_FILES)


@pytest.mark.parametrize("name", ASK)
def test_messages_are_those_that_were_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(answer(name, question) for question in questions(name))
    if os.environ.get("PLIES_WRITE_MESSAGES"):
        sections = {**stored_sections(), name: text}
        whole = "\n\n".join(f"== {each} ==\n{sections[each]}" for each in ASK)
        MESSAGES.write_text(f"{whole}\n", "utf-8")
    assert text == stored_sections()[name]
