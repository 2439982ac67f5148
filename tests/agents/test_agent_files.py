"""Agents in files and packages of users, and functions and objects that play."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.agents import read_spec
from plies.agents.spec import short_spec
from plies.errors import AgentFault, BadSpec
from plies.match import Clocks
from plies.search.decision import Decision
from plies.search.task import Task
from user_samples import AGENT, EXAMPLES, SEARCH, install, written

FIRST = "def choose(game, state, place: int = 0):\n    return game.moves(state)[place]\n"


def refusal(player: Any) -> str:
    """The one line that somebody reads who asks for this agent of tic-tac-toe."""
    with pytest.raises(BadSpec) as error:
        plies.agent(player, plies.game("tictactoe"))
    assert "\n" not in str(error.value)
    return str(error.value)


def fault(player: Any) -> AgentFault:
    """What an agent does wrong at its first move in tic-tac-toe."""
    game = plies.game("tictactoe")
    with pytest.raises(AgentFault) as error:
        plies.agent(player, game).choose(game.initial())
    assert "\n" not in str(error.value)
    return error.value


# Functions in files


def test_the_options_of_a_file_are_the_defaults_of_its_function(tmp_path: Path):
    path, game = written(tmp_path, FIRST), plies.game("tictactoe")
    moves = game.moves(game.initial())
    player = plies.agent(f"{path}:place=2", game)
    assert player.choose(game.initial()).move == moves[2]
    assert (player.name, player.options) == (str(path), {"place": 2})
    assert plies.agent(player.spec, game).options == {"place": 2}
    assert plies.agent(str(path), game).choose(game.initial()).move == moves[0]


def test_a_file_is_named_from_the_folder_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    written(tmp_path, FIRST)
    monkeypatch.chdir(tmp_path)
    for spec in ("mine.py:place=1", "./mine.py:place=1"):
        assert plies.agent(spec, plies.game("quixo")).options == {"place": 1}
    assert "mine.py" in refusal("mine")


def test_an_edited_file_is_another_agent(tmp_path: Path):
    path, game = written(tmp_path, FIRST), plies.game("tictactoe")
    before = plies.agent(str(path), game)
    written(tmp_path, FIRST.replace("= 0", "= 3"))
    moves = game.moves(game.initial())
    assert plies.agent(str(path), game).choose(game.initial()).move == moves[3]
    assert before.choose(game.initial()).move == moves[0]


def test_a_parameter_named_task_gets_limits_history_and_random_numbers(tmp_path: Path):
    text = (
        "def choose(game, state, task):\n"
        "    assert task.game is game and task.state == state\n"
        "    assert len(task.played) == len(task.past) and task.clock is not None\n"
        "    return task.rng.choice(task.moves)\n"
    )
    path = written(tmp_path, text)
    clocks = Clocks(per_move=5)
    records = [
        plies.play_game("tictactoe", str(path), str(path), seed=seed, clocks=clocks)
        for seed in (1, 1, 2)
    ]
    assert records[0].termination == "normal"
    played = [[move.text for move in record.moves] for record in records]
    assert played[0] == played[1] != played[2]


def test_a_function_may_answer_a_decision(tmp_path: Path):
    text = (
        "import plies\n"
        "def choose(game, state, depth: int = 2):\n"
        "    return plies.search(game, state, f'alphabeta:depth={depth}')\n"
    )
    game = plies.game("tictactoe")
    found = plies.agent(f"{written(tmp_path, text)}:depth=9", game).choose(game.initial())
    assert (found.value, found.depth) == (0, 9)


@pytest.mark.parametrize(
    ("body", "termination", "word"),
    [
        ("return None", "bad output", "None"),
        ("return 'a1'", "bad output", "parse_move"),
        ("return True", "bad output", "True"),
        ("return 99", "illegal", "99"),
        ("return {}['zebra']", "crash", "mine.py, line 2: KeyError: 'zebra'"),
        ("raise SystemExit('enough')", "crash", "enough"),
        ("return game.play(state, 99)", "crash", "99"),
        ("return choose(game, state)", "crash", "RecursionError"),
        ("import plies; return plies.Decision('a1')", "bad output", "a1"),
        ("import plies; return plies.Decision(0, value='x')", "bad output", "number"),
    ],
)
def test_a_wrong_answer_is_a_fault_in_one_line(
    body: str, termination: str, word: str, tmp_path: Path
):
    path = written(tmp_path, f"def choose(game, state):\n    {body}\n")
    wrong = fault(str(path))
    assert wrong.termination == termination
    assert word in str(wrong)
    record = plies.play_game("tictactoe", str(path), "random", clocks=Clocks(per_move=5))
    assert (record.payoffs, record.termination) == ((-1, 1), termination)


def test_what_an_agent_writes_into_a_state_is_not_seen_by_others():
    def writes(game: plies.Game, state: Any) -> int:
        state.stones[:] = 1
        return game.moves(game.initial())[-1]

    record = plies.play_game(f"{EXAMPLES / 'hex.py'}:size=3", "random", writes, seed=1)
    assert record.final != "XXX/XXX/XXX"
    assert record.termination != "crash"


def test_an_option_that_must_be_given_is_named(tmp_path: Path):
    path = written(tmp_path, FIELD.replace("class", "@dataclass\nclass").replace(" = 3", ""))
    path.write_text(f"import plies\nfrom dataclasses import dataclass\n{path.read_text()}")
    assert "depth=DEPTH" in refusal(str(path))


def test_less_than_no_time_counts_as_not_measured(tmp_path: Path):
    text = """
import plies

class Mine(plies.Search):
    measures_seconds = True  # so that the clock would grow

    def decide(self, task):
        return plies.Decision(task.moves[0], seconds=-5.0, cpu_seconds=-5.0)
"""
    clocks = Clocks(credit=1000)
    record = plies.play_game("tictactoe", str(written(tmp_path, text)), "random", clocks=clocks)
    assert record.termination == "normal"
    assert all(move.seconds > 0 for move in record.moves)


def test_what_a_decision_says_beside_its_move_is_recorded_as_far_as_it_is_sound(tmp_path: Path):
    text = (
        "import plies\ndef choose(game, state):\n"
        "    move = game.moves(state)[0]\n"
        "    return plies.Decision(move, value=3, line=(move, move, 12345))\n"
    )
    game = plies.game("tictactoe")
    found = plies.agent(str(written(tmp_path, text)), game).choose(game.initial())
    assert (found.value, found.line) == (3, (found.move,))


TWO = """
class A(plies.Search):
    def decide(self, task): ...
class B(A): ...
"""
FIELD = """
class Mine(plies.Search):
    depth: int = 3
    def decide(self, task): ...
"""
PICKY = """
class Mine(plies.Search):
    def decide(self, task): ...
    def check(self, game):
        raise ValueError("no zebras")
"""
JUDGE = """
@plies.compiled
def evaluate(state):
    return 0
"""


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "choose(game, state)"),
        ("\n1 / 0\n", "line 3: ZeroDivisionError"),
        ("def choose(state): ...\n", "choose takes (state)"),
        ("def choose(game, state, depth): ...\n", "default"),
        ("def choose(game, state, *rest): ...\n", "*rest"),
        ("def choose(game, state, a: list = []): ...\n", "list"),
        ("AGENT = 3\n", "3"),
        (JUDGE, "eval="),
        ("class Mine(plies.Search): ...\n", "decide"),
        (FIELD, "@dataclass(frozen=True)"),
        (TWO, "AGENT ="),
        (PICKY, "no zebras"),
    ],
)
def test_a_file_without_an_agent_says_what_is_missing(text: str, word: str, tmp_path: Path):
    assert word in refusal(str(written(tmp_path, f"import plies\n{text}")))


def test_files_that_are_not_there_or_have_no_such_option_are_refused(tmp_path: Path):
    assert "No such file" in refusal(str(tmp_path / "absent.py"))
    assert "place=0" in refusal(f"{written(tmp_path, FIRST)}:plaice=1")
    assert "whole number" in refusal(f"{written(tmp_path, FIRST)}:place=x")
    assert "game" in refusal(str(EXAMPLES / "hexapawn.py"))


# Searches in files


def test_a_search_is_the_only_public_class_of_its_file(tmp_path: Path):
    text = (
        "from dataclasses import dataclass\nimport plies\n"
        "from plies.search.minimax import Minimax\n"  # imported, not defined here
        "class _Base(plies.Search):\n"
        "    def decide(self, task):\n        return plies.Decision(task.moves[self.place])\n"
        "@dataclass(frozen=True)\nclass Mine(_Base):\n    place: int = 1\n"
        "    def decided(self): ...\n"  # too few parameters for a hook that is misspelt
    )
    game = plies.game("tictactoe")
    player = plies.agent(f"{written(tmp_path, text)}:place=4", game)
    assert player.choose(game.initial()).move == game.moves(game.initial())[4]


def test_agent_names_one_of_several(tmp_path: Path):
    text = (
        "import plies\nclass A(plies.Search):\n"
        "    def decide(self, task):\n        return plies.Decision(task.moves[0])\n"
        "class B(A):\n    def decide(self, task):\n        return plies.Decision(task.moves[1])\n"
        "AGENT = B\n"
    )
    game = plies.game("tictactoe")
    found = plies.agent(str(written(tmp_path, text)), game).choose(game.initial())
    assert found.move == game.moves(game.initial())[1]


def test_faults_before_and_after_a_game_lose_nothing(tmp_path: Path):
    text = (
        "import plies\nclass A(plies.Search):\n"
        "    def prepare(self, task):\n        raise ValueError('prepare')\n"
        "    def finish(self, task, payoffs, reason):\n        raise ValueError('finish')\n"
        "    def decide(self, task):\n        return plies.Decision(task.moves[0])\n"
    )
    path = written(tmp_path, text)
    record = plies.play_game("tictactoe", str(path), "random", clocks=Clocks(per_move=5))
    assert record.termination == "normal"
    begin = text + "    def begin(self, task, seconds):\n        raise ValueError('begin')\n"
    record = plies.play_game("tictactoe", str(written(tmp_path, begin)), "random")
    assert (record.payoffs, record.termination) == ((-1, 1), "crash")
    assert "begin" in record.reason


# From Python


class Scripted:
    """Plays its moves one after the other."""

    def __init__(self, *moves: int):
        self.moves = list(moves)

    def choose(self, game: plies.Game, state: Any) -> int:
        return self.moves.pop(0)


@dataclass(frozen=True)
class Last(plies.Search):
    """The last legal move."""

    back: int = 1

    def decide(self, task: Task) -> Decision:
        return Decision(task.moves[-self.back])


def test_functions_objects_and_searches_play_without_a_file():
    game = plies.game("tictactoe")
    column = [game.parse_move(game.initial(), text) for text in ("a1", "a2", "a3")]

    def first_free(game: plies.Game, state: Any) -> int:
        return next(move for move in game.moves(state) if move not in column)

    record = plies.play_game(game, Scripted(*column), first_free, clocks=Clocks(per_move=5))
    assert (record.payoffs, record.agents) == ((1, -1), ("Scripted", "first_free"))
    record = plies.play_game(game, Last(), Last, seed=1)
    assert record.agents == ("Last:back=1", "Last")
    assert plies.play_game(game, Last(back=2), "random", seed=1).termination == "normal"


def test_a_function_that_fails_loses_its_game():
    def fails(game: plies.Game, state: Any) -> int:
        raise ValueError("zebra")

    record = plies.play_game("tictactoe", "random", fails, seed=1)
    assert (record.payoffs, record.termination) == ((1, -1), "crash")
    assert "zebra" in record.reason


@pytest.mark.parametrize("player", [3, None, object(), plies.Game, lambda state: 0])
def test_what_cannot_play_is_refused(player: Any):
    refusal(player)


def test_an_agent_is_taken_as_it_is():
    game = plies.game("tictactoe")
    player = plies.agent("random", game)
    assert plies.agent(player, game) is player


# Names


def test_short_names_have_no_folders():
    assert short_spec("/a/b/mine.py:depth=3") == "mine.py:depth=3"
    assert short_spec("alphabeta:eval=/a/b/rows.py,depth=2") == "alphabeta:eval=rows.py,depth=2"
    assert short_spec("process:./mine.py") == "process:./mine.py"
    assert read_spec("./mine.py:depth=3") == ("./mine.py", {"depth": "3"})


# Installed packages


def test_agents_are_found_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    points = {
        "offered": "offered_agent",
        "offered-last": "offered_agent:last",
        "offered-pvs": "offered_search:Pvs",
        "offered-absent": "no_such_module",
        "offered-leaves": "offered_exit",
        "offered-broken": "offered_agent:NUMBER",
    }
    last = "def last(game, state):\n    return game.moves(state)[-1]\nNUMBER = 3\n"
    install(
        monkeypatch,
        tmp_path,
        "plies.agents",
        points,
        offered_agent=FIRST + last,
        offered_exit="raise SystemExit(3)",
        offered_search=SEARCH.read_text(),
    )
    game = plies.game("tictactoe")
    moves, state = game.moves(game.initial()), game.initial()
    assert plies.agent("offered:place=2", game).choose(state).move == moves[2]
    assert plies.agent("offered-last", game).choose(state).move == moves[-1]
    assert plies.agent("offered-pvs:depth=9", game).choose(state).value == 0
    assert "no_such_module" in refusal("offered-absent")
    assert "SystemExit" in refusal("offered-leaves")
    assert "3" in refusal("offered-broken")
    assert "offered" in refusal("ofered")


# The examples


def test_the_example_agent_wins_where_it_can_and_beats_chance():
    game = plies.game("tictactoe")
    player = plies.agent(str(AGENT), game)
    for position, move in ((".XX/OO./... X", "a3"), (".XX/OX./O.. O", "a3")):
        state = game.parse_position(position)
        assert game.move_text(state, player.choose(state).move) == move
    payoffs = [plies.play_game(game, str(AGENT), "random", seed=seed).payoffs for seed in range(9)]
    assert (-1, 1) not in payoffs
    assert payoffs.count((1, -1)) > 6


def test_the_example_search_answers_what_alphabeta_answers():
    for spec in ("tictactoe", "quixo:n=4", str(EXAMPLES / "kalah.py")):  # kalah: moves again
        game = plies.game(spec)
        state, rng = game.initial(), random.Random(1)
        while not game.is_over(state):
            found = plies.search(game, state, f"{SEARCH}:depth=4")
            right = plies.search(game, state, "alphabeta:depth=4")
            assert (found.value, found.line[:1]) == (right.value, (found.move,))
            state = game.play(state, rng.choice(game.moves(state)))


def test_examples_and_their_lengths_are_as_the_pages_say():
    assert len(AGENT.read_text().splitlines()) <= 20
    assert len(SEARCH.read_text().splitlines()) <= 70
