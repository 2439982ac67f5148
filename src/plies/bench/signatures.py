"""How many nodes each method takes, as one line of text for every game and method.

    nim alphabeta:depth=8 opening=20160:0 middle=1213:999999994 end=48:-999999994

The value that was found is told as well: where a budget ends a search, the number of nodes
alone would say little.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("signatures.txt")


class Found(NamedTuple):
    """What a search of one position took, and its value; None where there is none."""

    nodes: int
    value: int | None


Signature = dict[str, Found]  # by the name of the position
Key = tuple[str, str]  # game and spec of the method


def kept_signatures(path: Path = FILE) -> dict[Key, Signature]:
    """What the file says."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return dict(map(_read, lines))


def _read(line: str) -> tuple[Key, Signature]:
    game, spec, *entries = line.split()
    pairs = (entry.split("=") for entry in entries)
    return (game, spec), {name: _found(text) for name, text in pairs}


def _found(text: str) -> Found:
    nodes, value = text.split(":")
    return Found(int(nodes), int(value) if value else None)


def write_signatures(signatures: Mapping[Key, Signature], path: Path = FILE) -> None:
    """Keep them, in an order that does not depend on that of the measurements."""
    path.write_text("".join(f"{line}\n" for line in _lines(signatures)), encoding="utf-8")


def _lines(signatures: Mapping[Key, Signature]) -> Iterable[str]:
    for game, spec in sorted(signatures):
        entries = (
            f"{name}={found.nodes}:{'' if found.value is None else found.value}"
            for name, found in signatures[game, spec].items()
        )
        yield f"{game} {spec} {' '.join(entries)}"
