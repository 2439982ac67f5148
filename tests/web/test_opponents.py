"""Which agents strangers may name."""

import pytest

import plies
from plies.errors import BadSpec
from plies.web.catalogue import Catalogue
from plies.web.contests.names import Names
from plies.web.opponents import ALLOWED, checked, opponents

GAME = plies.game("tictactoe")


def test_no_agent_opens_a_file_starts_a_program_or_asks_at_the_terminal() -> None:
    assert not {"human", "process", "uci", "moves", "pred", "mi_pred", "q"} & set(ALLOWED)
    assert {"random", "alphabeta", "engine", "mcts", "perfect", "maxn"} <= set(ALLOWED)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("human", "human does not play here"),
        ("process:./agent.py", "process does not play here"),
        ("uci:/bin/sh", "uci does not play here"),
        ("greedy:eval=../../secret.npz", "has no evaluator"),
        ("engine:eval=./x.npz", "has no evaluator"),
        ("engine:threads=200", "threads is at most"),
        ("engine:table=100000", "table is at most 128 here"),
        ("mcts:seconds=3000", "seconds is at most 30 here"),
        ("perfect:positions=50000000", "positions is at most"),
        ("alphabeta:depth=x", "depth is a whole number"),
        ("theory", "has no theory"),
        ("", "has no name"),
    ],
)
def test_an_agent_that_may_not_play_is_refused_with_a_reason(spec: str, said: str) -> None:
    with pytest.raises(BadSpec, match=said):
        checked(spec, GAME)


def test_what_is_checked_is_told_as_everywhere() -> None:
    assert checked("alphabeta:depth=2", GAME) == "alphabeta:depth=2"
    assert checked(" alphabeta : depth = 2 ", GAME) == "alphabeta:depth=2"


@pytest.mark.parametrize("spec", ["tictactoe", "nim", "nim:players=3", "tree"])
def test_every_level_may_play(spec: str) -> None:
    game = plies.game(spec)
    found = opponents(game)
    assert [level.name for level in found.levels][:2] == ["Beginner", "Easy"]
    for level in found.levels:
        assert checked(level.agent, game) == level.agent


def test_levels_fit_the_game() -> None:
    names = {spec: opponents(plies.game(spec)) for spec in ("nim", "nim:players=3", "tictactoe")}
    assert names["nim"].levels[-1].agent == "theory"
    assert all("engine" not in level.agent for level in names["nim:players=3"].levels)
    kinds = {kind.name for kind in names["nim:players=3"].kinds}
    assert "maxn" in kinds
    assert "alphabeta" not in kinds
    assert "theory" not in {kind.name for kind in names["tictactoe"].kinds}


def test_strong_levels_of_a_game_without_an_evaluator_take_mcts() -> None:
    levels = {spec: opponents(plies.game(spec)).levels for spec in ("tictactoe", "quixo")}
    assert [level.agent.partition(":")[0] for level in levels["tictactoe"][-2:]] == ["mcts"] * 2
    assert [level.agent.partition(":")[0] for level in levels["quixo"][-2:]] == ["engine"] * 2


def test_methods_that_miss_an_evaluator_say_so() -> None:
    kinds = {spec: opponents(plies.game(spec)).kinds for spec in ("tictactoe", "quixo")}
    blind = {kind.name for kind in kinds["tictactoe"] if "no evaluator" in kind.summary}
    assert {"engine", "alphabeta", "minimax", "branch"} <= blind
    assert not {"mcts", "random", "perfect", "solve"} & blind
    assert not [kind for kind in kinds["quixo"] if "no evaluator" in kind.summary]


def test_strategies_of_a_game_play_it_and_no_other() -> None:
    nim = plies.game("nim")
    kinds = {kind.name: kind for kind in opponents(nim).kinds}
    assert kinds["gabriele"].summary.startswith("Take as much as allowed")
    assert [option.name for option in kinds["nim-sum"].options] == ["choice"]
    told_spec = Names(Catalogue([nim])).told_spec
    for spec in ("nim-sum:choice=random", "mixed:gabriele=1.0,nim-sum=2.0"):
        assert checked(spec, nim) == told_spec(spec) == spec
    assert "nim-sum" not in {kind.name for kind in opponents(plies.game("nim:players=3")).kinds}
    with pytest.raises(BadSpec, match="gabriele does not play here"):
        checked("gabriele", GAME)


def test_options_are_told_with_their_kinds_defaults_and_choices() -> None:
    (kind,) = [kind for kind in opponents(plies.game("quixo")).kinds if kind.name == "engine"]
    options = {option.name: option for option in kind.options}
    assert options["depth"].kind == "whole"
    assert options["seconds"].kind == "number"
    assert options["exact"].kind == "yes-no"
    assert (options["table"].default, options["exact"].default) == ("64", "false")
    assert options["root"].choices == ["aspiration", "mtdf"]
    assert options["eval"].choices == ["", "lines", "zero"]
    assert kind.summary.startswith("Strongest search (alpha-beta with pruning); limited by")
