"""The engine: exact when it is told to be, right in games that are solved, stopped at any time."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from operator import xor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import is_interpreting
from plies.core import verbs
from plies.core.scores import MAX_EVALUATION, ONGOING, WIN, lose_in, win_in
from plies.games.tree import Tree, tree_game
from plies.search.alphabeta import AlphaBeta
from plies.search.decision import Decision
from plies.search.engine import SYMMETRY_DEPTH, Engine
from plies.search.leaf import leaf_value
from plies.search.minimax import Minimax
from plies.search.task import Task
from search_samples import SPECS, plain_value, position_after, value_by_minimax, value_of_move
from tree_samples import trees

BOARD = "tictactoe:width=6,height=6,k=4"  # far too many lines to finish

EXACT: dict[str, Callable[[int], Engine]] = {
    "plain": lambda depth: Engine(depth=depth, table=0, symmetry=False, exact=True),
    "table": lambda depth: Engine(depth=depth, table=1, symmetry=False, exact=True),
    "symmetry": lambda depth: Engine(depth=depth, table=0, exact=True),
    "both": lambda depth: Engine(depth=depth, table=1, exact=True),
    "mtdf": lambda depth: Engine(depth=depth, table=1, root="mtdf", exact=True),
    "mtdf without table": lambda depth: Engine(depth=depth, table=0, root="mtdf", exact=True),
    "two threads": lambda depth: Engine(depth=depth, table=1, threads=2, exact=True),
    "two threads, mtdf": lambda depth: Engine(
        depth=depth, table=1, threads=2, root="mtdf", exact=True
    ),
}


def value_at_the_end(task: Task, line: tuple[int, ...]) -> int:
    """What the last position of a line is worth to the player who moves first in it."""
    state = task.state
    for move in line:
        assert move in verbs.legal_moves(state)
        state = verbs.play(state, move)
    value = int(leaf_value(state, verbs.outcome(state), len(line), task.evaluator))
    return value if verbs.mover(state) == verbs.mover(task.state) else -value


def check_fields(task: Task, found: Decision, engine: Engine) -> None:
    """What must be true of every answer of an exact search that was not stopped."""
    assert found.is_complete
    assert found.line[0] == found.move
    end = value_at_the_end(task, found.line)
    if engine.root == "aspiration":
        assert end == found.value
    assert [each.depth for each in found.history] == list(range(1, found.depth + 1))
    last = found.history[-1]
    assert (last.move, last.value, last.line) == (found.move, found.value, found.line)


@settings(max_examples=15 if is_interpreting() else 60)
@given(tree=trees(most_leaves=40, most_children=4), depth=st.integers(1, 8))
def test_an_exact_engine_has_the_value_of_minimax_on_random_trees(tree: Tree, depth: int) -> None:
    game = tree_game(tree)
    task = Task(game.initial(), game.evaluator())
    value = plain_value(task.state, depth, 0, task.evaluator)
    for name, engine in EXACT.items():
        found = engine(depth).decide(replace(task, memory={}))
        assert (name, found.value) == (name, value)
        assert value_of_move(task.state, found.move, depth, 0, task.evaluator) == value
        check_fields(task, found, engine(depth))


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
def test_an_exact_engine_has_the_value_of_minimax_on_every_game(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plies.search.engine.SYMMETRY_DEPTH", 1)  # images count at any depth
    game = plies.game(spec)
    depth = 2 if is_interpreting() else 4 if spec in ("tictactoe", "nim", "quixo:n=2") else 3
    for plies_played in (0, 9):
        task = Task(position_after(game, plies_played, seed=1), game.evaluator())
        value = Minimax(depth).decide(task).value
        for name, engine in EXACT.items():
            found = engine(depth).decide(replace(task, memory={}))
            assert (name, found.value) == (name, value)
            assert value_by_minimax(task, found.move, depth) == value
            check_fields(task, found, engine(depth))


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:n=3"])
def test_an_exact_engine_stays_exact_with_a_table_kept_from_move_to_move(spec: str) -> None:
    """Also where the table knows a position from a deeper search, whose value is another."""
    game = plies.game(spec)
    most = 3 if is_interpreting() else 5
    memory: dict[str, Any] = {}
    for seed, plies_played, less in product(range(3), range(4), range(2)):
        task = Task(position_after(game, plies_played, seed), game.evaluator(), memory=memory)
        root = "mtdf" if seed == 1 else "aspiration"
        found = Engine(depth=most - less, table=1, exact=True, root=root).decide(task)
        assert found.value == Minimax(most - less).decide(replace(task, memory={})).value


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:n=3"])
def test_images_taken_for_one_position_change_no_value(spec: str) -> None:
    game = plies.game(spec)
    depth = SYMMETRY_DEPTH + (1 if is_interpreting() else 3)
    saved = 0
    for plies_played in (0, 1, 2):
        task = Task(position_after(game, plies_played, seed=6), game.evaluator())
        with_images, without = (
            Engine(depth=depth, table=1, exact=True, symmetry=symmetry).decide(
                replace(task, memory={})
            )
            for symmetry in (True, False)
        )
        assert with_images.value == without.value
        assert without.value == AlphaBeta(depth, table=1).decide(replace(task, memory={})).value
        saved += without.nodes - with_images.nodes
    assert saved > 0


# Games that are solved


@cache
def solution(state: Any) -> int:
    """1, 0 or -1 for the player to move."""
    result = verbs.outcome(state)
    if result != ONGOING:
        return (result == verbs.mover(state)) - (result == 1 - verbs.mover(state))
    return max(-solution(verbs.play(state, move)) for move in verbs.legal_moves(state).tolist())


def positions_up_to_symmetry(game: plies.Game) -> list[Any]:
    """One of all images of every position that goes on."""
    found: dict[int, Any] = {}
    waiting = [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.is_over(state) or verbs.canonical_key(state) in found:
            continue
        found[verbs.canonical_key(state)] = state
        waiting.extend(game.play(state, move) for move in game.moves(state))
    return list(found.values())


def sign(value: int | None) -> int:
    """Of a decided value; a value that is neither won nor lost nor 0 has none."""
    assert value is not None
    assert value == 0 or abs(value) > MAX_EVALUATION
    return (value > 0) - (value < 0)


@pytest.mark.parametrize("root", ["aspiration", "mtdf"])
def test_every_position_of_tictactoe_is_solved(root: Any) -> None:
    game = plies.game("tictactoe")
    positions = positions_up_to_symmetry(game)
    assert len(positions) == 627  # 765 up to symmetry, 138 of them over (Schaefer 2002)
    if is_interpreting():
        positions = [state for state in positions if len(game.moves(state)) <= 4]
    memory: dict[str, Any] = {}
    for state in positions:
        task = Task(state, game.evaluator("zero"), memory=memory)
        found = Engine(depth=9, table=1, root=root).decide(task)
        assert found.is_complete
        assert sign(found.value) == solution(state), game.position_text(state)
        assert -solution(game.play(state, found.move)) == solution(state)


@pytest.mark.parametrize("rows", list(product(range(4), repeat=3))[1::3])
def test_nim_is_won_unless_the_heaps_cancel_out(rows: tuple[int, ...]) -> None:
    # Bouton 1901: the player to move loses just where the exclusive or of the heaps is 0.
    heaps = [heap for heap in rows if heap]
    game = plies.game(f"nim:rows={'-'.join(map(str, heaps))}")
    found = Engine(depth=9, table=1).decide(Task(game.initial(), game.evaluator()))
    is_won = 0
    for heap in heaps:
        is_won = xor(is_won, heap)
    assert sign(found.value) == (1 if is_won else -1)


# The shortest mates, found by trying all moves with python-chess.
MATES = [
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 2),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", "d2h6", 2),
    ("5rk1/5Npp/8/3Q4/8/8/6PP/6K1 w - - 0 1", "f7h6", 3),
    ("r5rk/2p1Nppp/3p3P/pp2p1P1/4P3/2qnPQK1/8/R6R w - - 0 1", "h6g7", 4),
]
needs_compiler = pytest.mark.skipif(is_interpreting(), reason="too much for plain Python")


@needs_compiler
@pytest.mark.parametrize(("text", "move", "moves"), MATES)
def test_forced_mates_are_found_with_their_distance(text: str, move: str, moves: int) -> None:
    game = plies.game("chess")
    state = game.parse_position(text)
    found = Engine(depth=12, table=4).decide(Task(state, game.evaluator()))
    assert found.value == win_in(2 * moves - 1)
    assert game.move_text(state, found.move) == move
    if moves > 1:
        after = Task(game.play(state, found.move), game.evaluator())
        assert Engine(depth=12, table=4).decide(after).value == lose_in(2 * moves - 2)


@needs_compiler
@pytest.mark.parametrize(
    "text", ["7k/8/8/4K3/8/8/8/R7 w - - 0 1", "8/5k2/8/4K3/8/8/8/Q7 w - - 0 1"]
)
def test_a_mate_by_quiet_moves_is_real_though_there_may_be_a_shorter_one(text: str) -> None:
    """Quiet moves are searched less deep, so the shortest way is not promised."""
    game = plies.game("chess")
    task = Task(game.parse_position(text), game.evaluator())
    found = Engine(depth=12, table=4).decide(task)
    assert found.value is not None
    assert found.value > MAX_EVALUATION
    distance = WIN - found.value
    exact = Engine(depth=distance, table=16, exact=True).decide(replace(task, memory={}))
    assert exact.value is not None
    assert exact.value >= found.value


@needs_compiler
@pytest.mark.parametrize("spec", ["tictactoe:width=4,height=4,k=3", "quixo:n=4", "morris"])
def test_what_is_called_decided_is_decided(spec: str) -> None:
    """Whatever the engine guesses, a win or a loss it announces is one, no farther away."""
    game = plies.game(spec)
    decided = 0
    for seed in range(20):
        task = Task(position_after(game, 3 * seed, seed), game.evaluator())
        value = Engine(depth=6, table=1).decide(task).value
        assert value is not None
        if abs(value) <= MAX_EVALUATION:
            continue
        decided += 1
        exact = Engine(depth=WIN - abs(value), table=1, exact=True)
        known = exact.decide(replace(task, memory={})).value
        assert known is not None
        assert known >= value if value > 0 else known <= value
    assert decided >= 3
