"""`plies blackbox`: compare searches on strings of zeros and ones by the calls they need."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import INTERRUPTED, complain
from plies.cli.parameters import Json, Workers
from plies.cli.pictures import check_picture, write_picture

if TYPE_CHECKING:
    from plies.blackbox import Plan, Summary, Trial

blackbox = typer.Typer(add_completion=False)

COLUMNS = ("problem", "strategy", "track", "solved", "median calls", "most calls", "best")


@blackbox.callback()
def about() -> None:
    """Search for the best string of zeros and ones with as few calls of a function as possible.

    \b
    Example:  plies blackbox run --problem 5 --strategy linkage
    """


@blackbox.command("list")
def list_all(as_json: Json = False) -> None:
    """Show the strategies and the problems.

    \b
    Example:  plies blackbox list
    """
    from plies.blackbox import CLASSES, LENGTH, OPTIONS, STRATEGIES
    from plies.cli.output import print_json, print_table
    from plies.core.spec import option_text

    if as_json:
        strategies = [
            {
                "name": name,
                "track": each.track,
                "description": each.description,
                "options": each.options,
            }
            for name, each in STRATEGIES.items()
        ]
        print_json({"problems": list(CLASSES), "length": LENGTH, "strategies": strategies})
        return
    rows = [(name, each.track, each.description) for name, each in STRATEGIES.items()]
    print_table(("strategy", "track", "description"), rows)
    for name, each in STRATEGIES.items():
        if each.options:
            print()
            options = [(key, option_text(value)) for key, value in each.options.items()]
            columns = (f"option of {name}", "default", "meaning")
            print_table(columns, [(*option, OPTIONS[option[0]]) for option in options])
    print(f"\nproblems: {', '.join(map(str, CLASSES))} interleaved classes of {LENGTH} loci")


@blackbox.command()
def run(
    problem: Annotated[
        list[int] | None,
        typer.Option(
            metavar="X", help="How many classes; repeat it for more.  [default: 1, 2, 5, 10]"
        ),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPEC",
            help="NAME or NAME:key=value,...; repeat it for more.  [default: linkage]",
        ),
    ] = None,
    runs: Annotated[int, typer.Option(metavar="N", help="Runs of each on each.")] = 30,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the first run; then the next.")] = 1,
    budget: Annotated[int, typer.Option(metavar="N", help="The most calls of a run.")] = 100_000,
    length: Annotated[int, typer.Option(metavar="N", help="Loci of a genome.")] = 1000,
    workers: Workers = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the runs here; those that are there are not run."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the best values, .svg or .png."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Let strategies search on problems, many times; show how many calls they took.

    \b
    Example:  plies blackbox run --problem 5 --strategy linkage --strategy recipe:population=300
    """
    from plies.blackbox import CLASSES, Plan, summaries

    plan = Plan(
        problems=tuple(dict.fromkeys(problem or CLASSES)),
        strategies=tuple(dict.fromkeys(strategy or ["linkage"])),
        runs=runs,
        seed=seed,
        budget=budget,
        length=length,
    )
    if plot is not None:
        check_picture(plot)
    trials = carried_out(plan, out, workers)
    found = summaries(trials)
    if as_json:
        from plies.cli.output import print_json

        print_json([as_data(each) for each in found])
    else:
        show(found)
    if plot is not None:
        write_picture(plot, curves(trials))


def carried_out(plan: "Plan", out: Path | None, workers: int) -> list["Trial"]:
    """All runs of the plan in its order, with progress; Ctrl-C loses none that is done."""
    from plies.blackbox import carry_on
    from plies.cli.running import ending_heard
    from plies.cli.train.progress import progress

    trials: list[Trial] = []
    try:
        with ending_heard(), progress("runs") as tell:
            for trial in carry_on(plan, out, workers):
                trials.append(trial)
                tell(len(trials), len(plan.jobs))
    except KeyboardInterrupt as error:
        kept = f"{len(trials)} of {len(plan.jobs)} runs are kept in {out}" if out else ""
        complain(f"interrupted; {kept or 'nothing was kept, --out FILE would do it'}")
        raise typer.Exit(INTERRUPTED) from error
    names = list(plan.strategies)
    problems = [str(each) for each in plan.problems]
    return sorted(
        trials,
        key=lambda each: (problems.index(each.problem), names.index(each.strategy), each.seed),
    )


def as_data(summary: "Summary") -> dict[str, Any]:
    return {
        "problem": int(summary.problem),
        "strategy": summary.strategy,
        "track": summary.track,
        "runs": summary.runs,
        "solved": summary.solved,
        "median_calls": summary.median_calls,
        "most_calls": summary.most_calls,
        "best": summary.best,
        "best_by_calls": {str(calls): best for calls, best in summary.milestones.items()},
    }


def show(found: list["Summary"]) -> None:
    """A row for each strategy on each problem; values are medians over the runs."""
    from plies.cli.output import print_table

    shown = [
        calls for calls in found[0].milestones if any(each.milestones[calls] for each in found)
    ]
    columns = (*COLUMNS, *(f"by {calls // 1000}k" for calls in shown))
    rows = [
        (
            each.problem,
            each.strategy,
            each.track,
            f"{each.solved} of {each.runs}",
            number(each.median_calls),
            number(each.most_calls),
            f"{each.best:.3f}",
            *(value(each.milestones[calls]) for calls in shown),
        )
        for each in found
    ]
    print_table(columns, rows)


def number(calls: float | None) -> str:
    return "-" if calls is None else f"{calls:,.0f}"


def value(best: float | None) -> str:
    return "-" if best is None else f"{best:.3f}"


# The plot


def curves(trials: list["Trial"]) -> Any:
    """For every strategy the median over its runs; what has succeeded stays at the optimum."""
    import altair as alt

    from plies.pages.charts import PALETTE, WIDTH, chart, decades_axis

    rows = curve_rows(trials)
    names = list(dict.fromkeys(row["strategy"] for row in rows))
    axis = decades_axis([row["calls"] for row in rows], "")
    colours = alt.Scale(domain=names, range=PALETTE)
    lines = (
        chart(rows)
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X("calls:Q", title="calls", scale=alt.Scale(type="log", nice=False), axis=axis),
            y=alt.Y("best:Q", title="best value so far, median of the runs"),
            color=alt.Color("strategy:N", sort=names, scale=colours),
        )
        .properties(width=WIDTH, height=200)
    )
    panels = list(dict.fromkeys(row["problem"] for row in rows))
    return lines.facet(alt.Facet("problem:N", title=None, sort=panels), columns=2)


def curve_rows(trials: list["Trial"]) -> list[dict[str, Any]]:
    from statistics import median

    groups: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        groups.setdefault((trial.problem, trial.strategy), []).append(trial)
    marks = sorted({calls for trial in trials for calls, _ in trial.curve})
    rows: list[dict[str, Any]] = []
    for (problem, strategy), group in groups.items():
        name = f"{problem} {'class' if problem == '1' else 'classes'}"
        for calls in marks:
            best = [value for trial in group if (value := trial.best_by(calls)) is not None]
            row = {"problem": name, "strategy": strategy, "calls": calls}
            if best:
                rows.append(row | {"best": median(best)})
    return rows
