"""Charts in one style: from rows to altair, and from altair to SVG and PNG."""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Literal

import altair as alt
import vl_convert

from plies.files import new_file

Drawn = alt.Chart | alt.LayerChart | alt.FacetChart
PictureFormat = Literal["svg", "png"]

WIDTH = 270  # pixels of a plot, without its labels: a telephone shows a chart at nearly full size
BLUE, GREY, ORANGE = "#3b7cbf", "#b9b2a4", "#d9692b"
PALETTE = [BLUE, ORANGE, "#5f9a3a", "#9a63ae", "#c9a227", "#3aa6a0", "#c4577f", "#8a7a63"]
# A mark with what a screen reader says of it, which becomes what a pointer finds as well.
MARK = re.compile(r'<(path|line|text)( aria-label="([^"]*)" role="graphics-symbol"[^>]*)/>')
NAMESPACES = re.compile(r' xmlns(:\w+)?="[^"]*"')


def chart(rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
    """A chart of rows, to be given marks and encodings; `description` is told of a mark."""
    return alt.Chart(alt.Data(values=[dict(row) for row in rows]))


def counts_axis(low: int, high: int, most: int) -> alt.Axis:
    """An axis of whole numbers that names at most so many of them, in steps of 1, 2 or 5."""
    steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
    step = next(step for step in steps if high // step - -(-low // step) < most)
    return alt.Axis(values=list(range(-(-low // step) * step, high + 1, step)), format="d")


def decades_axis(numbers: Sequence[float], unit: str) -> alt.Axis:
    """A logarithmic axis that names powers of ten only: `100µs 1ms`, or `10 1k`."""
    low, high = math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers)))
    values = [10.0**power for power in range(low, high + 1)]
    return alt.Axis(values=values, labelExpr=f"format(datum.value, '~s') + '{unit}'")


def plain_axis(form: str = "") -> alt.Axis:
    """An axis of some round numbers, written by a format of d3; with `~s` 50000 is `50k`."""
    # By an expression: as a format of the axis, ~s would write the 0 as 0k.
    form = "~%" if form == "%" else form  # which alone writes 50.000000%
    label = f"format(datum.value, '{form}')" if form else alt.Undefined
    return alt.Axis(tickCount=5, labelExpr=label)


# From charts to files


def _spec(chart: Drawn, ink: str) -> dict[str, Any]:
    """The chart in Vega-Lite, its letters in one colour."""
    styled = (
        chart.configure(background="transparent" if ink == "currentColor" else "white", padding=4)
        .configure_axis(
            labelColor=ink,
            titleColor=ink,
            domainColor=ink,
            tickColor=ink,
            gridColor=ink,
            gridOpacity=0.12,
            titleFontWeight="normal",
            labelFontSize=11,
        )
        .configure_view(stroke=None)
        .configure_legend(
            labelColor=ink, titleColor=ink, title=None, orient="bottom", columns=3, labelLimit=130
        )
        .configure_header(labelColor=ink, titleColor=ink, labelFontSize=11)
    )
    return styled.to_dict()


def inline_svg(chart: Drawn) -> str:
    """For a page: letters in the colour of its text, and told what a pointer is over."""
    drawn = vl_convert.vegalite_to_svg(_spec(chart, "currentColor"))
    return MARK.sub(r"<\1\2><title>\3</title></\1>", NAMESPACES.sub("", drawn))


def picture(chart: Drawn, kind: PictureFormat) -> bytes:
    """For a file of its own."""
    spec = _spec(chart, "#23211d")
    if kind == "svg":
        return vl_convert.vegalite_to_svg(spec).encode()
    return vl_convert.vegalite_to_png(spec, scale=2)


def write_pictures(folder: Path, charts: Mapping[str, Drawn], kind: PictureFormat) -> list[Path]:
    """Every chart as a file `NAME.svg` or `NAME.png` of the folder."""
    paths = [folder / f"{name}.{kind}" for name in charts]
    for path, drawn in zip(paths, charts.values(), strict=True):
        with new_file(path) as part:
            part.write_bytes(picture(drawn, kind))
    return paths
