"""`plies play`: a game at the terminal, against agents, people, or between agents."""

import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli import arena_options as options
from plies.cli.errors import UsageError, complain
from plies.cli.parameters import GameSpec, Position, Seed
from plies.errors import GameOver

if TYPE_CHECKING:
    from plies.agents import Agent
    from plies.cli.dialogue import Dialogue
    from plies.core.contract import Game
    from plies.match import Rules

HUMAN = "human"
OPPONENT = "alphabeta:depth=4"
STARTUP_SECONDS = 60.0  # for agents to get ready: no clock runs, but nobody waits forever


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
Openings = Annotated[
    str | None,
    typer.Option(
        metavar="N|FILE",
        help="Begin after N random plies, or at one of the positions in a file.",
        show_default=False,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Any rule of a match that ends games, such as rules.cycles=true.",
        show_default=False,
    ),
]


def command(
    game: GameSpec,
    first: First = HUMAN,
    second: Second = None,
    player: Others = None,
    position: Position = None,
    openings: Openings = None,
    max_plies: options.MaxPlies = None,
    setting: Settings = None,
    seed: Seed = None,
) -> None:
    """Play a game in the terminal.

    A player is `human` or the spec of an agent.  Type moves as the prompt shows them;
    `?` lists the legal ones and `help` the other words.

    \b
    Example:  plies play tictactoe --first human --second alphabeta:depth=9
    """
    import secrets

    from plies.agents.agent import no_evaluator_text
    from plies.cli.dialogue import Dialogue
    from plies.core.result_text import over_text
    from plies.match import Clocks, Match
    from plies.registry import game as find_game

    board_game = find_game(game)
    seed = secrets.randbelow(2**31) if seed is None else seed
    if openings is not None:
        if position is not None:
            raise UsageError("--position and --openings both say where to begin; give one of them")
        position = drawn_opening(board_game, openings, seed)
    state = board_game.initial() if position is None else board_game.parse_position(position)
    if board_game.is_over(state):
        raise GameOver(over_text(board_game, state))
    rules = rules_of(board_game, max_plies, setting or [])
    specs = player_specs(board_game, board_game.players(state), first, second, player or [])
    players = [agent_or_person(spec, board_game) for spec in specs]
    agents = [each for each in players if each is not None]
    to_go_on = [] if max_plies is None else ["--max-plies", str(max_plies)]
    to_go_on += [word for each in setting or [] for word in ("--set", each)]
    try:
        clocks = Clocks(startup=STARTUP_SECONDS)
        match = Match(board_game, state, players, seed=seed, rules=rules, clocks=clocks)
        board_game.moves(state)
        for agent in agents:
            agent.prepare(state)  # so that nobody waits for the compiler in the middle of a game
        if any(agent.is_blind for agent in agents):
            complain(no_evaluator_text(board_game))
        dialogue = Dialogue(match, ask=_ask, tell=print, waiting=_waiting)
        _hold(dialogue, lambda now: continuation(game, specs, now, to_go_on))
    finally:
        for agent in agents:
            agent.close()


def drawn_opening(game: "Game", text: str, seed: int) -> str:
    """The first position of a match with these openings and this seed."""
    from random import Random

    from plies.arena.openings import listed_openings, random_openings
    from plies.arena.reading import read_openings

    chance = Random(f"openings/{seed}/{game.name}")
    table = read_openings(options.openings_table(text), Path())
    if "plies" in table:
        return random_openings(game, 1, table["plies"], chance)[0]
    positions = listed_openings(game, table["positions"])
    chance.shuffle(positions)
    return positions[0]


def rules_of(game: "Game", max_plies: int | None, settings: list[str]) -> "Rules":
    """The rules of a match that also end a game at the terminal."""
    import json

    from plies.arena.config import Tournament

    data: dict[str, Any] = {"rules": {} if max_plies is None else {"max_plies": max_plies}}
    for setting in settings:
        options.put(data, setting)
    wrong = [key for key in data if key != "rules"]
    if isinstance(data["rules"], dict):
        wrong += [f"rules.{key}" for key in ("faults", "warnings") if key in data["rules"]]
    if wrong:
        raise UsageError(f"{wrong[0]} cannot be set here; what can is like rules.cycles=true")
    data |= {"games": [game.spec], "agents": options.entries(["random", "random"])}
    return Tournament.from_json(json.dumps(data, default=str)).rules


def _hold(dialogue: "Dialogue", command_from: Callable[[str], str]) -> None:
    """Play to the end; whoever leaves, or is interrupted, sees the command to go on."""
    try:
        dialogue.run()
    finally:
        if dialogue.can_go_on:
            print("To go on:", command_from(dialogue.game.position_text(dialogue.match.state)))


def player_specs(
    game: "Game", players: int, first: str, second: str | None, others: list[str]
) -> list[str]:
    """One spec for every player."""
    opponent = OPPONENT if game.is_zero_sum(game.initial()) else "random"
    given = [first, second or opponent, *others]
    if (players < 2 and second) or len(others) > max(players - 2, 0):
        raise UsageError(f"{game.spec} has {players} players; do not give more")
    return [*given, *["random"] * (players - len(given))][:players]


def agent_or_person(spec: str, game: "Game") -> "Agent | None":
    """The agent of a spec, None for a person."""
    from plies.agents import agent

    return None if spec == HUMAN else agent(spec, game)


def continuation(game: str, specs: list[str], position: str, more: Sequence[str] = ()) -> str:
    """The command that goes on from a position with the same players and these words."""
    words = ["--first", specs[0]]
    if len(specs) > 1:
        words += ["--second", specs[1]]
    for spec in specs[2:]:
        words += ["--player", spec]
    return shlex.join(["plies", "play", game, *words, "--position", position, *more])


def _waiting(message: str) -> AbstractContextManager[Any]:
    """A sign of life on a terminal, nothing where a program reads."""
    if not sys.stdout.isatty():
        return nullcontext()
    from plies.cli.compiling import sign_of_life

    return sign_of_life(message)


def _ask(prompt: str) -> str:
    if sys.stdin is not None and sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  # line editing and history
    return input(prompt)
