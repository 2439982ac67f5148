"""Agents are named by text, and wrong names are explained in one line."""

from pathlib import Path

import pytest

import plies
from plies.core.errors import BadGame, BadSpec

STUCK = Path(__file__).parent / "data" / "games" / "stuck.py"

WRONG = {
    "alphabta:depth=3": "there is no agent alphabta for tictactoe; did you mean alphabeta?",
    "alphabeta:dpth=3": "alphabeta has no option dpth; it has depth=4, eval=, fail=soft",
    "alphabeta:depth=three": "alphabeta: depth is a whole number, not 'three'",
    "alphabeta:fail=medium": "alphabeta: fail is soft or hard, not medium",
    "alphabeta:cut=never": "alphabeta: cut is equal or beyond, not never",
    "alphabeta:depth=999": "depth is 1 to 127, not 999",
    "minimax:depth=0": "depth is 1 to 127, not 0",
    "minimax:nodes=-1": "nodes is 0 (no limit) to 4611686018427387904, not -1",
    "alphabeta:nodes=4611686018427387905": "nodes is 0 (no limit) to 4611686018427387904, not",
    "alphabeta:depth": "'depth' in 'alphabeta:depth' is not key=value",
    "alphabeta:depth=3,depth=4": "depth is given twice",
    "alphabeta:eval=lines": "tictactoe has no evaluator lines",
    "": "has no name",
}


@pytest.mark.parametrize("spec", WRONG)
def test_a_wrong_spec_is_explained(spec: str) -> None:
    with pytest.raises(BadSpec) as error:
        plies.agent(spec, plies.game("tictactoe"))
    assert WRONG[spec] in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("spec", ["random", "minimax:depth=2", "alphabeta:depth=2,cut=beyond"])
def test_an_agent_knows_its_spec_and_decides(spec: str) -> None:
    game = plies.game("tictactoe")
    agent = plies.agent(spec, game)
    assert agent.spec == spec
    decision = agent.choose(game.initial())
    assert decision.move in game.moves(game.initial())
    assert decision.line[0] == decision.move


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_minimax_refuses_a_game_that_is_not_zero_sum(name: str) -> None:
    with pytest.raises(BadSpec, match="not a two-player zero-sum game"):
        plies.agent(name, plies.game("nim:players=3"))


def test_a_win_is_taken_at_once_and_a_loss_is_put_off() -> None:
    game = plies.game("tictactoe")
    winning = game.parse_position("XX./OO./... X")
    assert game.move_text(winning, plies.search(game, winning, "alphabeta:depth=9").move) == "c3"
    losing = game.parse_position("X.X/.O./X.O O")  # X threatens both a2 and b3
    found = plies.search(game, losing, "alphabeta:depth=9")
    assert found.value == -1_000_000_000 + 2


@pytest.mark.parametrize("spec", ["random", "minimax", "alphabeta:fail=hard"])
def test_a_position_without_moves_that_is_not_over_is_explained_in_one_line(spec: str) -> None:
    game = plies.game(str(STUCK))
    with pytest.raises(BadGame) as error:
        plies.agent(spec, game).choose(game.parse_position("1 1"))
    assert str(error.value) == "stuck: 1 1 has no legal move although the game goes on"


def test_a_position_without_moves_is_found_below_the_root() -> None:
    game = plies.game(str(STUCK))
    with pytest.raises(BadGame, match="stuck: 1 1 has no legal move although the game goes on"):
        plies.search(game, game.initial(), "alphabeta:depth=5")


def test_preparing_compiles_and_decides_nothing() -> None:
    game = plies.game("tictactoe")
    agent = plies.agent("alphabeta:depth=9", game)
    agent.prepare(game.initial())
    assert agent.choose(game.initial()).is_complete


def test_a_game_may_be_named_where_one_is_expected() -> None:
    game = plies.game("tictactoe")
    state = game.initial()
    named = plies.search("tictactoe", state, "minimax:depth=2")
    assert named.move == plies.search(game, state, "minimax:depth=2").move
    assert plies.perft("tictactoe", state, 3) == 504
    assert plies.play_game("tictactoe", "random", "random", seed=1).game == "tictactoe"
