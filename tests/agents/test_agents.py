"""Agents are named by text, and wrong names are explained in one line."""

from pathlib import Path

import pytest

import plies
from plies.agents import AGENTS
from plies.core import report_words
from plies.core.spec import options_of, split_spec
from plies.errors import BadGame, BadSpec

STUCK = Path(__file__).parents[1] / "data" / "games" / "stuck.py"

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
    # The words of the reports.
    "fsab:L=4": "there is no agent fsab for tictactoe; did you mean alphabeta:cut=equal,depth=4?",
    "minmax:L=2,eval=MA": "did you mean minimax:depth=2,eval=material?",
    "minimax:BF=5": "; BF is width=5 here, which minimax does not have",
    "alphabeta:SEF": "'SEF' in 'alphabeta:SEF' is not key=value; did you mean eval=sef?",
    "alphabeta:look=2": "look=2 needs sorted moves; write order=shallow,look=2",
    "deepening:look=1": "look=1 needs sorted moves; write order=shallow,look=1",
    "hard": "there is no agent hard for tictactoe; did you mean alphabeta:cut=beyond?",
    "blMinMax": "there is no agent blMinMax for tictactoe; did you mean branch:rule=report?",
    "predMinMax": "there is no agent predMinMax for tictactoe; did you mean pred?",
    "branch:L=4,BF=5,l=1": "; did you mean depth=4?",
    "branch:BF=5": "; did you mean width=5?",
    "branch:l=1": "; did you mean look=1?",
    "alphabeta:sortBoard=true": "; did you mean order=shallow?",
}


@pytest.mark.parametrize("spec", WRONG)
def test_a_wrong_spec_is_explained(spec: str) -> None:
    with pytest.raises(BadSpec) as error:
        plies.agent(spec, plies.game("tictactoe"))
    assert WRONG[spec] in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("word", "ours"), [("MA", "material"), ("SEF", "sef")])
def test_an_evaluator_of_the_reports_is_answered_by_its_name_here(word: str, ours: str) -> None:
    chess = plies.game("chess")
    with pytest.raises(BadSpec, match=f"has no evaluator {word}; did you mean {ours}?"):
        plies.agent(f"alphabeta:eval={word}", chess)
    assert ours in chess.evaluators


def test_an_evaluator_with_weights_of_ones_own_is_searched_with() -> None:
    quixo = plies.game("quixo:n=3")
    lines = quixo.evaluators["lines"]
    doubled = lines._replace(own=2 * lines.own, other=2 * lines.other)
    state = quixo.parse_position("OX./.../X.. O")
    plain, twice = (
        plies.search(quixo, state, "minimax:depth=1", evaluator=each).value
        for each in (lines, doubled)
    )
    assert plain is not None
    assert plain != 0
    assert twice == 2 * plain
    assert quixo.evaluate(state, doubled) == 2 * quixo.evaluate(state, "lines")
    zero = quixo.evaluator("zero")
    assert plies.search(quixo, state, "minimax:depth=1", evaluator=zero).value == 0


def test_an_evaluator_that_does_not_fit_is_refused_in_one_line() -> None:
    quixo = plies.game("quixo:n=3")
    own = quixo.evaluators["lines"]
    wrong = {
        "an evaluator is given, but the spec names lines already": ("minimax:eval=lines", own),
        "an evaluator is given, but the spec is of an agent that has none": ("random", own),
        "3 is none of the evaluators of quixo: lines": ("minimax", 3),
        "the weight own is a whole number, not 1.5": ("minimax", own._replace(own=1.5)),
        "the weight own is at most 1000000, not 1000001": ("minimax", own._replace(own=1000001)),
    }
    for message, (spec, evaluator) in wrong.items():
        with pytest.raises(BadSpec, match=message):
            plies.agent(spec, quixo, evaluator)


def test_what_is_suggested_for_a_word_of_the_reports_is_there() -> None:
    for spec in report_words.AGENTS.values():
        name, options = split_spec(spec)
        assert options.keys() <= options_of(AGENTS[name]).keys(), spec
    every = {option for method in AGENTS.values() for option in options_of(method)}
    assert {ours.partition("=")[0] for ours in report_words.OPTIONS.values()} <= every


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
