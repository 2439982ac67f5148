"""Agents that hardly think: one look ahead, a person at the terminal; and the list of all."""

import builtins
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings

import plies
from plies.agents import AGENTS
from plies.cli.agents import describe, options_text
from plies.cli.main import main
from plies.errors import AgentFault
from plies.games.tree import Tree, tree_game
from plies.search.search import Search
from search_samples import plain_value, position_after, value_of_move
from tree_samples import trees

GAMES = ["tictactoe", "nim", "quixo:n=3", "nim:rows=2-3-4,k=2,misere=true"]


@pytest.mark.parametrize("spec", GAMES)
def test_greedy_sees_what_alphabeta_one_ply_deep_sees(spec: str) -> None:
    game = plies.game(spec)
    for count in range(8):
        state = position_after(game, count, seed=count)
        found = plies.search(game, state, "greedy")
        searched = plies.search(game, state, "alphabeta:depth=1")
        assert (found.value, found.depth) == (searched.value, 1)
        assert (found.leaves, found.evaluations) == (searched.leaves, searched.evaluations)


@settings(max_examples=40)
@given(tree=trees())
def test_greedy_takes_one_of_the_best_children_of_random_trees(tree: Tree) -> None:
    game = tree_game(tree)
    state, agent = game.initial(), plies.agent("greedy", game)
    evaluator = game.evaluator()
    best = plain_value(state, 1, 0, evaluator)
    equal = {
        move for move in game.moves(state) if value_of_move(state, move, 1, 0, evaluator) == best
    }
    decisions = [agent.choose(state, random.Random(seed)) for seed in range(30)]
    assert {decision.value for decision in decisions} == {best}
    assert {decision.move for decision in decisions} == equal  # at most three children


def test_greedy_takes_a_win_at_once() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("XX./OO./... X")
    assert game.move_text(state, plies.search(game, state, "greedy").move) == "c3"


Typing = Callable[..., None]


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Typing:
    """Let a person type these lines, and then nothing more."""

    def type_lines(*lines: str) -> None:
        waiting: Iterator[str] = iter(lines)

        def answer(prompt: str) -> str:
            print(prompt, end="")
            try:
                return next(waiting)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr(builtins, "input", answer)

    return type_lines


def test_a_person_is_shown_the_board_and_asked_until_a_move_is_typed(
    typing: Typing, capsys: pytest.CaptureFixture[str]
) -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("XO./XO./... X")
    typing("", "?", "Board", "z9", " a1 ")
    decision = plies.agent("human", game).choose(state)
    assert game.move_text(state, decision.move) == "a1"
    assert decision.value is None
    output = capsys.readouterr().out
    assert output.count(game.draw(state)) == 2
    assert "Type a move such as a1, ? for all of them, or board." in output
    assert "a1 b1 c1 c2 c3\n" in output
    assert "z9" in output
    assert output.count("first (X)> ") == 5


def test_a_person_plays_a_whole_game(typing: Typing) -> None:
    typing("a-1", "b-1", "c-1")
    record = plies.play_game("nim:rows=1-1-1", "human", "human")
    assert record.winner == 0
    assert [move.text for move in record.moves] == ["a-1", "b-1", "c-1"]


def test_the_end_of_the_input_loses_the_game(typing: Typing) -> None:
    typing("a-1")
    record = plies.play_game("nim:rows=1-1-1", "human", "human")
    assert (record.payoffs, record.termination) == ((1, -1), "crash")
    assert "no more input" in record.reason
    game = plies.game("nim:rows=1-1-1")
    with pytest.raises(AgentFault) as fault:
        plies.agent("human", game).choose(game.initial())
    assert fault.value.termination == "crash"


def test_ctrl_c_at_the_prompt_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    with pytest.raises(KeyboardInterrupt):
        plies.play_game("nim:rows=1-1-1", "human", "random")


def test_a_person_without_input_is_told_so_in_one_line(
    typing: Typing, capsys: pytest.CaptureFixture[str]
) -> None:
    typing()
    assert main(["search", "tictactoe", "--agent", "human"]) == 2
    line = capsys.readouterr().err
    assert "no more input" in line
    assert line.count("\n") == 1


@dataclass(frozen=True)
class Outside(Search):
    """A program of which one must say where it is.

    What follows is told only to those who ask.
    """

    path: str
    elo: int = 0
    unheard: int = 0

    for_any_game: ClassVar[bool] = True
    leading: ClassVar[str] = "path"


def test_what_must_be_given_is_shown_as_such(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(AGENTS, "outside", Outside)
    agent: dict[str, Any] = describe("outside", Outside)
    assert agent["options"] == {"path": None, "elo": "0", "unheard": "0"}
    assert agent["example"] == "outside:PATH,elo=1500"
    assert options_text(agent) == "PATH, elo=0, unheard=0"
    assert main(["agents", "outside"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "path needed a name" in lines
    assert "unheard 0 a whole number" in lines
    assert main(["agents", "outside", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == agent


def test_every_agent_is_listed_with_its_options_and_an_example(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["agents"]) == 0
    output = capsys.readouterr().out
    for name, method in AGENTS.items():
        agent = describe(name, method)
        assert f"{name}: {agent['description']}\n" in output
        assert f"  options  {options_text(agent) or 'none'}\n" in output
        assert f"  example  {agent['example']}\n" in output
