"""Patterns of points on a board, and which of them are images of each other.

A shape is a text: `line5` are all five points in a row, column or diagonal without another
point of the board between them, `2x3` all boxes of two by three cells, lying and standing.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from plies.core import verbs
from plies.core.contract import Game
from plies.core.scores import ONGOING
from plies.core.states import inputs_problem
from plies.errors import BadGame, BadSpec

LINE, BOX = re.compile(r"line([0-9]+)"), re.compile(r"([0-9]+)x([0-9]+)")
MOST_POINTS = 10  # 3**10 entries are the most a table has
SAMPLES, LONGEST = 20, 60  # games, and plies of them, by which a symmetry is tried

Point = tuple[float, float]
DIRECTIONS: tuple[Callable[[Point], float], ...] = (
    lambda point: point[1],
    lambda point: point[0],
    lambda point: point[1] - point[0],
    lambda point: point[1] + point[0],
)


@dataclass(frozen=True)
class Patterns:
    """Lists of points, and the number of the table that each of them is looked up in.

    Patterns with the same table are images of each other, their points in the same order.
    """

    points: int
    lists: tuple[tuple[int, ...], ...]
    tables: tuple[int, ...]


def find_patterns(game: Game, shapes: tuple[str, ...] = ()) -> Patterns:
    """All patterns of these shapes; by default lines as long as the shorter side of a board
    of cells, or of three points on a board of points and lines.
    """
    places = point_places(game)
    found: list[tuple[int, ...]] = []
    board = game.board(game.initial())
    length = 3 if board and not board.has_cells else _shorter_side(places)
    for shape in shapes or (f"line{length}",):
        found += [pattern for pattern in _of_shape(shape, places) if pattern not in found]
    return _with_tables(found, symmetries_of(game, places), len(places))


def point_places(game: Game) -> list[Point]:
    """Where the points are that the game's inputs count: own piece on p is p, the other's
    is points + p.
    """
    state = game.initial()
    board = game.board(state)
    count = verbs.input_count(state)
    if count == 0:
        raise BadSpec(f"{game.name} cannot be learned so: its file has no inputs(state)")
    if board is None or count < 2 * len(board.points):
        raise BadSpec(f"{game.name} has no board whose points its inputs count, side by side")
    return list(board.points.values())


def _shorter_side(places: list[Point]) -> int:
    sides = (len({place[axis] for place in places}) for axis in (0, 1))
    return min(*sides, MOST_POINTS)


def _of_shape(shape: str, places: list[Point]) -> Iterator[tuple[int, ...]]:
    if line := LINE.fullmatch(shape):
        found = list(_lines(int(line[1]), places))
    elif box := BOX.fullmatch(shape):
        found = list(_boxes(int(box[1]), int(box[2]), places))
    else:
        raise BadSpec(f"a shape is a line or a box, such as line5 or 2x3, not {shape}")
    if not found:
        raise BadSpec(f"no {shape} fits on the board")
    if len(found[0]) > MOST_POINTS:
        raise BadSpec(f"{shape} has {len(found[0])} points, at most {MOST_POINTS} are learned")
    return iter(found)


def _lines(length: int, places: list[Point]) -> Iterator[tuple[int, ...]]:
    for level in DIRECTIONS:
        rows = defaultdict(list)
        for point, place in enumerate(places):
            rows[level(place)].append(point)
        for _, row in sorted(rows.items()):
            row.sort(key=lambda point: places[point])
            for begin in range(len(row) - length + 1 if length else 0):
                yield tuple(row[begin : begin + length])


def _boxes(width: int, height: int, places: list[Point]) -> Iterator[tuple[int, ...]]:
    at = {place: point for point, place in enumerate(places)}
    for x, y in places:
        for columns, rows in dict.fromkeys(((width, height), (height, width))):
            cells = [(x + i, y + j) for j in range(rows) for i in range(columns)]
            if cells and all(cell in at for cell in cells):
                yield tuple(at[cell] for cell in cells)


def symmetries_of(game: Game, places: list[Point]) -> list[tuple[int, ...]]:
    """How points are exchanged by the symmetries of the plane that are symmetries of the game.

    Whether they are is tried on positions of random games: the image must be among those
    that the game's own `symmetries` answers.
    """
    xs, ys = zip(*places, strict=True)
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    at = {(x - middle[0], y - middle[1]): point for point, (x, y) in enumerate(places)}
    candidates = []
    for turned in range(8):
        images = [at.get(_turned(place, turned)) for place in at]
        if None not in images:
            candidates.append(tuple(images))
    positions = list(_sample(game))
    return [image for image in dict.fromkeys(candidates) if _holds(image, positions)]


def input_images(game: Game) -> np.ndarray:
    """[image, input] how the game's inputs are exchanged by its symmetries, the first of
    which exchanges nothing; inputs that count no points stay as they are.
    """
    state = game.initial()
    board, count = game.board(state), verbs.input_count(state)
    if board is None or count < 2 * len(board.points):
        return np.arange(count)[None, :]
    points = len(board.points)
    others = list(range(2 * points, count))
    images = symmetries_of(game, list(board.points.values()))
    return np.array([[*image, *(points + p for p in image), *others] for image in images])


def _turned(place: Point, turned: int) -> Point:
    x, y = place
    x, y = (-x if turned & 1 else x), (-y if turned & 2 else y)
    return (y, x) if turned & 4 else (x, y)


def _sample(game: Game) -> Iterator[tuple[frozenset[int], set[frozenset[int]]]]:
    """The inputs of some positions, and those of their images."""
    for walk in _walks(game):
        state = walk[-1]
        images = {frozenset(verbs.inputs(image).tolist()) for image in game.symmetries(state)}
        yield frozenset(verbs.inputs(state).tolist()), images


def check_inputs(game: Game) -> None:
    """`BadGame` where inputs are no places in arrays of as many as the game says."""
    for state in chain.from_iterable(_walks(game)):
        if problem := inputs_problem(verbs.inputs(state), verbs.input_count(state)):
            raise BadGame(f"{game.name}: at {game.position_text(state)} {problem}")


def _walks(game: Game) -> Iterator[list[Any]]:
    """The positions of some random games, from the start to wherever they are left."""
    rng = random.Random(1)
    for _ in range(SAMPLES):
        walk: list[Any] = [game.initial()]
        for _ in range(rng.randrange(LONGEST)):
            if verbs.outcome(walk[-1]) != ONGOING:
                break
            walk.append(verbs.play(walk[-1], rng.choice(verbs.legal_moves(walk[-1]))))
        yield walk


def _holds(image: tuple[int, ...], positions: list) -> bool:
    """Whether every position, so exchanged, is one of its own images."""
    points = len(image)

    def moved(number: int) -> int:
        side, point = divmod(number, points)
        return number if side > 1 else side * points + image[point]

    return all(frozenset(map(moved, there)) in images for there, images in positions)


def _with_tables(
    found: list[tuple[int, ...]], symmetries: list[tuple[int, ...]], points: int
) -> Patterns:
    """Every pattern in the order of points of the first one that it is an image of."""
    ordered: dict[frozenset[int], tuple[tuple[int, ...], int]] = {}
    tables = 0
    for pattern in found:
        if frozenset(pattern) in ordered:
            continue
        for image in symmetries:
            moved = tuple(image[point] for point in pattern)
            ordered.setdefault(frozenset(moved), (moved, tables))
        tables += 1
    wanted = {frozenset(pattern) for pattern in found}
    kept = [entry for points_of, entry in ordered.items() if points_of in wanted]
    lists, numbers = zip(*kept, strict=True)
    return Patterns(points, lists, numbers)
