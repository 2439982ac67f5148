"""`plies new`: a complete small game, agent, search or evaluator to change into one's own."""

import keyword
import sys
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.errors import UsageError

# What there is of each kind, the first by default, and what to do with the file next.
TEMPLATES = {
    "game": ("board", "numbers"),
    "agent": ("agent",),
    "search": ("search",),
    "evaluator": ("evaluator",),
}
NEXT = {
    "game": {"play {file}": "play it", "perft {file} 4": "count lines"},
    "agent": {"play tictactoe --second {file}": "play against it"},
    "search": {"match tictactoe {file} random --pairs 10": "let it play"},
    "evaluator": {"search tictactoe --agent alphabeta:eval={file}": "search with it"},
}


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, NAME.py.")],
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="game, agent, search or evaluator.")
    ] = "game",
    template: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="For a game: board, or numbers for one without a board.",
            show_default="board",
        ),
    ] = "",
) -> None:
    """Write a complete game, agent, search or evaluator, to be changed into your own.

    \b
    Example:  plies new my_game.py
              plies new my_agent.py --kind agent
    """
    if kind not in TEMPLATES:
        raise UsageError(f"there is no kind {kind}; there are {', '.join(TEMPLATES)}")
    known = TEMPLATES[kind]
    if (template or known[0]) not in known:
        raise UsageError(
            f"there is no template {template} of a {kind}; there are {', '.join(known)}"
        )
    refuse_bad_name(file)
    source = files("plies.cli").joinpath("templates", f"{template or known[0]}.py")
    text = source.read_text(encoding="utf-8").replace("THIS_FILE", file.name)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise UsageError(f"{file} exists and is left as it is; choose another name") from None
    print(f"{file} is a complete {kind}.  Next:")
    steps = {f"check {file}": "test it"}
    steps |= {step.format(file=file): purpose for step, purpose in NEXT[kind].items()}
    for step, purpose in steps.items():
        print(f"  plies {step:<{max(map(len, steps))}}  # {purpose}")
    if kind == "game":
        from plies.cli.check import compile_ahead

        compile_ahead(str(file))  # while its author reads on


def refuse_bad_name(file: Path) -> None:
    """The name of the file is the name of what is in it."""
    if file.suffix != ".py":
        raise UsageError(f"{file} does not end in .py; it is one Python file")
    if not file.stem.isidentifier() or keyword.iskeyword(file.stem):
        raise UsageError(f"{file.stem!r} is no Python name; use letters, digits and _")
    if file.stem in sys.stdlib_module_names | {"numpy", "numba", "plies"}:
        raise UsageError(f"{file.stem} is a module that Python imports; choose another name")
