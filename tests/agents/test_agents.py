"""Agents are named by text, and wrong names are explained in one line."""

from pathlib import Path
from typing import Any

import pytest

import plies
from plies.agents import AGENTS
from plies.core import report_words
from plies.core.spec import options_of, split_spec
from plies.errors import BadGame, BadSpec

STUCK = Path(__file__).parents[1] / "data" / "games" / "stuck.py"


@pytest.mark.parametrize(("word", "ours"), [("MA", "material"), ("SEF", "sef")])
def test_an_evaluator_of_the_reports_is_answered_by_its_name_here(word: str, ours: str) -> None:
    chess = plies.game("chess")
    with pytest.raises(BadSpec, match=f"{word}; .* {ours}"):
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
    with pytest.raises(BadGame, match=r"^stuck: 1 1 [^\n]*no legal move"):
        plies.agent(spec, game).choose(game.parse_position("1 1"))


def test_a_position_without_moves_is_found_below_the_root() -> None:
    game = plies.game(str(STUCK))
    with pytest.raises(BadGame, match="stuck: 1 1 "):
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
    assert plies.agent("minimax:depth=2", "tictactoe").choose(state).move == named.move


def test_a_seed_repeats_the_random_choices_of_a_search() -> None:
    state = plies.game("tictactoe").initial()
    found = [
        plies.search("tictactoe", state, "mcts:simulations=50", seed=seed) for seed in (1, 1, 2)
    ]
    counts = [(each.move, each.nodes) for each in found]
    assert counts[0] == counts[1] != counts[2]


class Chooser:
    def choose(self, game: plies.Game, state: Any) -> int:
        return game.moves(state)[0]


@pytest.mark.parametrize(
    ("player", "why"),
    [
        (None, "None is no agent; an agent is a spec"),
        (["random", "random"], "is no agent; an agent is a spec"),
        (plies.game("tictactoe").initial(), "is no agent; an agent is a spec"),
        (Chooser, r"Chooser is a class, no agent; write Chooser\(\)"),
        (plies.agent("random", "nim"), "the agent random was made for nim, not for tictactoe"),
    ],
)
def test_what_is_no_agent_of_a_game_is_named(player: Any, why: str) -> None:
    with pytest.raises(BadSpec, match=why):
        plies.agent(player, "tictactoe")


def test_clocks_and_rules_are_records() -> None:
    game = plies.game("tictactoe")
    with pytest.raises(BadSpec, match=r"a clock is a plies.search.clock.Clock, not 5"):
        plies.agent("random", game).choose(game.initial(), clock=5)  # type: ignore[arg-type]
    with pytest.raises(BadSpec, match=r"write plies.match.Clocks\(...\), not \(5, 1\)"):
        plies.play_game(game, "random", "random", clocks=(5, 1))  # type: ignore[arg-type]
