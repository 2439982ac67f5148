"""What a predictor has learned, drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from plies.core.verbs import Measure
from plies.pages.charts import BLUE, GREY, ORANGE, WIDTH, Drawn, chart

MOST_POINTS = 1000  # of the rows laid aside, evenly chosen: more would only cover each other
HEIGHT = 220


def learning_curve(curve: Sequence[Mapping[str, Any]], measure: Measure) -> Drawn:
    """The mean squared error by the number of rows learned from: on these, and on others."""
    square = measure.points**2
    unit = f"{measure.name}s^2"
    sides = {"rows left out": "mse", "rows learned from": "train_mse"}
    rows = [
        {
            "rows": trial["rows"],
            "error": trial[field] / square,
            "side": side,
            "description": f"{side}: {trial[field] / square:.4g} {unit} after {trial['rows']} rows",
        }
        for trial in curve
        for side, field in sides.items()
    ]
    colours = alt.Scale(domain=list(sides), range=[BLUE, ORANGE])
    return (
        chart(rows)
        .mark_line(point=True)
        .encode(
            x=alt.X("rows:Q", title="rows learned from", scale=alt.Scale(zero=True)),
            y=alt.Y("error:Q", title=f"mean squared error, {unit}"),
            color=alt.Color("side:N", scale=colours),
            description="description:N",
        )
        .properties(width=WIDTH, height=HEIGHT)
    )


def predicted_against_true(targets: np.ndarray, predicted: np.ndarray, measure: Measure) -> Drawn:
    """Every row laid aside as a point; on the line the prediction is right."""
    unit = measure.points
    step = max(1, -(-len(targets) // MOST_POINTS))
    pairs = zip(targets[::step] / unit, predicted[::step] / unit, strict=True)
    points = [{"true": float(true), "predicted": float(said)} for true, said in pairs]
    low = min(targets.min(), predicted.min()) / unit
    high = max(targets.max(), predicted.max()) / unit
    ends = [{"true": float(end), "predicted": float(end)} for end in (low, high)]
    x = alt.X("true:Q", title=f"what the search says, {measure.name}s")
    y = alt.Y("predicted:Q", title=f"prediction, {measure.name}s")
    line = chart(ends).mark_line(color=GREY).encode(x=x, y=y)
    dots = chart(points).mark_circle(color=BLUE, size=14, opacity=0.5).encode(x=x, y=y)
    return alt.layer(line, dots).properties(width=WIDTH, height=HEIGHT)
