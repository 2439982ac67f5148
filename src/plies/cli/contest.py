"""`plies contest validate`: is an agent fit for a contest, and if not, why not?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.parameters import Json

if TYPE_CHECKING:
    from plies.arena.contest import Check

SHOWN = 20  # lines of the standard error of an agent that did wrong

contest = typer.Typer(add_completion=False)


@contest.callback()
def about() -> None:
    """Help for those who organise a class contest and for those who take part.

    \b
    Example:  plies contest validate process:examples/agents/chance.py --game quixo
    """


@contest.command()
def validate(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Its spec, or a file or folder.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="The game of the contest.")],
    per_move: Annotated[
        float, typer.Option(metavar="SECONDS", help="The most that one move may take.", min=0.01)
    ] = 2.0,
    startup: Annotated[
        float, typer.Option(metavar="SECONDS", help="To get ready.", min=0.01)
    ] = 10.0,
    pairs: Annotated[
        int, typer.Option(metavar="N", help="Games from every seat against each.", min=1)
    ] = 2,
    log: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the agent's standard error to this file."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Let an agent play itself, chance and a baseline; say what is wrong with it in words.

    The exit status is 0 if it is fit for the contest and 1 if not.

    \b
    Example:  plies contest validate process:examples/agents/chance.py --game quixo
    """
    import sys

    from plies.arena.contest import validate as checks
    from plies.arena.preflight import guard_table
    from plies.cli.output import print_json
    from plies.files import check_writable, new_file
    from plies.match import Clocks
    from plies.registry import game as find_game

    if log is not None:
        check_writable(log)
    found = find_game(game)
    spec = spec_of(agent)
    clocks = Clocks(per_move=per_move, startup=startup)
    for line in guard_table([spec], found):
        print(line, file=sys.stderr)
    told: list[dict[str, Any]] = []
    for check in checks(spec, found, clocks, pairs):
        told.append(vars(check))
        if not as_json:
            show(check)
    if log is not None:
        with new_file(log) as part:
            part.write_text("".join(each["errors"] for each in told), encoding="utf-8")
    is_fit = all(each["is_good"] for each in told)
    if as_json:
        print_json({"agent": spec, "game": game, "is_fit": is_fit, "checks": told})
    else:
        print(f"{spec} is {'fit' if is_fit else 'not fit'} for a contest of {game}")
    if not is_fit:
        raise typer.Exit(1)


def show(check: "Check") -> None:
    """A check for people, with the end of what a program wrote when it did wrong."""
    print(f"{'ok  ' if check.is_good else 'FAIL'} {check.name}: {check.text}", flush=True)
    if check.advice:
        print(f"     {check.advice}")
    lines = [] if check.is_good else check.errors.splitlines()
    if lines:
        more = f", the last {SHOWN} of {len(lines)} lines" if len(lines) > SHOWN else ""
        print(f"     its standard error{more} (--log FILE writes it to a file):")
        for line in lines[-SHOWN:]:
            print(f"     | {line}")


def spec_of(text: str) -> str:
    """A path alone is that of a program."""
    from plies.agents import AGENTS

    is_path = Path(text).exists() or "/" in text.partition(":")[0]
    is_named = text.partition(":")[0] in AGENTS
    return f"process:{text}" if is_path and not is_named else text
