"""How one thread simulates: what it was asked for, its chances, and its way down the tree.

simulations  how many were finished
deepest      plies from the root to the deepest node that was entered
walk         the nodes of this simulation, walk[0] is the root
chooser      chooser[ply] is the player whose move led to walk[ply]; at the root its mover
roots        roots[n] is the root of the logarithm of n
random       the state of the generator of random numbers, never 0
players      how many play
is_solver    whether proven results are backed up
has_priors   whether moves are rated before they are tried
plies        the longest rollout; then, or with 0 at once, the evaluator is asked
c            how much is explored, in games that are worth -1 to 1
temperature  how far the priors of better and worse moves are apart
scale        the opinion that is worth half a win; 0: the average opinion
opinions     the sum of all opinions so far, without their sign
"""

from typing import Any

import numpy as np

from plies.search.workspace import MAX_DEPTH

FEW = 4096  # visits whose logarithm is looked up as it is

FIELDS: list[Any] = [
    ("simulations", np.int64),
    ("deepest", np.int64),
    ("walk", np.int64, (MAX_DEPTH + 2,)),
    ("chooser", np.int64, (MAX_DEPTH + 2,)),
    ("roots", np.float64, (FEW,)),
    ("random", np.uint64),
    ("players", np.int64),
    ("is_solver", np.int64),
    ("has_priors", np.int64),
    ("plies", np.int64),
    ("c", np.float64),
    ("temperature", np.float64),
    ("scale", np.float64),
    ("opinions", np.float64),
]
ROOTS = np.sqrt(np.log(np.maximum(np.arange(FEW), 1)))
PLAN = np.dtype(FIELDS, align=True)
