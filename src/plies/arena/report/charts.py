"""Pictures of the numbers: every chart is a function from rows to an altair chart."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import altair as alt

from plies.arena.report import analysis
from plies.arena.report.analysis import Sample, seat_name
from plies.arena.store import Finished
from plies.arena.summary import Row
from plies.arena.tally import Score
from plies.pages.charts import (
    BLUE,
    GREY,
    ORANGE,
    PALETTE,
    WIDTH,
    Drawn,
    chart,
    counts_axis,
    decades_axis,
)

ROW = 22  # pixels for an agent
LABELS = 170  # the most pixels that a label takes, in the narrow font that measures it
LETTER = 7  # pixels of a letter in the fonts of browsers, some of which are a fifth wider
LETTERS = 32  # of a label of LABELS pixels
SLOPE = 0.77  # how far down a label goes of its length where it is turned by TURN degrees
TURN = -50
RESULTS = {"wins": BLUE, "draws": GREY, "losses": ORANGE}
SHORTEST = 1e-6  # seconds; a logarithmic axis has no zero


def ratings(rows: Sequence[Row]) -> Drawn | None:
    """The rating of every agent with its 95 % interval; None where nobody has one."""
    rated = [
        {"agent": row.standing.name, "elo": row.elo.value, "low": row.elo.low}
        | {"high": row.elo.high, "told": f"{row.standing.name}: {row.elo} Elo"}
        for row in rows
        if row.elo is not None and row.elo.error is not None
    ]
    if not rated:
        return None
    base = chart(rated).encode(y=_names([row.standing.name for row in rows]), description="told:N")
    across = alt.X("low:Q", title="Elo, the mean of all agents is 0")
    return alt.layer(
        base.mark_rule(strokeWidth=2, color=BLUE).encode(x=across, x2="high:Q"),
        base.mark_point(filled=True, size=70, color=BLUE, opacity=1).encode(x="elo:Q"),
    ).properties(width=WIDTH, height=ROW * len(rated))


def payoff(meetings: Mapping[tuple[str, str], Score], order: Sequence[str]) -> Drawn:
    """What the agent of a row got of the points against that of a column."""
    rows = [
        {
            "agent": name,
            "other": other,
            "share": score.share,
            "percent": f"{100 * score.share:.0f}",
            "told": f"{name} against {other}: {score.points:g} of {score.games}"
            f" (+{score.wins} ={score.draws} -{score.losses})",
        }
        for (name, other), score in meetings.items()
    ]
    side = max(26, min(44, WIDTH // len(order)))
    base = chart(rows).encode(
        x=alt.X("other:N", sort=list(order), title=None, axis=_turned_axis(order)),
        y=_names(order),
        description="told:N",
    )
    colours = alt.Scale(domain=[0, 0.5, 1], range=[ORANGE, "#f3efe6", BLUE], interpolate="rgb")
    shade = alt.Color("share:Q", scale=colours, legend=None)
    ink = alt.when("abs(datum.share - 0.5) > 0.35").then(alt.value("white"))
    return alt.layer(
        base.mark_rect().encode(color=shade),
        base.mark_text(fontSize=11).encode(
            text="percent:N", color=ink.otherwise(alt.value("#23211d"))
        ),
    ).properties(width=side * len(order), height=side * len(order))


def results(scores: Mapping[tuple[str, int], Score], order: Sequence[str]) -> Drawn:
    """Shares of games won, drawn and lost by agent (or game), one panel for every seat."""
    rows = [
        {
            "name": name,
            "seat": seat_name(seat),
            "result": result,
            "order": place,
            "share": getattr(score, result) / score.games,
            "told": f"{name} as {seat_name(seat)}: {getattr(score, result)} of {score.games}"
            f" {result}",
        }
        for (name, seat), score in scores.items()
        for place, result in enumerate(RESULTS)
    ]
    seats = sorted({seat for _, seat in scores})
    colours = alt.Scale(domain=list(RESULTS), range=list(RESULTS.values()))
    bars = (
        chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title=None, axis=alt.Axis(format="%", values=[0, 0.5, 1])),
            y=alt.Y("name:N", sort=list(order), title=None, axis=_names_axis(order)),
            color=alt.Color("result:N", scale=colours, title=None),
            order=alt.Order("order:Q"),
            description="told:N",
        )
    )
    size = {"width": WIDTH // len(seats) - 8, "height": alt.Step(ROW)}
    column = alt.Column("seat:N", sort=[seat_name(seat) for seat in seats], title=None)
    return bars.properties(**size).facet(column=column, spacing=12)


def per_move(
    samples: Iterable[Sample], what: Literal["seconds", "nodes"], order: Sequence[str]
) -> Drawn | None:
    """How `what` is distributed over the moves of each agent; None where it is always 0."""
    unit = "s" if what == "seconds" else ""
    values: dict[str, list[float]] = {}
    for sample in samples:
        number = max(sample.seconds, SHORTEST) if what == "seconds" else sample.nodes
        if number:
            values.setdefault(sample.agent, []).append(number)
    rows: list[dict[str, Any]] = []
    for name, numbers in values.items():
        low, quarter, middle, most, high = analysis.quantiles(numbers)
        rows.append(
            {"agent": name, "low": low, "quarter": quarter, "middle": middle, "most": most}
            | {"high": high, "told": _spread_told(name, unit, middle, low, high)}
        )
    if not rows:
        return None
    scale = alt.Scale(type="log")
    axis = decades_axis([number for row in rows for number in (row["low"], row["high"])], unit)
    base = chart(rows).encode(y=_names(order), description="told:N")
    across = alt.X("low:Q", scale=scale, title=f"{what} for a move", axis=axis)
    return alt.layer(
        base.mark_rule(color=BLUE).encode(x=across, x2="high:Q"),
        base.mark_bar(color=BLUE, size=12).encode(x=alt.X("quarter:Q", scale=scale), x2="most:Q"),
        base.mark_tick(color="white", thickness=2, size=12).encode(
            x=alt.X("middle:Q", scale=scale)
        ),
    ).properties(width=WIDTH, height=ROW * len(rows))


def _spread_told(name: str, unit: str, middle: float, low: float, high: float) -> str:
    spread = f"90 % between {low:.3g} and {high:.3g} {unit}"
    return f"{name}: median {middle:.3g} {unit}, {spread}".rstrip()


def lengths(games: Sequence[Finished]) -> Drawn:
    """How many games had so many plies."""
    plies = [len(each.record.moves) for each in games]
    width = max(1, -(-(max(plies) - min(plies) + 1) // 30))
    counts = Counter(number // width * width for number in plies)
    rows: list[dict[str, Any]] = []
    for start, number in counts.items():
        span = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
        row = {"plies": start - 0.5, "end": start + width - 0.5, "games": number}
        rows.append(row | {"told": f"{number} games of {span} plies"})
    bars = chart(rows).mark_bar(color=BLUE, binSpacing=1)
    up = alt.Y("games:Q", axis=counts_axis(0, max(counts.values()), most=5))
    across = alt.X(
        "plies:Q", title="plies", bin="binned", axis=counts_axis(min(counts), max(counts), most=8)
    )
    shape = bars.encode(x=across, x2="end:Q", y=up, description="told:N")
    return alt.layer(shape).properties(width=WIDTH, height=110)


def by_situation(
    samples: Iterable[Sample], what: Literal["pieces", "moves"], order: Sequence[str]
) -> Drawn | None:
    """Mean seconds for a move by the number of own pieces, or of legal moves, of one game."""
    pairs: dict[str, list[tuple[int, float]]] = {}
    for sample in samples:
        number = getattr(sample, what)
        if number is not None:
            pairs.setdefault(sample.agent, []).append((number, max(sample.seconds, SHORTEST)))
    if not any(number for known in pairs.values() for number, _ in known):
        return None
    axis = "own pieces on the board" if what == "pieces" else "legal moves"
    rows: list[dict[str, Any]] = [
        {"agent": name, "number": number, "seconds": mean}
        | {"told": f"{name}, {number} {axis}: {mean:.3g} s on average of {times} moves"}
        for name, known in pairs.items()
        for number, (mean, times) in analysis.means(known).items()
    ]
    named = [name for name in order if name in pairs]
    decades = decades_axis([row["seconds"] for row in rows], "s")
    numbers = [row["number"] for row in rows]
    counts = counts_axis(min(numbers), max(numbers), most=8)
    base = chart(rows).encode(
        x=alt.X("number:Q", title=axis, scale=alt.Scale(zero=False), axis=counts),
        y=alt.Y("seconds:Q", title="seconds", scale=alt.Scale(type="log"), axis=decades),
        color=alt.Color(
            "agent:N",
            sort=named,
            scale=alt.Scale(domain=named, range=PALETTE),
            legend=_legend(named),
        ),
    )
    return alt.layer(
        base.mark_line(), base.mark_point(filled=True, size=25).encode(description="told:N")
    ).properties(width=WIDTH, height=150)


def _names(order: Sequence[str]) -> alt.Y:
    """One line for every agent, the best on top."""
    return alt.Y("agent:N", sort=list(order), title=None, axis=_names_axis(order))


def _names_axis(names: Sequence[str]) -> alt.Axis:
    """Names at the left, with room for them in any font."""
    return alt.Axis(labelLimit=LABELS, minExtent=_room(names))


def _turned_axis(names: Sequence[str]) -> alt.Axis:
    """Names below, turned."""
    return alt.Axis(labelAngle=TURN, labelLimit=LABELS, minExtent=round(SLOPE * _room(names)))


def _legend(names: Sequence[str]) -> alt.Legend:
    """Names side by side as far as they have room in any font."""
    columns = max(1, min(3, WIDTH // (_room(names) + ROW)))
    return alt.Legend(columns=columns, columnPadding=ROW, labelLimit=LABELS)


def _room(names: Sequence[str]) -> int:
    """Pixels for the longest name."""
    return LETTER * (1 + min(LETTERS, max(map(len, names), default=0)))
