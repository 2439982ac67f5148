"""`plies train data`: positions with what is seen at once and what a search says of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plies.cli.errors import UsageError
from plies.cli.parameters import Json, Workers

if TYPE_CHECKING:
    from plies.learn.dataset_files import Dataset

Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A name, name:key=value,... or a .py file.", show_default=False
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The dataset (.parquet).", show_default=False),
]
Evaluator = Annotated[
    str,
    typer.Option(
        "--eval",
        metavar="NAME",
        help="Whose features and value are taken.",
        show_default="the game's first",
    ),
]
Search = Annotated[
    str,
    typer.Option(metavar="AGENT", help="A search with a depth: what it says is to be learned."),
]
Rows = Annotated[int, typer.Option(metavar="N", help="How many positions.")]
DataSeed = Annotated[int, typer.Option(metavar="N", help="Random seed.", min=0)]
Positions = Annotated[
    Literal["random", "games"],
    typer.Option(help="After random plies, or those of games that begin there."),
]
Plies = Annotated[
    str, typer.Option(metavar="N or A-B", help="How many random plies: one number of these.")
]
Player = Annotated[
    str,
    typer.Option(
        metavar="AGENT", help="Who plays the games against itself.", show_default="the search"
    ),
]
Cap = Annotated[
    int,
    typer.Option(
        metavar="POINTS",
        help="What a proven win counts as.",
        min=0,
        show_default="the greatest opinion of all rows",
    ),
]
Distinct = Annotated[
    bool, typer.Option("--distinct", help="Leave out positions that were met before.")
]
Show = Annotated[
    bool, typer.Option("--show", help="Make nothing: GAME is a dataset, whose card is shown.")
]
Csv = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="FILE",
        help="Also write the rows as CSV: features, evaluation, best_value.",
        show_default=False,
    ),
]
CsvSingle = Annotated[
    Path | None,
    typer.Option(
        "--csv-single",
        metavar="FILE",
        help="Also write H_0 and H_L alone as CSV.",
        show_default=False,
    ),
]


def command(
    game: Game,
    out: Out = None,
    evaluator: Evaluator = "",
    search: Search = "alphabeta:depth=3",
    rows: Rows = 10_000,
    seed: DataSeed = 1,
    positions: Positions = "random",
    plies: Plies = "10-20",
    player: Player = "",
    cap: Cap = 0,
    distinct: Distinct = False,
    workers: Workers = 0,
    csv: Csv = None,
    csv_single: CsvSingle = None,
    show: Show = False,
    as_json: Json = False,
) -> None:
    """Make a dataset: positions, the evaluator's features of them, and what a search says.

    One row is one position that is not the end of a game, seen by its mover: the features of
    the evaluator, its value (H_0), what the search says (target, H_L), and in the column
    decided 1 or -1 where that is a proven win or loss.  The rows do not depend on the
    number of workers.  Interrupted work is kept in FILE.parts; the same command goes on.

    CSV has the columns of the chess report, in pawns.  With --show it is written from a
    dataset that is there.

    \b
    Example:  plies train data chess --eval sef --search branch:depth=4,look=1,width=2
                                     --rows 20000 --out chess.parquet
              plies train data --show chess.parquet --csv chess.csv
    """
    from plies.cli.output import print_json
    from plies.cli.train.progress import kept_when_stopped, progress
    from plies.learn.dataset_files import read_card, read_dataset
    from plies.learn.datasets import DataPlan, data_plan, make_dataset
    from plies.registry import FILE_SPEC

    check_csv(csv, csv_single)
    if show:
        card = read_card(Path(game))
        if csv or csv_single:
            write_both(read_dataset(Path(game)), csv, csv_single)
        (print_json if as_json else print_card)(card)
        if not as_json:
            print_files(csv, csv_single)
        return
    if out is None:
        raise UsageError("missing option --out; see plies train data --help")
    asked = DataPlan(game, evaluator, search, rows, seed, positions, plies_of(plies), player)
    plan = data_plan(asked)
    with kept_when_stopped(out), progress("rows") as tell:
        dataset = make_dataset(
            plan,
            out,
            workers=workers,
            on_rows=lambda made: tell(made, rows),
            cap=cap,
            is_distinct=distinct,
        )
    write_both(dataset, csv, csv_single)
    if as_json:
        print_json({"file": str(out), **dataset.card})
    else:
        print_card(dataset.card)
        print_files(csv, csv_single)
        trust = f" --game {plan.game}" if FILE_SPEC.fullmatch(plan.game) else ""
        print(f"\nkept in {out}; to learn from it: plies train fit {out}{trust} --out model.npz")


def check_csv(multi: Path | None, single: Path | None) -> None:
    """Refuse, before the work, what no CSV can be written to."""
    from plies.learn.csv_files import csv_path

    if multi and single and multi.resolve() == single.resolve():
        raise UsageError(f"--csv and --csv-single are two files, not {multi} for both")
    for path in filter(None, (multi, single)):
        csv_path(path)


def write_both(dataset: "Dataset", multi: Path | None, single: Path | None) -> None:
    """The CSV files that are asked for."""
    from plies.learn.csv_files import write_csv

    if multi:
        write_csv(multi, dataset)
    if single:
        write_csv(single, dataset, is_single=True)


def print_files(*written: Path | None) -> None:
    if names := ", ".join(map(str, filter(None, written))):
        print(f"\nas CSV: {names}")


def plies_of(text: str) -> tuple[int, int]:
    """`10-20` or `12`."""
    low, _, high = text.partition("-")
    try:
        return int(low), int(high or low)
    except ValueError:
        raise UsageError(f"--plies is a number or two, such as 10-20, not {text}") from None


def print_card(card: dict[str, Any]) -> None:
    """What a dataset is, as a person reads it."""
    from plies.cli.output import print_facts

    low, high = card["plies"]
    told = f"after {low} to {high} random plies" if low < high else f"after {low} random plies"
    if card["positions"] == "games":
        told = f"of games by {card['player'] or card['search']} that begin {told}"
    left_out = card["asked"] - card["rows"]
    facts = {
        "game": card["game"],
        "evaluator": card["evaluator"],
        "search": card["search"],
        "rows": f"{card['rows']:,}" + (f", {left_out:,} repeated ones left out" * bool(left_out)),
        "positions": told,
        "inputs": ", ".join(card["features"]),
        "decided": f"{card['decided']:,} rows, which count as {card['cap']:,} points",
        "seed": str(card["seed"]),
        "version": card["version"],
    }
    print_facts(facts)
