"""The laboratory: every search of a small tree or position, step by step."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core.contract import Game
from plies.errors import BadSpec, PliesError
from plies.games.tree import PAPER_TREE, Tree
from plies.games.tree.nodes import tree_text
from plies.search.runner import StopFlag
from plies.web.lab import search as lab
from plies.web.lab.messages import LabStep, LabTrace, TraceRequest
from plies.web.lab.options import ENTRIES
from plies.web.lab.search import laboratory, run
from tree_samples import trees

THREE = "1(2(3((1, 2, 3), (4, 2, 1)), (6, 1, 2)), 2((3, 4, 2), 3((7, 1, 1), (2, 2, 5))))"
SEARCHES = [name for name in ENTRIES if name != "mcts"]


def trace_of(tree: str = PAPER_TREE, algorithm: str = "alphabeta", **asked: Any) -> LabTrace:
    return run(TraceRequest(tree=tree, algorithm=algorithm, **asked), plies.game)


def trace_of_game(game: str, algorithm: str, **asked: Any) -> LabTrace:
    return run(TraceRequest(game=game, algorithm=algorithm, **asked), plies.game)


def leaf_steps(trace: LabTrace) -> list[LabStep]:
    return [step for each in trace.passes for step in each.steps if step.kind == "leaf"]


# Project facts, n players: of the 28 leaves alpha-beta evaluates 20 from left to right, 14 from
# right to left and 9 in the best order; the value is 1, by the third move.
@pytest.mark.parametrize(("order", "leaves"), [("left", 20), ("right", 14), ("best", 9)])
def test_the_paper_tree_is_stepped_through_to_its_leaves(order: Any, leaves: int) -> None:
    trace = trace_of(order=order)
    assert trace.leaves == len(leaf_steps(trace)) == leaves
    assert trace.orders == {"left": 20, "right": 14, "best": 9}
    assert (trace.value, trace.line_text.split()[0]) == ("1", "C")
    assert (trace.all_nodes, trace.all_leaves, trace.is_whole) == (52, 28, True)
    last = trace.passes[0].steps[-1]
    assert (last.kind, last.node, last.value, last.bound) == ("leave", 0, "1", "exact")
    assert (last.nodes, last.leaves, last.cutoffs) == (trace.nodes, trace.leaves, trace.cutoffs)


def test_a_cut_is_told_with_its_reason_and_windows_narrow() -> None:
    trace = trace_of("M(m(3, 5), m(2, 9))")
    told = {step.kind: step for step in trace.passes[0].steps}
    assert told["cut"].told == "Cut after 2: alpha 3 >= beta 2: Max can have 3 at the root"
    windows = [step.window for step in trace.passes[0].steps if step.node == 0]
    assert windows == ["(-∞, ∞)", "(3, ∞)", "(3, ∞)"]
    assert [step.child for step in trace.passes[0].steps if step.kind == "update"] == [2, 1, 5]


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("tree", [PAPER_TREE, THREE], ids=["two", "three"])
def test_the_last_step_of_every_search_is_its_answer(name: str, tree: str) -> None:
    if tree == THREE and name not in ("maxn", "paranoid"):
        with pytest.raises(BadSpec, match=f"{name} is for two-player zero-sum games"):
            trace_of(tree, name)
        return
    trace = trace_of(tree, name)
    last = trace.passes[-1].steps[-1]
    assert (last.kind, last.node, last.value) == ("leave", 0, trace.value)
    told = [node.move for node in trace.tree]
    assert [told[node] for node in trace.line] == trace.line_text.split()
    if name not in ("branch", "beam"):  # their ranking searches evaluate leaves as well
        assert len(leaf_steps(trace)) == trace.leaves


def test_simulations_are_told_one_by_one() -> None:
    trace = trace_of(algorithm="mcts:simulations=30,seed=1")
    assert len(trace.simulations) == trace.leaves == 30
    assert trace.simulations[0].node == 0
    assert sum(each.is_new for each in trace.simulations) == trace.nodes
    assert not trace.passes


def test_deepening_has_one_pass_for_every_depth() -> None:
    trace = trace_of(algorithm="deepening")
    assert [each.depth for each in trace.passes] == [1, 2, 3, 4]
    unpruned = trace_of(algorithm="deepening:prune=none")
    assert (unpruned.value, unpruned.cutoffs) == (trace.value, 0)
    assert unpruned.nodes > trace.nodes


def test_what_was_ranked_below_is_dropped_and_counted() -> None:
    trace = trace_of(algorithm="branch:width=1,look=1")
    drops = [step for step in trace.passes[0].steps if step.kind == "drop"]
    assert drops
    assert any("to rank children" in note for note in trace.notes)
    seen = {step.node for step in trace.passes[0].steps if step.kind in ("enter", "leaf")}
    assert not seen & {step.node for step in drops}


def test_a_depth_cuts_the_tree_off_and_estimates() -> None:
    trace = trace_of("M(m(1, 6), m(2, 9))", "minimax:depth=1")
    # the means of 1 and 6 and of 2 and 9, rounded to even
    assert [(node.kind, node.value, node.hidden) for node in trace.tree[1:]] == [
        ("horizon", "4", 2),
        ("horizon", "6", 2),
    ]
    assert trace.value == "6"
    zero = trace_of("M(m(1, 6), m(2, 9))", "minimax:depth=1", evaluator="zero")
    assert zero.value == "0"


@settings(max_examples=60)
@given(tree=trees(most_leaves=20), order=st.sampled_from(["left", "right", "best"]))
def test_every_node_is_looked_at_or_below_something_left_out(tree: Tree, order: Any) -> None:
    trace = trace_of(tree_text(tree), order=order)
    steps = trace.passes[0].steps
    seen = {step.node for step in steps if step.kind in ("enter", "leaf")}
    cut = {step.node for step in steps if step.kind == "cut"}
    for place, node in enumerate(trace.tree):
        if node.parent is not None and place not in seen:
            assert node.parent in cut or node.parent not in seen
    assert len(seen) == trace.nodes


def test_a_small_position_is_drawn_whole_and_can_be_put_in_order() -> None:
    trace = trace_of_game("tictactoe", "alphabeta", position="XOX/OXO/... X")
    assert trace.is_whole
    assert (trace.value, trace.line_text) == ("win in 1", "a1")
    assert trace.tree[0].position == "XOX/OXO/... X"
    assert trace.orders is not None
    best = trace_of_game("tictactoe", "alphabeta", position="XOX/OXO/... X", order="best")
    assert best.leaves == trace.orders["best"]


def test_of_a_large_position_the_first_plies_are_drawn() -> None:
    trace = trace_of_game("tictactoe", "alphabeta:depth=5")
    assert not trace.is_whole
    assert len(trace.tree) <= 2 * lab.DRAWN
    assert any("too large to be drawn whole" in note for note in trace.notes)
    last = trace.passes[0].steps[-1]
    assert (last.node, last.leaves) == (0, trace.leaves)
    rests = [node for node in trace.tree if node.kind == "rest"]
    assert all(node.move == f"{node.hidden} more" for node in rests)
    with pytest.raises(BadSpec, match="choose a smaller depth"):
        trace_of_game("tictactoe", "alphabeta:depth=5", order="best")


@pytest.mark.parametrize("algorithm", ["alphabeta:depth=7", "minimax:depth=5"])
def test_a_best_child_that_is_not_drawn_is_no_other_node(algorithm: str) -> None:
    """A page that follows the best line would otherwise go round for ever."""
    trace = trace_of_game("tictactoe", algorithm)
    assert not trace.is_whole
    steps = [step for each in trace.passes for step in each.steps]
    assert any(step.kind == "update" and step.child is None for step in steps)
    for step in steps:
        assert step.child is None or trace.tree[step.child].parent == step.node


def test_a_wide_position_is_asked_for_its_moves_once_and_not_for_each_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = Counter[Any]()
    moves = Game.moves

    def counted(game: Game, state: Any) -> Any:
        asked[state] += 1
        return moves(game, state)

    monkeypatch.setattr(Game, "moves", counted)
    monkeypatch.setattr(lab, "BUDGET", 50)
    trace = trace_of_game("nim:rows=900", "minimax:depth=3")
    assert sum(node.hidden for node in trace.tree if node.kind == "rest") > 800
    assert max(asked.values()) < 10


def test_simulations_of_a_game_grow_their_own_tree() -> None:
    trace = trace_of_game("nim:rows=1-2-2", "mcts:simulations=20")
    assert not trace.is_whole
    assert len(trace.simulations) == 20
    assert max(each.node for each in trace.simulations) < len(trace.tree)


def test_a_search_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "BUDGET", 10)
    trace = trace_of_game("tictactoe", "alphabeta:depth=5")
    assert not trace.is_complete
    assert trace.notes[0] == "The search was stopped after 10 nodes."


def test_a_search_that_nobody_waits_for_is_stopped() -> None:
    stop = StopFlag()
    stop.stop()
    asked = TraceRequest(game="chess", algorithm="alphabeta:depth=3")
    trace = run(asked, plies.game, stop)
    assert not trace.is_complete
    assert trace.nodes < 10


def test_the_documentation_tells_the_limits() -> None:
    page = Path(__file__).parents[2] / "docs" / "laboratory.md"
    told = " ".join(page.read_text(encoding="utf-8").split())
    assert f"at most {lab.DRAWN} nodes is drawn whole" in told
    assert f"ends after {lab.BUDGET:,} nodes or {lab.SECONDS:.0f} seconds" in told
    assert f"a position to depth {lab.DEPTH}" in told


def test_every_example_can_be_run() -> None:
    for example in laboratory().examples:
        asked = dict(example.parameters)
        other, other_order = asked.pop("with", ""), asked.pop("with-order", "left")
        if "game" not in asked:
            asked.setdefault("tree", laboratory().tree)
        assert run(TraceRequest(**asked), plies.game).is_complete  # type: ignore[arg-type]
        if other:
            asked |= {"algorithm": other, "order": other_order}
            assert run(TraceRequest(**asked), plies.game).is_complete  # type: ignore[arg-type]


@pytest.mark.parametrize("algorithm", ["alphabeta:depth=3", "deepening:depth=6", "minimax:depth=4"])
def test_an_answer_stays_small(algorithm: str) -> None:
    trace = trace_of_game("tictactoe", algorithm)
    assert len(trace.model_dump_json()) < 1_000_000


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"tree": "M(3"}, "line 1, column 4"),
        ({"tree": ""}, "give either a tree or a game"),
        ({"tree": "M(3)", "game": "nim"}, "give either a tree or a game"),
        ({"tree": "M(3)", "algorithm": "alphabta"}, "no trace can be made of alphabta"),
        ({"tree": "M(3)", "algorithm": "minimax:fail=hard"}, "minimax has no option fail"),
        ({"tree": "M(3)", "algorithm": "minimax:children=3"}, "minimax has no option children"),
        ({"tree": "M(3)", "algorithm": "minimax:depth=99"}, "depth is 1 to 12"),
        ({"tree": "M(3)", "algorithm": "minimax:depth=x"}, "depth"),
        ({"tree": "M(3)", "algorithm": "mcts:simulations=99999"}, "simulations is 1 to 400"),
        ({"tree": "M(3)", "algorithm": "mcts:c=nan"}, "c is 0 to 100"),
        ({"tree": "M(3)", "evaluator": "deep"}, "a tree has no evaluator deep"),
        ({"tree": f"M({', '.join('1' * 700)})"}, "more than 600 nodes"),
        ({"tree": THREE, "algorithm": "maxn", "order": "best"}, "the best order is about"),
        ({"game": "tictactoe", "position": "XXX/OO./... O"}, "the game is over"),
        ({"game": "tictactoe", "position": "hello"}, "not a tictactoe position"),
        ({"game": "tictactoe", "evaluator": "deep"}, "has no evaluator deep"),
        ({"game": "chss"}, "there is no game chss"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_one_line(asked: Any, complaint: str) -> None:
    with pytest.raises(PliesError, match=complaint) as refused:
        run(TraceRequest(**asked), plies.game)
    assert "\n" not in str(refused.value)
