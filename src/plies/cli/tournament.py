"""`plies tournament`: many agents, many games, one table."""

from pathlib import Path
from typing import Annotated, Any

import typer

from plies.cli import arena_options as options
from plies.cli.errors import UsageError
from plies.cli.parameters import Json, Workers

LONGEST_FILE = 200  # bytes of the name of a run's file, before what SQLite adds to it

File = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="A tournament in a TOML file; options of the command line come before what it says.",
        show_default=False,
    ),
]
Games = Annotated[
    list[str] | None,
    typer.Option("--game", metavar="GAME", help="Repeat it for more games.", show_default=False),
]
Agents = Annotated[
    list[str] | None,
    typer.Option("--agent", metavar="SPEC", help="Repeat it, at least twice.", show_default=False),
]
Kind = Annotated[
    str | None,
    typer.Option(
        metavar="KIND",
        help="round-robin, gauntlet, swiss, knock-out, match or sprt.",
        show_default="round-robin",
    ),
]


def command(
    file: File = None,
    game: Games = None,
    agent: Agents = None,
    kind: Kind = None,
    pairs: options.Pairs = None,
    seed: options.RunSeed = None,
    openings: options.Openings = None,
    clock: options.Credit = None,
    per_move: options.PerMove = None,
    max_plies: options.MaxPlies = None,
    setting: options.Settings = None,
    workers: Workers = 0,
    ray: options.Ray = None,
    out: options.Out = None,
    replay: options.Replay = None,
    dry_run: options.DryRun = False,
    as_json: Json = False,
) -> None:
    """Let agents play a tournament: round robin, gauntlet, Swiss, knock-out.

    Every game is kept in the file --out (by default named after the tournament) when it ends;
    the same command goes on after an interruption.  Look at it with plies report.

    \b
    Example:  plies tournament --game tictactoe --agent random --agent greedy --agent perfect
    """
    from plies.arena.reading import read_toml
    from plies.cli.running import Run, command_line, run_tournament

    data = options.as_data(
        pairs=pairs,
        seed=seed,
        openings=openings,
        clock=clock,
        per_move=per_move,
        max_plies=max_plies,
        settings=setting or [],
    )
    if kind is not None:
        data["kind"] = kind
    if game:
        data["games"] = game
    if agent:
        data["agents"] = options.entries(agent)
    if file is not None:
        data = merged(read_toml(file), data)
    elif not (game and agent):
        raise UsageError("a tournament needs a FILE, or --game and --agent twice or more")
    name = data.setdefault("name", file.stem if file else "tournament")
    tournament = options.tournament(data, file)
    out = out or run_file(name)
    run_tournament(
        tournament, Run(out, workers, ray, dry_run, as_json, command_line(), tuple(replay or ()))
    )


def run_file(name: str) -> Path:
    """Where the games of a tournament are kept by default: a file system takes 255 bytes."""
    plain = name.replace("/", "-").encode()[:LONGEST_FILE].decode(errors="ignore")
    return Path(f"{plain}.db")


def merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Two such things in one; of what both say, `above` counts.

    Openings are said in one of several ways, so that those of `above` replace all.
    """
    both = {**below, **above}
    if "games" in above:
        both.pop("game", None)
    for key in below.keys() & above.keys() - {"openings"}:
        if isinstance(below[key], dict) and isinstance(above[key], dict):
            both[key] = {**below[key], **above[key]}
    return both
