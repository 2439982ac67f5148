"""The written forms of trees."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.core.scores import MAX_EVALUATION
from plies.errors import BadTree
from plies.games.tree import Inner, Leaf, Tree, tree_game
from plies.games.tree.nodes import MAX_NESTING, MAX_NODES, is_scalar, tree_text
from plies.games.tree.reading import read_tree, read_tree_file
from tree_samples import PAPER, THREE_PLAYERS, size, trees

WIDE_NUMBERS = st.integers(-MAX_EVALUATION, MAX_EVALUATION)
ANY_TREE = st.one_of(
    trees(),
    trees(WIDE_NUMBERS, label=lambda index: ("up", "", "Straße_2")[index]),
    trees(st.tuples(WIDE_NUMBERS, WIDE_NUMBERS, WIDE_NUMBERS), players=3),
)


def json_form(node: Tree, is_scalar: bool) -> Any:
    """The JSON form of a tree, as `json.dumps` takes it."""
    label = {"label": node.label} if node.label else {}
    if isinstance(node, Leaf):
        return {"payoff": node.payoff, **label} if label else node.payoff
    mover = ("max", "min")[node.mover] if is_scalar else node.mover + 1
    children = [json_form(child, is_scalar) for child in node.children]
    return {"mover": mover, **label, "children": children}


def test_the_text_form_reads_as_it_is_written() -> None:
    expected = Inner(0, (Leaf(3), Inner(1, (Leaf(5), Leaf(-2)), label="A"), Leaf(0, "end")))
    assert read_tree("M(3, A = m(5, -2), end = 0)") == expected
    assert read_tree("max ( +3 ,A=min(5\n,-2),#comment (\nend =0)\n# M(") == expected
    assert read_tree("1(3, A = 2(5, -2), end = 0)") == expected


def test_the_json_form_reads_as_it_is_written() -> None:
    expected = Inner(0, (Leaf((1, 2)), Inner(1, (Leaf((3, 4), "up"),), "A")))
    text = """{"mover": "max", "children": [[1, 2],
               {"mover": 2, "label": "A", "children": [{"payoff": [3, 4], "label": "up"}]}]}"""
    assert read_tree(text) == expected
    assert read_tree(f"\ufeff  {text}") == expected


def test_a_tree_may_be_a_single_leaf() -> None:
    assert read_tree("7") == Leaf(7)
    assert read_tree("(7, -2)") == read_tree("[7, -2]") == Leaf((7, -2))


def test_labels_may_be_called_like_movers() -> None:
    assert read_tree("M = m(max = 1)") == Inner(1, (Leaf(1, "max"),), "M")


@given(ANY_TREE)
def test_both_forms_read_back_as_the_same_tree(tree: Tree) -> None:
    assert read_tree(tree_text(tree)) == tree
    assert read_tree(json.dumps(json_form(tree, is_scalar(tree)))) == tree


@given(ANY_TREE)
def test_every_way_of_writing_a_tree_has_one_canonical_text(tree: Tree) -> None:
    spread = tree_text(tree).replace(",", " # and\n ,").replace("(", "\n( ")
    assert tree_text(read_tree(spread)) == tree_text(tree)


def test_the_paper_tree_has_52_nodes_and_28_leaves() -> None:
    # project facts, n players, "A paper-sized tree with non-alternating movers"
    assert size(read_tree_file(str(PAPER))) == (52, 28)


def test_trees_of_vectors_are_written_with_player_numbers() -> None:
    assert tree_text(read_tree_file(str(THREE_PLAYERS))).startswith("1(2(3((1, 2, 3), (4, 2, 1)),")
    assert tree_text(read_tree("M(m((1, -1)), (0, 0))")) == "1(2((1, -1)), (0, 0))"


def test_text_that_is_no_json_is_refused_with_line_and_column() -> None:
    with pytest.raises(BadTree, match=r"^line 2, column 1[45]: [^\n]+$"):
        read_tree('{"mover": 1,\n "children": 1;}')


@given(st.one_of(st.text(), st.text('Mm(),=-12.A# \n{}[]"')))
def test_any_text_is_a_tree_or_refused_in_one_line(text: str) -> None:
    refusal = ""
    try:
        tree = read_tree(text)
        assert read_tree(tree_text(tree)) == tree
    except BadTree as error:
        refusal = str(error)
    assert "\n" not in refusal


@pytest.mark.parametrize("deep", ["m(" * 500 + "1" + ")" * 500, "[" * 100_000])
def test_nesting_is_limited(deep: str) -> None:
    with pytest.raises(BadTree, match=f"nested .*{MAX_NESTING}"):
        read_tree(deep)


def test_a_tree_of_the_greatest_depth_is_read() -> None:
    text = "m(" * MAX_NESTING + "1" + ")" * MAX_NESTING
    assert tree_text(read_tree(text)) == text
    with pytest.raises(BadTree, match="nested"):
        read_tree(f"M({text})")


def test_the_number_of_nodes_is_limited() -> None:
    with pytest.raises(BadTree, match=f"{MAX_NODES} nodes"):
        read_tree(f"M({'1,' * MAX_NODES}1)")


def test_a_file_is_named_in_what_is_wrong_with_it(tmp_path: Path) -> None:
    broken = tmp_path / "broken.tree"
    broken.write_text("M(1,\n,)")
    with pytest.raises(BadTree, match=r"broken\.tree: line 2, column 1: "):
        read_tree_file(str(broken))
    broken.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadTree, match=r"broken\.tree: .*UTF-8"):
        read_tree_file(str(broken))
    with pytest.raises(BadTree, match=r"missing\.tree: No such file"):
        read_tree_file(str(tmp_path / "missing.tree"))


@pytest.mark.parametrize(
    "tree",
    [Inner(0, ()), Inner(-1, (Leaf(1),)), Inner(0, (Leaf(1, "no label"),)), Leaf((1,))],
)
def test_a_tree_made_in_python_is_checked_too(tree: Tree) -> None:
    with pytest.raises(BadTree, match=r"^node "):
        tree_game(tree)
