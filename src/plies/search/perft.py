"""Perft: how many lines of play of a given length there are.

The count proves a move generator right against published figures and shows how
fast the rules run.  `perft` really plays every move of the last ply; `bulk_perft` only
counts them.

The kernels count what their names say.  `tally` runs one of them within limits and says
whether the count is complete; `count` and `split` answer with a complete count or raise.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import ONGOING
from plies.core.verbs import count_moves, identity, legal_moves, outcome, play
from plies.errors import PliesError
from plies.search.limits import checked_budget, checked_depth
from plies.search.runner import StopFlag, run
from plies.search.workspace import count_node, new_workspace


@compiled
def perft(state, depth, work):
    """The number of lines of `depth` plies; one that ends earlier does not count."""
    if not count_node(work):
        return 0
    if depth == 0:
        return 1
    if outcome(state) != ONGOING:
        return 0
    count = 0
    for move in legal_moves(state):
        count += perft(play(state, move), depth - 1, work)
    return count


@compiled
def bulk_perft(state, depth, work):
    """The same number; the moves of the last ply are counted and not played."""
    if not count_node(work):
        return 0
    if depth == 0:
        return 1
    if depth == 1:
        return count_moves(state)
    if outcome(state) != ONGOING:
        return 0
    count = 0
    for move in legal_moves(state):
        count += bulk_perft(play(state, move), depth - 1, work)
    return count


@compiled
def lines_by_move(state, depth, work):
    """Lines of `depth` plies behind each legal move of a state that is not over."""
    moves = legal_moves(state)
    counts = np.zeros(len(moves), np.int64)
    if count_node(work):
        for index in range(len(moves)):
            counts[index] = perft(play(state, moves[index]), depth - 1, work)
    return counts


@compiled
def finished_games(state, depth, work):
    """Complete games of at most `depth` plies."""
    if not count_node(work):
        return 0
    if outcome(state) != ONGOING:
        return 1
    count = 0
    if depth > 0:
        for move in legal_moves(state):
            count += finished_games(play(state, move), depth - 1, work)
    return count


@compiled
def distinct_positions(state, depth, work):
    """Different states after exactly 0, 1, ..., `depth` plies."""
    counts = np.zeros(depth + 1, np.int64)
    frontier = [state]
    for ply in range(depth + 1):
        counts[ply] = len(frontier)
        children = [state]  # emptied at once: the compiler needs an element to know the type
        children.clear()
        seen = {identity(state)}
        seen.clear()
        for position in frontier:
            if not count_node(work):
                return counts
            if ply < depth and outcome(position) == ONGOING:
                for move in legal_moves(position):
                    child = play(position, move)
                    if identity(child) not in seen:
                        seen.add(identity(child))
                        children.append(child)
        frontier = children
    return counts


class Stopped(PliesError):
    """A budget or a stop came before a count was complete."""


@dataclass(frozen=True)
class Tally:
    """What a kernel counted, and how many positions it entered."""

    count: Any
    nodes: int
    is_complete: bool


def tally(
    kernel: Any, state: Any, depth: int, nodes: int = 0, stop: StopFlag | None = None
) -> Tally:
    """Run one of the kernels above; `nodes` limits the positions, 0 means no limit."""
    work = new_workspace(checked_budget(nodes))
    counted = run(kernel, state, checked_depth(depth, least=0), work=work, stop=stop)
    return Tally(counted, int(work.nodes), not work.is_stopped)


def count(kernel: Any, state: Any, depth: int, nodes: int = 0, stop: StopFlag | None = None) -> Any:
    """The complete count of a kernel, or `Stopped`."""
    result = tally(kernel, state, depth, nodes, stop)
    if not result.is_complete:
        raise Stopped(f"the count was stopped after {result.nodes:,} positions")
    return result.count


def split(state: Any, depth: int, nodes: int = 0, stop: StopFlag | None = None) -> dict[int, int]:
    """Perft of `depth`, move by move: the count behind every legal move, or `Stopped`."""
    if checked_depth(depth, least=0) == 0 or outcome(state) != ONGOING:
        return {}
    counts = count(lines_by_move, state, depth, nodes, stop)
    return dict(zip(legal_moves(state).tolist(), counts.tolist(), strict=True))
