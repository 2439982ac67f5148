"""`plies check`: does a game keep the contract?"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plies.cli.errors import UsageError
from plies.cli.parameters import GameSpec, Json

if TYPE_CHECKING:
    from plies.testing import CheckResult


def command(
    game: GameSpec,
    games: Annotated[int, typer.Option(metavar="N", help="Random games to play through.")] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="Other random games.")] = 0,
    as_json: Json = False,
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
    results = _made_in_a_thread(checks(found, seed=seed, games=games))
    is_sound = _print_json(results) if as_json else _print_lines(results)
    if not is_sound:
        raise typer.Exit(1)


def _made_in_a_thread(results: "Iterable[CheckResult]") -> "Iterator[CheckResult]":
    """The same, one by one; a rule that never ends runs where Ctrl-C need not wait for it."""
    from queue import Empty, SimpleQueue
    from threading import Thread

    made: SimpleQueue[CheckResult | Exception | None] = SimpleQueue()

    def make() -> None:
        try:
            for result in results:
                made.put(result)
            made.put(None)
        except Exception as error:  # raised again where the results are read
            made.put(error)

    Thread(target=make, daemon=True).start()
    while True:
        try:
            item = made.get(timeout=0.05)  # not for ever: a waiting thread hears no Ctrl-C
        except Empty:
            continue
        if isinstance(item, Exception):
            raise item
        if item is None:
            return
        yield item


def _print_lines(results: "Iterable[CheckResult]") -> bool:
    """One line for every result as it comes; whether all passed."""
    is_sound = True
    for result in results:
        is_sound &= result.passed
        detail = f": {result.detail}" if result.detail else ""
        print(f"{'✓' if result.passed else '✗'} {result.name}{detail}", flush=True)
    return is_sound


def _print_json(results: "Iterable[CheckResult]") -> bool:
    """All results as one document; whether all passed."""
    from dataclasses import asdict

    from plies.cli.output import print_json

    found = [asdict(result) for result in results]
    print_json(found)
    return all(result["passed"] for result in found)
