"""The perft of chess by other programs, to put beside ours in the same run.

python-chess plays and takes back every move, as plain perft does; Stockfish, where it is
installed, counts the moves of the last ply without playing them, as bulk counting does.
"""

import os
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import chess

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITIONS = {"start": chess.STARTING_FEN, "Kiwipete": KIWIPETE}
# Position -> depth and count, for a slow program and for a quick one.
SLOW = {"start": (3, 8_902), "Kiwipete": (3, 97_862)}
QUICK = {"start": (6, 119_060_324), "Kiwipete": (5, 193_690_690)}
RUNS = 3


@dataclass(frozen=True)
class Peer:
    """One program's perft of one position; the best of several runs."""

    program: str
    position: str
    nodes: int
    cpu_seconds: float
    is_bulk: bool

    @property
    def rate(self) -> float:
        return self.nodes / self.cpu_seconds


def measured() -> list[Peer]:
    """Every program that is there, on both positions."""
    found = []
    for position, fen in POSITIONS.items():
        depth, nodes = SLOW[position]
        found.append(_peer("python-chess", position, nodes, partial(_plain, fen, depth), False))
    engine = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if engine:
        for position, fen in POSITIONS.items():
            depth, nodes = QUICK[position]
            count = partial(_engine_perft, engine, fen, depth)
            found.append(_peer("Stockfish", position, nodes, count, True))
    return found


def _peer(
    program: str, position: str, nodes: int, count: Callable[[], tuple[int, float]], is_bulk: bool
) -> Peer:
    runs = [count() for _ in range(RUNS)]
    assert {counted for counted, _ in runs} == {nodes}, f"{program}, {position}: {runs}"
    return Peer(program, position, nodes, min(seconds for _, seconds in runs), is_bulk)


def _plain(fen: str, depth: int) -> tuple[int, float]:
    board = chess.Board(fen)
    began = time.process_time()
    return _lines(board, depth), time.process_time() - began


def _lines(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += _lines(board, depth - 1)
        board.pop()
    return count


def _engine_perft(engine: str, fen: str, depth: int) -> tuple[int, float]:
    """The count and its CPU seconds, without what starting the engine takes."""
    _, start = _asked(engine, fen, 1)
    nodes, seconds = _asked(engine, fen, depth)
    return nodes, seconds - start


def _asked(engine: str, fen: str, depth: int) -> tuple[int, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = f"position fen {fen}\ngo perft {depth}\nquit\n"
    done = subprocess.run([engine], input=text, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    nodes = re.search(r"Nodes searched: (\d+)", done.stdout)
    assert nodes, done.stdout
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(nodes[1]), seconds
