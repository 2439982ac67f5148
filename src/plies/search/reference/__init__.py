"""The textbook searches in plain Python, on any tree, with an event for every step.

They need no game file.  A tree is any object and three functions: `children`
(none for a leaf), `evaluate` (the value for Max of a leaf or a horizon node), and
`is_max` (whose turn it is).  Values and windows are Max's throughout, as in a
textbook drawing.  They are the oracle of the compiled searches, whose values are the
mover's.

    >>> tree = [[3, 5], [2, 9]]
    >>> answer = alphabeta(
    ...     tree,
    ...     children=lambda node: node if isinstance(node, list) else [],
    ...     evaluate=lambda node: node,
    ...     is_max=lambda node: node is tree,
    ... )
    >>> answer.value, answer.index, answer.leaves
    (3, 0, 3)

The searches for any number of players take `mover` instead of `is_max`, and
`evaluate` returns one value for each player.

Every step is an `Event` for `on_event`, if given.  `plies.search.trace` makes a record of
the whole tree from the events.  `budget` limits the nodes entered, and `should_stop` is
called before each.
"""

from plies.search.reference.limited import beam, branch
from plies.search.reference.monte_carlo import mcts
from plies.search.reference.positions import Position, on_game, on_players, on_results
from plies.search.reference.textbook import alphabeta, deepening, maxn, minimax, paranoid
from plies.search.reference.watched import OPEN, Answer, Event, Kind, Path, Watch, Window

__all__ = [
    "OPEN",
    "Answer",
    "Event",
    "Kind",
    "Path",
    "Position",
    "Watch",
    "Window",
    "alphabeta",
    "beam",
    "branch",
    "deepening",
    "maxn",
    "mcts",
    "minimax",
    "on_game",
    "on_players",
    "on_results",
    "paranoid",
]
