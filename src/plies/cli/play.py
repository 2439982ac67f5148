"""`plies play`: a game at the terminal, against agents, people, or between agents."""

import shlex
import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import UsageError
from plies.cli.parameters import GameSpec, Position, Seed
from plies.core.errors import GameOver

if TYPE_CHECKING:
    from plies.agents import Agent
    from plies.cli.session import Session
    from plies.core.contract import Game

HUMAN = "human"
OPPONENT = "alphabeta:depth=4"


First = Annotated[str, typer.Option(metavar="SPEC", help="Who moves first.")]
Second = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="The second player.",
        show_default=f"{OPPONENT}, or random where that does not apply",
    ),
]
Others = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SPEC",
        help="The third player; repeat it for further ones.",
        show_default="random",
    ),
]


def command(
    game: GameSpec,
    first: First = HUMAN,
    second: Second = None,
    player: Others = None,
    position: Position = None,
    seed: Seed = None,
) -> None:
    """Play a game in the terminal.

    A player is `human` or the spec of an agent.  Type moves as the prompt shows them;
    `?` lists the legal ones and `help` the other words.

    \b
    Example:  plies play tictactoe --first human --second alphabeta:depth=9
    """
    import secrets

    from plies.cli.session import Session
    from plies.core.telling import result_text
    from plies.registry import game as find_game

    found = find_game(game)
    state = found.initial() if position is None else found.parse_position(position)
    if found.is_over(state):
        raise GameOver(f"the game is over in this position: {result_text(found, state)}")
    specs = seat_specs(found, found.players(state), first, second, player or [])
    seats = [seat(spec, found) for spec in specs]
    found.moves(state)
    for agent in filter(None, seats):
        agent.prepare(state)  # so that nobody waits for the compiler in the middle of a game
    seed = secrets.randbelow(2**31) if seed is None else seed
    session = Session(found, seats, state, ask=_ask, tell=print, waiting=_waiting, seed=seed)
    try:
        _hold(session, game, specs)
    finally:
        for agent in filter(None, seats):
            agent.close()


def _hold(session: "Session", game: str, specs: list[str]) -> None:
    """Play to the end; whoever leaves, or is interrupted, sees the command to go on."""
    is_left = True
    try:
        session.run()
        is_left = session.is_left
    finally:
        if is_left:
            now = session.game.position_text(session.state)
            print("To go on:", continuation(game, specs, now))


def seat_specs(
    game: "Game", players: int, first: str, second: str | None, others: list[str]
) -> list[str]:
    """One spec for every player."""
    opponent = OPPONENT if game.is_zero_sum(game.initial()) else "random"
    given = [first, second or opponent, *others]
    if (players < 2 and second) or len(others) > max(players - 2, 0):
        raise UsageError(f"{game.spec} has {players} players; do not give more")
    return [*given, *["random"] * (players - len(given))][:players]


def seat(spec: str, game: "Game") -> "Agent | None":
    """The agent that plays there, None for a person."""
    from plies.agents import agent

    return None if spec == HUMAN else agent(spec, game)


def continuation(game: str, specs: list[str], position: str) -> str:
    """The command that goes on from a position with the same players."""
    options = ["--first", specs[0]]
    if len(specs) > 1:
        options += ["--second", specs[1]]
    for spec in specs[2:]:
        options += ["--player", spec]
    return shlex.join(["plies", "play", game, *options, "--position", position])


def _waiting(message: str) -> AbstractContextManager[Any]:
    """A sign of life on a terminal, nothing where a program reads."""
    if not sys.stdout.isatty():
        return nullcontext()
    from rich.console import Console

    return Console().status(message)


def _ask(prompt: str) -> str:
    if sys.stdin is not None and sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  # line editing and history
    return input(prompt)
