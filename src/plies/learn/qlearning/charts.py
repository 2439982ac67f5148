"""What a learner could do after so many games, drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from plies.learn.qlearning.training import Figures
from plies.pages.charts import BLUE, ORANGE, WIDTH, Drawn, chart

HEIGHT = 220
SIDES = {"as first": "first", "as second": "second"}


def learning_curve(curve: Sequence[Mapping[str, Any]], figures: Figures) -> Drawn:
    """The win rates against chance in both seats; broken lines are the best possible."""
    rows = [
        {
            "games": point["games"],
            "rate": point[field],
            "side": side,
            "told": f"{side}: {point[field]:.2%} of games won after {point['games']:,}",
        }
        for point in curve
        for side, field in SIDES.items()
    ]
    limits = [
        {"rate": fare.wins, "side": side, "told": f"{side}: {fare.wins:.2%} is the best possible"}
        for fare, side in zip(figures.best, SIDES, strict=False)
    ]
    colour = alt.Color("side:N", scale=alt.Scale(domain=list(SIDES), range=[BLUE, ORANGE]))
    rates = [row["rate"] for row in (*rows, *limits)]
    low = max(0.0, min(rates) - 0.02)
    y = alt.Y(
        "rate:Q",
        title="games won against chance",
        scale=alt.Scale(domain=[low, 1.0], nice=False),
        axis=alt.Axis(format=".0%"),
    )
    x = alt.X("games:Q", title="games learned from", axis=alt.Axis(format="~s", tickCount=5))
    line = chart(rows).mark_line(point=True).encode(x=x, y=y, color=colour, description="told:N")
    best = (
        chart(limits).mark_rule(strokeDash=[4, 3]).encode(y=y, color=colour, description="told:N")
    )
    return alt.layer(best, line).properties(width=WIDTH, height=HEIGHT)
