"""Minimax, alpha-beta and iterative deepening; max^n and paranoid for any number of players."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Unpack, get_args

from plies.errors import BadSpec
from plies.search.alphabeta import Cut, Fail, Prune
from plies.search.reference.watched import (
    OPEN,
    Answer,
    Node,
    Path,
    Search,
    Watch,
    Window,
    is_better,
    is_closed,
    narrowed,
    worst,
)

# The children of a node, entered at a path with a window, that are searched, in this order;
# the others are dropped.
Arrange = Callable[[Search[Any], Any, Path, list[Any], Window], Sequence[int]]


def as_given(
    search: Search[Any], node: Any, path: Path, kids: list[Any], window: Window
) -> Sequence[int]:
    """Every child, from left to right."""
    return range(len(kids))


def minimax(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Any],
    is_max: Callable[[Node], bool],
    depth: float = inf,
    arrange: Arrange = as_given,
    **watch: Unpack[Watch],
) -> Answer:
    """The value of `root` for Max when both play best.

    Every node is visited, except where `arrange` drops children.
    """
    search = Search(children, evaluate, **watch)

    def value_of(node: Node, path: Path) -> Any:
        kids = search.enter(node, path, OPEN, depth - len(path))
        if not kids:
            return search.leaf(node, path, OPEN)
        maximises = is_max(node)
        best = worst(OPEN, maximises)
        for number, index in enumerate(arrange(search, node, path, kids, OPEN)):
            value = value_of(kids[index], (*path, index))
            if is_better(value, best, maximises, number == 0):
                best = value
                search.improve(node, path, index, OPEN, best)
        search.emit("leave", path, node, OPEN, best)
        return best

    return search.answer(lambda: value_of(root, ()))


def alphabeta(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Any],
    is_max: Callable[[Node], bool],
    depth: float = inf,
    fail: Fail = "soft",
    cut: Cut = "equal",
    arrange: Arrange = as_given,
    window: Window = OPEN,
    **watch: Unpack[Watch],
) -> Answer:
    """The minimax value of `root` without the lines that cannot matter (Knuth & Moore 1975).

    `fail` and `cut` are explained in `plies.search.alphabeta`.  The value is exact inside
    `window`, and a bound outside it.
    """
    if fail not in get_args(Fail) or cut not in get_args(Cut):
        raise BadSpec(f"fail is soft or hard and cut equal or beyond, not {fail!r} and {cut!r}")
    search = Search(children, evaluate, **watch)

    def value_of(node: Node, path: Path, window: Window) -> Any:
        kids = search.enter(node, path, window, depth - len(path))
        if not kids:
            return search.leaf(node, path, window)
        range_of_answers = window if fail == "hard" else OPEN
        maximises = is_max(node)
        best = worst(range_of_answers, maximises)
        for number, index in enumerate(arrange(search, node, path, kids, window)):
            value = value_of(kids[index], (*path, index), window)
            if is_better(value, best, maximises, number == 0):
                best = value
                window = narrowed(window, best, maximises)
                search.improve(node, path, index, window, best)
                if is_closed(window, cut):
                    search.cutoffs += 1
                    search.emit("cut", path, node, window, best)
                    break
        low, high = range_of_answers
        best = min(max(best, low), high)
        search.emit("leave", path, node, window, best)
        return best

    return search.answer(lambda: value_of(root, (), window))


def deepening(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Any],
    is_max: Callable[[Node], bool],
    depth: int,
    fail: Fail = "soft",
    cut: Cut = "equal",
    prune: Prune = "alphabeta",
    **watch: Unpack[Watch],
) -> Answer:
    """Alpha-beta to depth 1, 2, ... `depth`; each pass tries the last one's best line first.

    With `prune="none"` every pass is minimax, for which `fail` and `cut` mean nothing.

    The counts are those of all passes, the rest is the answer of the last finished pass (of
    the first one as far as it came, if none was finished).
    """
    tools = {"children": children, "evaluate": evaluate, "is_max": is_max}
    search = partial(minimax, **tools)
    if prune == "alphabeta":
        search = partial(alphabeta, **tools, fail=fail, cut=cut)
    elif prune != "none":
        raise BadSpec(f"prune is alphabeta or none, not {prune!r}")
    budget = watch.get("budget", inf)
    passes = Search(children, evaluate, watch.get("on_event"))
    total = Answer(None, (), 0, 0, 0, is_complete=False)
    for limit in range(1, depth + 1):
        passes.emit("begin", (), root, OPEN, limit)
        watch["budget"] = budget - total.nodes
        answer = search(root, depth=limit, arrange=following(total.line), **watch)
        best = answer if answer.is_complete or limit == 1 else total
        total = replace(
            best,
            nodes=total.nodes + answer.nodes,
            leaves=total.leaves + answer.leaves,
            cutoffs=total.cutoffs + answer.cutoffs,
            is_complete=answer.is_complete,
        )
        if not answer.is_complete:
            break
    return total


def following(line: Path) -> Arrange:
    """The children on `line` first, the others as they are."""

    def arrange(
        search: Search[Any], node: Any, path: Path, kids: list[Any], window: Window
    ) -> Sequence[int]:
        if len(path) >= len(line) or path != line[: len(path)]:
            return range(len(kids))
        first = line[len(path)]
        return [first, *(index for index in range(len(kids)) if index != first)]

    return arrange


# Any number of players: `evaluate` answers one value for each.


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
