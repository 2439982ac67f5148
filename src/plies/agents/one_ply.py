"""One ply ahead: the move with the best evaluation after it."""

import numpy as np

from plies.compiling.compiler import compiled
from plies.core.scores import ONGOING
from plies.core.verbs import legal_moves, mover, outcome, play
from plies.search.decision import Decision
from plies.search.leaf import leaf_value
from plies.search.runner import Stopwatch, first_move
from plies.search.task import Task
from plies.search.ties import Choice


@compiled
def child_values(state, evaluator):
    """The moves, the values of their children for the mover, and the number of evaluations.

    A child at the end of the game has the value of the result.
    """
    moves = legal_moves(state)
    player = mover(state)
    values = np.empty(len(moves), np.int64)
    evaluations = 0
    for index in range(len(moves)):
        child = play(state, moves[index])
        result = outcome(child)
        evaluations += result == ONGOING
        value = leaf_value(child, result, 1, evaluator)
        values[index] = value if mover(child) == player else -value
    return moves, values, evaluations


def decide_one_ply(task: Task, choice: Choice) -> Decision:
    """The best move; of equal ones the first, or a random one."""
    first_move(task.state)  # raises an error where there is none
    watch = Stopwatch()
    moves, values, evaluations = child_values(task.state, task.evaluator)
    best = np.flatnonzero(values == values.max())
    index = task.rng.choice(best) if choice == "random" else best[0]
    move = int(moves[index])
    return Decision(
        move,
        value=int(values[index]),
        depth=1,
        nodes=len(moves) + 1,
        seconds=watch.seconds,
        line=(move,),
        leaves=len(moves),
        evaluations=int(evaluations),
        cpu_seconds=watch.cpu_seconds,
    )
