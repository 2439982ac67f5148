"""Evolution of Nim players: their positions, opponents and fitness, and the genome of moves.

A genome is an array of whole numbers; its `Encoding` says which player that is.  Here it is one
move for every position that is not over; `nim_strategies` has the other encoding.

Two kinds of fitness.  With the oracle: ten points for every position whose move leaves the
opponent lost, and one for every object taken.  Without it: the share of games won against
given opponents in both seats.  Players are probabilities of moves, and moves lead only to
positions earlier in the table, so that this share is computed exactly, in one pass over the
table, and not from games that are played.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plies.compiling.compiler import compiled
from plies.core.contract import Game
from plies.core.spec import suggestion
from plies.errors import BadSpec
from plies.games import nim
from plies.learn.evolution import Fitness
from plies.models.files import Model
from plies.models.moves import KIND, moves_model

OVER = -1  # the child after the last object has been taken
ANSWERED = 10  # points for leaving the opponent lost
MOST_POSITIONS = 100_000

Genome = NDArray[np.int64]
Player = NDArray[np.float64]  # [position, move] the probability of each move


@dataclass(frozen=True)
class Positions:
    """All positions of a game of Nim that are not over; the start is the last of them.

    Moves are in the order of the rules; where a position has fewer than the most that any
    has, the rest of its line is 0.  `is_answer` marks those after which the opponent has lost.
    """

    game: Game
    rows: NDArray[np.int64]  # [position, row] objects
    counts: NDArray[np.int64]  # [position] moves
    moves: NDArray[np.int64]  # [position, move] as the game's rules number them
    taken: NDArray[np.int64]  # [position, move] objects
    children: NDArray[np.int64]  # [position, move] an earlier position, or OVER
    is_answer: NDArray[np.bool_]  # [position, move]

    @property
    def is_answerable(self) -> NDArray[np.bool_]:
        """[position] Whether some move leaves the opponent lost."""
        return np.any(self.is_answer, axis=1)

    @property
    def places(self) -> NDArray[np.int64]:
        return np.arange(len(self.counts))


def positions_of(game: Game) -> Positions:
    """The table of a game; `BadSpec` for all but Nim of two players and a moderate size."""
    start = game.initial()
    if not isinstance(start, nim.State) or start.players != 2:
        raise BadSpec(f"moves evolve for Nim of two players, such as nim:k=3, not {game.spec}")
    full = nim.unpack_rows(start.start, start)
    count = prod(row + 1 for row in full) - 1
    if count > MOST_POSITIONS:
        raise BadSpec(f"{game.spec} has {count} positions; a table has {MOST_POSITIONS} at most")
    rows = list(product(*(range(row + 1) for row in full)))
    states = [start._replace(heaps=nim.pack_rows(each, start.bits)) for each in rows]
    place = {int(state.heaps): index + OVER for index, state in enumerate(states)}
    is_lost = np.array([nim.is_lost(state) for state in states])
    legal = [nim.legal_moves(state) for state in states[1:]]
    counts = np.array([len(moves) for moves in legal])
    moves, taken, children = np.zeros((3, count, counts.max()), np.int64)
    for index, (state, own) in enumerate(zip(states[1:], legal, strict=True)):
        moves[index, : len(own)] = own
        taken[index, : len(own)] = [max(nim.unpack_rows(int(move), start)) for move in own]
        children[index, : len(own)] = [place[int(state.heaps - move)] for move in own]
    is_answer = is_lost[children - OVER] & (moves > 0)
    return Positions(game, np.array(rows[1:]), counts, moves, taken, children, is_answer)


@dataclass(frozen=True)
class Encoding:
    """How a genome is a Nim player; gene i is a number below `choices[i]`."""

    choices: NDArray[np.int64]
    player: Callable[[Genome], Player]
    report: Callable[[Genome], dict[str, Any]]  # what it is worth, as JSON can hold it
    model: Callable[[Genome, dict[str, Any]], Model]  # the file of it, with this card
    kind: str  # of that file


# Opponents


def random_player(positions: Positions) -> Player:
    """Every move equally likely."""
    return (positions.moves > 0) / positions.counts[:, None]


def gabriele_player(positions: Positions) -> Player:
    """The agent `gabriele`: as much as may be taken from the first row that is not empty."""
    first = (positions.rows > 0).argmax(axis=1)
    most = positions.game.initial().k
    return _always(positions, np.minimum(positions.rows[positions.places, first], most) - 1)


def nim_sum_player(positions: Positions) -> Player:
    """The agent `nim-sum`: the first move that leaves the opponent lost, any where none does."""
    answers = _always(positions, positions.is_answer.argmax(axis=1))
    return np.where(positions.is_answerable[:, None], answers, random_player(positions))


def _always(positions: Positions, genome: Genome) -> Player:
    chances = np.zeros(positions.moves.shape)
    chances[positions.places, genome] = 1
    return chances


OPPONENTS: dict[str, Callable[[Positions], Player]] = {
    "random": random_player,
    "gabriele": gabriele_player,
    "nim-sum": nim_sum_player,
}

# Fitness


def oracle_fitness(positions: Positions) -> Fitness:
    """Ten for every position whose move leaves the opponent lost, one for every object taken."""
    points = (ANSWERED * positions.is_answer + positions.taken).astype(np.float64)
    return lambda genomes: points[positions.places, genomes].sum(axis=1)


def best_fitness(positions: Positions) -> int:
    """The fitness with the oracle that no genome exceeds."""
    return int((ANSWERED * positions.is_answer + positions.taken).max(axis=1).sum())


def win_fitness(
    positions: Positions,
    player: Callable[[Genome], Player],
    opponents: Sequence[str],
    is_everywhere: bool,
) -> Fitness:
    """The share of games won against these opponents, as often in one seat as in the other.

    `player` is that of the genomes' encoding.  Games begin at the start, or `is_everywhere` at
    every position equally often.
    """
    unknown = [name for name in opponents if name not in OPPONENTS]
    if unknown or not opponents:
        name = unknown[0] if unknown else "without a name"
        raise BadSpec(f"there is no opponent {name}{suggestion(name, OPPONENTS)}")
    chances = np.stack([OPPONENTS[name](positions) for name in opponents])
    begin = 0 if is_everywhere else len(positions.counts) - 1
    rules = positions.counts, positions.children, _last_wins(positions)
    return lambda genomes: np.array(
        [mean_wins(player(genome), chances, *rules, begin) for genome in genomes]
    )


def _last_wins(positions: Positions) -> float:
    """What it is worth to take the last object."""
    return 0.0 if positions.game.initial().misere else 1.0


@compiled
def fill_wins(player, opponent, counts, children, last_wins, own, other):
    """The probability that the player wins: with itself (`own`) or the `other` one to move."""
    for place in range(len(counts)):
        own[place] = other[place] = 0.0
        for move in range(counts[place]):
            child = children[place, move]
            win = last_wins if child == OVER else other[child]
            own[place] += player[place, move] * win
            win = 1.0 - last_wins if child == OVER else own[child]
            other[place] += opponent[place, move] * win


@compiled
def mean_wins(player, opponents, counts, children, last_wins, begin):
    """The share of wins in both seats of all positions from `begin` on."""
    total = 0.0
    own, other = np.empty(len(counts)), np.empty(len(counts))
    for index in range(len(opponents)):
        fill_wins(player, opponents[index], counts, children, last_wins, own, other)
        total += (own[begin:].mean() + other[begin:].mean()) / 2
    return total / len(opponents)


# What came out


@dataclass(frozen=True)
class Seats:
    """The share of games that are won by who begins and by who does not."""

    first: float
    second: float


@dataclass(frozen=True)
class Report:
    """What a genome is worth, all of it exact.

    `wins` and `held`: see `wins_of`.
    """

    fitness: int  # with the oracle
    best_fitness: int
    positions: int
    answerable: int
    answered: int
    wins: dict[str, Seats]
    held: float

    @property
    def share(self) -> float:
        """Of the answerable positions those answered optimally."""
        return self.answered / self.answerable


def wins_of(positions: Positions, player: Player) -> tuple[dict[str, Seats], float]:
    """The share of games won from the start, by opponent; and what is held.

    That is the share of games won against nim-sum by who begins, at every position where
    winning is possible.
    """
    wins: dict[str, Seats] = {}
    own, other = np.empty((2, len(player)))
    rules = positions.counts, positions.children, _last_wins(positions)
    for name, opponent in OPPONENTS.items():
        fill_wins(player, opponent(positions), *rules, own, other)
        wins[name] = Seats(float(own[-1]), float(other[-1]))
    return wins, float(own[positions.is_answerable].mean())  # nim-sum is the last opponent


def report(positions: Positions, genome: Genome) -> Report:
    """How well a table of moves plays."""
    wins, held = wins_of(positions, _always(positions, genome))
    return Report(
        fitness=int(oracle_fitness(positions)(genome[None])[0]),
        best_fitness=best_fitness(positions),
        positions=len(genome),
        answerable=int(positions.is_answerable.sum()),
        answered=int(positions.is_answer[positions.places, genome].sum()),
        wins=wins,
        held=held,
    )


def model_of(positions: Positions, genome: Genome, card: dict[str, Any]) -> Model:
    """The genome as a table of moves that `moves:FILE` plays, whoever's turn it is."""
    start = positions.game.initial()
    chosen = positions.moves[positions.places, genome]
    moves = {
        positions.game.key(
            start._replace(heaps=nim.pack_rows(tuple(map(int, rows)), start.bits), turn=turn)
        ): int(move)
        for rows, move in zip(positions.rows, chosen, strict=True)
        for turn in (0, 1)
    }
    return moves_model(positions.game, moves, card)


def moves_encoding(positions: Positions) -> Encoding:
    """A gene is the move at a position."""

    def told(genome: Genome) -> dict[str, Any]:
        found = report(positions, genome)
        return {**asdict(found), "share": found.share}

    return Encoding(
        choices=positions.counts,
        player=partial(_always, positions),
        report=told,
        model=partial(model_of, positions),
        kind=KIND,
    )
