"""A record of the tree that a search visits: for drawings, for teaching, for a program.

    >>> tree = [[3, 5], [2, 9]]
    >>> trace = record_tree(
    ...     tree,
    ...     children=lambda node: node if isinstance(node, list) else [],
    ...     evaluate=lambda node: node,
    ...     is_max=lambda node: node is tree,
    ... )
    >>> for node in trace.trees[0].nodes:
    ...     print(node.order, node.path, node.kind, node.window_text, node.bound, node.value)
    1 () max (-∞, ∞) exact 3
    2 (0,) min (-∞, ∞) exact 3
    3 (0, 0) leaf (-∞, ∞) exact 3
    4 (0, 1) leaf (-∞, 3) exact 5
    5 (1,) min (3, ∞) at most 2
    6 (1, 0) leaf (3, ∞) exact 2
    >>> trace.trees[0].nodes[4].cut
    'alpha 3 >= beta 2: Max can have 3 at the root'

The search is the plain-Python reference of the algorithm, so a record takes a thousand
times longer than the compiled search, and table, threads and clocks play no part.
"""

from plies.search.trace.algorithms import ALGORITHMS
from plies.search.trace.recording import BUDGET, LIMIT, record, record_tree, values_text
from plies.search.trace.records import LeftOut, Node, Simulation, Step, Trace, Tree
from plies.search.trace.writing import Names

__all__ = [
    "ALGORITHMS",
    "BUDGET",
    "LIMIT",
    "LeftOut",
    "Names",
    "Node",
    "Simulation",
    "Step",
    "Trace",
    "Tree",
    "record",
    "record_tree",
    "values_text",
]
