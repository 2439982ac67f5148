"""Perft: how many lines of play of a given length there are.

The count proves a move generator right against published figures and shows how
fast the rules run.  Every move of the last ply is really played.
"""

from typing import Any

import numpy as np

from plies.core.compiler import compiled
from plies.core.scores import ONGOING
from plies.core.verbs import identity, legal_moves, outcome, play
from plies.search.runner import run
from plies.search.workspace import new_workspace


@compiled
def perft(state, depth, work):
    """Lines of `depth` plies from here; a line that ends earlier does not count."""
    if depth == 0:
        return 1
    if work.nodes >= work.budget:
        work.is_stopped = 1
        return 0
    if outcome(state) != ONGOING:
        return 0
    count = 0
    for move in legal_moves(state):
        count += perft(play(state, move), depth - 1, work)
    work.nodes += count if depth == 1 else 0
    return count


@compiled
def finished_games(state, depth, work):
    """Complete games of at most `depth` plies."""
    if work.nodes >= work.budget:
        work.is_stopped = 1
        return 0
    work.nodes += 1
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
        later = [state]  # emptied at once: the compiler needs an element to know the type
        later.clear()
        seen = {identity(state)}
        seen.clear()
        for position in frontier:
            if work.nodes >= work.budget:
                work.is_stopped = 1
                return counts
            work.nodes += 1
            if ply < depth and outcome(position) == ONGOING:
                for move in legal_moves(position):
                    child = play(position, move)
                    if identity(child) not in seen:
                        seen.add(identity(child))
                        later.append(child)
        frontier = later
    return counts


def split(state: Any, depth: int) -> dict[int, int]:
    """Perft of `depth`, move by move: the count behind every legal move."""
    if depth < 1 or outcome(state) != ONGOING:
        return {}
    children = {int(move): play(state, move) for move in legal_moves(state)}
    return {move: count(perft, child, depth - 1) for move, child in children.items()}


def count(kernel: Any, state: Any, depth: int) -> Any:
    """Run one of the kernels above so that Ctrl-C stops it."""
    return run(kernel, state, depth, work=new_workspace())
