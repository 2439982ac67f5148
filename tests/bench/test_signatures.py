"""Every method takes the nodes that its signature says, and takes them every time."""

import random
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

import plies
from plies.agents import AGENTS, agent
from plies.bench import SPECS, measure, read_signatures, workloads
from plies.bench.workloads import read_positions
from plies.core.spec import options_of

GAMES = plies.game_names()
WITHOUT_NODES = {
    *("random", "greedy", "mixed", "human", "theory", "perfect", "uci", "process"),
    *("pred", "mi_pred", "q", "moves"),  # only as good as a file
}
WRITE = "if that is meant: plies bench --write"


def test_every_game_has_positions() -> None:
    assert sorted(read_positions()) == GAMES


def test_every_method_has_work() -> None:
    assert set(AGENTS) <= set(SPECS) | WITHOUT_NODES


def test_no_signature_is_kept_of_what_is_not_measured() -> None:
    measured = {(work.game.spec, work.spec) for game in GAMES for work in workloads(game)}
    assert set(read_signatures()) == measured, WRITE


@pytest.mark.parametrize("game", GAMES)
def test_every_method_has_its_signature(game: str) -> None:
    kept = read_signatures()
    found = {(work.game.spec, work.spec): measure(work, runs=1).results for work in workloads(game)}
    assert found == {key: signature for key, signature in kept.items() if key[0] == game}, WRITE


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_and_budget_give_the_same_search_twice(game: str) -> None:
    for work in workloads(game):
        name = work.spec.partition(":")[0]
        budget = "nodes=300" if "nodes" in options_of(AGENTS[name]) else "simulations=20"
        searcher = agent(f"{name}:{budget}", work.game)
        for state in work.states.values():
            answers = set()
            for _ in range(2):
                searcher.forget()
                found = searcher.choose(state, rng=random.Random(5))
                counts = (found.nodes, found.leaves, found.evaluations, found.cutoffs)
                answers.add((found.move, found.value, found.line, counts, found.table_hits))
            assert len(answers) == 1, name


@pytest.mark.parametrize("name", sorted({*SPECS, "random", "greedy", "perfect"}))
def test_an_agent_that_was_prepared_compiles_nothing_more(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work,) = workloads("tictactoe", (name,)) if name in SPECS else (None,)
    game = plies.game("tictactoe")
    searcher = agent(work.spec if work else name, game)
    searcher.prepare(game.initial())
    compiled: list[str] = []
    compile_one = Dispatcher.compile

    def listening(self: Any, signature: Any) -> Any:
        compiled.append(self.py_func.__name__)
        return compile_one(self, signature)

    monkeypatch.setattr(Dispatcher, "compile", listening)
    searcher.choose(game.initial())
    assert compiled == []
