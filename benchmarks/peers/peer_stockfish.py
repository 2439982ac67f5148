"""Stockfish, asked by `peer_run`: `go perft`, which counts the moves of the last ply."""

import re
import resource
import subprocess

from peer_install import stockfish
from peer_worker import Answer, Run, serve


def engine() -> str:
    found = stockfish()
    if found is None:
        raise SystemExit("stockfish is not installed")
    return found


def told(*commands: str) -> tuple[str, float]:
    """What the engine says to commands, and its CPU seconds with starting."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = "\n".join([*commands, "quit", ""])
    done = subprocess.run([engine()], input=text, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def count_lines(game: str, fen: str, depth: int, is_bulk: bool) -> Run:
    position = f"position fen {fen}" if fen else "position startpos"

    def run() -> Answer:
        _, start = told(position, "go perft 1")
        said, seconds = told(position, f"go perft {depth}")
        found = re.search(r"Nodes searched: (\d+)", said)
        if found is None:
            raise ValueError(f"no count in {said!r}")
        return Answer(int(found[1]), seconds - start)

    return run


def version() -> str:
    found = re.match(r"Stockfish (\S+)", told()[0])
    return found[1] if found else "unknown"


if __name__ == "__main__":
    serve(version(), {"perft": count_lines})
