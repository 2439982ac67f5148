"""Chess: how many states a search of two plies visits, by every way of counting them.

Published is 420 for minimax and alpha-beta from the start, and for the next move of the same
game 462 and 429, without the moves that were played.  So every first move and every reply is
tried, in every way that the start does not rule out.  Among the orders is that of python-chess:
the published first moves g1h3 and h3g5 are those it lists first, where all are equal.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple, get_args

import chess

from plies.core.contract import Game
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.search import reference
from plies.search.alphabeta import Cut
from plies.search.reference import Position, on_game
from plies.studies.study import Shown, Work

START = 420  # states of minimax and of alpha-beta
MINIMAX, ALPHA_BETA = 462, 429  # of the next move
ORDERS = ("as python-chess lists them", "as generated here", "by files", "by ranks from the top")
PASSES = ("depth 2", "depths 1 and 2")  # both searches deepen: what is counted of them


class Node(NamedTuple):
    """A position of a tree that is laid out once and searched in many ways.

    `places` are what the children of one node are sorted by, for each of `ORDERS`.
    """

    value: int  # for Max
    is_max: bool
    places: tuple[int | str, ...]
    kids: "tuple[Node, ...]"


class Way(NamedTuple):
    """How the states are visited and counted."""

    order: str
    is_sorted: bool  # by the value of the child, best first
    cut: Cut
    passes: str

    @property
    def name(self) -> str:
        """`as generated here, sorted`."""
        return f"{self.order}{', then by value' if self.is_sorted else ''}"


WAYS = [Way(*each) for each in product(ORDERS, (False, True), get_args(Cut), PASSES)]


def count_states(work: Work) -> list[dict[str, Any]]:
    """What the start has in each way and, where that is as published, what later moves have."""
    game = find_game("chess")
    start = laid_out(game, game.initial())
    later = dict(after_first_moves(game))
    whole = {before: states(root, prune="none") for before, root in later.items()}
    rows = []
    for number, way in enumerate(WAYS):
        work.tell("ways of counting states", number, len(WAYS))
        earlier = len(start.kids) if way.passes == PASSES[1] else 0
        at_start = (states(start, prune="none"), states(start, way, cut=way.cut))
        row = {**way._asdict(), "name": way.name, "start": [each + earlier for each in at_start]}
        if row["start"] == [START, START]:
            pruned = {each: states(root, way, cut=way.cut) for each, root in later.items()}
            row |= compared_with_published(whole, pruned)
        rows.append(row)
    return rows


def after_first_moves(game: Game) -> Iterator[tuple[str, Node]]:
    """The positions of Black's first and White's second move, by the moves before them."""
    start = game.initial()
    for first in game.moves(start):
        state = game.play(start, first)
        before = f"1. {game.move_text(start, first)}"
        yield before, laid_out(game, state)
        for reply in game.moves(state):
            text = f"{before} {game.move_text(state, reply)}"
            yield text, laid_out(game, game.play(state, reply))


def laid_out(game: Game, state: Any, plies: int = 2) -> Node:
    tools = on_game(game.evaluator("material"))

    def node(position: Position, places: tuple[int | str, ...], plies: int) -> Node:
        kids = tools["children"](position) if plies else ()
        keys = _places(game, position.state) if kids else []
        below = (node(kid, key, plies - 1) for kid, key in zip(kids, keys, strict=True))
        return Node(tools["evaluate"](position), tools["is_max"](position), places, tuple(below))

    return node(Position(state), (), plies)


def _places(game: Game, state: Any) -> list[tuple[int | str, ...]]:
    """Of every child of a state its place in each of `ORDERS`."""
    legal = chess.Board(game.position_text(state)).legal_moves
    listed = {move.uci(): index for index, move in enumerate(legal)}
    texts = enumerate(game.move_texts(state))
    return [(listed[text], index, text, _from_the_top(text)) for index, text in texts]


def _from_the_top(text: str) -> str:
    """`e2e4` as a text that sorts after those from higher ranks."""
    squares = (text[:2], text[2:4])
    return "".join(f"{9 - int(rank)}{file}" for file, rank in squares) + text[4:]


def states(root: Node, way: Way | None = None, **options: Any) -> int:
    """The child positions that the second pass of a deepening search visits."""
    found = reference.deepening(
        root,
        depth=2,
        children=(lambda node: node.kids) if way is None else _children(way),
        evaluate=lambda node: node.value,
        is_max=lambda node: node.is_max,
        **options,
    )
    first_pass = 1 + len(root.kids)
    return found.nodes - first_pass - 1


def _children(way: Way) -> Callable[[Node], list[Node]]:
    place = ORDERS.index(way.order)

    def children(node: Node) -> list[Node]:
        kids = sorted(node.kids, key=lambda kid: kid.places[place])
        if way.is_sorted:
            kids.sort(key=lambda kid: -kid.value if node.is_max else kid.value)
        return kids

    return children


def compared_with_published(whole: Mapping[str, int], pruned: Mapping[str, int]) -> dict[str, Any]:
    """How many positions have the published counts, and which comes nearest to both."""

    def distance(before: str) -> int:
        return abs(whole[before] - MINIMAX) + abs(pruned[before] - ALPHA_BETA)

    nearest = min(whole, key=distance)
    return {
        "positions": len(whole),
        "minimax": sum(number == MINIMAX for number in whole.values()),
        "alpha_beta": sum(number == ALPHA_BETA for number in pruned.values()),
        "both": [before for before in whole if distance(before) == 0],
        "nearest": nearest,
        "nearest_counts": [whole[nearest], pruned[nearest]],
    }


def is_possible(row: Mapping[str, Any]) -> bool:
    """Whether the start has in this way what was published for it."""
    return "nearest" in row


def start_text(rows: list[dict[str, Any]]) -> str:
    """What alpha-beta visits from the start, by when it cuts."""
    told = {row["cut"]: row["start"][1] for row in rows if row["passes"] == PASSES[0]}
    return ", ".join(f"{number} with cut={cut}" for cut, number in told.items())


def verdict(rows: list[dict[str, Any]]) -> str:
    """Which positions have both counts, or how near they come."""
    possible = [row for row in rows if is_possible(row)]
    if not possible:
        return f"no way of counting gives {START} for both from the start"
    both = sorted({before for row in possible for before in row["both"]})
    if both:
        return f"both after {', '.join(both)}"
    near = min(possible, key=_distance)
    return (
        f"none of {near['positions']} positions has both in any of {len(possible)} ways; nearest:"
        f" {near['nearest_counts'][0]} and {near['nearest_counts'][1]} after {near['nearest']}"
        f" ({near['name']})"
    )


def _distance(row: Mapping[str, Any]) -> int:
    whole, pruned = row["nearest_counts"]
    return abs(whole - MINIMAX) + abs(pruned - ALPHA_BETA)


def table(rows: list[dict[str, Any]]) -> Shown:
    """Everything that was tried."""
    cells = []
    for row in rows:
        told = ("ruled out by the start", "-", "-", "-")
        if is_possible(row):
            whole, pruned = row["nearest_counts"]
            both = ", ".join(row["both"]) or "none"
            near = f"{whole} / {pruned} after {row['nearest']}"
            told = (str(row["minimax"]), str(row["alpha_beta"]), both, near)
        start = " / ".join(map(str, row["start"]))
        cells.append((row["name"], row["cut"], row["passes"], start, *told))
    columns = ("order of moves", "cut", "counted", "start: minimax / alpha-beta")
    later = (f"minimax {MINIMAX}", f"alpha-beta {ALPHA_BETA}", "both", "nearest")
    return Shown(
        f"Ways of counting that could give {START}, {ALPHA_BETA} and {MINIMAX}",
        "In how many of the positions of Black's first and White's second move a search of two"
        " plies has the published counts. States are child positions; with the root the start"
        f" would have {START + 1}, and 400 if only leaves counted. A table changes nothing: in"
        " two plies no position comes twice with something left to search.",
        Table((*columns, *later), cells),
    )
