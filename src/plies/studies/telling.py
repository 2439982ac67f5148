"""What the reports of several studies have in common: figures and verdicts as texts."""

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


def points(meeting: Meeting) -> float:
    """The share of the points, a draw counting half."""
    return (meeting["wins"] + meeting["draws"] / 2) / games_of(meeting)


def share(meeting: Meeting) -> str:
    """The share of the points."""
    return percent(points(meeting))


def percent(number: float, digits: int = 1) -> str:
    return f"{number:.{digits}%}".replace("%", " %")


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


def standing(meeting: Meeting) -> str:
    """Whether one is stronger, as far as the games can tell."""
    low, high = meeting["elo_low"], meeting["elo_high"]
    if low is not None and low > 0:
        return "ahead"
    if high is not None and high < 0:
        return "behind"
    return f"{games_of(meeting)} games do not tell them apart"


def results(meeting: Meeting) -> tuple[str, ...]:
    """The cells under `RESULTS`."""
    return counts(meeting), decided_share(meeting), share(meeting), elo(meeting)


def ratio(number: float) -> str:
    """`3.5 times`, with as many digits as say something."""
    return f"{number:,.0f} times" if number >= 20 else f"{number:.2g} times"


def agreement(published: object, ours: object, why: str = "") -> str:
    """The verdict on a figure that allows of no other: a reason is given if it is the same."""
    if ours != published:
        return "differs: a defect, here or there"
    return f"the same: {why}" if why else "the same"


def step_of(name: str) -> str:
    """The name of the step, and of its files, that has to do with what is named."""
    return name.replace(",", "").replace(" ", "-")
