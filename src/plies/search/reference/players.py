"""Searches for any number of players: the values are vectors, one part for each."""

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any, Unpack

from plies.search.reference.textbook import alphabeta
from plies.search.reference.watched import OPEN, Answer, Node, Path, Search, Watch


def maxn(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Sequence[Any]],
    mover: Callable[[Node], int],
    depth: float = inf,
    **watch: Unpack[Watch],
) -> Answer:
    """The values of all players when each maximises their own part of the leaves' vectors
    (max^n; Luckhardt & Irani 1986).

    Of children equally good for the mover the first is taken.
    """
    search = Search(children, evaluate, **watch)

    def value_of(node: Node, path: Path) -> Any:
        kids = search.enter(node, path, OPEN, depth - len(path))
        if not kids:
            return search.leaf(node, path, OPEN)
        player = mover(node)
        best = None
        for index, child in enumerate(kids):
            value = value_of(child, (*path, index))
            if best is None or value[player] > best[player]:
                best = value
                search.improve(node, path, index, OPEN, best)
        search.emit("leave", path, node, OPEN, best)
        return best

    return search.answer(lambda: value_of(root, ()))


def paranoid(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Sequence[Any]],
    mover: Callable[[Node], int],
    depth: float = inf,
    **watch: Unpack[Watch],
) -> Answer:
    """The value for the player to move at the root when all the others minimise it.

    That is alpha-beta with this player as Max and everybody else as Min.
    """
    hero = mover(root)
    return alphabeta(
        root,
        children=children,
        evaluate=lambda node: evaluate(node)[hero],
        is_max=lambda node: mover(node) == hero,
        depth=depth,
        **watch,
    )
