"""Searches that look only at the children which seem best.

They are ranked by a shallow search of the same kind, whose nodes are counted but not told.
Where it would be as deep as the search itself nothing is ranked, because the best of all
would be among the best few.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import ceil
from typing import Any, Unpack

from plies.core.errors import BadSpec
from plies.search.limits import checked_whole
from plies.search.reference.textbook import Arrange, alphabeta, minimax
from plies.search.reference.watched import (
    OPEN,
    Answer,
    Node,
    Path,
    Search,
    Stopped,
    Watch,
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
    **watch: Unpack[Watch],
) -> Answer:
    """Minimax that explores only the `width` children that look best `look` plies deep."""
    checked_whole("width", width, 1, MOST)
    tools = {"children": children, "evaluate": evaluate, "is_max": is_max}
    rank = partial(branch, **tools, look=look, width=width, depth=look)
    arrange = ranked(rank, is_max, depth, look, lambda count: min(count, width))
    return minimax(root, **tools, depth=depth, arrange=arrange, **watch)


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
    """Alpha-beta that keeps the better `share` of the children where there are more than `above`.

    They are looked at in the order of their ranks, the best first.
    """
    if not 0 < share <= 1:
        raise BadSpec(f"share is more than 0 and at most 1, not {share}")
    tools = {"children": children, "evaluate": evaluate, "is_max": is_max}
    rank = partial(beam, **tools, share=share, above=above, look=look, depth=look)

    def kept(count: int) -> int:
        return max(1, ceil(share * count - ROUNDING)) if count > above else count

    arrange = ranked(rank, is_max, depth, look, kept)
    return alphabeta(root, **tools, depth=depth, arrange=arrange, **watch)


def ranked(
    rank: Callable[..., Answer],
    is_max: Callable[[Any], bool],
    depth: int,
    look: int,
    kept: Callable[[int], int],
) -> Arrange:
    """Of every node the `kept` children that its mover likes best by `rank`, the best first."""

    def arrange(search: Search[Any], node: Any, path: Path, kids: list[Any]) -> Sequence[int]:
        if look >= depth - len(path) - 1:
            return range(len(kids))
        values = [_rank(search, rank, kid) for kid in kids]
        sign = -1 if is_max(node) else 1
        order = sorted(range(len(kids)), key=lambda index: sign * values[index])
        count = kept(len(kids))
        for index in order[count:]:
            search.tell("drop", (*path, index), kids[index], OPEN, values[index])
        return order[:count]

    return arrange


def _rank(search: Search[Any], rank: Callable[..., Answer], kid: Any) -> Any:
    """The value of a child by a search of its own, which counts for this one."""
    found = rank(kid, budget=search.budget - search.nodes, should_stop=search.should_stop)
    search.nodes += found.nodes
    search.leaves += found.leaves
    search.cutoffs += found.cutoffs
    if not found.is_complete:
        raise Stopped
    return found.value
