"""Ratings of many agents at once, from all their games of two: Bradley and Terry's model.

    expected score of the first player = 1 / (1 + 10^-((first - second + advantage) / 400))

The ratings and the advantage of moving first are those under which the games are most
likely, a draw being half a win and half a loss.  So they mean what the Elo of a match
means, and but for the prior every agent has scored what the ratings expect of it.  Davidson,
or Rao and Kupper, model draws with one parameter for all.  Their ratings are about the odds
of a win against a loss, another scale, and run away where the best agents only draw with each
other while others hardly draw.  Draws count here where they matter, in the intervals: they
lessen the spread of the scores between those two agents.

The prior is weak and says that each rating, and the advantage, is normal around 0 with a
deviation of 1000 Elo, which weighs as much as an eighth of a game.  It keeps finite who won
every game, and makes 0 the mean of every group of agents that met.  Games count as
independent; two games of one opening with swapped seats are not, as a rule in a way that
leaves the intervals rather too wide than too narrow.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plies.arena.statistics.elo import CONFIDENCE, Estimate
from plies.errors import BadSpec

Result = tuple[str, str, float]  # first player, second player, score of the first: 0, 1/2 or 1

ELO = 400 / math.log(10)  # of one natural unit
PRIOR = (ELO / 1000) ** 2  # the precision of each parameter in natural units
SETTLED = 1e-9  # length of a step, in natural units, at which the maximum is found
ROUNDS = 100  # of Newton's method, which needs about ten
SLACK = 1e-13  # by which rounding may lower a likelihood, relative to it


@dataclass(frozen=True)
class Rating:
    """An agent's strength above the mean of its group: who it met, directly or through others."""

    agent: str
    elo: Estimate
    games: int
    score: float  # mean over its games


@dataclass(frozen=True)
class Ratings:
    """Agents from the strongest to the weakest, and what else the games show.

    No games connect agents of different groups: their ratings cannot be compared.
    """

    agents: tuple[Rating, ...]
    advantage: Estimate | None  # of moving first, in Elo; None without a game
    draws: float | None  # share of the games
    groups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Payoffs:
    """Row against column: mean score of the row, None where they never met, and games."""

    agents: tuple[str, ...]
    scores: tuple[tuple[float | None, ...], ...]
    games: tuple[tuple[int, ...], ...]


def payoff_matrix(results: Iterable[Result], agents: Sequence[str]) -> Payoffs:
    """Who scores how much against whom, both seats together, in the order of `agents`.

    Games with others are left out.  A game of an agent against itself is seen from both
    of its sides.
    """
    index = {agent: place for place, agent in enumerate(agents)}
    points = np.zeros((len(agents), len(agents)))
    games = np.zeros((len(agents), len(agents)), int)
    for first, second, score in results:
        if first in index and second in index:
            for row, column, won in ((first, second, score), (second, first, 1 - score)):
                points[index[row], index[column]] += won
                games[index[row], index[column]] += 1
    scores = tuple(
        tuple(float(p / n) if n else None for p, n in zip(*rows, strict=True))
        for rows in zip(points, games, strict=True)
    )
    return Payoffs(tuple(agents), scores, tuple(tuple(map(int, row)) for row in games))


def rate(results: Iterable[Result]) -> Ratings:
    """The ratings under which these games are most likely; their order does not matter."""
    table = _Table.of(results)
    if not table.agents:
        return Ratings((), None, None, ())
    found = _maximum(table)
    groups = _groups(table)
    # Within a group only differences are known: a rating is measured from the mean.
    same = np.equal.outer(groups, groups)
    centre = np.eye(len(found))
    centre[:-1, :-1] -= same / same.sum(axis=1)
    variance = np.diag(centre @ _covariance(table, found) @ centre.T)
    estimates = [_estimate(value, spread) for value, spread in zip(found, variance, strict=True)]
    agents = [
        Rating(agent, elo, int(games), float(points / games))
        for agent, elo, games, points in zip(
            table.agents, estimates[:-1], *table.games_and_points(), strict=True
        )
    ]
    members: dict[int, tuple[str, ...]] = {}
    for agent, group in zip(table.agents, groups, strict=True):
        members[group] = (*members.get(group, ()), agent)
    return Ratings(
        tuple(sorted(agents, key=lambda rated: -round(rated.elo.value or 0, 6))),
        estimates[-1],
        float(table.draws.sum() / table.games.sum()),
        tuple(members.values()),
    )


def _estimate(value: float, variance: float) -> Estimate:
    elo, error = ELO * float(value), ELO * CONFIDENCE * math.sqrt(max(variance, 0))
    return Estimate(elo, elo - error, elo + error)


@dataclass(frozen=True)
class _Table:
    """The games by who met whom in which seats, one row for each such meeting."""

    agents: tuple[str, ...]  # by name
    seats: np.ndarray  # (rows, 2), places in `agents`
    games: np.ndarray
    draws: np.ndarray
    points: np.ndarray  # of the first player

    @classmethod
    def of(cls, results: Iterable[Result]) -> "_Table":
        counts: dict[tuple[str, str], list[int]] = {}
        for first, second, score in results:
            if score not in (0, 0.5, 1):
                raise BadSpec(f"the score of a game is 0, 0.5 or 1, not {score}")
            counts.setdefault((first, second), [0, 0, 0])[round(2 * score)] += 1
        agents = sorted({agent for meeting in counts for agent in meeting})
        index = {agent: place for place, agent in enumerate(agents)}
        meetings = sorted(counts)
        seats = np.array([[index[agent] for agent in meeting] for meeting in meetings], int)
        outcomes = np.array([counts[meeting] for meeting in meetings]).reshape(-1, 3)
        points = outcomes @ (0, 0.5, 1)
        return cls(tuple(agents), seats, outcomes.sum(axis=1), outcomes[:, 1], points)

    @cached_property
    def design(self) -> np.ndarray:
        """(rows, agents + 1): what each rating and the advantage add to the first player."""
        places = np.eye(len(self.agents))
        differences = places[self.seats[:, 0]] - places[self.seats[:, 1]]
        return np.column_stack([differences, np.ones(len(self.seats))])

    def games_and_points(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each agent, in both seats."""
        games, points = np.zeros((2, len(self.agents)))
        for seat, own in enumerate((self.points, self.games - self.points)):
            np.add.at(games, self.seats[:, seat], self.games)
            np.add.at(points, self.seats[:, seat], own)
        return games, points


def _groups(table: _Table) -> np.ndarray:
    """For each agent the number of its group: agents that games connect share one."""
    group = np.arange(len(table.agents))
    for first, second in table.seats:
        group[group == group[second]] = group[first]
    return group


def _expected(table: _Table, parameters: np.ndarray) -> np.ndarray:
    """The score that the first player of each row expects."""
    return 0.5 + 0.5 * np.tanh(table.design @ parameters / 2)


def _log_posterior(table: _Table, parameters: np.ndarray) -> float:
    ahead = table.design @ parameters
    likelihood = table.points @ ahead - table.games @ np.logaddexp(0, ahead)
    return float(likelihood - PRIOR / 2 * parameters @ parameters)


def _precision(table: _Table, variances: np.ndarray) -> np.ndarray:
    """Of all parameters, when a game of each row has that variance: minus the Hessian."""
    design = table.design
    prior = PRIOR * np.eye(design.shape[1])
    return (design.T * (table.games * variances)) @ design + prior


def _maximum(table: _Table) -> np.ndarray:
    """The likeliest ratings and advantage, in natural units; the posterior has one maximum."""
    found = np.zeros(len(table.agents) + 1)
    value = _log_posterior(table, found)
    for _ in range(ROUNDS):
        expected = _expected(table, found)
        surprise = table.points - table.games * expected
        gradient = table.design.T @ surprise - PRIOR * found
        step = np.linalg.solve(_precision(table, expected * (1 - expected)), gradient)
        while (better := _log_posterior(table, found + step)) < value - SLACK * abs(value):
            step /= 2
        found, value = found + step, better
        if np.abs(step).max() < SETTLED:
            break
    return found


def _covariance(table: _Table, found: np.ndarray) -> np.ndarray:
    """Of the parameters at the maximum.

    Without draws it is the inverse of the Hessian.  A share d of draws lessens the variance
    of a score by d / 4; of each meeting it is estimated as if one more game had been
    decided, for a few draws do not promise that all games are drawn.
    """
    expected = _expected(table, found)
    full = expected * (1 - expected)
    inverse = np.linalg.inv(_precision(table, full))
    lessened = np.maximum(full - table.draws / (table.games + 1) / 4, 0)
    return inverse @ _precision(table, lessened) @ inverse
