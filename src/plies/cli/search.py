"""`plies search`: what an agent would play in a position, and why."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.parameters import GameSpec, Json, Position

if TYPE_CHECKING:
    from plies.core.contract import Game
    from plies.search.decision import Decision


def command(
    game: GameSpec,
    agent: Annotated[
        str, typer.Option(metavar="SPEC", help="Who searches, for example alphabeta:depth=6.")
    ] = "alphabeta",
    position: Position = None,
    as_json: Json = False,
) -> None:
    """Show the best move in a position, its value and its line.

    Values are from the side of the player to move.  The time is CPU time and does
    not contain the compiler's.

    \b
    Example:  plies search tictactoe --agent alphabeta:depth=9 --position "X../.O./... X"
    """
    from plies.agents import agent as find_agent
    from plies.cli.output import print_facts, print_json
    from plies.registry import game as find_game

    found = find_game(game)
    state = found.initial() if position is None else found.parse_position(position)
    searcher = find_agent(agent, found)
    searcher.prepare(state)
    decision = searcher.choose(state)
    if as_json:
        print_json({"game": game, "agent": searcher.spec, **as_data(found, state, decision)})
    else:
        print(found.draw(state), end="\n\n")
        print_facts(as_facts(found, state, decision))


def as_data(game: "Game", state: Any, decision: "Decision") -> dict[str, Any]:
    """A decision as a program reads it; `value` is None for an agent without opinion."""
    from plies.cli.output import line_texts, rate_of
    from plies.core.scores import value_text

    value = decision.value
    return {
        "position": game.position_text(state),
        "move": game.move_text(state, decision.move),
        "value": value,
        "value_text": None if value is None else value_text(value),
        "depth": decision.depth,
        "line": line_texts(game, state, decision.line),
        "nodes": decision.nodes,
        "leaves": decision.leaves,
        "cutoffs": decision.cutoffs,
        "is_complete": decision.is_complete,
        "cpu_seconds": decision.cpu_seconds,
        "rate": rate_of(decision.nodes, decision.cpu_seconds),
    }


def as_facts(game: "Game", state: Any, decision: "Decision") -> dict[str, str]:
    """A decision as a person reads it; what the agent did not look at is left out."""
    from plies.cli.output import line_texts, work_text
    from plies.core.scores import value_text
    from plies.core.telling import player_name

    facts = {"mover": player_name(game, game.mover(state))}
    facts["move"] = game.spoken(state, decision.move)
    if decision.value is not None:
        facts["value"] = value_text(decision.value)
    if decision.nodes:
        ending = "" if decision.is_complete else " (stopped before the search was complete)"
        facts["line"] = " ".join(line_texts(game, state, decision.line, is_spoken=True))
        facts["depth"] = f"{decision.depth}{ending}"
        facts["leaves"] = f"{decision.leaves:,}"
        facts["cut-offs"] = f"{decision.cutoffs:,}"
        facts["work"] = work_text(decision.nodes, decision.cpu_seconds)
    return facts
