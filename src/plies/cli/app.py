"""Every command under its name."""

import sys
from contextlib import nullcontext
from typing import Annotated, Any

import typer
from typer.main import get_command

from plies import __version__
from plies.cli import (
    agents,
    bench,
    blackbox,
    check,
    contest,
    export,
    games,
    match,
    new,
    perft,
    play,
    report,
    search,
    serve,
    solve,
    study,
    tournament,
    tree,
    uci,
    warm,
)
from plies.cli.errors import UsageError, complain
from plies.cli.output import only_json
from plies.cli.train import train

PROGRAM = "plies"
ENTRY_POINTS = "plies.commands"
LOCAL = "local"  # as `plies.arena.ray_workers` understands it
COMMANDS = {
    "games": games.command,
    "agents": agents.command,
    "play": play.command,
    "match": match.command,
    "tournament": tournament.command,
    "report": report.command,
    "export": export.command,
    "search": search.command,
    "perft": perft.command,
    "tree": tree.command,
    "solve": solve.command,
    "bench": bench.command,
    "new": new.command,
    "check": check.command,
    "warm": warm.command,
    "serve": serve.command,
    "uci": uci.command,
}


def invoke(arguments: list[str]) -> int:
    """Run one command line and answer its exit status; what goes wrong is raised."""
    app = make_app(is_pretty=sys.stdout.isatty())
    if not arguments or arguments[0] not in COMMANDS:
        add_installed(app)
    group = get_command(app)
    try:
        with (
            group.make_context(PROGRAM, with_address(arguments)) as context,
            only_json() if "--json" in arguments else nullcontext(),
        ):
            group.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except typer.TyperException as error:
        raise UsageError(usage_line(error)) from error
    return 0


def with_address(arguments: list[str]) -> list[str]:
    """`--ray` alone means a cluster of this machine."""
    return [
        f"--ray={LOCAL}" if word == "--ray" and after.startswith("-") else word
        for word, after in zip(arguments, [*arguments[1:], "--"], strict=False)
    ]


def usage_line(error: typer.TyperException) -> str:
    """What typer says about wrong arguments, and where the right ones are explained."""
    said = " ".join(error.format_message().split()).removesuffix(".")
    context = getattr(error, "ctx", None)
    return (
        f"{said[:1].lower()}{said[1:]}; see {context.command_path if context else PROGRAM} --help"
    )


def make_app(*, is_pretty: bool) -> typer.Typer:
    """The commands as one application; `is_pretty` frames and colours its help."""
    app = typer.Typer(
        rich_markup_mode="rich" if is_pretty else None,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(start)
    for name, command in COMMANDS.items():
        app.command(name)(command)
    app.add_typer(contest.contest, name="contest")
    app.add_typer(train, name="train")
    app.add_typer(study.study, name="study")
    app.add_typer(blackbox.blackbox, name="blackbox")
    return app


def add_installed(app: typer.Typer) -> None:
    """Mount the commands of other installed packages: a `typer.Typer`, or a function each."""
    from importlib.metadata import entry_points

    own = {each.name for each in (*app.registered_commands, *app.registered_groups)}
    for point in entry_points(group=ENTRY_POINTS):
        what = f"the command {point.name} of {point.module}"
        if point.name in own:
            complain(f"{what} is left out: plies has one of that name")
            continue
        try:
            command = point.load()
            mount(typer.Typer(), point.name, command)
        except (Exception, SystemExit) as error:  # a broken one must not take the others along
            complain(f"{what} cannot be loaded: {type(error).__name__}: {error}")
            continue
        mount(app, point.name, command)


def mount(app: typer.Typer, name: str, command: Any) -> None:
    """Add a command, and see whether it can be called."""
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name)
    elif callable(command):
        app.command(name)(command)
    else:
        raise TypeError(f"it is {command!r:.80}, not a function")
    get_command(app)


def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Write a board game once, in one Python file; play, search and measure it.

    \b
    Example:  plies play tictactoe --second alphabeta:depth=9
    """
    if version:
        print(f"{PROGRAM} {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(2)
