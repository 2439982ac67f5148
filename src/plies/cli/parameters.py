"""Parameters that several commands share, declared once."""

from typing import Annotated

import typer

GameSpec = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A name, name:key=value,... or the path of a .py file.",
        show_default=False,
    ),
]
Position = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Begin here instead of at the start, in the game's own notation.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]
Workers = Annotated[int, typer.Option(metavar="N", help="Processes; 0: one on every core.", min=0)]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", help="Random seed of the agents.", show_default=False),
]
