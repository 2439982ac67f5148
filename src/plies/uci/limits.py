"""What `go` means for our engine."""

from plies.search.clock import Clock
from plies.search.limits import MAX_SECONDS
from plies.search.workspace import MAX_DEPTH, UNLIMITED
from plies.uci.orders import Go


def is_endless(go: Go) -> bool:
    """Whether only `stop` ends it (or `ponderhit`); so does a bare `go`."""
    return go.infinite or go.ponder or go == Go()


def limits_of(go: Go, overhead: int) -> dict[str, int | float]:
    """The options that an agent gets; without any, and without a clock, it takes a second.

    `overhead` milliseconds of a time for the move are left for the way to the other side.
    """
    if is_endless(go):
        return {"depth": MAX_DEPTH}
    limits: dict[str, int | float] = {}
    if go.depth is not None:
        limits["depth"] = min(max(go.depth, 1), MAX_DEPTH)
    if go.nodes is not None:
        limits["nodes"] = min(max(go.nodes, 1), UNLIMITED)
    if go.movetime is not None:
        limits["seconds"] = min(max(go.movetime - overhead, 1) / 1000, MAX_SECONDS)
    return limits


def clock_of(go: Go, is_black: bool, overhead: int) -> Clock | None:
    """The clock of the side to move; None where it has none, or where it does not run."""
    remaining, increment = (go.btime, go.binc) if is_black else (go.wtime, go.winc)
    if remaining is None or is_endless(go):
        return None
    return Clock(
        remaining=_seconds(remaining - overhead),
        increment=max(_seconds(increment or 0), 0.0),
        moves_to_go=max(go.movestogo or 0, 0),
    )


def _seconds(milliseconds: int) -> float:
    return min(max(milliseconds / 1000, -MAX_SECONDS), MAX_SECONDS)
