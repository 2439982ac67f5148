"""Monte Carlo tree search: the best move by many simulated games.

tree         the tree as a record of arrays, and the way down through it
rollout      a simulated game from a leaf to its end, and what it is worth to whom
proof        what is known for certain, and how far up the tree that reaches
simulation   the kernel: down, grow, roll out, back up
reuse        the part of an earlier tree that is still of use
method       the agent
"""

from plies.search.mcts.method import Mcts

__all__ = ["Mcts"]
