"""Monte Carlo tree search plays sensibly, repeatably, and stops when it is told to."""

import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.agents import Agent
from plies.compiling.compiler import is_interpreting
from plies.core.scores import WIN, lose_in, win_in
from plies.errors import BadGame, BadSpec
from plies.games.tree import Inner, Leaf, read_tree, tree_game
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.mcts import Mcts
from plies.search.mcts.tree import PLAN
from plies.search.random_numbers import random_below
from plies.search.runner import StopFlag
from plies.search.task import Progress, Task

TESTS = Path(__file__).parents[1]
KALAH = str(TESTS.parent / "examples" / "kalah.py")
STUCK = str(TESTS / "data" / "games" / "stuck.py")

# X (first) or O (second) completes a line at once; the rows are written from the top.
WINS = [("XX./OO./... X", "c3"), ("XX./OO./X.. O", "c2"), ("X.O/.OX/..X O", "a1")]
# The other side threatens to; one move prevents it.
THREATS = [("XX./.O./... O", "c3"), ("OO./.X./X.. X", "c3"), ("X../.X./O.. O", "c1")]


def agent(game: plies.Game, options: str) -> Agent:
    return plies.agent(f"mcts:{options}" if options else "mcts", game)


def decide(game: plies.Game, state: Any, options: str = "", seed: int = 1) -> Decision:
    return agent(game, options).choose(state, random.Random(seed))


@pytest.mark.parametrize("solver", ["yes", "no"])
@pytest.mark.parametrize(("position", "expected"), WINS)
def test_a_win_in_one_move_is_found_for_either_player(
    position: str, expected: str, solver: str
) -> None:
    game = plies.game("tictactoe")
    state = game.parse_position(position)
    found = decide(game, state, f"simulations=500,solver={solver}")
    assert game.move_text(state, found.move) == expected
    assert found.value is not None
    assert found.value == win_in(1) if solver == "yes" else found.value > 900


@pytest.mark.parametrize("solver", ["yes", "no"])
@pytest.mark.parametrize(("position", "expected"), THREATS)
def test_a_loss_in_two_plies_is_prevented_for_either_player(
    position: str, expected: str, solver: str
) -> None:
    game = plies.game("tictactoe")
    state = game.parse_position(position)
    found = decide(game, state, f"simulations=2000,solver={solver}")
    assert game.move_text(state, found.move) == expected


def test_a_loss_that_cannot_be_prevented_is_told_with_its_distance() -> None:
    game = plies.game("tictactoe")
    found = decide(game, game.parse_position("X.X/OO./X.. O"), "simulations=500")
    assert found.value == win_in(1)
    lost = game.parse_position("X.X/O../X.O O")  # a2 is taken: X threatens b3 and b2
    found = decide(game, lost, "simulations=2000")
    assert found.value == lose_in(2)
    assert found.is_complete
    assert found.simulations < 2000  # proven, so it stopped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("M(M(9, -9), m(1, 8))", 9),  # Max moves again in the first branch
        ("m(m(9, -9), M(-8, 1))", 9),  # the same with Min: the value is the mover's
        ("M(m(M(3, -3), m(5, 2)), m(2, 9))", 2),
        ("m(M(M(-3, 3), m(-5, -2)), M(-2, -9))", 2),
    ],
)
def test_values_approach_minimax_where_movers_do_not_alternate(text: str, expected: int) -> None:
    game = tree_game(read_tree(text))
    found = decide(game, game.initial(), "simulations=20000,solver=no")
    assert found.value == pytest.approx(1000 * expected, abs=300)
    proven = decide(game, game.initial(), "simulations=20000")
    assert proven.value == 1000 * expected


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        # The second player takes (0, 3, 0) or (2, 2, 0), the third (1, 0, 1) or (5, 0, 0).
        ((((0, 3, 0), (5, 1, 9)), ((1, 0, 1), (5, 0, 0))), 1),
        ((((2, 3, 0), (5, 1, 9)), ((1, 0, 1), (5, 0, 0))), 0),
    ],
)
def test_every_one_of_three_players_looks_after_himself(
    tree: tuple[Any, ...], expected: int
) -> None:
    second, third = ([Leaf(payoff) for payoff in leaves] for leaves in tree)
    game = tree_game(Inner(0, (Inner(1, tuple(second)), Inner(2, tuple(third)))))
    found = decide(game, game.initial(), "simulations=5000")
    assert found.move == expected
    assert found.value == pytest.approx(1000 * tree[expected][0][0], abs=150)


def test_three_play_nim() -> None:
    game = plies.game("nim:rows=1-1-2,players=3")
    # c-1 leaves three single objects, of which the first player takes the last and gets 1.
    found = decide(game, game.initial(), "simulations=5000")
    assert game.move_text(game.initial(), found.move) == "c-1"


def test_the_same_seed_grows_the_same_tree_twice() -> None:
    game = plies.game(KALAH)
    agents = [agent(game, "simulations=3000") for _ in range(2)]
    first, second = (one.choose(game.initial(), random.Random(7)) for one in agents)
    assert (first.move, first.value, first.line) == (second.move, second.value, second.line)
    assert (first.nodes, first.simulations) == (second.nodes, second.simulations)
    trees = [one.memory["mcts"][0].tree for one in agents]
    used = int(trees[0].used)
    for field in ("move", "visits", "value", "proof"):
        columns = [tree.nodes[field][:used] for tree in trees]
        assert np.array_equal(*columns)
    other = decide(game, game.initial(), "simulations=3000", seed=8)
    assert other.nodes != first.nodes


SCRIPT = """
import random, sys
import plies
for spec, options in (("tictactoe", ""), (sys.argv[1], ",leaf=eval,priors=eval"), ("nim", "")):
    game = plies.game(spec)
    agent = plies.agent("mcts:simulations=300" + options, game)
    found = agent.choose(game.initial(), random.Random(3))
    tree = agent.memory["mcts"][0].tree
    used = int(tree.used)
    print(found.move, found.value, found.line, found.nodes, found.simulations, used)
    print(*(tree.nodes[field][:used].tolist() for field in ("move", "visits", "value", "proof")))
"""


def test_compiled_and_interpreted_searches_grow_the_same_tree() -> None:
    environment = {**os.environ, "PLIES_QUIET": "1"}
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT, KALAH],
            env={**environment, "NUMBA_DISABLE_JIT": mode},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for mode in ("0", "1")
    ]
    assert outputs[0] == outputs[1]


def test_random_numbers_are_even() -> None:
    plan = np.zeros(1, PLAN).view(np.recarray)[0]
    plan.random = 1
    counts = np.bincount([int(random_below(10, plan)) for _ in range(10_000)], minlength=10)
    # 1000 each; with a standard deviation of 30 none is as far off as 150.
    assert abs(counts - 1000).max() < 150


def test_two_threads_share_the_simulations_and_answer_the_same_every_time() -> None:
    game = plies.game(KALAH)
    first, second = (decide(game, game.initial(), "simulations=2001,threads=2") for _ in range(2))
    assert first.simulations == 2001
    assert (first.move, first.value, first.line) == (second.move, second.value, second.line)
    assert first.nodes == second.nodes


@pytest.mark.parametrize("threads", [1, 2])
def test_a_proven_root_ends_the_search(threads: int) -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("X.O/.../... X")
    found = decide(game, state, f"simulations=1000000,threads={threads}")
    assert found.is_complete
    assert found.simulations < 1_000_000
    assert found.value is not None
    assert found.value > WIN - 10
    assert len(found.line) == WIN - found.value


def test_without_a_single_simulation_the_move_is_legal() -> None:
    game = plies.game(KALAH)
    stop = StopFlag()
    stop.stop()
    for options in ("", "simulations=0", "threads=2"):
        found = agent(game, options).choose(game.initial(), stop=stop)
        assert (found.simulations, found.value, found.is_complete) == (0, None, False)
        assert found.move in game.moves(game.initial())


def test_one_simulation_is_enough_for_a_value() -> None:
    game = plies.game(KALAH)
    found = decide(game, game.initial(), "simulations=1")
    assert found.simulations == 1
    assert found.value is not None


@pytest.mark.parametrize("threads", [1, 2])
def test_another_thread_stops_it(threads: int) -> None:
    game = plies.game(KALAH)
    stop = StopFlag()
    threading.Timer(0.1, stop.stop).start()
    endless = agent(game, f"simulations=0,seconds=100000,threads={threads}")
    found = endless.choose(game.initial(), stop=stop)
    assert not found.is_complete
    assert found.move in game.moves(game.initial())


def test_it_stops_within_a_rollout() -> None:
    """A single simulated game of a million plies must not hold it up."""
    game = plies.game(str(TESTS / "data" / "games" / "endless.py"))
    stop = StopFlag()
    threading.Timer(0.1, stop.stop).start()
    found = agent(game, f"simulations=1,plies={10**12}").choose(game.initial(), stop=stop)
    assert (found.simulations, found.is_complete) == (0, False)
    assert found.move in game.moves(game.initial())


@pytest.mark.parametrize("clock", [None, Clock(remaining=10)])
def test_time_ends_it(clock: Clock | None) -> None:
    game = plies.game(KALAH)
    options = "simulations=0" if clock else "simulations=0,seconds=1"
    found = agent(game, options).choose(game.initial(), clock=clock)
    assert not found.is_complete
    assert found.simulations > 0


def test_progress_is_told_while_it_runs() -> None:
    game = plies.game(KALAH)
    told: list[Progress] = []
    found = agent(game, "simulations=0,seconds=1").choose(game.initial(), on_progress=told.append)
    assert told
    assert told[-1].nodes <= found.nodes
    depths = [entry.nodes for entry in found.history]
    assert depths == sorted(depths)
    assert found.history[-1].move == found.move


def test_the_history_has_an_entry_whenever_the_simulations_have_doubled() -> None:
    game = plies.game(KALAH)
    # After 1000, 2000, 4000 and at the end.
    assert len(decide(game, game.initial(), "simulations=5000").history) == 4
    assert len(decide(game, game.initial(), "simulations=100").history) == 1


@pytest.mark.parametrize("heap", [7, 1])
def test_a_position_that_a_broken_rule_leaves_without_moves_is_named(heap: int) -> None:
    game = plies.game(STUCK)
    with pytest.raises(BadGame, match="no legal move"):
        decide(game, game.State(heap, 0))


def test_a_machine_without_memory_is_told_of_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any) -> None:
        raise MemoryError

    game = plies.game("tictactoe")
    monkeypatch.setattr("plies.search.mcts.tree.np.zeros", refuse)
    with pytest.raises(BadSpec, match="no memory for another tree"):
        decide(game, game.initial())


def test_a_search_that_nothing_limits_has_two_thousand_simulations() -> None:
    game = plies.game(KALAH)
    for options in ("", "simulations=0", "threads=2"):
        found = decide(game, game.initial(), options)
        assert (found.simulations, found.is_complete) == (2000, True)


@pytest.mark.skipif(is_interpreting(), reason="plain Python simulates too few games in that time")
def test_a_limit_of_time_is_the_only_one_then() -> None:
    game = plies.game(KALAH)
    stop = StopFlag()

    def stop_later(progress: Progress) -> None:
        if progress.nodes > 10_000_000:  # a simulation has far fewer than 5000
            stop.stop()

    found = agent(game, "seconds=600,solver=no").choose(
        game.initial(), stop=stop, on_progress=stop_later
    )
    assert found.simulations > 2000


def test_evaluated_leaves_need_no_rollout() -> None:
    game = plies.game(KALAH)
    found = decide(game, game.initial(), "simulations=200,leaf=eval")
    assert found.evaluations == found.simulations == 200
    capped = decide(game, game.initial(), "simulations=200,plies=3")
    assert capped.evaluations == 200
    assert capped.nodes > found.nodes


@pytest.mark.parametrize("priors", ["none", "eval"])
@pytest.mark.parametrize("turn", [0, 1])
def test_an_evaluator_is_heard_with_the_right_sign(priors: str, turn: int) -> None:
    """The only good move of the mover captures 20 seeds; the opponent then has nothing."""
    game = plies.game(KALAH)
    start = game.initial()
    own = 1 | 1 << 16 | 1 << 24 | 1 << 32 | 3 << 48  # a lone seed next to an empty pit
    prey = 20 << 8 * 4 | 1  # opposite to that pit, and one seed to go on with
    state = start._replace(mine=own, theirs=prey, turn=turn)
    found = decide(game, state, f"simulations=300,leaf=eval,priors={priors}")
    assert found.move == 0
    assert found.value is not None
    assert found.value > 0


def test_a_full_tree_goes_on_without_growing() -> None:
    game = plies.game(KALAH)
    full = agent(game, "simulations=60000,table=1")
    found = full.choose(game.initial(), random.Random(1))
    tree = full.memory["mcts"][0].tree
    assert found.simulations == 60_000
    assert tree.room - 6 < tree.used <= tree.room == 2**20 // 64


def test_however_low_the_temperature_the_best_move_has_the_greatest_prior() -> None:
    """The power of a win is beyond all floats there."""
    game = plies.game("tictactoe")
    state = game.initial()
    for text in ("a1", "a2", "b1", "b2"):  # now c1 wins
        state = game.play(state, game.parse_move(state, text))
    method = Mcts(simulations=3, priors="eval", temperature=0.0001, solver=False)
    found = method.decide(Task(state, game.evaluator(), rng=random.Random(1)))
    assert found.move == game.parse_move(state, "c1")
