"""Running a reference search and recording its tree."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.scores import value_text
from plies.errors import BadSpec
from plies.search.limits import checked_whole
from plies.search.reference import Position, on_game, on_players, on_results
from plies.search.trace.algorithms import find_algorithm
from plies.search.trace.records import Trace, Tree
from plies.search.trace.visits import Pass, Recorder
from plies.search.trace.writing import Names, StepWriter, Writer, plain, turn_of

LIMIT = 1000  # recorded nodes of one tree
BUDGET = 100_000  # visited nodes: some seconds in plain Python
MAX_NODES = 10_000_000


def record(
    game: Game,
    state: Any,
    algorithm: str = "alphabeta",
    *,
    evaluator: str = "",
    limit: int = LIMIT,
    budget: int = BUDGET,
    should_stop: Callable[[], bool] | None = None,
    **options: Any,
) -> Trace:
    """The tree that a search of a position visits.

    `options` are those of the algorithm, such as `depth=3`.  The search is stopped after
    `budget` nodes, or when `should_stop` is true; its record then is not `is_complete`.  Of
    a larger tree than `limit` nodes the plies nearest to the root are recorded, as many as
    fit in, and every node says how many below it are hidden.
    """
    kind = find_algorithm(algorithm, options)
    game.check_state(state)
    record, players = game.evaluator(evaluator), game.players(state)
    if not kind.has_vectors and not game.is_zero_sum(state):
        raise BadSpec(f"{algorithm} is for two-player zero-sum games; record maxn or mcts")
    if kind.is_growing:
        tools = on_results(players)
    else:
        tools = on_players(record, players) if kind.has_vectors else on_game(record)
    with explaining(game):
        return record_tree(
            Position(state),
            algorithm,
            names=_names(game),
            limit=limit,
            budget=budget,
            should_stop=should_stop,
            **tools,
            **options,
        )


def _names(game: Game) -> Names:
    def move(position: Position, index: int) -> str:
        return game.move_text(position.state, game.moves(position.state)[index])

    return Names(lambda position: game.position_text(position.state), move, values_text)


def values_text(value: Any) -> str:
    """A value of a game in words, or those of all players."""
    if value is None:
        return ""
    parts = value if isinstance(value, tuple) else (value,)
    return ", ".join(value_text(p) if isinstance(p, int) else f"{p:.3f}" for p in parts)


def record_tree(
    root: Any,
    algorithm: str = "alphabeta",
    *,
    children: Callable[[Any], Iterable[Any]],
    evaluate: Callable[[Any], Any],
    names: Names | None = None,
    limit: int = LIMIT,
    budget: int = BUDGET,
    should_stop: Callable[[], bool] | None = None,
    **options: Any,
) -> Trace:
    """The same for any objects, as `plies.search.reference` takes them."""
    turn = {key: options.pop(key) for key in ("is_max", "mover") if key in options}
    kind = find_algorithm(algorithm, options)
    checked_whole("limit", limit, 1, MAX_NODES)
    checked_whole("budget", budget, 1, MAX_NODES)
    recorder = Recorder(kind.is_growing)
    tools = {"children": children, "evaluate": evaluate, **turn}
    limits = {"budget": budget, "should_stop": should_stop}
    answer = kind.run(root, **tools, **options, on_event=recorder, **limits)
    names = names or Names()
    sign = ">" if options.get("cut") == "beyond" else ">="
    writer = Writer(kind, names, children, turn_of(kind, root, turn), sign)
    return Trace(
        algorithm=algorithm,
        options=dict(options),
        value=plain(answer.value),
        value_text=names.value(answer.value),
        path=answer.line,
        line=tuple(writer.moves(root, answer.line)),
        nodes=answer.nodes,
        leaves=answer.leaves,
        cutoffs=answer.cutoffs,
        is_complete=answer.is_complete,
        trees=tuple(_tree(writer, each, options.get("depth"), limit) for each in recorder.passes),
        simulations=tuple(recorder.simulations[:limit]),
    )


def _tree(writer: Writer, search_pass: Pass, depth: int | None, limit: int) -> Tree:
    tree = writer.tree(search_pass, depth, limit)
    step_writer = StepWriter(writer, search_pass.visits, {node.path: node for node in tree.nodes})
    return replace(tree, steps=tuple(step_writer.steps(search_pass.events)))
