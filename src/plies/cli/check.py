"""`plies check`: does a game, an agent, a search or an evaluator keep its contract?"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from plies.cli.compiling import compiling_line
from plies.cli.errors import UsageError
from plies.cli.parameters import GameSpec, Json

if TYPE_CHECKING:
    from plies.testing import CheckResult


def command(
    game: GameSpec,
    games: Annotated[int, typer.Option(metavar="N", help="Random games to play through.")] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of the games.")] = 0,
    patience: Annotated[
        float, typer.Option(metavar="S", help="Seconds that an answer may take before it fails.")
    ] = 10,
    as_json: Json = False,
) -> None:
    """Check a game, one line for every promise that the contract makes; or an agent's file,
    a search's or an evaluator's: what it is follows from what it defines.

    What loops for ever is named with the position, after --patience seconds.  A game that passes
    is compiled: `plies play` begins at once.

    The exit status is 0 when all hold, 1 when one does not.

    \b
    Example:  plies check ./my_game.py
    """
    if games < 1:
        raise UsageError(f"--games is 1 or more, not {games}")
    if not patience > 0:
        raise UsageError(f"--patience is more than 0 seconds, not {patience:g}")

    from plies.registry import game as find_game
    from plies.testing.files import checks_of_file
    from plies.testing.watching import watched_checks

    results = checks_of_file(game, seed, patience)
    is_game = results is None
    if results is None:
        results = watched_checks(find_game(game), seed, games, patience)
    is_sound = _print_json(results) if as_json else _print_lines(results)
    if not is_sound:
        raise typer.Exit(1)
    if is_game:
        compile_ahead(game)


def compile_ahead(spec: str) -> None:
    """Compile what the first `plies play` of a sound game needs."""
    from plies.cli.play import OPPONENT
    from plies.registry import game as find_game
    from plies.warming import can_play, compile_job, jobs_of

    game = find_game(spec)
    for job in jobs_of(game, spec, [OPPONENT] if can_play(OPPONENT, game) else []):
        compile_job(job)  # what goes wrong is told by whoever plays


def _print_lines(results: "Iterable[CheckResult]") -> bool:
    """One line for every result as it comes; whether all passed."""
    is_sound = True
    for result in results:
        is_sound &= result.passed
        detail = f": {result.detail}" if result.detail else ""
        compiling_line.clear()
        print(f"{'✓' if result.passed else '✗'} {result.name}{detail}", flush=True)
    return is_sound


def _print_json(results: "Iterable[CheckResult]") -> bool:
    """All results as one document; whether all passed."""
    from dataclasses import asdict

    from plies.cli.output import print_json

    found = [asdict(result) for result in results]
    print_json(found)
    return all(result["passed"] for result in found)
