"""Whether players differ by more than chance, and how many games it takes to see that."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]  # a row for every game, a column for every player
TRIES = 10_000
NORMAL_95 = 1.96  # standard errors to either side


def win_rates(points: Points) -> Points:
    """Games won of those decided; a half where none was."""
    wins, losses = (points == 1).sum(axis=-2), (points == 0).sum(axis=-2)
    decided = wins + losses
    return np.where(decided > 0, wins / np.maximum(decided, 1), 0.5)


def shares(points: Points) -> Points:
    """Points of a game, on average."""
    return points.mean(axis=-2)


def spread(rates: Points) -> Points:
    """Between the best and the worst of the players."""
    return rates.max(axis=-1) - rates.min(axis=-1)


def permutation_test(
    points: Points, rate: Callable[[Points], Points], seed: int, tries: int = TRIES
) -> float:
    """How likely equal players have a spread at least as large as this one (p).

    A row holds what the players got from the same opening with the same colour.  If they are
    equal, who got what in a row is chance: so it is dealt out anew, row by row.
    """
    chance = np.random.default_rng(seed)
    seen = float(spread(rate(points)))
    dealt = (spread(rate(chance.permuted(points, axis=1))) for _ in range(tries))
    return (1 + sum(float(each) >= seen - 1e-12 for each in dealt)) / (1 + tries)


def spread_by_chance(
    counts: Mapping[str, int], games: int, players: int, seed: int
) -> dict[str, float]:
    """The spread of win rates of equal players after so many games each.

    They win, draw and lose as often as `counts` says.  `median` is what to expect, `high` is
    exceeded once in twenty times.
    """
    chance = np.random.default_rng(seed)
    each = np.array([counts[result] for result in ("wins", "draws", "losses")], float)
    drawn = chance.multinomial(games, each / each.sum(), size=(TRIES, players))
    decided = drawn[..., 0] + drawn[..., 2]
    rates = np.where(decided > 0, drawn[..., 0] / np.maximum(decided, 1), 0.5)
    middle, high = np.quantile(spread(rates), (0.5, 0.95))
    return {"median": float(middle), "high": float(high)}


def half_width(counts: Mapping[str, int], games: int) -> float:
    """Of the 95 % interval of the difference of two win rates, after so many games of each."""
    rate, decided = _rates(counts)
    return NORMAL_95 * sqrt(2 * rate * (1 - rate) / (games * decided))


def games_needed(counts: Mapping[str, int], margin: float) -> int:
    """So many games of each make that interval narrower than `margin` to either side."""
    rate, decided = _rates(counts)
    return ceil(decided_games_needed(rate, margin) / decided)


def decided_games_needed(rate: float, margin: float) -> int:
    """The same where no game is drawn, at a known win rate."""
    return ceil(2 * rate * (1 - rate) * (NORMAL_95 / margin) ** 2)


def _rates(counts: Mapping[str, int]) -> tuple[float, float]:
    """The win rate and the share of decided games.

    One game more is won and one lost (Agresti and Caffo 2000), because without a single loss
    the interval would have no width.
    """
    decided = counts["wins"] + counts["losses"]
    return (counts["wins"] + 1) / (decided + 2), (decided + 2) / (decided + counts["draws"] + 2)


def table_of(points: Mapping[str, Sequence[float]], names: Sequence[str]) -> Points:
    """The games of some players side by side."""
    return np.array([points[name] for name in names], float).T


def counts_of(points: Points) -> dict[str, Any]:
    """Of all players together."""
    return {
        "wins": int((points == 1).sum()),
        "draws": int((points == 0.5).sum()),
        "losses": int((points == 0).sum()),
    }
