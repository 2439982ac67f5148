"""`plies perft`: count lines of play, prove a move generator, measure its speed."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import UsageError
from plies.cli.parameters import GameSpec, Json, Position

if TYPE_CHECKING:
    from plies.core.contract import Game


def command(
    game: GameSpec,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="Length of the lines in plies.")],
    position: Position = None,
    split: Annotated[bool, typer.Option("--split", help="Count behind every move.")] = False,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="Count different positions, ply by ply.")
    ] = False,
    ends: Annotated[
        bool, typer.Option("--ends", help="Count complete games of at most that length.")
    ] = False,
    bulk: Annotated[
        bool, typer.Option("--bulk", help="Count the moves of the last ply without playing them.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Count the lines of play of a given length.

    The time is CPU time and does not contain the compiler's.

    \b
    Example:  plies perft tictactoe 6 --split
    """
    if split + distinct + ends + bulk > 1:
        ways = "--split, --distinct, --ends and --bulk"
        raise UsageError(f"{ways} exclude one another; give one of them")

    from plies.cli.output import print_json, rate_of
    from plies.core.diagnosis import explaining
    from plies.registry import game as find_game
    from plies.search.workspace import MAX_DEPTH

    if not 0 <= depth <= MAX_DEPTH:
        raise UsageError(f"depth is 0 to {MAX_DEPTH}, not {depth}")
    found = find_game(game)
    state = found.initial() if position is None else found.parse_position(position)
    ways = ((split, _split), (distinct, _distinct), (ends, _ends), (bulk, _bulk), (True, _lines))
    count = next(way for is_wanted, way in ways if is_wanted)
    with explaining(found):
        answer = count(found, state, depth)
    if as_json:
        asked = {"game": game, "position": found.position_text(state), "depth": depth}
        rate = rate_of(answer["nodes"], answer["cpu_seconds"])
        print_json({**asked, **answer, "rate": rate})
    else:
        _show(answer)


def _lines(game: "Game", state: Any, depth: int) -> dict[str, Any]:
    from plies.search import perft

    nodes, seconds = _timed(lambda depth: perft.count(perft.perft, state, depth), depth)
    return {"nodes": int(nodes), "cpu_seconds": seconds}


def _bulk(game: "Game", state: Any, depth: int) -> dict[str, Any]:
    from plies.search import perft

    nodes, seconds = _timed(lambda depth: perft.count(perft.bulk_perft, state, depth), depth)
    return {"nodes": int(nodes), "cpu_seconds": seconds}


def _split(game: "Game", state: Any, depth: int) -> dict[str, Any]:
    from plies.search import perft

    counts, seconds = _timed(lambda depth: perft.split(state, depth), depth)
    moves = {game.move_text(state, move): int(count) for move, count in counts.items()}
    nodes = sum(moves.values()) if depth else 1
    return {"nodes": nodes, "cpu_seconds": seconds, "moves": moves}


def _distinct(game: "Game", state: Any, depth: int) -> dict[str, Any]:
    from plies.search import perft

    counts, seconds = _timed(
        lambda depth: perft.count(perft.distinct_positions, state, depth), depth
    )
    positions = [int(count) for count in counts]
    return {"nodes": sum(positions), "cpu_seconds": seconds, "distinct": positions}


def _ends(game: "Game", state: Any, depth: int) -> dict[str, Any]:
    from plies.search import perft

    found, seconds = _timed(lambda depth: perft.tally(perft.finished_games, state, depth), depth)
    return {"nodes": found.nodes, "cpu_seconds": seconds, "games": int(found.count)}


def _timed(count: Callable[[int], Any], depth: int) -> tuple[Any, float]:
    """The count and its CPU seconds; a first, shallow count lets the compiler finish."""
    count(min(depth, 1))
    began = time.process_time()
    answer = count(depth)
    return answer, time.process_time() - began


def _show(answer: dict[str, Any]) -> None:
    from plies.cli.output import print_counts, work_text

    print_counts(answer.get("moves", {}))
    print_counts({f"ply {ply}": count for ply, count in enumerate(answer.get("distinct", ()))})
    if "games" in answer:
        print(f"{answer['games']:,} complete games")
    print(work_text(answer["nodes"], answer["cpu_seconds"]))
