"""plies beside other programs: the same work, exact counts, CPU seconds, one table.

    make bench-peers                             installs the programs and prints the table
    python benchmarks/peer_run.py --json         the same for a program
    python benchmarks/peer_run.py --markdown     the same for a page of the documentation
    python benchmarks/peer_run.py --only mcts    works whose name or game holds a word

Every count is checked, so that a rate never comes from other work; where programs list moves
in orders of their own, counts differ and only the value is the same.  Programs are asked in
turns, several rounds, and the best of each is taken.  A program that is not there has a row
that says so.  The run fails when a count is wrong or a ratio too small.
"""

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from peer_measure import Row, complaints, measure, ratio
from peer_programs import Launcher
from peer_works import PLIES, WORKS, Work

SECONDS = 0.5  # of CPU time for each answer, and one run at least
ROUNDS = 3
COLUMNS = ("game", "work", "program", "count", "CPU ms", "rate", "plies is times as fast")
UNITS = ((1e6, "M"), (1e3, "k"), (1, ""))


def rate_text(rate: float) -> str:
    """`35.1 M/s`, `17.2 k/s`."""
    size, letter = next((unit for unit in UNITS if rate >= unit[0]), UNITS[-1])
    return f"{rate / size:.{significant(rate / size)}f} {letter}/s"


def ratio_text(times: float | None) -> str:
    return "" if times is None else f"{times:.{significant(times)}f}"


def significant(number: float) -> int:
    """Decimals that leave three figures, or all before the point."""
    return 0 if number >= 100 else 1 if number >= 10 else 2


def table(rows: Sequence[Row]) -> Table:
    shown = Table(*COLUMNS)
    for column in shown.columns[3:]:
        column.justify = "right"
    for row in rows:
        if row.program == PLIES:
            shown.add_section()
        shown.add_row(*cells(row, rows))
    return shown


def markdown(rows: Sequence[Row]) -> str:
    lines = [COLUMNS, ("---",) * len(COLUMNS), *(cells(row, rows) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cells(row: Row, rows: Sequence[Row]) -> tuple[str, ...]:
    """A line of the table; what is measured is named where plies, the first, is."""
    heading = (row.work.game, row.work.work) if row.program == PLIES else ("", "")
    return *heading, f"{row.program} {row.version}".strip(), *figures(row, rows)


def figures(row: Row, rows: Sequence[Row]) -> tuple[str, str, str, str]:
    if row.best is None or row.rate is None:
        return row.problem, "", "", ""
    count = f"{row.best.count:,} {row.work.unit}"
    milliseconds = f"{row.best.cpu_seconds * 1e3:,.2f}"
    return count, milliseconds, rate_text(row.rate), ratio_text(ratio(row, rows))


def document(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For other programs: a list with a record for each row."""
    return [
        {
            "game": row.work.game,
            "work": row.work.work,
            "unit": row.work.unit,
            "program": row.program,
            "version": row.version,
            "nodes": row.best.count if row.best else None,
            "cpu_seconds": row.best.cpu_seconds if row.best else None,
            "rate": row.rate,
            "ratio": ratio(row, rows),
            "problem": row.problem,
        }
        for row in rows
    ]


def chosen(words: str) -> list[Work]:
    return [work for work in WORKS if words.lower() in f"{work.game} {work.work}".lower()]


def arguments_of(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="plies beside other programs, in one run.")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print one JSON document")
    shown.add_argument("--markdown", action="store_true", help="print a table in Markdown")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"turns of each ({ROUNDS})")
    parser.add_argument("--only", default="", help="works whose game or name holds this text")
    arguments = parser.parse_args(words)
    if arguments.rounds < 1:
        parser.error("--rounds is at least 1")
    if not chosen(arguments.only):
        parser.error(f"no work has {arguments.only!r} in its name; without --only all are shown")
    return arguments


def main(words: Sequence[str] | None = None) -> int:
    arguments = arguments_of(words)
    launcher = Launcher()
    try:
        rows = measure(chosen(arguments.only), launcher, arguments.rounds, SECONDS, tell)
    except KeyboardInterrupt:
        return 130
    finally:
        launcher.close()
    if arguments.json:
        print(json.dumps(document(rows), indent=2))
    elif arguments.markdown:
        print(markdown(rows))
    else:
        show(rows)
    for complaint in complaints(rows):
        print(complaint, file=sys.stderr)
    return 1 if complaints(rows) else 0


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def show(rows: Sequence[Row]) -> None:
    console = Console(width=150)
    console.print(f"{platform.machine()}, one core; the best of each in CPU time", highlight=False)
    console.print(table(rows))


if __name__ == "__main__":
    sys.exit(main())
