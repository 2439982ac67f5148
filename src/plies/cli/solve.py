"""`plies solve`: who wins with best play of both, and how soon."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import INTERRUPTED, complain
from plies.cli.parameters import GameSpec, Json, Position

if TYPE_CHECKING:
    from plies.core.contract import Game
    from plies.search.decision import Decision

NOT_SOLVED = 1

Seconds = Annotated[
    float, typer.Option(metavar="S", help="Give up after so long.", show_default="no limit")
]
Nodes = Annotated[
    int,
    typer.Option(metavar="N", help="Give up after so many positions.", show_default="no limit"),
]
Table = Annotated[int, typer.Option(metavar="MB", help="Memory for positions, in megabytes.")]


def command(
    game: GameSpec,
    position: Position = None,
    seconds: Seconds = 0.0,
    nodes: Nodes = 0,
    table: Table = 64,
    as_json: Json = False,
) -> None:
    """Find out who wins with best play of both, and how soon.

    For small games of two players.  The value is that of the player to move; a win comes
    as fast, and a loss as slowly, as best play can make it.  The time is CPU time and
    does not contain the compiler's.  Exit status 1: not solved within the limits.

    \b
    Example:  plies solve tictactoe --position "X.O/.../... X"
    """
    import random

    from plies.agents import agent
    from plies.cli.output import print_facts, print_json
    from plies.cli.search import decide
    from plies.registry import game as find_game

    found = find_game(game)
    solver = agent(f"solve:seconds={seconds},nodes={nodes},table={table}", found)
    state = found.initial() if position is None else found.parse_position(position)
    decision, is_interrupted = None, False
    if not found.is_over(state):
        solver.prepare(state)
        decision, is_interrupted = decide(solver, state, random.Random(), is_live=not as_json)
    answer = answer_of(found, state, decision)
    if as_json:
        print_json({"game": game, "position": found.position_text(state), **answer})
    else:
        print(found.draw(state), end="\n\n")
        print_facts(as_facts(found, state, decision))
    if is_interrupted:
        complain("interrupted; nothing is proven" if answer["value"] is None else "interrupted")
        raise typer.Exit(INTERRUPTED)
    if answer["value"] is None:
        raise typer.Exit(NOT_SOLVED)


def answer_of(game: "Game", state: Any, decision: "Decision | None") -> dict[str, Any]:
    """What is proven, as a program reads it; no decision: the game is over.

    `value` is win, loss or draw for the player to move, or None where nothing is proven.
    """
    from plies.cli.output import rate_of
    from plies.core.result_text import line_texts

    if decision is None:
        points = game.payoffs(state)[game.mover(state)]
        return {"value": value_word(points), "plies": 0, "positions": 1, "move": None, "line": []}
    is_solved = decision.is_complete
    return {
        "value": value_word(decision.value or 0) if is_solved else None,
        "plies": plies_of(decision) if is_solved else None,
        "positions": decision.nodes,
        "move": game.move_text(state, decision.move) if is_solved else None,
        "line": line_texts(game, state, decision.line) if is_solved else [],
        "score": decision.value if is_solved else None,
        "depth": decision.depth,
        "cpu_seconds": decision.cpu_seconds,
        "rate": rate_of(decision.nodes, decision.cpu_seconds),
    }


def value_word(value: int) -> str:
    return "draw" if value == 0 else "win" if value > 0 else "loss"


def plies_of(decision: "Decision") -> int:
    """How far the end is: by best play of both, or where distance is worth nothing by the line."""
    from plies.core.scores import WIN, is_decided

    value = decision.value or 0
    return WIN - abs(value) if is_decided(value) else len(decision.line)


def as_facts(game: "Game", state: Any, decision: "Decision | None") -> dict[str, str]:
    """The same as a person reads it."""
    from plies.cli.output import work_text
    from plies.core.result_text import line_texts, player_name, result_text
    from plies.core.scores import is_decided

    if decision is None:
        return {"result": result_text(game, state)}
    facts = {"mover": player_name(game, game.mover(state))}
    if decision.is_complete:
        value = decision.value or 0
        points = "" if value == 0 or is_decided(value) else f" by {abs(value)}"
        facts["value"] = f"{value_word(value)}{points} in {plies_of(decision)} plies"
        facts["move"] = game.move_notation(state, decision.move)
        facts["line"] = " ".join(line_texts(game, state, decision.line, is_spoken=True))
    else:
        facts["value"] = f"not solved, looking {decision.depth} plies ahead"
    facts["work"] = work_text(decision.nodes, decision.cpu_seconds)
    return facts
