"""What a search or an agent decided, and how it got there."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Decision:
    """A move and its reasons.

    `value` is from the mover's side; `line` begins with `move`; `is_complete` is
    False when a budget or a stop came before the search was finished.
    """

    move: int
    value: int | None = None
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    line: tuple[int, ...] = ()
    leaves: int = 0
    cutoffs: int = 0
    cpu_seconds: float = 0.0
    is_complete: bool = True
