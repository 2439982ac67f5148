"""Forward pruning: searches of only the children that rank best.

Children are ranked by a shallow search of the same kind, whose nodes count but have no events.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import ceil
from typing import Any, Unpack, get_args

from plies.errors import BadSpec
from plies.search.alphabeta import Prune
from plies.search.branch import Rule
from plies.search.limits import checked_whole
from plies.search.reference.textbook import alphabeta, minimax
from plies.search.reference.watched import (
    OPEN,
    Answer,
    Node,
    Path,
    Search,
    Stopped,
    Watch,
    Window,
)

MOST = 10**6  # children of a node
ROUNDING = 1e-9  # a tenth of thirty is three, whatever the product of the floats is


def branch(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Any],
    is_max: Callable[[Node], bool],
    depth: int = 4,
    look: int = 1,
    width: int = 5,
    rule: Rule = "plain",
    prune: Prune = "alphabeta",
    window: Window = OPEN,
    **watch: Unpack[Watch],
) -> Answer:
    """Alpha-beta that searches only the `width` children that rank best.

    `look`, `rule` and `prune` are explained in `plies.search.branch`.
    """
    checked_whole("width", width, 1, MOST)
    if rule not in get_args(Rule) or prune not in get_args(Prune):
        raise BadSpec(f"rule is plain or report, prune alphabeta or none, not {rule!r}, {prune!r}")
    tools: dict[str, Any] = {"children": children, "evaluate": evaluate, "is_max": is_max}
    static = partial(branch, **tools, look=0, width=width, rule=rule, prune=prune)

    def arrange(
        search: Search[Any], node: Any, path: Path, kids: list[Any], window: Window
    ) -> Sequence[int]:
        beyond_child = depth - len(path) - 1
        plies = max(0, look - beyond_child) if rule == "report" else min(look, beyond_child)
        rank = partial(static, depth=plies, window=window)
        values = [_rank(search, rank, kid) for kid in kids]
        return take_best(search, path, kids, values, is_max(node), width)

    tools |= {"depth": depth, "arrange": arrange}
    if prune == "none":
        return minimax(root, **tools, **watch)
    return alphabeta(root, **tools, window=window, **watch)


def beam(
    root: Node,
    *,
    children: Callable[[Node], Iterable[Node]],
    evaluate: Callable[[Node], Any],
    is_max: Callable[[Node], bool],
    depth: int = 4,
    share: float = 0.5,
    above: int = 6,
    look: int = 0,
    **watch: Unpack[Watch],
) -> Answer:
    """Alpha-beta that searches the better `share` of the children where there are more than
    `above`, in the order of their ranks.
    """
    if not 0 < share <= 1:
        raise BadSpec(f"share is more than 0 and at most 1, not {share}")
    tools = {"children": children, "evaluate": evaluate, "is_max": is_max}
    rank = partial(beam, **tools, share=share, above=above, look=look, depth=look)

    def beam_width(count: int) -> int:
        return max(1, ceil(share * count - ROUNDING)) if count > above else count

    def arrange(
        search: Search[Any], node: Any, path: Path, kids: list[Any], window: Window
    ) -> Sequence[int]:
        if look >= depth - len(path) - 1:  # the best of all would be among the best few
            return range(len(kids))
        values = [_rank(search, rank, kid) for kid in kids]
        return take_best(search, path, kids, values, is_max(node), beam_width(len(kids)))

    return alphabeta(root, **tools, depth=depth, arrange=arrange, **watch)


def take_best(
    search: Search[Any],
    path: Path,
    kids: list[Any],
    values: Sequence[Any],
    maximises: bool,
    most: int,
) -> Sequence[int]:
    """The children of the node at `path` that its mover likes best by their values, best first."""
    sign = -1 if maximises else 1
    order = sorted(range(len(kids)), key=lambda index: sign * values[index])
    for index in order[most:]:
        search.emit("drop", (*path, index), kids[index], OPEN, values[index])
    return order[:most]


def _rank(search: Search[Any], rank: Callable[..., Answer], kid: Any) -> Any:
    """The value of a child by a search of its own, which counts for this one."""
    answer = rank(kid, budget=search.budget - search.nodes, should_stop=search.should_stop)
    search.nodes += answer.nodes
    search.leaves += answer.leaves
    search.cutoffs += answer.cutoffs
    if not answer.is_complete:
        raise Stopped
    return answer.value
