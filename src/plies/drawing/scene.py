"""What a drawing shows besides the pieces: coordinates, labels and names.

Text and picture are drawn from the same scene, so they agree.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from plies.drawing.board import Board
from plies.errors import BadGame, shorten

NAME = re.compile(r"([A-Za-z]+)([0-9]+)")


@dataclass(frozen=True)
class Scene:
    """How a drawing names the points of a board.

    A point whose piece is its own name is a label.  A board without labels whose names
    are a letter and a number that follow the coordinates has them written below
    (`columns`) and at the left (`rows`).  Any other board without labels shows
    the names of its empty points.
    """

    labels: frozenset[str]
    columns: dict[float, str] = field(default_factory=dict)  # x -> text
    rows: dict[float, str] = field(default_factory=dict)  # y -> text

    @property
    def shows_names(self) -> bool:
        return not self.labels and not self.columns


def scene(board: Board, pieces: Mapping[str, str]) -> Scene:
    """Look at a board and its pieces."""
    strays = [name for name in pieces if name not in board.points]
    if strays:
        raise BadGame(f"pieces names points that the board does not have: {shorten(strays)}")
    labels = frozenset(name for name, piece in pieces.items() if name == piece)
    if labels:
        return Scene(labels)
    for across, up in ((1, 2), (2, 1)):
        columns = _axis(board, part=across, dimension=0)
        rows = _axis(board, part=up, dimension=1)
        if columns and rows:
            return Scene(labels, columns, rows)
    return Scene(labels)


def _axis(board: Board, part: int, dimension: int) -> dict[float, str]:
    """Coordinate -> the part of the names that belongs to it, empty if there is none."""
    labels: dict[float, str] = {}
    for name, position in board.points.items():
        match = NAME.fullmatch(name)
        if match is None or labels.setdefault(position[dimension], match[part]) != match[part]:
            return {}
    return labels if len(set(labels.values())) == len(labels) else {}
