"""`plies search`: what an agent would play in a position, and why."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import INTERRUPTED, UsageError, complain
from plies.cli.parameters import GameSpec, Json, Position, Seed

if TYPE_CHECKING:
    import random

    from plies.agents import Agent
    from plies.core.contract import Game
    from plies.search.decision import Decision

STOPPED = " (stopped before the search was complete)"
UNDECIDED = " (undecided: positions repeat, or lines are too long)"

Trace = Annotated[
    Path | None,
    typer.Option(
        "--trace",
        metavar="FILE",
        help="Also write the tree that was looked at, as JSON.",
        show_default=False,
    ),
]


def command(
    game: GameSpec,
    agent: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="Who searches, for example alphabeta:depth=6; the strongest is engine:seconds=1.",
        ),
    ] = "alphabeta",
    position: Position = None,
    seed: Seed = None,
    trace: Trace = None,
    as_json: Json = False,
) -> None:
    """Show the best move in a position, its value and its line.

    On a terminal every depth is shown as it is finished, and Ctrl-C ends the search with
    what it has found by then.  Values are from the side of the player to move.  The CPU
    time does not contain the compiler's.

    \b
    Example:  plies search tictactoe --agent alphabeta:depth=9 --position "X../.O./... X"
    """
    import random

    from plies.agents import agent as find_agent
    from plies.agents.agent import no_evaluator_text
    from plies.cli.output import print_json
    from plies.registry import game as find_game

    found = find_game(game)
    state = found.initial() if position is None else found.parse_position(position)
    searcher = find_agent(agent, found)
    if trace is not None:
        check_trace(searcher, trace)
    searcher.prepare(state)
    rng = random.Random(seed) if seed is not None else random.Random()
    try:
        decision, is_interrupted = decide(searcher, state, rng, is_live=not as_json)
    finally:
        searcher.close()
    if as_json:
        print_json({"game": game, "agent": full_spec(searcher), **as_data(found, state, decision)})
    else:
        show(searcher, state, decision, is_interrupted)
    if searcher.is_blind and not reaches_the_end(found, state, decision):
        complain(no_evaluator_text(found))
    if is_interrupted:
        complain("interrupted; this is the best move so far")
        raise typer.Exit(INTERRUPTED)
    if trace is not None:
        write_trace(searcher, state, decision, trace)


def reaches_the_end(game: "Game", state: Any, decision: "Decision") -> bool:
    """Whether the line that a decision rests on ends the game, so that no evaluator valued it."""
    for move in decision.line:
        state = game.play(state, move)
    return game.is_over(state)


def decide(
    searcher: "Agent", state: Any, rng: "random.Random", is_live: bool
) -> tuple["Decision", bool]:
    """What the agent decides, and whether Ctrl-C made it stop; shown live on a terminal."""
    from contextlib import nullcontext

    from plies.cli.live import Thinking
    from plies.search.runner import Interrupted

    is_live = is_live and sys.stdout.isatty()
    thinking = Thinking(searcher.game, state)
    try:
        with thinking.shown() if is_live else nullcontext():
            hear = thinking.hear if is_live else None
            return searcher.choose(state, rng=rng, on_progress=hear), False
    except Interrupted as stop:
        return stop.decision, True


def show(searcher: "Agent", state: Any, decision: "Decision", is_interrupted: bool) -> None:
    """The board, one row for every depth, and the facts."""
    from plies.cli.live import COLUMNS, history_rows
    from plies.cli.output import print_facts, print_table

    game = searcher.game
    print(game.draw(state), end="\n\n")
    if decision.history:
        rows = history_rows(game, state, decision.history)
        print_table(COLUMNS, [*rows, *last_row(searcher, state, decision)])
        print()
    print_facts(as_facts(game, state, decision, ending_of(searcher, decision, is_interrupted)))


def last_row(searcher: "Agent", state: Any, decision: "Decision") -> list[list[str]]:
    """The row of an answer that is newer than the last depth finished, if it is."""
    from plies.cli.live import history_rows
    from plies.search.decision import Depth

    last, value = decision.history[-1], decision.value
    if value is None or (value, decision.move) == (last.value, last.move):
        return []
    if value == last.value and options_of(searcher).get("choice") == "random":
        return []  # another move of the same depth, which is as good
    depth = decision.depth if decision.simulations else last.depth + 1
    found = (decision.move, value, decision.line, decision.nodes, decision.seconds)
    (row,) = history_rows(searcher.game, state, [Depth(depth, *found)])
    if not decision.simulations:
        row[0] += " (unfinished)"
    return [row]


def ending_of(searcher: "Agent", decision: "Decision", is_interrupted: bool) -> str:
    """Why a search was not complete.

    One that no depth limits ends by itself or at the time or the nodes that it was given.
    """
    if decision.is_complete:
        return ""
    options = options_of(searcher)
    limits = ((options.get("seconds"), decision.seconds), (options.get("nodes"), decision.nodes))
    is_at_limit = any(most and used >= most for most, used in limits)
    is_stopped = is_interrupted or is_at_limit or "depth" in options
    return STOPPED if is_stopped or decision.value is not None else UNDECIDED


def as_data(game: "Game", state: Any, decision: "Decision") -> dict[str, Any]:
    """A decision as a program reads it; `value` is None for an agent without opinion."""
    from plies.cli.output import rate_of
    from plies.core.result_text import line_texts
    from plies.core.scores import value_text

    def judged(move: int, value: int | None, line: tuple[int, ...]) -> dict[str, Any]:
        return {
            "move": game.move_text(state, move),
            "value": value,
            "value_text": None if value is None else value_text(value),
            "line": line_texts(game, state, line),
        }

    return {
        "position": game.position_text(state),
        **judged(decision.move, decision.value, decision.line),
        "depth": decision.depth,
        "nodes": decision.nodes,
        "leaves": decision.leaves,
        "evaluations": decision.evaluations,
        "cutoffs": decision.cutoffs,
        "table_hits": decision.table_hits,
        "simulations": decision.simulations,
        "payoffs": list(decision.payoffs),
        "is_complete": decision.is_complete,
        "seconds": decision.seconds,
        "cpu_seconds": decision.cpu_seconds,
        "rate": rate_of(decision.nodes, decision.cpu_seconds),
        "history": [
            {
                "depth": depth.depth,
                **judged(depth.move, depth.value, depth.line),
                "nodes": depth.nodes,
                "seconds": depth.seconds,
            }
            for depth in decision.history
        ],
    }


def as_facts(game: "Game", state: Any, decision: "Decision", ending: str) -> dict[str, str]:
    """A decision as a person reads it; what the agent did not look at is left out.

    `ending` tells why the search was not complete, if it was not.
    """
    from plies.cli.output import value_words, work_text
    from plies.core.result_text import line_texts, player_name

    facts = {"mover": player_name(game, game.mover(state))}
    facts["move"] = game.move_notation(state, decision.move)
    if decision.value is not None or decision.nodes:
        facts["value"] = opinion(decision) + ("" if decision.depth else ending)
    if decision.payoffs:
        facts["payoffs"] = ", ".join(map(value_words, decision.payoffs))
    if decision.nodes:
        if decision.value is not None:
            facts["line"] = " ".join(line_texts(game, state, decision.line, is_spoken=True))
        if decision.depth:
            facts["depth"] = f"{decision.depth}{ending}"
        counts = {
            "simulations": decision.simulations,
            "leaves": decision.leaves,
            "evaluations": decision.evaluations,
            "cut-offs": decision.cutoffs,
            "table hits": decision.table_hits,
        }
        facts |= {name: f"{count:,}" for name, count in counts.items() if count}
        facts["work"] = work_text(decision.nodes, decision.cpu_seconds)
    return facts


def opinion(decision: "Decision") -> str:
    """The value in words.

    A search that does not go by depth looks for a proof: it finds a win, not the fastest;
    it ends without a value when there is none, or undecided.
    """
    from plies.cli.output import value_words
    from plies.core.scores import is_decided

    if decision.value is None:
        return "no forced win (proven)" if decision.is_complete else "unknown"
    words = value_words(decision.value)
    is_bound = not decision.depth and is_decided(decision.value)
    return words.replace(" in ", " in at most ") if is_bound else words


def options_of(searcher: "Agent") -> dict[str, Any]:
    """Every option of an agent, also those that its spec leaves to their defaults."""
    options = dict(vars(searcher.search))
    if "eval" in options:
        options["eval"] = options["eval"] or next(iter(searcher.game.evaluators), "zero")
    return options


def full_spec(searcher: "Agent") -> str:
    """The spec with every option, which stays the same when defaults change."""
    from plies.agents import spec_text

    return spec_text(searcher.name, options_of(searcher))


def check_trace(searcher: "Agent", path: Path) -> None:
    """Refuse what could not be traced, or not be written, before the search."""
    from plies.search.trace.algorithms import find_algorithm

    find_algorithm(searcher.name, {})
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"{path} is not a file that can be written")


def write_trace(searcher: "Agent", state: Any, decision: "Decision", path: Path) -> None:
    """The tree of the same search by the plain-Python reference, as JSON."""
    import json

    from plies.search.trace import ALGORITHMS, record

    game, name, given = searcher.game, searcher.name, options_of(searcher)
    evaluator = str(given.get("eval", ""))
    options = {key: given[key] for key in ALGORITHMS[name].options if key in given}
    if "depth" in options:
        options["depth"] = options["depth"] or decision.depth
    recorded = record(game, state, name, evaluator=evaluator, **options)
    asked = {"game": game.spec, "position": game.position_text(state)}
    path.write_text(json.dumps({**asked, **recorded.as_data()}, indent=1), encoding="utf-8")
