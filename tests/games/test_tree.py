"""Explicit trees as a game."""

from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.drawing.svg import HIGHLIGHT
from plies.errors import BadSpec, BadTree
from plies.games.tree import GAME, Inner, Leaf, Tree, flatten, read_tree, tree_game, tree_of
from plies.games.tree.nodes import walk
from plies.games.tree.reading import read_tree_file
from plies.testing import assert_game
from tree_samples import NUMBERS, PAPER, THREE_PLAYERS, trees

pytestmark = pytest.mark.plain

LEAF, INNER, ANY_GAME = cast(Any, (Leaf, Inner, tree_game))  # for what their types forbid


@pytest.mark.parametrize("file", [str(PAPER), str(THREE_PLAYERS)])
def test_trees_keep_the_contract_of_games(file: str) -> None:
    assert_game(GAME.with_options({"file": file}))


def test_the_default_is_the_paper_tree() -> None:
    # project facts, n players: value 1 by the third move, alpha-beta 20 leaves from left to right
    game = plies.game("tree")
    start = game.initial()
    everything = plies.search(game, start, "minimax:depth=9")
    assert (everything.value, everything.nodes, everything.leaves) == (1, 52, 28)
    found = plies.search(game, start, "alphabeta:depth=9")
    assert (found.value, found.move, found.leaves) == (1, 2, 20)
    children = [game.play(start, move) for move in game.moves(start)]
    values = [plies.search(game, child, "minimax:depth=9").value for child in children]
    # A = -10, B = 0, C = 1 for Max; Min moves there
    assert values == [10, 0, -1]


def test_a_file_is_an_option_of_the_game() -> None:
    game = plies.game(f"tree:file={PAPER}")
    assert plies.search(game, game.initial(), "alphabeta:depth=9").value == 1
    assert tree_of(game.initial()) == read_tree_file(str(PAPER))
    assert plies.game(game.spec).initial() == game.initial()


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "small.tree"
    file.write_text("M(1, 2)")
    game = plies.game(f"tree:file={file}")
    assert tree_of(game.initial()) == read_tree("M(1, 2)")
    file.write_text("M(1, 2, 3)")
    assert tree_of(game.initial()) == read_tree("M(1, 2, 3)")


def test_a_file_that_cannot_be_read_is_one_clear_line(tmp_path: Path) -> None:
    file = tmp_path / "small.tree"
    with pytest.raises(BadSpec, match=r"^tree:file=\S+small.tree: No such file"):
        plies.game(f"tree:file={file}")
    file.write_text("M(1, 2")
    with pytest.raises(BadSpec, match=r"small\.tree: line 1, column 7: "):
        plies.game(f"tree:file={file}")


def test_the_spec_of_a_tree_made_in_python_shows_the_tree() -> None:
    assert tree_game(read_tree("M(1,A=m(2))")).spec == "tree:file=M(1, A = m(2))"


def test_a_tree_is_made_of_any_whole_numbers_and_sequences() -> None:
    tree = read_tree("M(1, m(2, -3))")
    below = Inner(np.int64(1), [Leaf(np.int8(2)), Leaf(-3)])
    assert Inner(0, [Leaf(True), below]) == tree
    assert tree_of(tree_game(Inner(0, [Leaf(1), below])).initial()) == tree
    vectors = Inner(0, [Leaf([1, 2, 3]), Leaf(np.array([4, 5, 6]))])
    assert tree_game(vectors).spec == "tree:file=1((1, 2, 3), (4, 5, 6))"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LEAF(1.5), "a payoff is a whole number, not 1.5"),
        (lambda: LEAF((1, 2.0)), "a payoff is a whole number, not 2.0"),
        (lambda: LEAF("12"), "a payoff is a whole number, not '12'"),
        (lambda: INNER("M", [LEAF(1)]), "the number of a player is a whole number, not 'M'"),
        (lambda: INNER(0, [1, 2]), "children are a sequence of .*, not 1"),
        (lambda: INNER(0, Leaf(1)), "children are a sequence of .*, not Leaf.*"),
        (lambda: ANY_GAME("M(1, 2)"), r"a tree is Leaf\(...\) .* read_tree reads text"),
        (lambda: tree_game(LEAF(1, 5)), "node .: a label is a letter, .* not 5"),
    ],
)
def test_what_is_no_tree_is_refused_in_one_line(make: Any, message: str) -> None:
    with pytest.raises(BadTree, match=f"^{message}$"):
        make()


@given(st.one_of(trees(), trees(st.tuples(NUMBERS, NUMBERS, NUMBERS), players=3)))
def test_a_flat_tree_holds_the_whole_tree(tree: Tree) -> None:
    flat = flatten(tree)
    assert tree_of(tree_game(tree).initial()) == tree
    assert flatten(tree) is flat
    assert not flat.flags.writeable


def test_labels_are_kept_in_the_flat_tree() -> None:
    tree = read_tree("root = M(left = m(1, Ω = 2), 3)")
    assert tree_of(tree_game(tree).initial()) == tree


def test_play_keeps_one_array_for_all_states() -> None:
    game = plies.game("tree")
    start = game.initial()
    assert game.play(start, 0).tree is start.tree
    assert game.initial().tree is start.tree


def test_states_are_equal_when_their_trees_and_places_are() -> None:
    game = tree_game(read_tree("M(1, m(2, 3))"))
    start, child = game.initial(), game.play(game.initial(), 1)
    copied = type(start)(0, start.tree.copy())
    assert start == copied
    assert hash(start) == hash(copied)
    assert start != child
    assert start != tree_game(read_tree("M(1, m(2, 4))")).initial()
    assert len({start, copied, child}) == 2


@given(trees(st.tuples(NUMBERS, NUMBERS, NUMBERS), players=3))
def test_every_player_gets_what_the_leaf_says(tree: Tree) -> None:
    game = tree_game(tree)
    assert game.players(game.initial()) == 3
    assert not game.is_zero_sum(game.initial())
    for path, node in walk(tree):
        state = game.initial()
        for move in path:
            state = game.play(state, move)
        assert game.is_over(state) == isinstance(node, Leaf)
        if isinstance(node, Leaf):
            assert game.payoffs(state) == node.payoffs
        else:
            assert game.mover(state) == node.mover


@pytest.mark.parametrize(
    ("text", "is_zero_sum"),
    [
        ("M(1, 2)", True),
        ("1((1, -1), 2((0, 0)))", True),
        ("1((1, -1), 2((0, 1)))", False),
        ("1((1, -1, 0), (0, 0, 0))", False),
    ],
)
def test_minimax_is_refused_where_gains_and_losses_do_not_cancel(
    text: str, is_zero_sum: bool
) -> None:
    game = tree_game(read_tree(text))
    assert game.is_zero_sum(game.initial()) == is_zero_sum
    if is_zero_sum:
        assert plies.search(game, game.initial(), "minimax:depth=2").value is not None
    else:
        with pytest.raises(BadSpec, match="zero-sum"):
            plies.search(game, game.initial(), "minimax:depth=2")


def test_moves_are_called_by_label_or_number() -> None:
    game = tree_game(read_tree("M(up = 1, m(4, 5), down = 3)"))
    start = game.initial()
    assert game.move_texts(start) == ["up", "2", "down"]
    assert game.parse_move(start, "DOWN") == 2
    assert game.parse_move(start, "2") == 1


def test_positions_are_paths_from_the_root() -> None:
    game = plies.game("tree")
    state = game.initial()
    assert game.position_text(state) == "."
    for move in (0, 2, 0, 1):
        state = game.play(state, move)
    assert game.position_text(state) == "1-3-1-2"
    assert game.parse_position("1-3-1-2") == state
    assert game.payoffs(state) == (-10, 10)


def test_the_drawing_marks_where_the_game_stands() -> None:
    game = tree_game(read_tree("M(A = m(1, 2), m(3))"))
    assert game.draw(game.play(game.initial(), 0)).splitlines() == [
        "M",
        "├─ A: m  <- here",
        "│  ├─ 1",
        "│  └─ 2",
        "└─ m",
        "   └─ 3",
    ]


def test_a_large_tree_is_drawn_from_where_the_game_stands() -> None:
    game = tree_game(read_tree(f"M(m({', '.join(['7'] * 300)}), 1)"))
    assert len(game.draw(game.initial()).splitlines()) < 210
    assert "node 2 of 303" in game.draw(game.play(game.initial(), 1))


def test_parents_stand_above_the_middle_of_their_children() -> None:
    game = plies.game(f"tree:file={THREE_PLAYERS}")
    board = game.board(game.initial())
    assert board is not None
    assert len(board.points) == 15
    assert len(board.lines) == 14
    across = {name: x for name, (x, _) in board.points.items()}
    assert across[".1.2"] == (across[".1.2.1"] + across[".1.2.2"]) / 2
    assert board.points["."][1] > board.points[".1"][1] > board.points[".1.1"][1]
    leaves = sorted(x for x, y in board.points.values() if y == board.points[".1.1.1"][1])
    assert np.diff(leaves).min() >= 1


@pytest.mark.parametrize("text", ["M(1, 2)", "7", f"M({', '.join(['m(1, 2)'] * 40)})", ""])
def test_the_picture_of_a_tree_is_about_as_high_as_a_page_allows(text: str) -> None:
    game = tree_game(read_tree(text)) if text else plies.game("tree")
    picture = ElementTree.fromstring(game.svg(game.initial()))
    assert float(picture.attrib["width"]) <= 2.7 * float(picture.attrib["height"])


def test_the_picture_marks_where_the_game_stands_and_keeps_every_shape() -> None:
    game = tree_game(read_tree("M(m(1, 2), m(3))"))
    start = game.initial()
    child = game.play(start, 0)
    assert game.pieces(child) == game.pieces(start)
    assert game.pieces(start)["."] == "M"
    assert game.svg(start).count(HIGHLIGHT) == game.svg(child).count(HIGHLIGHT) == 1
    assert game.svg(start) != game.svg(child)


def test_agents_play_on_trees_with_any_number_of_players() -> None:
    record = plies.play_game(plies.game(f"tree:file={THREE_PLAYERS}"), *["random"] * 3, seed=1)
    assert len(record.moves) == 3
    assert len(record.payoffs) == 3
    best = plies.play_game(plies.game("tree"), "alphabeta:depth=9", "alphabeta:depth=9")
    # both play best: the value of the tree, project facts, n players
    assert best.payoffs == (1, -1)
