"""The record of a search: plain data, which `json` can write.

Values and windows are Max's, the first player's, and so are the words for them: a value
of `win in 3` is a win of the first player three plies after the root.  (Of `paranoid` Max
is the player who moves at the root; the values of `maxn` and `mcts` hold one number for
each player.)
"""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from plies.search.reference import Path

StepKind = Literal["enter", "leaf", "update", "drop", "cut", "leave"]
Kind = Literal["max", "min", "player", "leaf", "horizon"]
Bound = Literal["exact", "at least", "at most", "unfinished"]
Reason = Literal["cut", "ranked below", "not reached"]


@dataclass(frozen=True)
class LeftOut:
    """A child that was not visited; `rank` is the value it was ranked by, if it was."""

    index: int
    move: str
    reason: Reason
    rank: Any = None


@dataclass(frozen=True)
class Node:
    """A visited node."""

    path: Path  # the numbers of the children on the way from the root, which count from 0
    order: int  # 1 for the root, then as nodes were entered for the first time
    move: str  # what led here, empty at the root
    position: str  # empty where the nodes belong to no game
    # Whose turn it is: Max's, Min's, or a `player`'s where there are more than these; `leaf`: the
    # game ends here; `horizon`: the search ends here.
    kind: Kind
    player: int | None  # to move, None in a leaf
    # (alpha, beta) on entry, None for an end that is open; None where the algorithm has no
    # windows, and `window_text` is then empty.
    window: tuple[Any, Any] | None
    window_text: str
    value: Any
    value_text: str
    # Whether the value is exact, a bound because something was cut (at least, at most), or
    # unfinished because the search was stopped.
    bound: Bound
    cut: str  # why the rest of the children cannot matter, empty if that did not happen
    left_out: tuple[LeftOut, ...]  # the children that were not visited
    hidden: int = 0  # how many visited nodes below this one are not in the record
    visits: int = 1  # how many simulations came through here, 1 in other searches


@dataclass(frozen=True)
class Step:
    """One step of a search (see `plies.search.reference.Event`) with its words."""

    kind: StepKind
    path: Path
    window_text: str  # after the step, written as in `Node`
    value: Any
    value_text: str
    child: int | None  # of an update: the number of the child that it came from
    text: str  # the step in words
    nodes: int  # so far, without those of ranking searches; leaves and cutoffs likewise
    leaves: int
    cutoffs: int


@dataclass(frozen=True)
class Tree:
    """One pass over the tree, to `depth` plies (None: to the leaves), in order of visit.

    `steps` are those at recorded nodes; a tree that grows by simulations has none, because
    its simulations are recorded instead.
    """

    depth: int | None
    nodes: tuple[Node, ...]
    hidden: int  # visited nodes that are not in the record
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Simulation:
    """One game of a Monte Carlo search: the path down the tree, and each player's result."""

    path: Path
    value: tuple[Any, ...]


@dataclass(frozen=True)
class Trace:
    """A search: its result, and the tree it visited (one for each depth of `deepening`).

    `nodes` counts those of ranking searches as well, which are not in the tree.
    """

    algorithm: str
    options: dict[str, Any]
    value: Any
    value_text: str
    path: Path  # of the best line, which `line` holds as moves
    line: tuple[str, ...]
    nodes: int
    leaves: int
    cutoffs: int
    is_complete: bool
    trees: tuple[Tree, ...]
    simulations: tuple[Simulation, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The same as dictionaries and tuples."""
        return asdict(self)
