"""The perft and the small alpha-beta that every chess library for Python is given.

The libraries' own functions are called as they are, so that nothing stands between: a
`Position` only names them.  The alpha-beta is that of `plies.search.alphabeta` (fail-soft,
a cut on equality, faster wins preferred), but that a stalemate is not looked for at the
horizon, which plies does: the libraries answer quickly whether a side is mated.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
EXPLORATION = 2.0  # the factor of UCT, for results of -1 to 1
WIN = 1_000_000_000
INFINITY = WIN + 1


class Position(NamedTuple):
    """A board that is changed by `apply` and changed back by `undo`."""

    moves: Callable[[], Sequence[Any]]
    apply: Callable[[Any], object]
    undo: Callable[[], object]
    is_mated: Callable[[], bool]
    material: Callable[[], int]  # the mover's less the opponent's
    uci: Callable[[Any], str]


def perft(position: Position, depth: int, is_bulk: bool) -> int:
    """Lines of play; in bulk the moves of the last ply are counted and not played."""
    moves, apply, undo, *_ = position
    if depth == 0:
        return 1

    def lines(depth: int) -> int:
        if depth == 0:
            return 1
        count = 0
        for move in moves():
            apply(move)
            count += lines(depth - 1)
            undo()
        return count

    def lines_in_bulk(depth: int) -> int:
        if depth == 1:
            return len(moves())
        count = 0
        for move in moves():
            apply(move)
            count += lines_in_bulk(depth - 1)
            undo()
        return count

    return lines_in_bulk(depth) if is_bulk else lines(depth)


def alphabeta(position: Position, depth: int, is_sorted: bool) -> tuple[int, int]:
    """Nodes entered, and the value; moves in the library's order or in that of their UCI text."""
    moves, apply, undo, is_mated, material, uci = position
    nodes = 0

    def search(depth: int, alpha: int, beta: int, ply: int) -> int:
        nonlocal nodes
        nodes += 1
        if is_mated():
            return ply - WIN
        if depth == 0:
            return material()
        legal = moves()
        if not legal:
            return 0
        best = -INFINITY
        for move in sorted(legal, key=uci) if is_sorted else legal:
            apply(move)
            value = -search(depth - 1, -beta, -alpha, ply + 1)
            undo()
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        return best

    value = search(depth, -INFINITY, INFINITY, 0)
    return nodes, value
