"""The charts that studies share; what is particular to one is drawn by the study itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from plies.pages.charts import (
    BLUE,
    GREY,
    ORANGE,
    PALETTE,
    WIDTH,
    Drawn,
    chart,
    decades_axis,
    plain_axis,
)
from plies.studies.study import Shown

ROW = 26  # pixels for a bar
LABELS = 190  # the most pixels of a label
FEW = 5  # moves, of which a median says little
SITUATIONS = {"pieces": "own pieces", "moves": "legal moves"}
RESULTS = {"wins": BLUE, "draws": GREY, "losses": ORANGE}


@dataclass(frozen=True)
class Axis:
    """What is drawn along a side: a column of the rows, its title, and how."""

    column: str
    title: str
    unit: str = ""
    is_log: bool = False
    is_whole: bool = False
    format: str = ""  # of the numbers at it, as d3 writes them


def lines(rows: Sequence[Mapping[str, Any]], x: Axis, y: Axis, by: str = "") -> Drawn:
    """Lines with points; `by` is the column whose values are lines of their own."""
    told = [{**row, "told": _point_told(row, x, y, by)} for row in rows]
    sides = {
        "x": alt.X(f"{x.column}:Q", **_side(x, rows)),
        "y": alt.Y(f"{y.column}:Q", **_side(y, rows)),
    }
    colour = _colours(rows, by) if by else alt.value(BLUE)
    base = chart(told).encode(**sides, color=colour)
    points = base.mark_point(filled=True, size=40, opacity=1).encode(description="told:N")
    return alt.layer(base.mark_line(), points).properties(width=WIDTH, height=170)


def _point_told(row: Mapping[str, Any], x: Axis, y: Axis, by: str) -> str:
    who = f"{row[by]}, " if by else ""
    return f"{who}{x.title} {row[x.column]:g}: {row[y.column]:.4g} {y.unit or y.title}"


def _colours(rows: Sequence[Mapping[str, Any]], by: str) -> alt.Color:
    kinds = list(dict.fromkeys(str(row[by]) for row in rows))
    scale = alt.Scale(domain=kinds, range=PALETTE)
    return alt.Color(f"{by}:N", sort=kinds, scale=scale, title=None)


def _side(axis: Axis, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    numbers = [row[axis.column] for row in rows]
    if axis.is_log:
        decades = decades_axis(numbers, axis.unit)
        return {"title": axis.title, "scale": alt.Scale(type="log"), "axis": decades}
    if axis.is_whole:
        whole = alt.Axis(values=sorted({int(number) for number in numbers}), format="d")
        return {"title": axis.title, "scale": alt.Scale(zero=False, padding=8), "axis": whole}
    shown = plain_axis(axis.format)
    return {"title": axis.title, "scale": alt.Scale(zero=True), "axis": shown}


def bars(rows: Sequence[Mapping[str, Any]], name: str, x: Axis, by: str = "") -> Drawn:
    """A bar for every row, in their order; `by` is a column that sets bars side by side."""
    told = [{**row, "told": f"{row[name]}: {row[x.column]:,.4g} {x.unit}".rstrip()} for row in rows]
    names = list(dict.fromkeys(str(row[name]) for row in rows))
    marks = (
        chart(told)
        .mark_bar()
        .encode(
            x=alt.X(f"{x.column}:Q", **_side(x, rows)),
            y=alt.Y(f"{name}:N", sort=names, title=None, axis=alt.Axis(labelLimit=LABELS)),
            color=_colours(rows, by) if by else alt.value(BLUE),
            description="told:N",
        )
    )
    if by:
        kinds = list(dict.fromkeys(str(row[by]) for row in rows))
        marks = marks.encode(yOffset=alt.YOffset(f"{by}:N", sort=kinds))
    height = ROW * len(rows) * 2 // 3 if by else ROW * len(names)
    return alt.layer(marks).properties(width=WIDTH, height=height)


def results(rows: Sequence[Mapping[str, Any]], name: str) -> Drawn:
    """Shares of games won, drawn and lost: rows have `wins`, `draws`, `losses` and a name."""
    told = []
    for row in rows:
        games = sum(row[result] for result in RESULTS)
        for place, result in enumerate(RESULTS):
            words = f"{row[name]}: {row[result]} of {games} {result}"
            share = row[result] / max(games, 1)
            told.append({"name": row[name], "result": result, "order": place, "share": share})
            told[-1]["told"] = words
    names = list(dict.fromkeys(str(row[name]) for row in rows))
    colours = alt.Scale(domain=list(RESULTS), range=list(RESULTS.values()))
    marks = (
        chart(told)
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title=None, axis=alt.Axis(format="%", values=[0, 0.5, 1])),
            y=alt.Y("name:N", sort=names, title=None, axis=alt.Axis(labelLimit=LABELS)),
            color=alt.Color("result:N", scale=colours, title=None),
            order=alt.Order("order:Q"),
            description="told:N",
        )
    )
    return alt.layer(marks).properties(width=WIDTH, height=ROW * len(names))


def situations(
    by: Mapping[str, Sequence[Mapping[str, Any]]], whose: str, remark: str
) -> list[Shown]:
    """The time for a move by own pieces and by legal moves, a line for every agent.

    `by` is what `matches.by_situation` answers, `whose` says in the title of which games.
    """
    time = Axis("seconds", "median for a move", "s", is_log=True)
    drawn = []
    for what, title in SITUATIONS.items():
        rows = [row for row in by[what] if row["count"] >= FEW]
        if rows:
            chart = lines(rows, Axis("number", title), time, by="agent")
            drawn.append(Shown(f"Time for a move by {title}, {whose}", remark, chart))
    return drawn
