"""Games of candidates against the incumbent: the same agent with other weights.

Plain alpha-beta, which is what most tunings use, plays whole games in compiled code; any
other agent that takes an evaluator plays them as a match does.  Either way a game is drawn
by a third repetition and at its greatest length; what a `draw_claim` says counts in matches
alone.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from plies.agents import Agent, agent
from plies.agents.agent import refuse_other_than_zero_sum
from plies.compiling.compiler import compiled
from plies.core.scores import DRAW, ONGOING, SCORED
from plies.core.verbs import key, mover, outcome, payoff, play
from plies.errors import BadGame, BadSpec
from plies.learn.weights import Tuning, Weights
from plies.match import Rules, play_game
from plies.models.weights import finer
from plies.registry import game as find_game
from plies.search.alphabeta import AlphaBeta, alphabeta
from plies.search.ordering import OPEN
from plies.search.workspace import ROOT, new_workspace

REPETITIONS = 3
TOP = np.int64(ROOT)  # one signature of the search whoever calls it


class Trial(NamedTuple):
    """One candidate from one opening, in both seats."""

    candidate: Weights
    incumbent: Weights
    opening: str
    seed: int


@compiled
def winner(state):
    """The player who has won or got more, DRAW, or ONGOING."""
    result = outcome(state)
    if result != SCORED:
        return result
    first, second = payoff(state, 0), payoff(state, 1)
    return 0 if first > second else 1 if second > first else DRAW


@compiled
def play_out(state, seats, depth, pruning, keys, work):
    """The winner, or DRAW, when both search `depth` plies, each with its own weights.

    `keys` has room for the longest game, a key for every ply.
    """
    for ply in range(len(keys)):
        keys[ply] = key(state)
        is_repetition = np.sum(keys[: ply + 1] == keys[ply]) == REPETITIONS
        if is_repetition or winner(state) != ONGOING:
            break
        alphabeta(state, depth, -OPEN, OPEN, TOP, pruning, seats[mover(state)], work)
        if work.is_stopped:
            break
        state = play(state, work.line[ROOT, ROOT])
    result = winner(state)
    return DRAW if result == ONGOING else result


class Referee:
    """Plays trials of a tuning in this process."""

    def __init__(self, tuning: Tuning):
        self.tuning = tuning
        self.game = find_game(tuning.game)
        self.agent = trial_agent(tuning)
        self.kind = type(self.agent.evaluator)
        self.finer = finer(self.game, tuning.evaluator, tuning.scale)

    def points(self, trial: Trial) -> float:
        """The share of the points of both games that the candidate gets."""
        search = self.agent.search
        is_quick = isinstance(search, AlphaBeta) and is_plain(search)
        one_game = self.quick_game if is_quick else self.match_game
        # Plain alpha-beta asks for no unit, and its compiled games for records of one class.
        ours = (self.kind if is_quick else self.finer)(*trial.candidate)
        theirs = self.kind(*trial.incumbent)
        as_first = one_game(ours, theirs, trial)
        as_second = 1 - one_game(theirs, ours, trial)
        return (as_first + as_second) / 2

    def quick_game(self, first: Any, second: Any, trial: Trial) -> float:
        """What the first player gets of one point; of plain alpha-beta, in compiled code."""
        search = self.agent.search
        assert isinstance(search, AlphaBeta)
        work = new_workspace()
        keys = np.zeros(self.tuning.max_plies, np.int64)
        state = self.game.parse_position(trial.opening)
        found = play_out(state, (first, second), search.depth, search.pruning, keys, work)
        if work.no_moves_ply >= 0:
            raise BadGame(f"{self.game.name}: a position has no legal move but goes on")
        return {0: 1.0, 1: 0.0}.get(int(found), 0.5)

    def match_game(self, first: Any, second: Any, trial: Trial) -> float:
        """The same of any agent, as in a match."""
        seats = [replace(self.agent, evaluator=record, memory={}) for record in (first, second)]
        rules = Rules(max_plies=self.tuning.max_plies, repetitions=REPETITIONS)
        record = play_game(self.game, *seats, seed=trial.seed, start=trial.opening, rules=rules)
        balance = record.payoffs[0] - record.payoffs[1]
        return 0.5 if balance == 0 else float(balance > 0)


def is_plain(search: AlphaBeta) -> bool:
    """Whether it keeps no table, sorts nothing, and chooses the first of equal moves."""
    return replace(search, depth=1, eval="", fail="soft", cut="equal") == AlphaBeta(depth=1)


def trial_agent(tuning: Tuning) -> Agent:
    """The incumbent; `BadSpec` where the agent takes no evaluator, or names one itself."""
    game = find_game(tuning.game)
    plain = agent(tuning.agent, game)
    refuse_other_than_zero_sum(tuning.agent, game)
    if not hasattr(plain.search, "eval"):
        raise BadSpec(f"{tuning.agent} asks no evaluator; tune with one such as alphabeta:depth=2")
    if plain.search.eval:  # type: ignore[attr-defined]
        raise BadSpec(f"{tuning.agent} names an evaluator itself; name it by --eval alone")
    return agent(with_evaluator(tuning.agent, tuning.evaluator), game)


def with_evaluator(spec: str, evaluator: str) -> str:
    """The spec of an agent with that evaluator, a name or a file."""
    return f"{spec}{',' if ':' in spec else ':'}eval={evaluator}"


# Many at once


class Players:
    """So many threads that play trials: compiled games do not wait for one another."""

    def __init__(self, tuning: Tuning, threads: int):
        self._referee = Referee(tuning)
        self._pool = ThreadPoolExecutor(threads)

    def losses(
        self,
        candidates: Sequence[Weights],
        incumbent: Weights,
        openings: Sequence[str],
        on_trial: Callable[[], None] = lambda: None,
    ) -> list[float]:
        """The share of points that each candidate does not get, all from the same openings."""
        trials = [
            Trial(candidate, incumbent, opening, seed)
            for candidate in candidates
            for seed, opening in enumerate(openings)
        ]
        # The first is played here: what it compiles is then not waited for when Ctrl-C comes.
        found = [self._referee.points(trials[0])]
        on_trial()
        others = [self._pool.submit(self._referee.points, trial) for trial in trials[1:]]
        for other in others:
            found.append(other.result())
            on_trial()
        shares = np.reshape(found, (len(candidates), -1)).mean(axis=1)
        return [1 - float(share) for share in shares]

    def close(self) -> None:
        """Games that have begun are played to their end, others are not."""
        self._pool.shutdown(cancel_futures=True)
