"""`plies match`: two agents against each other, or as many as the game has players."""

from typing import Annotated

import typer

from plies.cli import arena_options as options
from plies.cli.errors import UsageError
from plies.cli.parameters import GameSpec, Json, Workers

Agents = Annotated[
    list[str],
    typer.Argument(metavar="A B...", help="Specs of the agents.", show_default=False),
]
Sprt = Annotated[
    str | None,
    typer.Option(
        metavar="ELO0,ELO1",
        help="Stop as soon as it is decided whether A is stronger by ELO1 or only by ELO0"
        " (normalised Elo, errors of 5 %); --pairs is the most that are played.",
        show_default=False,
    ),
]


def command(
    game: GameSpec,
    agents: Agents,
    pairs: options.Pairs = None,
    seed: options.RunSeed = None,
    sprt: Sprt = None,
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
    """Find out which agent is better, by how much, and how sure that is.

    Every opening is played with all seats swapped.  With --out the games are kept as they end,
    and the same command goes on after an interruption.  A test (--sprt) exits with status 1
    unless A is found to be stronger.

    \b
    Example:  plies match quixo alphabeta:depth=2 alphabeta:depth=1 --pairs 50 --seed 1
    """
    from plies.agents.spec import short_spec
    from plies.arena.input_bounds import LONGEST_NAME
    from plies.cli.running import Run, command_line, run_tournament
    from plies.registry import game as find_game

    found = find_game(game)
    players = found.players(found.initial())
    if len(agents) != players:
        raise UsageError(f"{game} has {players} players; name as many agents, not {len(agents)}")
    if players > 2 and sprt is not None:
        raise UsageError(f"--sprt is for two agents, and {game} has {players} players")
    data = options.as_data(
        pairs=pairs,
        seed=seed,
        openings=openings,
        clock=clock,
        per_move=per_move,
        max_plies=max_plies,
        settings=setting or [],
    )
    data.setdefault("name", " - ".join(map(short_spec, agents))[:LONGEST_NAME])
    data |= {
        "games": [game],
        "agents": options.entries(agents),
        "kind": "match" if players == 2 else "round-robin",
    }
    if sprt is not None:
        data |= {"kind": "sprt", "sprt": {**options.test_bounds(sprt), **data.get("sprt", {})}}
    run = Run(out, workers, ray, dry_run, as_json, command_line(), tuple(replay or ()))
    run_tournament(options.tournament(data), run)
