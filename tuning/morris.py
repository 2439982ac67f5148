"""Tune the weights of the improved morris evaluation by matches against itself.

    python tuning/morris.py                  tune
    python tuning/morris.py --match 1000     play the package's weights against the first guesses

The method is SPSA (Spall 1992): in every round all weights are moved a little at once,
each up or down by the toss of a coin; the weights so moved play a few pairs of games
against those moved the opposite way, and the weights go a small step towards the winner.
The answer is the mean of the second half of the rounds.
A pair is one random opening, played twice with the seats swapped.  Openings come from
all boards in turn, every second one from the default board.  The same arguments give the
same weights on every machine; without any they are those of
`plies.evaluators.morris.Improved`, after 36 000 games and some ten minutes.  Progress goes
to standard error, the record to standard output.
"""

import argparse
import math
import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain, repeat
from statistics import mean, stdev
from typing import Any

import plies
from plies.core import verbs
from plies.core.scores import ONGOING
from plies.evaluators.morris import Improved
from plies.search.alphabeta import AlphaBeta
from plies.search.task import Task

# First guesses, from which the search for better ones sets out.
START = Improved(
    opening_mill=50,
    opening_pair=100,
    opening_single=10,
    opening_reach=5,
    opening_fork=200,
    opening_mobility=10,
    opening_turn=500,
    mill=50,
    pair=50,
    threat=150,
    double=300,
    mobility=15,
    blocked=-30,
    hopping=300,
    turn=500,
)
# How far a weight is moved in the first round; about a third of what it may well be.
STEPS = Improved(
    opening_mill=60,
    opening_pair=60,
    opening_single=15,
    opening_reach=10,
    opening_fork=80,
    opening_mobility=10,
    opening_turn=150,
    mill=60,
    pair=40,
    threat=80,
    double=120,
    mobility=10,
    blocked=30,
    hopping=150,
    turn=150,
)
BOARDS = ("22", "24", "22", "23", "22", "21b", "22", "21n", "22", "21x", "22", "18")
LONGEST = 150  # plies, then a game is drawn
RANDOM_PLIES = (4, 10)  # of an opening, least and most
GAIN = 0.4  # steps that a won round is worth at first
DAMPING = 0.1  # of the rounds pass before gains begin to shrink
GAIN_POWER, STEP_POWER = 0.602, 0.101  # Spall's


def opening(game: Any, rng: random.Random) -> Any:
    """A position after random moves in which the game goes on."""
    while True:
        state = game.initial()
        for _ in range(rng.randint(*RANDOM_PLIES)):
            state = verbs.play(state, rng.choice(list(verbs.legal_moves(state))))
        if verbs.outcome(state) == ONGOING:
            return state


def play_out(state: Any, seats: Sequence[Improved], depth: int) -> int:
    """Who wins when each side searches with its own weights; 0 and 1, else -1."""
    seen: Counter[Any] = Counter()
    for _ in range(LONGEST):
        result = verbs.outcome(state)
        if result != ONGOING:
            return int(result)
        seen[state] += 1
        if seen[state] == 3:
            break
        evaluator = seats[verbs.mover(state)]
        state = verbs.play(state, AlphaBeta(depth).decide(Task(state, evaluator)).move)
    return -1


def balance(ours: Improved, theirs: Improved, starts: Sequence[Any], depth: int) -> int:
    """Games won less games lost, every start played in both seats."""
    total = 0
    for state in starts:
        for seat, seats in enumerate(((ours, theirs), (theirs, ours))):
            winner = play_out(state, seats, depth)
            total += 0 if winner < 0 else 1 if winner == seat else -1
    return total


def moved(weights: Sequence[float], steps: Sequence[float]) -> Improved:
    return Improved(*(round(weight + step) for weight, step in zip(weights, steps, strict=True)))


def tune(start: Improved, rounds: int, pairs: int, depth: int, seed: int) -> Improved:
    """The mean of the weights in the second half of the rounds."""
    rng = random.Random(seed)
    games = [plies.game(f"morris:board={board}") for board in BOARDS]
    turns = chain.from_iterable(repeat(games))
    weights: list[float] = list(start)
    later: list[list[float]] = []
    for number in range(1, rounds + 1):
        shrink = number**STEP_POWER
        gain = GAIN * (1 + number / (DAMPING * rounds)) ** -GAIN_POWER
        steps = [rng.choice((-1, 1)) * step / shrink for step in STEPS]
        starts = [opening(next(turns), rng) for _ in range(pairs)]
        up, down = moved(weights, steps), moved(weights, [-step for step in steps])
        won = balance(up, down, starts, depth) / (2 * pairs)
        weights = [weight + gain * won * step for weight, step in zip(weights, steps, strict=True)]
        if 2 * number > rounds:
            later.append(weights)
        rounded = [round(weight) for weight in weights]
        print(f"round {number}: {won:+.2f} {rounded}", file=sys.stderr)
    return Improved(*(round(mean(values)) for values in zip(*later, strict=True)))


def match(pairs: int, depth: int, seed: int) -> str:
    """The tuned weights against the first guesses; the error is that of the pairs, 95 %."""
    rng = random.Random(f"match/{seed}")
    games = chain.from_iterable(repeat([plies.game(f"morris:board={board}") for board in BOARDS]))
    starts = [opening(next(games), rng) for _ in range(pairs)]
    scores = [0.5 + balance(Improved(), START, [start], depth) / 4 for start in starts]
    score, error = mean(scores), 1.96 * stdev(scores) / math.sqrt(pairs)
    low, middle, high = (
        -400 * math.log10(1 / part - 1) for part in (score - error, score, score + error)
    )
    return f"{2 * pairs} games: score {score:.1%}, Elo {middle:+.0f} ({low:+.0f} to {high:+.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description="Tune the improved morris evaluation.")
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--pairs", type=int, default=12, help="pairs of games in a round")
    parser.add_argument("--depth", type=int, default=3, help="plies that both sides search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", type=int, metavar="PAIRS", help="do not tune, play")
    arguments = parser.parse_args()
    if arguments.match:
        print(match(arguments.match, arguments.depth, arguments.seed))
    else:
        print(tune(START, arguments.rounds, arguments.pairs, arguments.depth, arguments.seed))


if __name__ == "__main__":
    main()
