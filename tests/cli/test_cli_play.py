"""A game at the terminal: what the dialogue answers to what is typed, and a real terminal."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.arena.config import Openings, Tournament
from plies.arena.openings import books
from plies.arena.plan import named
from plies.cli.dialogue import Dialogue
from plies.cli.main import main
from plies.cli.play import continuation, player_specs
from plies.match import Match, Rules

MINIMAX = "minimax:depth=2"
DEFAULT_RULES = Rules()


class Terminal:
    """Types prepared lines and remembers what was shown; then the input ends."""

    def __init__(self, *lines: str):
        self.lines = list(lines)
        self.prompts: list[str] = []
        self.shown: list[str] = []

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def tell(self, text: str) -> None:
        self.shown.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def play(
    *lines: str,
    spec: str = "tictactoe",
    players: Sequence[str | None] = (None, None),
    position: str = "",
    seed: int = 0,
    rules: Rules = DEFAULT_RULES,
) -> tuple[Match, Terminal]:
    """A match in which these lines are typed; where there is no agent, a person plays."""
    game = plies.game(spec)
    terminal = Terminal(*lines)
    state = game.parse_position(position) if position else game.initial()
    agents = [None if spec is None else plies.agent(spec, game) for spec in players]
    match = Match(game, state, agents, seed=seed, rules=rules)
    Dialogue(match, ask=terminal.ask, tell=terminal.tell).run()
    return match, terminal


def position(match: Match) -> str:
    return match.game.position_text(match.state)


def test_two_people_play_to_the_end() -> None:
    match, terminal = play("a1", "b1", "a2", "b2", "a3")
    assert terminal.shown[-1] == "first (X) wins."
    assert terminal.prompts[:2] == ["first (X)> ", "second (O)> "]
    assert match.game.is_over(match.state)


def test_the_board_is_drawn_at_the_start_and_after_every_move() -> None:
    match, terminal = play("b2", "board")
    drawn = [f"\n{match.game.draw(state)}\n" for state in match.states]
    assert terminal.shown[:3] == [*drawn, drawn[-1]]


def test_a_question_mark_lists_the_legal_moves() -> None:
    _, terminal = play("b2", "?")
    assert "a1 b1 c1 a2 c2 a3 b3 c3" in terminal.shown


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("hello", "'hello' is not a move of this game; a move looks like a1"),
        ("b2", "b2 is not legal here; legal are a1, b1, c1, a2, c2, a3, b3, c3"),
        ("", "Type a move such as a1, ? for all of them, or help."),
        ("  ", "Type a move such as a1, ? for all of them, or help."),
    ],
)
def test_wrong_input_is_explained_in_one_line_and_asked_again(typed: str, said: str) -> None:
    match, terminal = play("b2", typed)
    assert said in terminal.shown
    assert terminal.prompts == ["first (X)> ", "second (O)> ", "second (O)> "]
    assert len(match.states) == 2


def test_help_explains_every_word_that_can_be_typed() -> None:
    match, terminal = play("HELP")
    commands = Dialogue(match, ask=terminal.ask, tell=terminal.tell).commands
    assert all(word in terminal.text for word in commands if word != "help")


def test_undo_takes_back_to_the_persons_previous_turn() -> None:
    match, _ = play("b2", "undo", players=(None, MINIMAX))
    assert position(match) == ".../.../... X"
    match, _ = play("b2", "undo", players=(None, None))
    assert position(match) == ".../.../... X"
    match, _ = play("b2", "a1", "undo", players=(None, None))
    assert position(match) == ".../.X./... O"


def test_undo_leaves_the_agents_first_move_alone() -> None:
    match, terminal = play("undo", players=(MINIMAX, None))
    assert len(match.states) == 2
    assert "There is no move of yours to take back." in terminal.shown


def test_another_move_can_be_played_after_undo() -> None:
    match, terminal = play("a1", "b1", "undo", "c1")
    assert position(match) == ".../.../X.O X"
    assert len(match.states) == 3
    assert terminal.prompts[-1] == "first (X)> "


def test_who_resigns_loses() -> None:
    match, terminal = play("b2", "resign", "a1")
    assert terminal.shown[-1] == "first (X) wins: second (O) resigns."
    assert terminal.lines == ["a1"]
    assert match.end is not None
    assert match.end.payoffs == (1, -1)


@pytest.mark.parametrize("lines", [["b2", "quit"], ["b2"]])
def test_leaving_keeps_the_position(lines: list[str]) -> None:
    match, _ = play(*lines)
    assert match.end is None
    assert position(match) == ".../.X./... O"


def test_an_agents_move_is_shown_with_its_value_and_line() -> None:
    # The first player completes the top row.
    _, terminal = play(players=(MINIMAX, None), position=".XX/OO./... X")
    said = next(text for text in terminal.shown if "plays" in text)
    assert said.startswith("first (X) plays a3 (value win in 1, line a3, ")


def test_an_agent_without_opinion_only_moves() -> None:
    _, terminal = play(players=("random", None), position=".XX/OO./... X")
    assert any(re.fullmatch(r"first \(X\) plays \w\d", text) for text in terminal.shown)


def test_agents_play_each_other_as_in_a_match() -> None:
    players = ("random", MINIMAX)
    record = plies.play_game(plies.game("tictactoe"), *players, seed=3)
    match, terminal = play(players=players, seed=3)
    assert position(match) == record.final
    assert terminal.prompts == []


def test_a_draw_is_called_a_draw() -> None:
    _, terminal = play("a1", position="XOX/OOX/.XO X")  # the last cell
    assert terminal.shown[-1] == "The game is drawn."


WAITING = '''"""Nothing ever happens: whoever moves waits."""
from typing import NamedTuple
import numpy as np
from plies.core import ONGOING, Game, compiled
class State(NamedTuple):
    turn: int
    clock: int
def initial(ticks: bool = False) -> State:
    return State(0, 0 if ticks else -1)
def players(state: State) -> int:
    return 3
@compiled
def mover(state):
    return state.turn
@compiled
def legal_moves(state):
    return np.zeros(1, np.int64)
@compiled
def play(state, move):
    return State((state.turn + 1) % 3, state.clock + (state.clock >= 0))
@compiled
def outcome(state):
    return ONGOING
def steps(state: State, move: int) -> tuple[str, ...]:
    return ("wait",)
GAME = Game(__name__, title="Waiting")
'''


@pytest.fixture
def waiting(tmp_path: Path) -> str:
    """A game of three players without end."""
    path = tmp_path / "waiting.py"
    path.write_text(WAITING)
    return str(path)


def test_a_position_that_comes_back_is_drawn_as_in_a_match(waiting: str) -> None:
    match, terminal = play(spec=waiting, players=("random",) * 3)
    assert terminal.shown[-1] == "The game is drawn: the position arose 3 times."
    record = plies.play_game(plies.game(waiting), *["random"] * 3)
    assert len(match.states) - 1 == len(record.moves)


def test_a_game_without_end_is_drawn_as_in_a_match(waiting: str) -> None:
    match, terminal = play(spec=f"{waiting}:ticks=true", players=("random",) * 3)
    assert terminal.shown[-1] == "The game is drawn: it has lasted 1000 plies."
    assert len(match.states) == 1001


def test_moves_that_are_repeated_at_once_are_drawn_where_that_is_set(waiting: str) -> None:
    rules = Rules(cycles=True, repetitions=0)
    match, terminal = play(spec=waiting, players=("random",) * 3, rules=rules)
    assert terminal.shown[-1] == "The game is drawn: the last moves repeat those just before them."
    assert len(match.moves) == 4  # wait wait, and once more


def test_a_game_begins_where_a_match_of_that_seed_does(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["play", "tictactoe", "--first", "random", "--second", "random", "--openings", "4"]
    assert main([*words, "--seed", "5"]) == 0
    drawn = capsys.readouterr().out.split("\n\n")[0].strip("\n")
    match = Tournament(("tictactoe",), named(["random", "random"]), seed=5, openings=Openings(4))
    game = plies.game("tictactoe")
    assert drawn == game.draw(game.parse_position(books(match)[0].openings[0]))


def test_a_game_begins_at_a_position_of_a_file_and_goes_on_by_its_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "openings.txt").write_text("XO./.../... X  # a corner\n")
    monkeypatch.setattr("builtins.input", Terminal("quit").ask)
    words = ["play", "tictactoe", "--openings", str(tmp_path / "openings.txt")]
    assert main([*words, "--max-plies", "20", "--set", "rules.cycles=true"]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.endswith("--position 'XO./.../... X' --max-plies 20 --set rules.cycles=true")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--openings", "4", "--position", ".../.../... X"], "both say where to begin"),
        (["--openings", "9"], "is over after 9 random plies; ask for fewer"),
        (["--openings", "nowhere.txt"], "nowhere.txt cannot be read"),
        (["--set", "rules.cycels=true"], "rules has no key cycels; did you mean cycles?"),
        (["--set", "rules.faults=random"], "rules.faults cannot be set here"),
        (["--set", "clocks.credit=3"], "clocks cannot be set here"),
        (["--set", "rules=3"], "rules is a table"),
        (["--set", "rules.at_length=lines"], "tictactoe has no evaluator lines"),
        (["--max-plies", "0"], "max_plies is a whole number from 1 on, not 0"),
    ],
)
def test_openings_and_rules_that_do_not_fit_are_refused_in_one_line(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "tictactoe", *words]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert complaint in said[0]


def test_more_than_two_can_play(waiting: str) -> None:
    _, terminal = play("wait", "resign", spec=waiting, players=(None, "random", None))
    assert terminal.prompts == ["first> ", "third> "]
    assert terminal.shown[-1] == "The game is over: third resigns."


def test_players_that_are_not_named_are_suitable_agents(waiting: str) -> None:
    tictactoe, three = plies.game("tictactoe"), plies.game(waiting)
    assert player_specs(tictactoe, 2, "human", None, []) == ["human", "alphabeta:depth=4"]
    assert player_specs(three, 3, "human", None, []) == ["human", "random", "random"]
    assert player_specs(three, 3, "human", "random", ["human"]) == ["human", "random", "human"]
    with pytest.raises(plies.PliesError, match="has 3 players"):
        player_specs(three, 3, "human", None, ["random", "random"])


def test_the_command_to_go_on_is_quoted_for_the_shell() -> None:
    assert continuation("a b.py", ["human", "random", "human"], "X. first") == (
        "plies play 'a b.py' --first human --second random --player human --position 'X. first'"
    )


def test_the_end_of_input_shows_how_to_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter(["b2"])

    def typed(prompt: str) -> str:
        for line in lines:
            return line
        raise EOFError

    monkeypatch.setattr("builtins.input", typed)
    assert main(["play", "tictactoe", "--second", "human"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == (
        "To go on: plies play tictactoe --first human --second human --position '.../.X./... O'"
    )


def test_ctrl_c_shows_how_to_go_on_and_is_an_interruption(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert main(["play", "tictactoe"]) == 130
    output = capsys.readouterr()
    assert "To go on: plies play tictactoe" in output.out
    assert output.err.endswith("plies: interrupted\n")


def test_a_seed_repeats_a_game_of_chance(capsys: pytest.CaptureFixture[str]) -> None:
    games: list[Any] = []
    for seed in ("5", "5", "6"):
        assert (
            main(["play", "tictactoe", "--first", "random", "--second", "random", "--seed", seed])
            == 0
        )
        games.append(capsys.readouterr().out)
    assert games[0] == games[1] != games[2]


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_a_game_in_a_real_terminal() -> None:
    import pty

    controller, terminal = pty.openpty()
    arguments = [sys.executable, "-m", "plies.cli.main", "play", "tictactoe", "--second", "human"]
    environment = {**os.environ, "TERM": "dumb", "PLIES_QUIET": "1"}
    with subprocess.Popen(
        arguments, stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    ) as process:
        os.close(terminal)
        read_until(controller, "first (X)> ")
        for typed, answer in (("b2\n", "second (O)> "), ("?\n", "a1 b1"), ("resign\n", "resigns.")):
            os.write(controller, typed.encode())
            read_until(controller, answer)
    os.close(controller)
    assert process.returncode == 0


def read_until(descriptor: int, wanted: str) -> None:
    """Read what the terminal shows until the wanted text appears."""
    shown = b""
    while wanted.encode() not in shown:
        shown += os.read(descriptor, 4096)


def test_a_draw_that_the_game_claims_ends_it_with_the_reason(tmp_path: Path) -> None:
    claim = (
        "def draw_claim(state, earlier):\n    return 'long enough' if len(earlier) == 4 else ''\n"
    )
    path = tmp_path / "claiming.py"
    path.write_text(WAITING.replace("GAME =", f"{claim}GAME ="))
    match, terminal = play(spec=f"{path}:ticks=true", players=("random",) * 3)
    assert terminal.shown[-1] == "The game is drawn: long enough."
    assert len(match.states) == 5


@pytest.mark.parametrize(
    ("game", "agent", "is_warned"),
    [
        ("tictactoe", "engine:depth=2", True),
        ("tictactoe", "mcts", False),
        ("quixo", "engine", False),
    ],
)
def test_an_agent_that_misses_an_evaluator_says_so(
    game: str,
    agent: str,
    is_warned: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["play", game, "--second", agent]) == 0
    assert ("no evaluator" in capsys.readouterr().err) == is_warned
