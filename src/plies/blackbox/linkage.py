"""A search that learns from its own calls which loci act alike, and then moves them together.

It uses nothing but values of genomes.  What it assumes of a problem, and checks as it goes:

* Flipping one locus changes the value by one of a few *weights*, up or down, which are at least
  a factor of three apart.
* The change by several flips is a whole-number combination of these weights, and some signed
  total of the whole numbers, its *tally*, counts the flips: +1 for each locus on one side, -1
  for each on the other.  So it is where the value adds up over groups of loci, and also where
  groups take the weights in an order that changes as they grow and shrink.

The search (1) flips single loci, keeping the flips, until no new weights turn up; (2) climbs by
the strongest of them; (3) flips several loci at once that have the same effect: where other
weights appear than expected, the signs of weights must be such that the tally is right all the
same (weights that have not met are kept apart as *components*); (4) puts the loci on a scale,
many at a time, in a design that tells the side of each from about 0.4 calls per locus, with a
further call as a check; (5) flips all loci of one side together, and keeps what is better.

Where a combination cannot be read or a check fails, smaller designs are tried.  Where weighing
costs more than it gains, every locus is flipped alone from one place, and loci of the same
effect are moved together: that needs the first assumption only, and a call for each locus.
What is left to do without it is done by the (1+1) evolutionary algorithm.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from plies.blackbox.groups import Effect, Place, move_groups
from plies.blackbox.lattice import multiples, relations
from plies.blackbox.local import flipped, one_plus_one
from plies.blackbox.problem import Evaluate, random_genome
from plies.blackbox.weighing import BASE, design_for, most_loci, read

ROUNDING = 1e-13  # of values, in relation to the largest
MOST_WEIGHTS = 12
PATIENCE = 3  # steps without a new weight, for each weight, that end the sampling
MORE = 8  # steps when the smallest designs fail, and a few of them when others do
RARE_SHARE = 0.03  # sizes of effects that are rarer are no weights
ALIKE = 6  # loci flipped together to relate weights
LEAST_ORDER, MOST_ORDER = 2, 8
APART = 10  # parts of a call per locus that keeping the strongest weight apart may cost
ROUNDS = 10  # of single flips, for loci whose effect is rare every time
PLACES = 8  # steps to a place from which the strongest effect can rise
REMEMBERED = 0.96  # of what failures have cost, after a success
ATTEMPTS = 3  # at weighing the same loci, together with others whose side is known


def linkage(evaluate: Evaluate, length: int, rng: np.random.Generator) -> None:
    """Weigh first; where that was not enough, single flips and mutation, and so on in turn."""
    patience = length // 8
    while True:
        search_once(Learner.learn, evaluate, length, rng)
        genome, value = search_once(Learner.look_around, evaluate, length, rng)
        one_plus_one(evaluate, genome, value, rng, calls=patience)
        patience *= 2


def single_flips(evaluate: Evaluate, length: int, rng: np.random.Generator) -> None:
    """The same without a scale: every locus is flipped alone, from one place."""
    patience = length // 8
    while True:
        genome, value = search_once(Learner.look_around, evaluate, length, rng)
        one_plus_one(evaluate, genome, value, rng, calls=patience)
        patience *= 2


def search_once(
    learn: "Callable[[Learner], None]", evaluate: Evaluate, length: int, rng: np.random.Generator
) -> Place:
    """Learn about loci around a random genome, and move groups of them."""
    learner = Learner(evaluate, length, rng)
    learn(learner)
    return move_groups(evaluate, (learner.genome, learner.value), learner.effects, learner.sides)


class Learner:
    """What is known about the loci around a genome that moves."""

    def __init__(self, evaluate: Evaluate, length: int, rng: np.random.Generator):
        self.evaluate, self.rng = evaluate, rng
        self.tolerance = 0.0  # for rounding, from the largest value met
        self.genome = random_genome(length, rng)
        self.value = self.ask(self.genome)
        self.waiting = [int(locus) for locus in rng.permutation(length)]
        self.effects: dict[int, Effect] = {}  # of loci that are known, by a flip from here
        self.measured: set[int] = set()  # loci that were flipped alone
        self.sizes: Counter[float] = Counter()  # of effects met in single flips
        self.balances: list[dict[float, int]] = []
        self.weights: list[float] = []  # that are counted on
        self.sides: dict[float, tuple[int, int]] = {}  # component and sign of every weight
        self.calls = 0  # for weighings
        self.wasted = 0  # calls of weighings that told nothing
        self.loss = 0  # calls that weighing has cost beyond one for each locus

    def ask(self, genome: np.ndarray) -> float:
        value = self.evaluate(genome)
        self.tolerance = max(self.tolerance, ROUNDING * abs(value))
        return value

    # Single flips

    def learn(self) -> None:
        """Find the effect, or at least the side, of every locus."""
        self.sample()
        self.set_weights()
        if self.weights:
            for _ in range(PLACES):
                if self.rise() or not self.waiting:
                    break
                self.step()
            self.set_weights()
        if self.weights:
            self.relate()
            self.weigh_all()
        if len(self.waiting) > len(self.genome) / 10:
            self.look_around()
            return
        for _ in range(ROUNDS):
            while self.waiting:
                self.step()
            self.put_back_strange()

    def look_around(self) -> None:
        """Find the effect of every locus from here, and forget what was known elsewhere."""
        self.effects, self.sides, self.waiting = {}, {}, []
        self.sizes.clear()
        for locus in range(len(self.genome)):
            change = self.ask(flipped(self.genome, locus)) - self.value
            size = self.size_of(abs(change))
            self.sizes[size] += 1
            self.effects[locus] = (size, 1 if change > 0 else -1)

    def sample(self) -> None:
        """Flip loci until many have had effects that were known before."""
        known, quiet, early = 0, 0, len(self.genome) / 4
        while self.waiting and (quiet < PATIENCE * (known + 3) or early > 0):
            size, early = self.step(), early - 1
            weights = self.frequent()
            quiet = 0 if len(weights) > known else quiet + (size in weights)
            known = len(weights)
            if is_readable(weights, self.tolerance):
                early = 0

    def step(self) -> float:
        """Flip a waiting locus for good; answers the size of the change."""
        locus = self.waiting.pop()
        self.genome[locus] ^= 1
        value = self.ask(self.genome)
        change, self.value = value - self.value, value
        size = self.size_of(abs(change))
        self.sizes[size] += 1
        self.effects[locus] = (size, -1 if change > 0 else 1)
        self.measured.add(locus)
        return size

    def size_of(self, change: float) -> float:
        """A change as it was met before, up to rounding."""
        near = (size for size in self.sizes if abs(size - change) <= self.tolerance)
        return next(near, change)

    def frequent(self) -> list[float]:
        """Sizes of effects that were met often enough, in descending order."""
        often = {size: times for size, times in self.sizes.items() if times > 2}
        least = RARE_SHARE * sum(often.values())
        return sorted((size for size, times in often.items() if times >= least), reverse=True)

    def put_back_strange(self) -> None:
        """Loci of rare effects, where they are few, are looked at again from another place."""
        usual = self.weights or self.frequent()
        strange = [each for each, (size, _) in self.effects.items() if size not in usual]
        if 3 * len(strange) < len(self.effects):
            self.effects = {
                each: effect for each, effect in self.effects.items() if effect[0] in usual
            }
            self.waiting[:0] = strange

    # Several flips at once

    def set_weights(self) -> None:
        """Count on the frequent sizes, beside those that have been counted on before."""
        weights = sorted({*self.weights, *self.frequent()}, reverse=True)
        if is_readable(weights, self.tolerance):
            self.weights = weights
        self.put_back_strange()
        if any(size not in self.weights for size, _ in self.effects.values()):
            self.weights = []

    def change(self, loci: Sequence[int]) -> dict[float, int] | None:
        """How often each weight is in the change by these flips; the genome stays."""
        value = self.ask(flipped(self.genome, np.array(loci, np.int64)))
        weights = self.weights
        self.calls += 1
        found = multiples(weights, value - self.value, len(loci), self.tolerance)
        return None if found is None else dict(zip(weights, found, strict=True))

    def relate(self) -> None:
        """Find out which weights count on the same tally, and with which sign.

        The strongest is kept apart until that has cost too much: what is known to have it can
        `rise`, and then it stays apart.
        """
        self.sides = self.told_sides()
        sizes = Counter(component for component, _ in self.sides.values())
        (main, most), *_ = sizes.most_common(1)
        alike: dict[Effect, list[int]] = {}
        for locus, effect in self.effects.items():
            if len(sizes) > 1 and (most == 1 or self.sides[effect[0]][0] != main):
                alike.setdefault(effect, []).append(locus)
        for (weight, sign), loci in sorted(alike.items()):
            some = self.rng.permutation(loci)[:ALIKE].tolist()
            times = self.change(some) if len(some) > 1 else None
            if times is not None:
                times[weight] -= sign * len(some)
                self.balances.append(times)
        self.sides = self.told_sides()

    def told_sides(self) -> dict[float, tuple[int, int]]:
        is_apart = self.wasted < len(self.genome) / APART
        strongest = self.weights[0]
        told = [each for each in self.balances if not (is_apart and each.get(strongest))]
        return relations(self.weights, told)

    def rise(self) -> bool:
        """Climb by the loci of the strongest effect, so that it stays the strongest."""
        strongest = (self.weights[0], 1)
        is_own = self.is_apart(self.weights[0])
        strong = [
            locus
            for locus, effect in self.effects.items()
            if effect == strongest and (is_own or locus in self.measured)
        ]
        times = self.change(strong) if len(strong) > 2 else None
        gain = sum(weight * each for weight, each in (times or {}).items())
        if gain > 0:
            self.genome[strong] ^= 1
            self.value += gain
            self.effects |= dict.fromkeys(strong, (self.weights[0], -1))
        return gain > 0

    def is_apart(self, weight: float) -> bool:
        """Whether no other weight shares the component of this one."""
        components = [component for component, _ in self.sides.values()]
        return weight in self.sides and components.count(self.sides[weight][0]) == 1

    def tally(self, times: Mapping[float, int]) -> int:
        return sum(self.number((weight, 1)) * each for weight, each in times.items())

    @property
    def components(self) -> int:
        return 1 + max(component for component, _ in self.sides.values())

    def number(self, effect: Effect) -> int:
        """The side of a locus as a number of the scale."""
        component, sign = self.sides[effect[0]]
        return sign * effect[1] * BASE**component

    def effect(self, number: int) -> Effect:
        """An effect that stands for a side."""
        effects = ((weight, sign) for weight in self.sides for sign in (1, -1))
        return next(each for each in effects if self.number(each) == number)

    def weigh(self, loci: Sequence[int]) -> int | None:
        """The tally of these loci."""
        known = list(self.effects)
        for attempt in range(ATTEMPTS):
            others: list[int] = []
            if attempt:
                others = self.rng.choice(known, min(3, len(known)), replace=False).tolist()
            times = self.change([*loci, *others])
            if times is not None:
                return self.tally(times) - sum(self.number(self.effects[each]) for each in others)
        return None

    def weigh_all(self) -> None:
        """Weigh what is waiting, in designs of the order that seems to cost least for a locus."""
        orders = range(LEAST_ORDER, MOST_ORDER + 1)
        penalties = dict.fromkeys(orders, 0.0)  # calls that failures have cost, slowly forgotten
        largest = LEAST_ORDER + 1
        while self.weights and len(self.waiting) >= 4 and self.loss < len(self.genome) / 5:
            room = 1.3 * len(self.waiting)
            usable = [each for each in orders if each <= largest and most_loci(each) <= room]
            order = min(
                usable or [LEAST_ORDER],
                key=lambda each: ((1 << each) + penalties[each]) / most_loci(each),
            )
            before, waiting = self.calls, len(self.waiting)
            is_read = self.weigh_some(order)
            self.loss += self.calls - before - (waiting - len(self.waiting))
            if is_read:
                largest = max(largest, min(order + (1 if self.wasted else 2), MOST_ORDER))
                penalties = {each: REMEMBERED * cost for each, cost in penalties.items()}
                self.rise()
                continue
            spent = self.calls - before
            penalties[order] += max(spent, 1 << order)
            self.wasted += spent
            self.go_on(MORE if order <= LEAST_ORDER + 1 else 2)

    def go_on(self, steps: int) -> None:
        """Walk a little, to a place where weighing may go better."""
        for _ in range(min(steps, len(self.waiting))):
            self.step()
        self.set_weights()
        self.rng.shuffle(self.waiting)
        if self.weights:
            self.rise()
            self.relate()

    def weigh_some(self, order: int) -> bool:
        """Find the sides of as many loci as a design of this order has; whether it worked."""
        plan = design_for(order, self.components, len(self.waiting))
        loci = np.array(self.waiting[-plan.loci :])
        sums: list[int] = []
        for row in plan.rows:
            tally = self.weigh(loci[row].tolist())
            if tally is None:
                return False
            sums.append(tally)
        numbers = read(plan, sums, self.components)
        if numbers is None or not self.is_confirmed(loci, numbers):
            return False
        del self.waiting[-plan.loci :]
        for locus, number in zip(loci, numbers, strict=True):
            self.effects[int(locus)] = self.effect(number)
        return True

    def is_confirmed(self, loci: np.ndarray, numbers: Sequence[int]) -> bool:
        """Whether a random half of these loci weighs what it should."""
        half = self.rng.random(len(loci)) < 0.5
        return self.weigh(loci[half].tolist()) == sum(np.array(numbers, dtype=object)[half])


def is_readable(weights: Sequence[float], tolerance: float) -> bool:
    """Whether combinations of the weights can be told apart at all."""
    return (
        0 < len(weights) <= MOST_WEIGHTS
        and weights[-1] > 4 * tolerance
        and all(high > 3 * low for high, low in pairwise(weights))
    )
