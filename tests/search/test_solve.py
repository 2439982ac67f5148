"""Solving: values and distances against plain play to the end and published figures."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import is_interpreting
from plies.core import verbs
from plies.core.scores import INFINITY, ONGOING, WIN, lose_in, win_in
from plies.games import quixo
from plies.games.tree import Inner, Leaf, Tree, tree_game
from plies.search import reference
from plies.search.clock import Clock
from plies.search.leaf import final_value
from plies.search.reference import Position
from plies.search.runner import StopFlag
from plies.search.solve import SOLVING, Solve, solve
from plies.search.table import Table
from plies.search.task import Progress, Task
from plies.search.workspace import ROOT, new_workspace
from proof_samples import Truth, positions, sample, shortened
from tree_samples import PAPER, examples, trees

EXAMPLES = Path(__file__).parents[2] / "examples"
ENDLESS = Path(__file__).parents[1] / "data" / "circle.py"
compiled_only = pytest.mark.skipif(is_interpreting(), reason="takes long without the compiler")


class Solver:
    """Solves one position after another with one table."""

    def __init__(self, megabytes: int = 4):
        self.work = new_workspace(dtype=SOLVING)
        self.table = Table(megabytes)
        self.table.connect(self.work)

    def value(self, state: Any) -> int:
        result = verbs.outcome(state)
        if result != ONGOING:
            return int(final_value(state, result, ROOT))
        for depth in range(1, 100):
            value = solve(state, depth, -INFINITY, INFINITY, ROOT, self.work)
            if self.work.is_final[ROOT]:
                return int(value)
        raise AssertionError(f"{state} is not solved")


def test_every_position_of_tic_tac_toe_is_solved_with_its_distance() -> None:
    game = plies.game("tictactoe")
    everything = positions(game)
    assert len(everything) == 5478  # published: positions that can arise
    truth, solver = Truth(game), Solver()
    for state in sample(everything):
        assert shortened(solver.value(state)) == truth.value(state), game.position_text(state)


def test_tic_tac_toe_is_a_draw_in_nine() -> None:
    game = plies.game("tictactoe")
    found = plies.search(game, game.initial(), "solve")
    assert (found.value, len(found.line), found.is_complete) == (0, 9, True)
    assert played(game, found.line) == plies.DRAW


def played(game: plies.Game, line: tuple[int, ...]) -> int:
    """How a game ends when these moves are played."""
    state = game.initial()
    for move in line:
        state = game.play(state, move)
    return game.outcome(state)


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        # Martin Gardner, "Mathematical Games", Scientific American, March 1962: the second
        # player wins hexapawn.  The other values and distances: `Truth`, which is asked below
        ("hexapawn.py", lose_in(6)),
        pytest.param("hexapawn.py:size=4", win_in(11), marks=compiled_only),
        ("kalah.py:pits=3,seeds=2", 4),
    ],
)
def test_small_games_have_their_known_values(spec: str, value: int) -> None:
    game = plies.game(str(EXAMPLES / spec))
    found = plies.search(game, game.initial(), "solve")
    assert (found.value, found.is_complete) == (value, True)
    assert played(game, found.line) != plies.ONGOING
    if abs(value) > 1000:
        assert len(found.line) == WIN - abs(value)
    assert shortened(value) == Truth(game).value(game.initial())


@pytest.mark.parametrize("options", ["", ",k=2", ",misere=true", ",k=3,misere=true"])
def test_nim_is_won_as_the_theory_says_and_as_fast_as_can_be(options: str) -> None:
    game = plies.game(f"nim:rows=3-2-4{options}")
    truth, solver = Truth(game), Solver(1)
    for state in sample(positions(game)):
        assert shortened(solver.value(state)) == truth.value(state), game.position_text(state)


@pytest.mark.parametrize(
    ("rows", "options", "is_lost"),
    [
        # project facts, Nim: rows 1, 3, ..., 2N - 1 lost for the first player
        pytest.param("1-3-5-7", "", True, marks=compiled_only),
        ("1-3-5", "", False),
        pytest.param("1-3-5-7-9-11", ",k=2", True, marks=compiled_only),
        pytest.param("1-3-5-7", ",misere=true", True, marks=compiled_only),
        ("1", ",misere=true", True),
        ("1-3", ",k=2,misere=true", True),
        ("1-3-5", ",k=2,misere=true", False),
    ],
)
def test_nim_is_lost_from_the_starts_of_the_theory(rows: str, options: str, is_lost: bool) -> None:
    game = plies.game(f"nim:rows={rows}{options}")
    found = plies.search(game, game.initial(), "solve:table=16")
    assert found.is_complete
    assert found.value is not None
    assert (found.value < 0) == is_lost


def quixo_boards(n: int) -> Iterator[quixo.State]:
    """Every board, the first player to move."""
    for cells in product((0, 1, 2), repeat=n * n):
        mine = sum(1 << place for place, mark in enumerate(cells) if mark == 1)
        theirs = sum(1 << place for place, mark in enumerate(cells) if mark == 2)
        yield quixo.State(mine, theirs, 0, n, 0)


@pytest.mark.parametrize(
    ("n", "wins", "losses", "first", "longest"),
    # project facts, Quixo: full solution over all boards, by the official rule
    [(2, 50, 31, 3, 3), pytest.param(3, 12748, 6935, 7, 8, marks=compiled_only)],
)
def test_every_board_of_quixo_is_won_or_lost(
    n: int, wins: int, losses: int, first: int, longest: int
) -> None:
    solver = Solver()
    values = [solver.value(board) for board in quixo_boards(n)]
    assert (sum(value > 0 for value in values), sum(value < 0 for value in values)) == (
        wins,
        losses,
    )
    assert values[0] == win_in(first)
    assert max(WIN - abs(value) for value in values) == longest


def test_the_paper_tree_is_solved() -> None:
    # project facts, n players: minimax 1 by the third move
    game = plies.game(f"tree:file={PAPER}")
    found = plies.search(game, game.initial(), "solve:table=0")
    assert (found.value, found.move, found.is_complete) == (1, 2, True)


@settings(max_examples=examples(150))
@given(tree=trees(most_leaves=40, most_children=4), table=st.sampled_from([0, 1]))
def test_random_trees_have_the_value_of_minimax(tree: Tree, table: int) -> None:
    game = tree_game(tree)
    callables = reference.on_game(game.evaluator())
    expected = reference.minimax(Position(game.initial()), **callables).value
    found = plies.search(game, game.initial(), f"solve:table={table}")
    assert found.is_complete
    assert found.value == (expected if game.mover(game.initial()) == 0 else -expected)
    assert played(game, found.line) == plies.SCORED


def test_a_value_that_rests_on_the_horizon_is_not_final() -> None:
    game = tree_game(Inner(0, [Leaf(0), Inner(1, [Inner(0, [Leaf(5), Leaf(-1)])])]))
    short = plies.search(game, game.initial(), "solve:depth=2,table=1")
    assert (short.value, short.is_complete, short.depth) == (0, False, 2)
    assert plies.search(game, game.initial(), "solve:depth=3,table=1").value == 5


def test_endless_play_is_not_called_a_draw() -> None:
    game = plies.game(str(ENDLESS))
    found = plies.search(game, game.initial(), "solve:depth=30,table=1")
    assert (found.value, found.is_complete, found.depth) == (0, False, 30)


def test_a_win_is_found_where_play_could_go_on_for_ever() -> None:
    game = plies.game(f"{ENDLESS}:exits=1")
    found = plies.search(game, game.initial(), "solve:table=1")
    assert (found.value, found.is_complete) == (win_in(3), True)


def test_limits_end_it_with_a_legal_move_and_nothing_proven() -> None:
    game = plies.game("quixo")
    stopped = StopFlag()
    stopped.stop()
    for options, stop in (("nodes=2000", None), ("seconds=0.05", None), ("table=1", stopped)):
        found = plies.search(game, game.initial(), f"solve:{options}", stop=stop)
        assert not found.is_complete
        assert found.move in game.moves(game.initial())


def test_a_players_clock_ends_it() -> None:
    game = plies.game("quixo")
    found = plies.agent("solve:table=1", game).choose(game.initial(), clock=Clock(0.2))
    assert not found.is_complete
    assert found.move in game.moves(game.initial())


def test_progress_is_told_with_the_depths_finished() -> None:
    game = plies.game("quixo")
    told: list[Progress] = []
    task = Task(game.initial(), on_progress=told.append)
    found = Solve(seconds=0.2, table=1).decide(task)
    assert told
    assert [depth.depth for depth in found.history] == list(range(1, found.depth + 1))


@pytest.mark.skipif(not hasattr(solve, "signatures"), reason="there is no compiler")
def test_the_kernel_has_one_signature_for_each_game() -> None:
    plies.search("nim", plies.game("nim").initial(), "solve:table=1")
    states = [signature[0] for signature in solve.signatures]  # type: ignore[attr-defined]
    assert len(states) == len(set(states))
