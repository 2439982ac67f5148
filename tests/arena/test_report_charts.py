"""Charts of a report: names stay inside the picture, also in the wide fonts of some browsers."""

import math
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from plies.arena.report import charts
from plies.arena.report.analysis import Sample
from plies.arena.tally import Score
from plies.pages.charts import Drawn, inline_svg

NAMES = ("random", "alphabeta:depth=3", "engine:seconds=1,eval=quick.py")
WIDE = 0.6  # of its size: what a letter of DejaVu Sans or Verdana takes on average
MOVE = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)")
TURN = re.compile(r"rotate\((-?[\d.]+)\)")
Place = tuple[float, float]


def drawings(name: str) -> Iterator[Drawn | None]:
    """The kinds of charts that show names of agents."""
    order, score = (name, "mcts"), Score(wins=3, losses=1, points=3)
    samples = [Sample(agent, "g", 0.1, 100, 5, moves) for agent in order for moves in (5, 7, 9)]
    yield charts.by_situation(samples, "moves", order)
    yield charts.per_move(samples, "nodes", order)
    yield charts.payoff({order: score, (order[1], order[0]): score}, order)
    yield charts.results({(agent, seat): score for agent in order for seat in (0, 1)}, order)


def ends_of_texts(element: ElementTree.Element, x: float, y: float) -> Iterator[Place]:
    """Where the texts below an element begin and end, in a font of wide letters."""
    transform = element.get("transform", "")
    if move := MOVE.search(transform):
        x, y = x + float(move[1]), y + float(move[2])
    if element.tag == "text":
        turn = TURN.search(transform)
        angle = math.radians(float(turn[1])) if turn else 0.0
        length = WIDE * float(element.get("font-size", "0").removesuffix("px"))
        length *= len(element.text or "") * (-1 if element.get("text-anchor") == "end" else 1)
        yield x, y
        yield x + length * math.cos(angle), y + length * math.sin(angle)
    for child in element:
        yield from ends_of_texts(child, x, y)


@pytest.mark.parametrize("name", NAMES)
def test_names_are_inside_the_picture_in_every_font(name: str) -> None:
    for drawing in drawings(name):
        assert drawing is not None
        picture = ElementTree.fromstring(inline_svg(drawing))
        names = [text.text for text in picture.iter("text")]
        assert name in names
        width, height = (float(picture.get(side, "0")) for side in ("width", "height"))
        for x, y in ends_of_texts(picture, 0, 0):
            assert 0 <= x <= width
            assert 0 <= y <= height
