"""What a learner could do after so many games, drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from plies.learn.qlearning.training import Figures
from plies.pages.charts import BLUE, ORANGE, WIDTH, Drawn, chart, plain_axis

HEIGHT = 220
SIDES = {"as first": "first", "as second": "second"}
REACHED, BEST = "reached", "best possible"  # drawn through, and broken
STROKES = alt.Legend(symbolType="stroke", symbolSize=200)


def learning_curve(curve: Sequence[Mapping[str, Any]], figures: Figures) -> Drawn:
    """The win rates against chance in both seats; broken lines are the best possible."""
    rows, limits = _reached(curve), _best(figures)
    low = min(row["rate"] for row in (*rows, *limits))
    sides = {
        "y": alt.Y(
            "rate:Q",
            title="games won against chance",
            scale=alt.Scale(domain=[max(0.0, low - 0.02), 1.0], nice=False),
            axis=alt.Axis(format=".0%"),
        ),
        "color": alt.Color(
            "side:N",
            scale=alt.Scale(domain=list(SIDES), range=[BLUE, ORANGE]),
            legend=STROKES,
        ),
        "description": "told:N",
    }
    x = alt.X("games:Q", title="games learned from", axis=plain_axis("~s"))
    kinds = alt.StrokeDash(
        "kind:N",
        scale=alt.Scale(domain=[REACHED, BEST], range=[[1, 0], [4, 3]]),
        legend=STROKES if limits else None,
    )
    base = chart(rows).encode(x=x, **sides)
    layers = [
        chart(limits).mark_rule().encode(strokeDash=kinds, **sides),
        base.mark_line().encode(strokeDash=kinds),
        base.mark_point(filled=True, opacity=1),
    ]
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT)


def _reached(curve: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "games": point["games"],
            "rate": point[field],
            "side": side,
            "kind": REACHED,
            "told": f"{side}: {point[field]:.2%} of games won after {point['games']:,}",
        }
        for point in curve
        for side, field in SIDES.items()
    ]


def _best(figures: Figures) -> list[dict[str, Any]]:
    """None in a game that is too large to know."""
    return [
        {
            "rate": fare.wins,
            "side": side,
            "kind": BEST,
            "told": f"{side}: {fare.wins:.2%} is the best possible",
        }
        for fare, side in zip(figures.best, SIDES, strict=False)
    ]
