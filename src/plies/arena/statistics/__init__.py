"""What results say about strength, and how sure that is; nothing here plays or stores a game."""

from plies.arena.statistics.bradley_terry import (
    Payoffs,
    Rating,
    Ratings,
    Result,
    payoff_matrix,
    rate,
)
from plies.arena.statistics.counts import Counts
from plies.arena.statistics.elo import (
    FEWEST,
    SURE,
    Estimate,
    elo_estimate,
    elo_of_score,
    is_enough,
    likelihood_of_superiority,
    normalised_elo_estimate,
    score_of_elo,
)
from plies.arena.statistics.sprt import Sprt

__all__ = [
    "FEWEST",
    "SURE",
    "Counts",
    "Estimate",
    "Payoffs",
    "Rating",
    "Ratings",
    "Result",
    "Sprt",
    "elo_estimate",
    "elo_of_score",
    "is_enough",
    "likelihood_of_superiority",
    "normalised_elo_estimate",
    "payoff_matrix",
    "rate",
    "score_of_elo",
]
