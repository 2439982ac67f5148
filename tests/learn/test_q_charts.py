"""The learning curve of a table as a picture."""

import re

import pytest

from plies.learn.against_chance import Fare
from plies.learn.qlearning.charts import learning_curve
from plies.learn.qlearning.training import Figures
from plies.pages.charts import picture

CURVE = [
    {"games": 0, "first": 0.8, "second": 0.5},
    {"games": 100_000, "first": 0.99, "second": 0.92},
]
BEST = (Fare(0.995, 0.005, 0.0), Fare(0.94, 0.05, 0.01))


def words(best: tuple[Fare, ...]) -> list[str]:
    """All that is written in the picture."""
    drawn = picture(learning_curve(CURVE, Figures((), best, ())), "svg").decode()
    return re.findall(r"<text[^>]*>([^<]*)</text>", drawn)


def test_games_are_counted_in_thousands_from_nought() -> None:
    numbers = [word for word in words(BEST) if re.fullmatch(r"\d+k?", word)]
    assert numbers == ["0", "20k", "40k", "60k", "80k", "100k"]


@pytest.mark.parametrize(("best", "lines"), [(BEST, ["reached", "best possible"]), ((), [])])
def test_the_legend_tells_broken_lines_where_there_are_any(
    best: tuple[Fare, ...], lines: list[str]
) -> None:
    legend = ["as first", "as second", "reached", "best possible"]
    assert [word for word in words(best) if word in legend] == [*legend[:2], *lines]
