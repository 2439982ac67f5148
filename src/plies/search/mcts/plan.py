"""How one thread simulates: its options, its random numbers, and its path down the tree.

simulations    how many were finished
deepest        plies from the root to the deepest node that was entered
path           the nodes of this simulation, path[0] is the root
parent_player  parent_player[ply] made the move that led to path[ply]; at the root its mover
log_roots      log_roots[n] is the square root of the logarithm of n
random         the state of the generator of random numbers, never 0
players        how many play
is_solver      whether proven results are backed up
has_priors     whether moves have priors before they are tried (PUCT)
plies          the longest rollout; then, or with 0 at once, the evaluator decides
c              exploration constant, for results of -1 to 1
temperature    softmax temperature of the priors
scale          the evaluation that is worth half a win; 0: the average evaluation
total_size     the sum of the sizes of all evaluations so far
"""

from typing import Any

import numpy as np

from plies.search.workspace import MAX_DEPTH

MAX_LOOKUP = 4096  # visits from here on are halved before their logarithm is looked up

FIELDS: list[Any] = [
    ("simulations", np.int64),
    ("deepest", np.int64),
    ("path", np.int64, (MAX_DEPTH + 2,)),
    ("parent_player", np.int64, (MAX_DEPTH + 2,)),
    ("log_roots", np.float64, (MAX_LOOKUP,)),
    ("random", np.uint64),
    ("players", np.int64),
    ("is_solver", np.int64),
    ("has_priors", np.int64),
    ("plies", np.int64),
    ("c", np.float64),
    ("temperature", np.float64),
    ("scale", np.float64),
    ("total_size", np.float64),
]
LOG_ROOTS = np.sqrt(np.log(np.maximum(np.arange(MAX_LOOKUP), 1)))
PLAN = np.dtype(FIELDS, align=True)
