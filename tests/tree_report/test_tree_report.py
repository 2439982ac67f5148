"""What a search sees of a tree, and the order in which it sees least."""

import json
from collections.abc import Iterator
from itertools import permutations, product
from math import factorial, inf, prod
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plies.errors import BadSpec
from plies.games.tree import Inner, Leaf, Tree, read_tree
from plies.games.tree.nodes import Path, walk
from plies.games.tree.reading import read_tree_file
from plies.search.alphabeta import Cut, Fail
from plies.tree_report import (
    analyse,
    best_ordering,
    leaves_evaluated,
    ordered,
    report_json,
    report_text,
)
from plies.tree_report.ordering import ORDERS, Order
from tree_samples import NUMBERS, PAPER, THREE_PLAYERS, trees

FAILS: tuple[Fail, ...] = get_args(Fail)
CUTS: tuple[Cut, ...] = get_args(Cut)
PROVABLE: list[tuple[Fail, Cut]] = [("soft", "equal"), ("hard", "equal"), ("soft", "beyond")]


def count_of_orderings(tree: Tree) -> int:
    below = prod(count_of_orderings(child) for child in tree.children)
    return factorial(len(tree.children)) * below


def all_orderings(tree: Tree) -> Iterator[Tree]:
    """The tree with the children of every node in every order."""
    if isinstance(tree, Leaf):
        yield tree
        return
    for children in product(*(list(all_orderings(child)) for child in tree.children)):
        for order in permutations(children):
            yield Inner(tree.mover, order, tree.label)


def value_of(tree: Tree) -> int:
    """Minimax without any search but this line."""
    if isinstance(tree, Leaf):
        return tree.payoffs[0]
    return (max, min)[tree.mover](value_of(child) for child in tree.children)


def node_at(tree: Tree, path: Path) -> Tree:
    for index in path:
        tree = tree.children[index]
    return tree


def uniform_tree(width: int, depth: int, payoffs: Iterator[int], mover: int = 0) -> Tree:
    if depth == 0:
        return Leaf(next(payoffs))
    children = [uniform_tree(width, depth - 1, payoffs, 1 - mover) for _ in range(width)]
    return Inner(mover, tuple(children))


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("fail", FAILS)
def test_the_value_of_the_paper_tree_is_1_by_the_third_move(fail: Fail, cut: Cut) -> None:
    # project facts, n players: A = -10, B = 0, C = 1, root 1 (third move)
    report = analyse(read_tree_file(str(PAPER)), fail=fail, cut=cut)
    assert (report.answer.value, report.line[0], report.size) == (1, "3", (52, 28))
    everything = analyse(report.original, "minimax")
    assert [everything.visits[path].value for path in ((0,), (1,), (2,))] == [-10, 0, 1]
    assert (everything.answer.nodes, everything.answer.leaves) == (52, 28)


@pytest.mark.parametrize("fail", FAILS)
def test_the_paper_tree_costs_20_or_14_or_9_leaves(fail: Fail) -> None:
    # project facts, n players: left to right 20, right to left 14, best ordering 9
    tree = read_tree_file(str(PAPER))
    expected = {"left": 20, "right": 14, "best": 9}
    assert analyse(tree, fail=fail).leaves_by_order == expected
    for order in ORDERS:
        report = analyse(tree, fail=fail, order=order)
        assert report.answer.leaves == expected[order]
        assert report.line[0] == "3"
        assert report.ordering.is_proven


def test_three_players_reach_1_2_3() -> None:
    # project facts, n players, "Known example, movers 1,2,3": root (1,2,3)
    report = analyse(read_tree_file(str(THREE_PLAYERS)))
    assert report.algorithm == "maxn"
    assert report.answer.value == (1, 2, 3)
    assert report.orderings == {}


@settings(max_examples=60)
@given(trees(most_leaves=7).filter(lambda tree: 1 < count_of_orderings(tree) <= 300))
def test_no_ordering_beats_the_best(tree: Tree) -> None:
    for fail, cut in PROVABLE:
        fewest = min(leaves_evaluated(other, fail, cut) for other in all_orderings(tree))
        best = best_ordering(tree, fail, cut)
        assert best.is_proven
        assert leaves_evaluated(best.tree, fail, cut) == fewest


@pytest.mark.parametrize(
    ("text", "fewest"),
    [
        # After 17 the leaf 54 cuts at once; the better reply m(58, 91) would cost two leaves.
        ("m(M(54, m(58, 91)), 17)", 2),
        # Both moves are worth 1; the leaf proves it sooner.
        ("M(m(2, 1), 1)", 2),
    ],
)
def test_the_best_ordering_is_more_than_sorting_by_value(text: str, fewest: int) -> None:
    tree = read_tree(text)
    assert min(leaves_evaluated(other) for other in all_orderings(tree)) == fewest
    assert leaves_evaluated(best_ordering(tree).tree) == fewest


@settings(max_examples=25)
@given(st.data())
@pytest.mark.parametrize(("width", "depth"), [(2, 4), (3, 3), (4, 2)])
def test_uniform_trees_reach_the_minimum_of_knuth_and_moore(
    width: int, depth: int, data: st.DataObject
) -> None:
    # Knuth and Moore, An analysis of alpha-beta pruning (1975), corollary 1
    minimum = width ** -(-depth // 2) + width ** (depth // 2) - 1
    count = width**depth
    payoffs = data.draw(st.lists(st.integers(-9, 9), min_size=count, max_size=count))
    tree = uniform_tree(width, depth, iter(payoffs))
    assert leaves_evaluated(best_ordering(tree).tree) == minimum


@given(trees())
def test_an_unproven_best_is_no_worse_than_either_direction(tree: Tree) -> None:
    best = best_ordering(tree, "hard", "beyond")
    assert not best.is_proven
    others = [leaves_evaluated(ordered(tree, order).tree, "hard", "beyond") for order in ORDERS[:2]]
    assert leaves_evaluated(best.tree, "hard", "beyond") <= min(others)
    assert "(not proven)" in report_text(analyse(tree, fail="hard", cut="beyond"))


@given(trees(label=lambda index: "abc"[index]), st.sampled_from(ORDERS))
def test_an_ordering_only_moves_children(tree: Tree, order: Order) -> None:
    found = ordered(tree, order)
    paths = [path for path, _ in walk(found.tree)]
    assert sorted(found.original(path) for path in paths) == sorted(path for path, _ in walk(tree))
    for path in paths:
        here, there = node_at(found.tree, path), node_at(tree, found.original(path))
        assert here.label == there.label
        assert isinstance(here, Leaf) == isinstance(there, Leaf)
    assert value_of(found.tree) == value_of(tree)


@given(trees(), st.sampled_from(FAILS), st.sampled_from(CUTS))
def test_what_a_report_says_of_a_node_is_true(tree: Tree, fail: Fail, cut: Cut) -> None:
    report = analyse(tree, fail=fail, cut=cut)
    assert report.visits[()].bound == "exact"
    assert report.visits[()].value == value_of(tree)
    for path, visit in report.visits.items():
        value = value_of(node_at(tree, path))
        if visit.bound == "exact":
            assert value == visit.value
        else:
            assert value >= visit.value if visit.bound == "at least" else value <= visit.value


@given(trees(), st.sampled_from(FAILS), st.sampled_from(CUTS))
def test_nodes_are_skipped_below_cuts_and_nowhere_else(tree: Tree, fail: Fail, cut: Cut) -> None:
    report = analyse(tree, fail=fail, cut=cut)
    assert len(report.visits) == report.answer.nodes
    assert sorted(visit.order for visit in report.visits.values()) == list(
        range(1, report.answer.nodes + 1)
    )
    for path, node in walk(tree):
        skipped = [i for i in range(len(node.children)) if (*path, i) not in report.visits]
        if path in report.visits:
            assert bool(skipped) == bool(report.cut_text(path))
        else:
            assert len(skipped) == len(node.children)


def test_a_cut_tells_its_reason() -> None:
    tree = read_tree("M(m(3, 5), m(2, 9), m(3, 8))")
    on_equality = analyse(tree)
    assert on_equality.cut_text((1,)) == "alpha 3 >= beta 2"
    assert on_equality.cut_text((2,)) == "alpha 3 >= beta 3"
    assert on_equality.visits[2,].window == (3, inf)
    beyond = analyse(tree, cut="beyond")
    assert beyond.cut_text((1,)) == "alpha 3 > beta 2"
    assert beyond.cut_text((2,)) == ""


@given(trees(), trees(NUMBERS.map(lambda number: (number, -number))))
def test_maxn_equals_minimax_where_gains_and_losses_cancel(one: Tree, other: Tree) -> None:
    for tree in (one, other):
        answer = analyse(tree, "maxn").answer
        assert answer.value[0] == -answer.value[1] == analyse(tree, "minimax").answer.value


def test_alpha_beta_is_refused_where_gains_and_losses_do_not_cancel() -> None:
    tree = read_tree("1((1, 2), (2, 1))")
    for algorithm in ("minimax", "alphabeta"):
        with pytest.raises(BadSpec, match="two-player zero-sum tree"):
            analyse(tree, algorithm)
    with pytest.raises(BadSpec, match="two-player zero-sum tree"):
        analyse(tree, order="best")


def test_the_drawing_shows_values_windows_and_cuts() -> None:
    report = analyse(read_tree("M(A = m(3, 5), m(2, M(9, -1)))"))
    assert report_text(report).splitlines() == [
        "alpha-beta (fail soft, cut when alpha >= beta), children from left to right",
        "",
        "M = 3          (-∞, ∞)",
        "├─ A: m = 3 *  (-∞, ∞)",
        "│  ├─ 3 *",
        "│  └─ 5",
        "└─ m ≤ 2       (3, ∞)   cut: alpha 3 >= beta 2",
        "   ├─ 2",
        "   └─ M                 not visited",
        "      ├─ 9              not visited",
        "      └─ -1             not visited",
        "",
        "value   3",
        "line    A 1 (marked *)",
        "nodes   6 of 9 visited",
        "leaves  3 of 5 evaluated",
        "alpha-beta evaluates left to right 3, right to left 5, best order 3",
        "best order: M(A = m(3, 5), m(2, M(9, -1)))",
    ]


@pytest.mark.parametrize("file", [PAPER, THREE_PLAYERS])
def test_the_json_of_a_report_is_plain_and_complete(file: str) -> None:
    report = analyse(read_tree_file(str(file)), order="right")
    document = json.loads(json.dumps(report_json(report), allow_nan=False))
    assert {"value", "move", "leaves", "nodes", "orderings"} <= set(document)
    assert len(document["visits"]) == document["tree"]["nodes"]
    visited = [visit for visit in document["visits"] if visit["is_visited"]]
    assert len(visited) == document["nodes"]


def test_a_tree_of_one_leaf_has_a_value_and_no_move() -> None:
    document = report_json(analyse(read_tree("7")))
    assert (document["value"], document["move"], document["leaves"]) == (7, None, 1)
    assert "value   7" in report_text(analyse(read_tree("7")))
