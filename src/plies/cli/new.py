"""`plies new`: a complete small game to change into one's own."""

import keyword
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.errors import UsageError

DEFAULT = "board"


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, NAME.py.")],
    template: Annotated[
        str, typer.Option(metavar="NAME", help="board, or numbers for a game without a board.")
    ] = DEFAULT,
) -> None:
    """Write a complete game file, to be changed into your own game.

    \b
    Example:  plies new my_game.py
    """
    templates = {
        found.name.removesuffix(".py"): found
        for found in files("plies.cli").joinpath("templates").iterdir()
        if found.name.endswith(".py")
    }
    if template not in templates:
        raise UsageError(
            f"there is no template {template}; there are {', '.join(sorted(templates))}"
        )
    refuse_bad_name(file)
    text = templates[template].read_text(encoding="utf-8")
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise UsageError(f"{file} exists and is left as it is; choose another name") from None
    print(f"{file} is a complete game.  Next:")
    steps = {
        f"check {file}": "test it",
        f"play {file}": "play it",
        f"perft {file} 4": "count lines",
    }
    for step, purpose in steps.items():
        print(f"  plies {step:<{max(map(len, steps))}}  # {purpose}")


def refuse_bad_name(file: Path) -> None:
    """The name of the file is the name of the game."""
    if file.suffix != ".py":
        raise UsageError(f"{file} does not end in .py; a game is one Python file")
    if not file.stem.isidentifier() or keyword.iskeyword(file.stem):
        raise UsageError(f"{file.stem!r} is no Python name; use letters, digits and _")
