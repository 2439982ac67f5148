"""Figures of matches as the tables of reports tell them."""

from collections.abc import Mapping
from typing import Any

Meeting = Mapping[str, Any]  # one of the meetings of `matches.figures`

RESULTS = ("won / drawn / lost", "won of decided", "points", "Elo, 95 %")


def games_of(meeting: Meeting) -> int:
    return meeting["wins"] + meeting["draws"] + meeting["losses"]


def counts(meeting: Meeting) -> str:
    """`60 / 10 / 30`."""
    return f"{meeting['wins']} / {meeting['draws']} / {meeting['losses']}"


def decided_share(meeting: Meeting) -> str:
    """The win rate that leaves drawn games out."""
    decided = meeting["wins"] + meeting["losses"]
    return percent(meeting["wins"] / decided) if decided else "none decided"


def share(meeting: Meeting) -> str:
    """The share of the points, a draw counting half."""
    points = meeting["wins"] + meeting["draws"] / 2
    return percent(points / games_of(meeting))


def percent(number: float) -> str:
    return f"{number:.1%}".replace("%", " %")


def elo(meeting: Meeting) -> str:
    """`+35 (-10 to +80)`, or the bound that games say something about."""
    low, value, high = meeting["elo_low"], meeting["elo"], meeting["elo_high"]
    if low is None and high is None:
        return "unknown"
    if low is None:
        return f"at most {high:+z.0f}"
    if high is None:
        return f"at least {low:+z.0f}"
    return f"{value:+z.0f} ({low:+z.0f} to {high:+z.0f})"


def results(meeting: Meeting) -> tuple[str, ...]:
    """The cells under `RESULTS`."""
    return counts(meeting), decided_share(meeting), share(meeting), elo(meeting)


def ratio(number: float) -> str:
    """`3.5 times`, with as many digits as say something."""
    return f"{number:,.0f} times" if number >= 20 else f"{number:.2g} times"
