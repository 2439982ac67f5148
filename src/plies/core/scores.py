"""Outcomes of a game and the bands of the score scale.

A value is an int64 seen from the side to move.  Three bands, never mixed:

    -WIN ... -WIN + MAX_PLIES      lost, the closer to -WIN the sooner
    -MAX_EVALUATION ... +MAX_EVALUATION    evaluations and payoffs
    WIN - MAX_PLIES ... WIN        won, the closer to WIN the sooner

So a faster win is worth more than a slower one and a slower loss more than a
faster one, in every search, without any search knowing about it.
"""

from plies.compiling.compiler import compiled

# What `outcome(state)` answers.  A number >= 0 is the player who has won.
ONGOING = -1
DRAW = -2
SCORED = -3  # over, and `payoff(state, player)` says what each player gets

WIN = 1_000_000_000
MAX_PLIES = 10_000
MAX_EVALUATION = WIN - MAX_PLIES - 1
INFINITY = WIN + 1  # outside every value: the open window is (-INFINITY, INFINITY)


@compiled
def win_in(plies):
    """The value of a win that is `plies` away."""
    return WIN - plies


@compiled
def lose_in(plies):
    """The value of a loss that is `plies` away."""
    return plies - WIN


@compiled
def is_decided(value):
    """Whether a value is a proven win or loss rather than an evaluation."""
    return abs(value) > MAX_EVALUATION


def win_payoffs(winner: int, players: int) -> tuple[int, ...]:
    """What each player gets where one has won: 1 / -1 for two players, 1 / 0 for more."""
    loss = -1 if players == 2 else 0
    return tuple(1 if player == winner else loss for player in range(players))


def value_text(value: int) -> str:
    """A value as people say it: `win in 3`, `loss in 2`, `+14`, `0`."""
    if abs(value) > MAX_EVALUATION:
        plies = WIN - abs(value)
        return f"{'win' if value > 0 else 'loss'} in {plies}"
    return f"{value:+d}" if value else "0"
