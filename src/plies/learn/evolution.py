"""Evolution of genomes, which are arrays of small whole numbers.

A generation takes place on every island by itself.  Each child has a parent that is the best
of a few drawn at random (a tournament); with the probability `mutation` one of its genes is
drawn anew, else a random half of its genes comes from a second parent chosen in the same way.
Then the best of residents and children stay, as many as there were before.  Now and then the
best genome of every island is copied to the next one.

The chances of a generation are drawn from the seed and its number, so that what goes on from
an earlier state is exactly what would have been without the break.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plies.errors import BadSpec
from plies.learn.runs import ANEW, load_run, save_run
from plies.models.files import BadModel
from plies.search.limits import checked_whole

Genomes = NDArray[np.int64]  # [genome, gene]
Fitness = Callable[[Genomes], NDArray[np.float64]]  # of every genome, greater is better

MOST_MEMBERS = 1_000_000
MOST_GENES = 100_000_000  # of a whole population, or of all children of a generation
MOST_ENTRANTS = 20_000_000  # of the tournaments that choose one parent of every child
MOST_GENERATIONS = 10_000_000
KIND = "evolution"  # of the file that holds populations


@dataclass(frozen=True)
class Plan:
    """How many live, how many are born, how parents are chosen; all islands together.

    `mutation` is the probability that a child has one parent and a gene drawn anew.  The best
    of every island visits the next one each time that `migration` generations have passed.
    """

    population: int = 1000
    offspring: int = 100
    mutation: float = 0.3
    tournament: int = 10
    islands: int = 1
    migration: int = 20

    def __post_init__(self) -> None:
        checked_whole("population", self.population, 2, MOST_MEMBERS)
        checked_whole("offspring", self.offspring, 1, MOST_MEMBERS)
        checked_whole("tournament", self.tournament, 1, MOST_MEMBERS)
        checked_whole("islands", self.islands, 1, MOST_MEMBERS)
        checked_whole("migration", self.migration, 1, MOST_GENERATIONS)
        if not 0 <= self.mutation <= 1:
            raise BadSpec(f"mutation is a probability from 0 to 1, not {self.mutation}")
        if self.offspring * self.tournament > MOST_ENTRANTS:
            raise BadSpec(
                f"tournaments of {self.tournament} for {self.offspring} children are too large;"
                f" offspring times tournament is {MOST_ENTRANTS} at most"
            )
        for name in ("population", "offspring"):
            number = getattr(self, name)
            if number % self.islands or number // self.islands < 1:
                raise BadSpec(f"{name} is a multiple of the {self.islands} islands, not {number}")


class Populations(NamedTuple):
    """`genomes[island, member, gene]` and their `scores`.

    `history` holds the best and the mean score of the first populations and after every
    generation.
    """

    genomes: NDArray[np.int64]
    scores: NDArray[np.float64]
    history: list[tuple[float, float]]


class Evolution:
    """Populations on islands; gene i is a number below `choices[i]`.

    `alive` is replaced as a whole: where a generation is interrupted, it is the one before.
    """

    def __init__(self, choices: NDArray[np.int64], fitness: Fitness, plan: Plan, seed: int):
        self.choices, self.fitness, self.plan, self.seed = choices, fitness, plan, seed
        for name in ("population", "offspring"):
            members = getattr(plan, name)
            if members * len(choices) > MOST_GENES:
                raise BadSpec(
                    f"{name} of {members} with {len(choices)} genes each is too large;"
                    f" it may have {MOST_GENES // len(choices)} members"
                )
        shape = (plan.islands, plan.population // plan.islands, len(choices))
        genomes = self._chance(0).integers(0, choices, shape)
        scores = np.stack([fitness(island) for island in genomes])
        self.alive = Populations(genomes, scores, [_summary(scores)])

    @property
    def genomes(self) -> NDArray[np.int64]:
        return self.alive.genomes

    @property
    def scores(self) -> NDArray[np.float64]:
        return self.alive.scores

    @property
    def history(self) -> list[tuple[float, float]]:
        return self.alive.history

    def resume(self, genomes: NDArray[np.int64], history: NDArray[np.float64]) -> None:
        """Go on from populations of this plan and seed, and what is known of their past."""
        is_alike = genomes.shape == self.genomes.shape and genomes.dtype == np.int64
        if not is_alike or genomes.min() < 0 or (genomes >= self.choices).any():
            raise BadModel("it holds populations of other genes, or of another size")
        is_table = history.ndim == 2 and history.shape[0] >= 1 and history.shape[1] == 2
        if not is_table or history.dtype != np.float64 or not np.isfinite(history).all():
            raise BadModel("it holds no history of best and mean scores")
        scores = np.stack([self.fitness(island) for island in genomes])
        past = [(float(best), float(mean)) for best, mean in history]
        self.alive = Populations(genomes.copy(), scores, past)

    @property
    def generation(self) -> int:
        """How many generations have lived."""
        return len(self.history) - 1

    @property
    def best(self) -> tuple[NDArray[np.int64], float]:
        """The best genome alive and its fitness."""
        island, member = np.unravel_index(int(self.scores.argmax()), self.scores.shape)
        return self.genomes[island, member].copy(), float(self.scores[island, member])

    @property
    def mean(self) -> float:
        """The mean fitness of all that live."""
        return float(self.scores.mean())

    def advance(self) -> None:
        """Live one generation."""
        number = self.generation + 1
        chance = self._chance(number)
        genomes, scores = self.genomes.copy(), self.scores.copy()
        for residents, marks in zip(genomes, scores, strict=True):
            children = self._children(residents, marks, chance)
            keep_best(residents, marks, children, self.fitness(children))
        if self.plan.islands > 1 and number % self.plan.migration == 0:
            migrate(genomes, scores)
        self.alive = Populations(genomes, scores, [*self.history, _summary(scores)])

    def _chance(self, generation: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, generation])

    def _children(
        self, genomes: Genomes, scores: NDArray[np.float64], chance: np.random.Generator
    ) -> Genomes:
        count = self.plan.offspring // self.plan.islands
        first, second = (self._parents(scores, count, chance) for _ in range(2))
        is_mutant = chance.random(count) < self.plan.mutation
        is_crossed = chance.random((count, len(self.choices))) < 0.5
        is_crossed[is_mutant] = False
        children = np.where(is_crossed, genomes[second], genomes[first])
        mutants = np.flatnonzero(is_mutant)
        genes = chance.integers(0, len(self.choices), len(mutants))
        children[mutants, genes] = chance.integers(0, self.choices[genes])
        return children

    def _parents(
        self, scores: NDArray[np.float64], count: int, chance: np.random.Generator
    ) -> NDArray[np.int64]:
        """The winners of so many tournaments."""
        entrants = chance.integers(0, len(scores), (count, self.plan.tournament))
        return entrants[np.arange(count), scores[entrants].argmax(axis=1)]


def _summary(scores: NDArray[np.float64]) -> tuple[float, float]:
    """The best and the mean score."""
    return float(scores.max()), float(scores.mean())


def migrate(genomes: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
    """The best of each island takes the place of the worst of the next one."""
    places = np.arange(len(scores))
    best, worst = scores.argmax(axis=1), np.roll(scores.argmin(axis=1), -1)
    guests, marks = genomes[places, best].copy(), scores[places, best].copy()
    homes = np.roll(places, -1)
    genomes[homes, worst], scores[homes, worst] = guests, marks


def keep_best(
    genomes: Genomes,
    scores: NDArray[np.float64],
    children: Genomes,
    marks: NDArray[np.float64],
) -> None:
    """Let children take the places of worse residents; of equals the resident stays."""
    order = np.argsort(-np.concatenate([scores, marks]), kind="stable")
    kept, lost = order[: len(scores)], order[len(scores) :]
    born, freed = kept[kept >= len(scores)], lost[lost < len(scores)]
    genomes[freed] = children[born - len(scores)]
    scores[freed] = marks[born - len(scores)]


# Populations on disk


def save_evolution(path: Path, evolution: Evolution, game: str, aim: Mapping[str, Any]) -> None:
    """Keep the populations; `aim` is what the fitness depends on besides the game."""
    arrays = {"genomes": evolution.genomes, "history": np.array(evolution.history)}
    save_run(path, KIND, game, plan_card(evolution.plan, evolution.seed, aim), arrays)


def resume_evolution(path: Path, evolution: Evolution, game: str, aim: Mapping[str, Any]) -> None:
    """Go on with the populations in a file, which must be of the same evolution."""
    card = plan_card(evolution.plan, evolution.seed, aim)
    genomes, history = load_run(path, KIND, game, card, ("genomes", "history"))
    try:
        evolution.resume(genomes, history)
    except BadModel as error:
        raise BadModel(f"{path} is damaged: {error}; {ANEW}") from error


def plan_card(plan: Plan, seed: int, aim: Mapping[str, Any]) -> dict[str, Any]:
    """All that decides how an evolution goes."""
    return {**aim, **asdict(plan), "seed": seed}
