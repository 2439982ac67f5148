"""The textbook searches on trees written as lists."""

from math import inf
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.core.errors import BadSpec
from plies.search import reference
from plies.search.alphabeta import Cut, Fail
from plies.search.reference import Answer

SETTINGS = [(fail, cut) for fail in get_args(Fail) for cut in get_args(Cut)]
lost_for_max = st.recursive(st.just(-inf), lambda trees: st.lists(trees, min_size=1, max_size=3))


def on_lists(root_is_max: bool) -> dict[str, Any]:
    """Nested lists as a tree in which the players alternate; nodes are (tree, is_max)."""
    return {
        "children": lambda node: (
            [(child, not node[1]) for child in node[0]] if isinstance(node[0], list) else []
        ),
        "evaluate": lambda node: node[0] if root_is_max else -node[0],
        "is_max": lambda node: node[1] is root_is_max,
    }


def answers(tree: Any, root_is_max: bool) -> list[Answer]:
    root, tools = (tree, True), on_lists(root_is_max)
    kinds = [reference.alphabeta(root, fail=fail, cut=cut, **tools) for fail, cut in SETTINGS]
    return [reference.minimax(root, **tools), *kinds]


@pytest.mark.parametrize("root_is_max", [True, False])
@given(tree=st.lists(lost_for_max, min_size=1, max_size=3))
def test_a_player_who_loses_everywhere_takes_the_first_move(tree: Any, root_is_max: bool) -> None:
    leftmost, depth = tree, 0
    while isinstance(leftmost, list):
        leftmost, depth = leftmost[0], depth + 1
    for answer in answers(tree, root_is_max):
        assert answer.index == 0
        assert answer.line == (0,) * depth
        assert answer.value == (-inf if root_is_max else inf)


@pytest.mark.parametrize("root_is_max", [True, False])
def test_a_finite_loss_is_preferred_to_an_infinite_one(root_is_max: bool) -> None:
    assert [answer.index for answer in answers([-inf, -inf, -7, -7], root_is_max)] == [2] * 5


@pytest.mark.parametrize("options", [{"fail": "medium"}, {"cut": "never"}])
def test_an_unknown_kind_of_alpha_beta_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadSpec, match="fail is soft or hard and cut equal or beyond"):
        reference.alphabeta(0, children=lambda _: [], evaluate=int, is_max=bool, **options)
