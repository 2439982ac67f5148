"""`plies check`: does a game keep the contract?"""

from typing import Annotated

import typer

from plies.cli.errors import UsageError
from plies.cli.parameters import GameSpec


def command(
    game: GameSpec,
    games: Annotated[int, typer.Option(metavar="N", help="Random games to play through.")] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="Other random games.")] = 0,
) -> None:
    """Check a game, one line for every promise that the contract makes.

    The exit status is 0 when all hold, 1 when one does not.

    \b
    Example:  plies check ./my_game.py
    """
    if games < 1:
        raise UsageError(f"--games is 1 or more, not {games}")

    from plies.core.diagnosis import compile_rules
    from plies.registry import game as find_game
    from plies.testing import checks

    found = find_game(game)
    compile_rules(found)
    failed = 0
    for result in checks(found, seed=seed, games=games):
        failed += not result.passed
        detail = f": {result.detail}" if result.detail else ""
        print(f"{'✓' if result.passed else '✗'} {result.name}{detail}", flush=True)
    if failed:
        raise typer.Exit(1)
