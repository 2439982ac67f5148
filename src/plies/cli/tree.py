"""`plies tree`: a search of a game tree from a file, with everything it saw and cut."""

from typing import Annotated, Literal

import typer

from plies.cli.parameters import Json


def command(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A tree as text or JSON; - reads the standard input.",
            show_default=False,
        ),
    ],
    algorithm: Annotated[
        Literal["minimax", "alphabeta", "maxn"] | None,
        typer.Option(
            help="How to search; by default alphabeta, or maxn where payoffs are no zero sum.",
            show_default=False,
        ),
    ] = None,
    fail: Annotated[
        Literal["soft", "hard"],
        typer.Option(help="Answer with the proven bound, or with the end of the window."),
    ] = "soft",
    cut: Annotated[
        Literal["equal", "beyond"],
        typer.Option(help="Cut when alpha >= beta, or only when alpha > beta."),
    ] = "equal",
    order: Annotated[
        Literal["left", "right", "best"],
        typer.Option(help="Children as written, reversed, or so that most is cut."),
    ] = "left",
    as_json: Json = False,
) -> None:
    """Search a game tree and show its values, windows and cuts.

    In the text form M and m are nodes of Max and Min, or nodes begin with the number
    of their player; a leaf is a number, or a vector with one for each player.

    \b
    Example:  echo "M(A = m(3, 5), m(2, M(9, -1)))" | plies tree -
    """
    from plies.cli.output import print_json
    from plies.games.tree.reading import read_tree_file
    from plies.tree_report import analyse, report_json, report_text

    report = analyse(read_tree_file(file), algorithm, fail=fail, cut=cut, order=order)
    if as_json:
        print_json(report_json(report))
    else:
        print(report_text(report))
