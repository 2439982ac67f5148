"""A record of a search says what happened in its tree, and what that proves."""

import json
from math import inf
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.errors import BadSpec
from plies.games.tree import Inner, Leaf, Tree, read_tree, tree_game
from plies.games.tree.nodes import walk
from plies.games.tree.reading import read_tree_file
from plies.search.alphabeta import Cut, Fail
from plies.search.trace import ALGORITHMS, Node, Trace, record, record_tree
from search_samples import EVERY_GAME, position_after
from tree_samples import PAPER, THREE_PLAYERS, trees

# Every algorithm with settings that keep plain Python quick.
QUICK: dict[str, dict[str, Any]] = {
    "minimax": {"depth": 2},
    "alphabeta": {"depth": 2},
    "deepening": {"depth": 2},
    "branch": {"depth": 2, "look": 0, "width": 2},
    "beam": {"depth": 2, "above": 2},
    "maxn": {"depth": 2},
    "paranoid": {"depth": 2},
    "mcts": {"simulations": 8, "plies": 20},
}
PRUNING = ["alphabeta", "deepening", "paranoid"]


def recorded(tree: Tree, algorithm: str = "alphabeta", **options: Any) -> Trace:
    game = tree_game(tree)
    return record(game, game.initial(), algorithm, **options)


def nodes_of(trace: Trace) -> dict[tuple[int, ...], Node]:
    return {node.path: node for node in trace.trees[-1].nodes}


def value_for_max(tree: Tree) -> int:
    if isinstance(tree, Leaf):
        return tree.payoffs[0]
    return (max, min)[tree.mover](map(value_for_max, tree.children))


@pytest.mark.parametrize("spec", EVERY_GAME, ids=lambda spec: spec.rpartition("/")[2])
def test_every_search_of_every_game_can_be_recorded_and_written(spec: str) -> None:
    game = plies.game(spec)
    state = position_after(game, 4, seed=2)
    is_zero_sum = game.is_zero_sum(state)
    for name, algorithm in ALGORITHMS.items():
        if not (is_zero_sum or algorithm.has_vectors):
            continue
        trace = record(game, state, name, limit=50, **QUICK[name])
        data = json.loads(json.dumps(trace.as_data(), allow_nan=False))
        root = data["trees"][-1]["nodes"][0]
        assert root["position"] == game.position_text(state)
        assert root["player"] == game.mover(state)
        assert data["line"][0] in game.move_texts(state)


def test_there_are_settings_for_every_algorithm() -> None:
    assert set(QUICK) == set(ALGORITHMS)


# Project facts, n players: from left to right alpha-beta evaluates 20 of the 28 leaves, and
# A = -10, B = 0, C = 1, so that the third move is best.
def test_the_record_of_the_paper_tree_tells_values_bounds_and_cuts() -> None:
    trace = recorded(read_tree_file(str(PAPER)))
    assert (trace.value, trace.line[0], trace.leaves) == (1, "3", 20)
    nodes = nodes_of(trace)
    assert [nodes[path].value for path in ((0,), (1,), (2,))] == [-10, 0, 1]
    assert [node.order for node in trace.trees[0].nodes] == [*range(1, trace.nodes + 1)]
    assert sum(node.kind == "leaf" for node in nodes.values()) == 20


def test_a_cut_names_the_ancestor_whose_bound_made_it() -> None:
    trace = recorded(read_tree("M(m(3, 5), m(A = M(m(4, 9), 1), 2, 7))"))
    nodes = nodes_of(trace)
    assert nodes[1,].cut == "alpha +3 >= beta +2: Max can have +3 at the root"
    assert [(out.move, out.reason) for out in nodes[1,].left_out] == [("3", "cut")]
    assert nodes[1,].bound == "at most"
    assert (nodes[1,].window, nodes[1,].window_text) == ((3, None), "(+3, ∞)")
    # the Max node A may have 4 at most, which Min above it does not mind
    deep = nodes_of(recorded(read_tree("m(7, M(5, A = m(M(6, 2), M(9, 0), 8)))")))
    assert deep[1, 1, 1].cut == "alpha +9 >= beta +6: Min can have +6 after 2 A"
    assert deep[1,].cut == ""


def test_a_cut_beyond_equality_is_told_as_such() -> None:
    trace = recorded(read_tree("M(3, m(2, 1))"), cut="beyond")
    assert nodes_of(trace)[1,].cut == "alpha +3 > beta +2: Max can have +3 at the root"


@given(tree=trees(), fail=st.sampled_from(get_args(Fail)), cut=st.sampled_from(get_args(Cut)))
def test_what_a_record_says_of_a_value_is_true(tree: Tree, fail: Fail, cut: Cut) -> None:
    truth = {path: value_for_max(node) for path, node in walk(tree)}
    nodes = nodes_of(recorded(tree, fail=fail, cut=cut))
    for path, node in nodes.items():
        holds = {
            "exact": truth[path] == node.value,
            "at least": truth[path] >= node.value,
            "at most": truth[path] <= node.value,
        }
        assert holds[node.bound]
    assert nodes[()].bound == "exact"


@given(tree=trees(most_leaves=20), algorithm=st.sampled_from(PRUNING))
def test_every_child_was_looked_at_or_left_out(tree: Tree, algorithm: str) -> None:
    trace = recorded(tree, algorithm, depth=9)
    nodes = nodes_of(trace)
    for path, node in walk(tree):
        if path not in nodes:
            continue
        seen = {child[-1] for child in nodes if child[:-1] == path and child}
        left_out = {out.index for out in nodes[path].left_out}
        assert seen | left_out == set(range(len(node.children)))
        assert not seen & left_out
        assert bool(nodes[path].cut) == bool(left_out)


@settings(max_examples=50)
@given(tree=trees(most_leaves=30), limit=st.integers(1, 30))
def test_a_record_keeps_whole_plies_and_counts_what_it_hides(tree: Tree, limit: int) -> None:
    whole = recorded(tree, "minimax").trees[0]
    kept = recorded(tree, "minimax", limit=limit).trees[0]
    assert len(kept.nodes) <= max(limit, 1)
    assert len(kept.nodes) + kept.hidden == len(whole.nodes)
    assert sum(node.hidden for node in kept.nodes) == kept.hidden
    last = max(len(node.path) for node in kept.nodes)
    assert [node.path for node in kept.nodes] == [
        node.path for node in whole.nodes if len(node.path) <= last
    ]
    assert kept.nodes[0].value == whole.nodes[0].value


def test_a_stopped_search_leaves_unfinished_nodes() -> None:
    trace = recorded(read_tree("M(m(3, 5), m(2, 9))"), budget=5)
    assert not trace.is_complete
    nodes = nodes_of(trace)
    assert (nodes[()].bound, nodes[()].value) == ("unfinished", 3)
    assert nodes[1,].bound == "unfinished"
    assert {out.reason for out in nodes[1,].left_out} == {"not reached"}


def test_the_horizon_is_told_from_the_end_of_the_game() -> None:
    trace = recorded(read_tree("M(7, m(3, 5))"), depth=1)
    kinds = {path: node.kind for path, node in nodes_of(trace).items()}
    assert kinds == {(): "max", (0,): "leaf", (1,): "horizon"}


@given(tree=trees(most_leaves=20), algorithm=st.sampled_from([*PRUNING, "minimax", "maxn"]))
def test_the_steps_of_a_record_lead_to_its_answer(tree: Tree, algorithm: str) -> None:
    trace = recorded(tree, algorithm, depth=9)
    last = trace.trees[-1].steps[-1]
    assert (last.kind, last.path, last.value) == ("leave", (), trace.value)
    ends = [each.steps[-1] for each in trace.trees]
    counts = (sum(s.nodes for s in ends), sum(s.leaves for s in ends), sum(s.cutoffs for s in ends))
    assert counts == (trace.nodes, trace.leaves, trace.cutoffs)
    nodes = nodes_of(trace)
    entered = [step.path for step in trace.trees[-1].steps if step.kind == "enter"]
    assert entered == [*nodes]
    left = {step.path: step for step in trace.trees[-1].steps if step.kind in ("leaf", "leave")}
    assert {path: step.value for path, step in left.items()} == {
        path: node.value for path, node in nodes.items()
    }


def test_steps_are_told_in_words() -> None:
    steps = recorded(read_tree("M(m(3, 5), m(2, 9))")).trees[0].steps
    assert [step.text for step in steps] == [
        "Enter the root: Max to move, window (-∞, ∞)",
        "Enter 1: Min to move, window (-∞, ∞)",
        "Enter 1 1, window (-∞, ∞)",
        "1 1 is a leaf: +3",
        "Min can have +3 after 1 with 1: beta falls to +3",
        "Enter 1 2, window (-∞, +3)",
        "1 2 is a leaf: +5",
        "1 is worth exactly +3",
        "Max can have +3 at the root with 1: alpha rises to +3",
        "Enter 2: Min to move, window (+3, ∞)",
        "Enter 2 1, window (+3, ∞)",
        "2 1 is a leaf: +2",
        "Min can have +2 after 2 with 1: beta falls to +2",
        "Cut after 2: alpha +3 >= beta +2: Max can have +3 at the root",
        "2 is worth at most +2",
        "The root is worth exactly +3",
    ]


def test_steps_below_what_is_kept_are_counted_but_not_told() -> None:
    tree = read_tree("M(m(M(1, 2), 5), m(M(3, 4), 9))")
    whole, kept = (recorded(tree, "minimax", limit=limit).trees[0] for limit in (100, 3))
    assert {len(step.path) for step in kept.steps} == {0, 1}
    assert [step for step in whole.steps if len(step.path) <= 1] == [*kept.steps]


def test_deepening_records_one_tree_for_every_depth() -> None:
    game = plies.game("tictactoe")
    trace = record(game, game.initial(), "deepening", depth=3)
    assert [tree.depth for tree in trace.trees] == [1, 2, 3]
    assert sum(len(tree.nodes) + tree.hidden for tree in trace.trees) == trace.nodes


def test_deepening_without_pruning_records_minimax_in_every_pass() -> None:
    game = plies.game("tictactoe")
    trace = record(game, game.initial(), "deepening", depth=2, prune="none")
    # 9 first moves, and 72 replies in the second pass
    assert [len(tree.nodes) for tree in trace.trees] == [1 + 9, 1 + 9 + 72]
    assert trace.cutoffs == 0
    with pytest.raises(BadSpec, match=r"prune .*'all'"):
        record(game, game.initial(), "deepening", depth=2, prune="all")


def test_children_ranked_below_the_others_are_told_with_their_rank() -> None:
    tree = Inner(0, tuple(Inner(1, (Leaf(value), Leaf(9))) for value in (1, 7, 4)))
    trace = recorded(tree, "branch", depth=3, look=1, width=2)
    root = nodes_of(trace)[()]
    assert [(out.index, out.reason, out.rank) for out in root.left_out] == [(0, "ranked below", 1)]
    assert (trace.value, root.bound) == (7, "exact")


def test_max_n_and_paranoid_tell_whose_turn_it_is() -> None:
    tree = read_tree_file(str(THREE_PLAYERS))
    trace = recorded(tree, "maxn")
    # project facts, n players: root (1, 2, 3)
    assert trace.value == (1, 2, 3)
    assert {node.kind for node in trace.trees[0].nodes} == {"player", "leaf"}
    assert {node.player for node in trace.trees[0].nodes} == {0, 1, 2, None}
    sides = {(node.player, node.kind) for node in recorded(tree, "paranoid").trees[0].nodes}
    assert sides == {(0, "max"), (1, "min"), (2, "min"), (None, "leaf")}


def test_monte_carlo_records_every_simulation_and_how_often_nodes_were_visited() -> None:
    game = plies.game("tictactoe")
    trace = record(game, game.initial(), "mcts", simulations=40, seed=1)
    nodes = nodes_of(trace)
    assert len(trace.simulations) == trace.leaves == nodes[()].visits == 40
    for path, node in nodes.items():
        through = sum(simulation.path[: len(path)] == path for simulation in trace.simulations)
        assert node.visits == through
    assert trace.path[0] == max(range(9), key=lambda index: nodes[index,].visits)


def test_the_trace_is_of_the_same_search_as_the_compiled_one() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("X.O/.X./... O")
    found = plies.search(game, state, "alphabeta:depth=9")
    trace = record(game, state, "alphabeta", depth=9)
    assert (trace.nodes, trace.leaves, trace.cutoffs) == (found.nodes, found.leaves, found.cutoffs)


def test_any_objects_can_be_searched_and_infinite_values_be_written() -> None:
    tree = [[3, -inf], [2, 9]]
    trace = record_tree(
        tree,
        "minimax",
        children=lambda node: node if isinstance(node, list) else [],
        evaluate=lambda node: node,
        is_max=lambda node: node is tree,
    )
    assert (trace.value, trace.line) == (2, ("2", "1"))
    data = json.loads(json.dumps(trace.as_data(), allow_nan=False))
    values = [node["value"] for node in data["trees"][0]["nodes"]]
    assert values == [2, "-inf", 3, "-inf", 2, 2, 9]


@pytest.mark.parametrize(
    ("arguments", "options", "complaint"),
    [
        (("alphabta",), {}, "no trace can be made of alphabta; did you mean alphabeta"),
        (("alphabeta",), {"dept": 2}, "alphabeta has no option dept; it has depth="),
        (("alphabeta",), {"depth": -1}, "depth is 1 to 127, not -1"),
        (("alphabeta",), {"limit": 0}, "limit is 1 to"),
        (("alphabeta",), {"budget": 0}, "budget is 1 to"),
        (("alphabeta",), {"evaluator": "deep"}, "has no evaluator deep"),
        (("branch",), {"width": 0}, "width is 1 to"),
    ],
)
def test_what_cannot_be_recorded_is_refused(
    arguments: tuple[str, ...], options: dict[str, Any], complaint: str
) -> None:
    game = plies.game("tictactoe")
    with pytest.raises(BadSpec, match=complaint):
        record(game, game.initial(), *arguments, **options)


def test_alpha_beta_of_a_game_for_three_is_refused() -> None:
    with pytest.raises(BadSpec, match="zero-sum"):
        recorded(read_tree_file(str(THREE_PLAYERS)))
