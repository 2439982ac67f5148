"""Trees for the tests: the two that are known from paper, and random ones."""

from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st

from plies.compiling.compiler import is_interpreting
from plies.games.tree import Inner, Leaf, Tree
from plies.games.tree.nodes import walk

DATA = Path(__file__).parent / "data"
PAPER = DATA / "paper.tree"
THREE_PLAYERS = DATA / "three_players.json"

# Few different numbers, so that values tie and windows close on equality.
NUMBERS = st.integers(-4, 4)


def examples(count: int) -> int:
    """How many to try: plain Python looks at the first quarter of what compiled code looks at."""
    return count // 4 if is_interpreting() else count


def trees(
    payoffs: st.SearchStrategy[int] | st.SearchStrategy[tuple[int, ...]] = NUMBERS,
    players: int = 2,
    most_leaves: int = 12,
    most_children: int = 3,
    label: Callable[[int], str] = lambda index: "",
) -> st.SearchStrategy[Tree]:
    """Trees with movers in any order; `label` names a child by its index."""

    def labelled(children: list[Tree]) -> tuple[Tree, ...]:
        return tuple(
            Leaf(child.payoff, label(index))
            if isinstance(child, Leaf)
            else Inner(child.mover, child.children, label(index))
            for index, child in enumerate(children)
        )

    def inner(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        kids = st.lists(children, min_size=1, max_size=most_children).map(labelled)
        return st.builds(Inner, st.integers(0, players - 1), kids)

    leaves: st.SearchStrategy[Tree] = st.builds(Leaf, payoffs)
    return inner(st.recursive(leaves, inner, max_leaves=most_leaves))


def size(tree: Tree) -> tuple[int, int]:
    """Nodes and leaves."""
    kinds = [isinstance(node, Leaf) for _, node in walk(tree)]
    return len(kinds), sum(kinds)
