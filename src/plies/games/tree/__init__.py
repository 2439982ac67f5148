"""Explicit game trees: a tree from paper, played and searched like any other game.

The player to move at a node chooses one of its children; at a leaf the game is over and
each player gets the payoff written there.  Movers may come in any order.

    M(                        M (Max, the first player) moves here
      A = m(3, 5),            m (Min, the second) moves here; A is a label
      m(2, M(9, -1))          a leaf is the payoff that Max gets and Min pays
    )

With more players, or payoffs that do not sum to zero, nodes begin with the number of
their mover and leaves are vectors: `1(2((3, 0, 1), (1, 1, 1)), 3((0, 2, 2)))`.

`tree:file=x.tree` reads a tree from a file (see `reading` for both forms); without a
file it is a tree of 28 leaves, on which alpha-beta evaluates 20 from left to right, 14
from right to left, and 9 in the best order.

A move is called by the child's label, or by its number from 1; a position is the path
to it from the root, `1-3-2`, and `.` is the root.
"""

import copy
import re
from functools import lru_cache
from itertools import islice
from pathlib import Path as FilePath
from typing import NamedTuple

import numpy as np

from plies.core import ONGOING, SCORED, Board, Game, compiled
from plies.core.scores import MAX_EVALUATION
from plies.drawing import svg as pictures
from plies.errors import BadTree
from plies.games.tree.flat import (
    CHILDREN,
    FIRST,
    HEADER,
    IS_SCALAR,
    LEAVES,
    MOVER,
    NODES,
    PARENT,
    PLAYERS,
    RECORD,
    all_payoffs,
    flatten,
    label_of,
    unflatten,
)
from plies.games.tree.nodes import (
    Inner,
    Leaf,
    Path,
    Tree,
    check,
    mover_text,
    outline,
    path_text,
    payoff_text,
    walk,
)
from plies.games.tree.reading import read_tree, read_tree_file

__all__ = ["GAME", "Inner", "Leaf", "Tree", "flatten", "read_tree", "tree_game", "tree_of"]

PAPER_TREE = """
M(A = m(M(m(10, 5, 9), m(-2, -3, 2)), M(M(6), M(-1, 0)), M(m(9, -10, 1))),
  B = m(m(M(-1, 1)), m(M(-6, 0), M(6, 1))),
  C = m(M(m(7, -7), m(-2), m(1, 5)), M(m(3, 5), m(-1, -10, -2))))
"""
NUMERALS = "①②③④⑤⑥⑦⑧⑨"  # movers in drawings, where a bare digit is a payoff
PATH = re.compile(r"[1-9][0-9]{0,6}(-[1-9][0-9]{0,6})*")
MARKS = ("M①", "m②", *NUMERALS[2:])
MAX_LINES = 200  # of a drawing
ASPECT = 2.5  # width to height of a picture


class State(NamedTuple):
    """The whole tree and the current node.

    States of one game share one array; states of equal trees are equal.
    """

    node: int
    tree: np.ndarray  # as `flat` lays it out

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State) or self.node != other.node:
            return False
        return self.tree is other.tree or np.array_equal(self.tree, other.tree)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.node, len(self.tree)))


def initial(file: str | Tree = "") -> State:
    if not isinstance(file, str):
        return State(0, flatten(file))
    try:
        tree = _load(file, _stamp(file)) if file else read_tree(PAPER_TREE)
    except BadTree as error:
        raise ValueError(str(error).removeprefix(f"{file}: ")) from error
    return State(0, flatten(tree))


@lru_cache(maxsize=16)
def _load(file: str, stamp: tuple[int, int] | None) -> Tree:
    """The tree in a file, cached until its `stamp` changes."""
    return read_tree_file(file)


def _stamp(file: str) -> tuple[int, int] | None:
    """Time of change and size of a file, None if there is none."""
    try:
        about = FilePath(file).stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


def tree_game(tree: Tree) -> Game:
    """The game on a tree made in Python; only a game on a file has a spec to load it by."""
    check(tree)
    game = copy.copy(GAME)
    game.options = {"file": tree}
    return game


def tree_of(state: State) -> Tree:
    """The whole tree of a state."""
    return unflatten(state.tree)


@compiled
def entry(state, field):
    """A field of the current node's record."""
    return state.tree[HEADER + RECORD * state.node + field]


@compiled
def mover(state):
    return entry(state, MOVER)


@compiled
def legal_moves(state):
    return np.arange(entry(state, CHILDREN))


@compiled
def play(state, move):
    return State(entry(state, FIRST) + move, state.tree)


@compiled
def outcome(state):
    return SCORED if entry(state, CHILDREN) == 0 else ONGOING


@compiled
def payoff(state, player):
    return state.tree[entry(state, FIRST) + player]


@compiled
def payoff_bounds(state):
    """The highest payoff of one player, and of two together, at any leaf."""
    players, leaves = state.tree[PLAYERS], state.tree[LEAVES]
    start = HEADER + RECORD * state.tree[NODES]
    most = pair = -2 * MAX_EVALUATION
    for leaf in range(leaves):
        best = second = -MAX_EVALUATION
        for player in range(players):
            own = state.tree[start + leaf * players + player]
            best, second = max(best, own), max(second, min(best, own))
        most, pair = max(most, best), max(pair, best + second)
    return most, pair


@compiled
def key(state):
    return state.node


def players(state: State) -> int:
    return int(state.tree[PLAYERS])


def is_zero_sum(state: State) -> bool:
    """Whether there are two players and the payoffs of every leaf add up to 0."""
    return players(state) == 2 and not all_payoffs(state.tree).sum(axis=1).any()


def steps(state: State, move: int) -> tuple[str, ...]:
    return (label_of(state.tree, int(entry(state, FIRST)) + move) or str(move + 1),)


def clicks(state: State, move: int) -> tuple[str, ...]:
    """The point of the child on the board."""
    return (point_name((*path_of(state), move)),)


def path_of(state: State) -> Path:
    """The moves from the root."""
    path = []
    while state.node:
        parent = State(int(entry(state, PARENT)), state.tree)
        path.append(int(state.node - entry(parent, FIRST)))
        state = parent
    return tuple(reversed(path))


def position_text(state: State) -> str:
    return path_text(path_of(state))


def parse_position(text: str, initial: State) -> State:
    text = text.strip()
    if text == ".":
        return initial
    if not PATH.fullmatch(text):
        raise ValueError("expected a path such as 1-3-2, the number of each child, or . (the root)")
    state = initial
    for number in text.split("-"):
        children = int(entry(state, CHILDREN))
        if int(number) > children:
            raise ValueError(f"node {position_text(state)} has {children} children, not {number}")
        state = State(int(entry(state, FIRST)) + int(number) - 1, state.tree)
    return state


def _symbol(node: Tree, is_scalar: bool) -> str:
    if isinstance(node, Leaf):
        return payoff_text(node.payoff)
    if is_scalar or node.mover >= len(NUMERALS):
        return mover_text(node.mover, is_scalar)
    return NUMERALS[node.mover]


def point_name(path: Path) -> str:
    """`.1.3.2`, a whole path, because the label or number of a step is not unique."""
    return "".join(f".{index + 1}" for index in path) or "."


def board(state: State) -> Board:
    return _board(State(0, state.tree))


@lru_cache(maxsize=4)
def _board(root: State) -> Board:
    """Leaves side by side, every other node above the middle of its children."""
    tree = tree_of(root)
    texts = [payoff_text(node.payoff) for _, node in walk(tree) if isinstance(node, Leaf)]
    apart = max(1.0, (max(map(len, texts)) + 1) / 4)  # room for the longest
    depth = max(len(path) for path, _ in walk(tree))
    rise = max(1.0, len(texts) * apart / (ASPECT * max(depth, 1)))
    points: dict[str, tuple[float, float]] = {}
    next_leaf = 0.0

    def add_points(node: Tree, path: Path) -> float:
        nonlocal next_leaf
        if isinstance(node, Leaf):
            x = next_leaf
            next_leaf += apart
        else:
            xs = [add_points(child, (*path, index)) for index, child in enumerate(node.children)]
            x = (xs[0] + xs[-1]) / 2
        points[point_name(path)] = (x, -rise * len(path))
        return x

    add_points(tree, ())
    lines = ((point_name(path[:-1]), point_name(path)) for path, _ in walk(tree) if path)
    return Board(points, tuple(lines))


def pieces(state: State) -> dict[str, str]:
    """The symbol of every node."""
    scalar = bool(state.tree[IS_SCALAR])
    return {point_name(path): _symbol(node, scalar) for path, node in walk(tree_of(state))}


def svg(state: State) -> str:
    """The whole tree, with the current node marked."""
    current = point_name(path_of(state))
    return pictures.draw_board(board(state), pieces(state), MARKS, highlight=[current])


def draw(state: State) -> str:
    """The tree as an outline; a large one from the current node on."""
    is_long = int(state.tree[NODES]) > MAX_LINES
    subtree = unflatten(state.tree, state.node if is_long else 0)
    current = () if is_long else path_of(state)
    scalar = bool(state.tree[IS_SCALAR])
    lines = [f"node {position_text(state)} of {state.tree[NODES]}:"] if is_long else []
    for margin, path, node in islice(outline(subtree), MAX_LINES):
        label = f"{node.label}: " if node.label else ""
        head = (
            payoff_text(node.payoff) if isinstance(node, Leaf) else mover_text(node.mover, scalar)
        )
        lines.append(f"{margin}{label}{head}{'  <- here' if path == current else ''}")
    hidden = sum(1 for _ in walk(subtree)) - MAX_LINES
    return "\n".join([*lines, f"... and {hidden} more nodes"] if hidden > 0 else lines)


GAME = Game(
    __name__,
    title="Explicit game tree",
    name="tree",
    marks=MARKS,
)
