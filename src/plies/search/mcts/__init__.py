"""Monte Carlo tree search: the best move by many simulated games.

tree         the tree as a record of arrays, a thread's plan, the choice of a child (UCT, PUCT)
priors       evaluations as expected results, and move priors
proof        proven results, and how far up the tree they reach (MCTS-Solver)
simulation   the kernel: selection, expansion, rollout, its rewards, backing up
reuse        the part of an earlier tree that the next search can use
answer       move, value and line of one tree or several
search       the agent's options and its threads
"""

from plies.search.mcts.search import Mcts

__all__ = ["Mcts"]
