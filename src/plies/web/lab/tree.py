"""The trees of the laboratory: explicit ones and those of positions, laid out before a search."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from plies.core.contract import Game
from plies.core.result_text import player_name
from plies.core.spec import suggestion
from plies.errors import BadSpec
from plies.games.tree.nodes import (
    Inner,
    Leaf,
    Path,
    Tree,
    is_scalar,
    is_zero_sum,
    leaves_of,
    payoff_text,
    players_of,
)
from plies.search.reference import Position, on_game, on_players, on_results
from plies.search.trace import Names, values_text
from plies.search.trace.algorithms import Algorithm
from plies.tree_report.ordering import Ordering

ESTIMATES = ("mean", "zero")  # of a node of an explicit tree: its leaves' mean, or nothing

REMEMBERED = 64  # positions whose moves are kept


@dataclass(frozen=True)
class Subject:
    """A tree to search: any objects, what a search asks of them, and how they are written."""

    root: Any
    tools: Mapping[str, Callable[[Any], Any]]  # children, evaluate, is_max or mover
    mover: Callable[[Any], int]
    names: Names
    label: Callable[[Any, int], str]  # what is drawn of the move to a child
    sides: tuple[str, ...]
    is_zero_sum: bool

    def children(self, node: Any) -> Sequence[Any]:
        return self.tools["children"](node)


@dataclass(frozen=True, eq=False)
class Spot:
    """A node that is laid out; `beyond` counts children that are not, below the horizon."""

    node: Any
    move: str = ""
    label: str = ""
    children: tuple["Spot", ...] = ()
    beyond: int = 0


def explicit(tree: Tree, algorithm: Algorithm, estimate: str) -> Subject:
    """A tree that was written down."""
    estimate = estimate or ESTIMATES[0]
    if estimate not in ESTIMATES:
        raise BadSpec(f"a tree has no evaluator {estimate}{suggestion(estimate, ESTIMATES)}")
    zero_sum, players = is_zero_sum(tree), players_of(tree)

    def payoffs(node: Tree) -> tuple[int, ...]:
        if isinstance(node, Leaf):
            return node.payoffs
        below = [leaf.payoffs for leaf in leaves_of(node)]
        weight = len(below) if estimate == "mean" else 0
        return tuple(round(sum(own) / weight) if weight else 0 for own in zip(*below, strict=True))

    def mover(node: Tree) -> int:
        return node.mover if isinstance(node, Inner) else 0

    tools: dict[str, Any] = {"children": lambda node: node.children}
    if algorithm.has_vectors:
        tools |= {"evaluate": payoffs, "mover": mover}
    else:
        tools |= {
            "evaluate": lambda node: payoffs(node)[0],
            "is_max": lambda node: mover(node) == 0,
        }
    sides = ("Max", "Min") if zero_sum and is_scalar(tree) else _numbered(players)
    names = Names(
        move=lambda node, index: node.children[index].label or str(index + 1), value=_number_text
    )
    return Subject(
        tree, tools, mover, names, lambda node, index: node.children[index].label, sides, zero_sum
    )


def of_game(game: Game, state: Any, algorithm: Algorithm, evaluator: str) -> Subject:
    """The positions that can arise from one."""
    players, opinion = game.players(state), game.evaluator(evaluator)
    if algorithm.is_growing:
        tools = on_results(players)
    else:
        tools = on_players(opinion, players) if algorithm.has_vectors else on_game(opinion)

    moves_of = lru_cache(maxsize=REMEMBERED)(game.moves)  # a wide node is asked for each of them

    def move(position: Position, index: int) -> str:
        return game.move_notation(position.state, moves_of(position.state)[index])

    names = Names(lambda position: game.position_text(position.state), move, values_text)
    return Subject(
        root=Position(state),
        tools=dict(tools),  # type: ignore[arg-type]
        mover=lambda position: game.mover(position.state),
        names=names,
        label=move,
        sides=tuple(player_name(game, player) for player in range(players)),
        is_zero_sum=game.is_zero_sum(state),
    )


def _numbered(players: int) -> tuple[str, ...]:
    return tuple(f"player {player + 1}" for player in range(players))


def _number_text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_number_text, value))})"
    return payoff_text(value) if isinstance(value, int) else f"{value:.2f}"


def lay_out(
    subject: Subject, depth: int | None, most: int, should_stop: Callable[[], bool]
) -> Spot | None:
    """The whole tree to `depth` plies, None where it has more than `most` nodes."""
    count = 0

    def spot(node: Any, move: str, label: str, plies: int | None) -> Spot:
        nonlocal count
        count += 1
        if count > most or should_stop():
            raise _TooLarge
        kids = subject.children(node)
        if plies == 0:
            return Spot(node, move, label, beyond=len(kids))
        rest = None if plies is None else plies - 1
        children = tuple(
            spot(kid, subject.names.move(node, index), subject.label(node, index), rest)
            for index, kid in enumerate(kids)
        )
        return Spot(node, move, label, children)

    try:
        return spot(subject.root, "", "", depth)
    except _TooLarge:
        return None


class _TooLarge(Exception):
    """The tree has more nodes than are wanted."""


def over(subject: Subject, root: Spot) -> Subject:
    """The same subject on nodes that are laid out."""

    def children(spot: Spot) -> Sequence[Any]:
        """Beyond the horizon, where a ranking may look, nothing is laid out."""
        return spot.children or [Spot(kid) for kid in subject.children(spot.node)]

    def lifted(tool: Callable[[Any], Any]) -> Callable[[Spot], Any]:
        return lambda spot: tool(spot.node)

    tools = {name: lifted(tool) for name, tool in subject.tools.items()} | {"children": children}
    names = Names(
        lambda spot: subject.names.position(spot.node),
        lambda spot, index: spot.children[index].move,
        subject.names.value,
    )
    return replace(
        subject,
        root=root,
        tools=tools,
        mover=lifted(subject.mover),
        names=names,
        label=lambda spot, index: spot.children[index].label,
    )


def walk_spots(spot: Spot, path: Path = ()) -> Iterator[tuple[Path, Spot]]:
    """Every node with its path, parents before children, from left to right."""
    yield path, spot
    for index, child in enumerate(spot.children):
        yield from walk_spots(child, (*path, index))


def as_tree(subject: Subject, spot: Spot) -> Tree:
    """What is laid out as an explicit tree; `subject` is over spots."""
    if not spot.children:
        return Leaf(subject.tools["evaluate"](spot), _label(spot))
    children = tuple(as_tree(subject, child) for child in spot.children)
    return Inner(subject.mover(spot), children, _label(spot))


def _label(spot: Spot) -> str:
    return spot.label if isinstance(spot.node, Leaf | Inner) else ""


def rearranged(spot: Spot, ordering: Ordering, path: Path = ()) -> Spot:
    """The nodes with their children in the order of another tree of the same shape."""
    children = [
        rearranged(child, ordering, (*path, index)) for index, child in enumerate(spot.children)
    ]
    order = ordering.orders.get(path, range(len(children)))
    return replace(spot, children=tuple(children[index] for index in order))


def height(spot: Spot) -> int:
    """The plies to the deepest leaf."""
    return max(len(path) for path, _ in walk_spots(spot))
