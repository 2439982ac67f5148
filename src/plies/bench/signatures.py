"""The nodes of each search, as one line of text for every game and search.

    nim alphabeta:depth=8 opening=20160:0 middle=1213:999999994 end=48:-999999994

Values are stored as well: where a budget ends a search, its number of nodes says little.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("signatures.txt")


class Result(NamedTuple):
    """The nodes of a search of one position, and its value; None where there is none."""

    nodes: int
    value: int | None


Signature = dict[str, Result]  # by the name of the position
Key = tuple[str, str]  # game and spec of the agent


def read_signatures(path: Path = FILE) -> dict[Key, Signature]:
    """The stored signatures."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return dict(map(_read, lines))


def _read(line: str) -> tuple[Key, Signature]:
    game, spec, *entries = line.split()
    pairs = (entry.split("=") for entry in entries)
    return (game, spec), {name: _result(text) for name, text in pairs}


def _result(text: str) -> Result:
    nodes, value = text.split(":")
    return Result(int(nodes), int(value) if value else None)


def write_signatures(signatures: Mapping[Key, Signature], path: Path = FILE) -> None:
    """Store signatures, in an order that does not depend on that of the measurements."""
    path.write_text("".join(f"{line}\n" for line in _lines(signatures)), encoding="utf-8")


def _lines(signatures: Mapping[Key, Signature]) -> Iterable[str]:
    for game, spec in sorted(signatures):
        entries = (
            f"{name}={result.nodes}:{'' if result.value is None else result.value}"
            for name, result in signatures[game, spec].items()
        )
        yield f"{game} {spec} {' '.join(entries)}"
