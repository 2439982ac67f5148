"""Black-box search on strings of zeros and ones: problems that count their calls, strategies
that spend them, and experiments that compare strategies.

    >>> from plies.blackbox import problem, run
    >>> run(problem(5), "linkage", seed=1, budget=10_000).solved is not None
    True
"""

from plies.blackbox.experiment import (
    BadResults,
    Plan,
    Summary,
    carry_on,
    read_results,
    summaries,
)
from plies.blackbox.problem import (
    CLASSES,
    LENGTH,
    SUCCESS,
    BadGenome,
    BadProblem,
    Problem,
    problem,
)
from plies.blackbox.strategies import OPTIONS, STRATEGIES, Strategy, UnknownStrategy, find_strategy
from plies.blackbox.trial import MILESTONES, PUBLISHED_CALLS, Trial, run

__all__ = [
    "CLASSES",
    "LENGTH",
    "MILESTONES",
    "OPTIONS",
    "PUBLISHED_CALLS",
    "STRATEGIES",
    "SUCCESS",
    "BadGenome",
    "BadProblem",
    "BadResults",
    "Plan",
    "Problem",
    "Strategy",
    "Summary",
    "Trial",
    "UnknownStrategy",
    "carry_on",
    "find_strategy",
    "problem",
    "read_results",
    "run",
    "summaries",
]
