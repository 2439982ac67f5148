"""The decision of a search or an agent, and how it got there."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Depth:
    """One finished depth of a deepening search."""

    depth: int
    move: int
    value: int
    line: tuple[int, ...]
    nodes: int  # since the search began
    seconds: float


@dataclass(frozen=True)
class Decision:
    """A move and its reasons.

    `value` is from the mover's side; `line` begins with `move`; `is_complete` is
    False when a clock, a budget or a stop came before the search was finished.

    Of a search in several threads the counts are sums over the threads.
    """

    move: int
    value: int | None = None
    depth: int = 0
    nodes: int = 0  # positions entered, the root included
    seconds: float = 0.0
    line: tuple[int, ...] = ()
    leaves: int = 0  # positions valued without searching further
    evaluations: int = 0  # calls of the evaluator
    cutoffs: int = 0
    table_hits: int = 0  # positions whose value came from the table
    cpu_seconds: float = 0.0
    is_complete: bool = True
    history: tuple[Depth, ...] = ()  # of a deepening search: the finished depths
    simulations: int = 0  # of a Monte Carlo search
    payoffs: tuple[int, ...] = ()  # of max^n: the value for every player
