"""Many unknown loci from few sums: a weighing design and how its results are read.

A scale tells the sum of the numbers of the loci put on it.  With `2**k - 1` weighings the
design of B. Lindström (On a combinatorial detection problem, 1964) tells up to `k * 2**(k-1)`
unknown bits: weighings are the non-empty subsets b of k elements, and every non-empty subset a
owns up to |a| loci.  Locus j of a is weighed in b where `b & a` is one of `2**j` chosen subsets
of a with an odd number of elements.  The alternating sum of the weighings over all b inside a
is then 0 for every locus whose owner does not contain a, and `2**j` for locus j of a itself:
read from the largest owner down, each leaves `sum(2**j * number)`, which tells its numbers.

The same holds for numbers that are +1 or -1 in one of several components (written as powers of
`BASE` with a sign): the sum of `2**j * number` is different for every choice of numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, product

import numpy as np

BASE = 1 << 20  # sums of one component stay far below
MOST_CHOICES = 20_000  # of numbers that one owner's loci may have


@dataclass(frozen=True)
class Design:
    """Which loci are weighed together: `rows[b - 1, locus]`; `owners` in the order of reading."""

    rows: np.ndarray
    owners: tuple[tuple[int, int], ...]  # (subset, how many loci it owns), their loci in a row

    @property
    def loci(self) -> int:
        return self.rows.shape[1]


def most_loci(order: int) -> int:
    """How many loci the full design of an order has."""
    return order << (order - 1)


@cache
def design(order: int, most: int) -> Design:
    """The design of `2**order - 1` weighings in which an owner has at most so many loci.

    Among the subsets that may be chosen those are taken that keep the weighings equally large.
    """
    subsets = np.arange(1, 1 << order)
    load = np.zeros(len(subsets), np.int64)
    columns: list[np.ndarray] = []
    owners: list[tuple[int, int]] = []
    for owner in sorted(subsets.tolist(), key=lambda each: -each.bit_count()):
        met = subsets & owner
        odd = [each for each in subsets.tolist() if each & owner == each and each.bit_count() % 2]
        owned = min(owner.bit_count(), most)
        for power in range(owned):
            loads = {each: int(load[met == each].sum()) for each in odd}
            chosen = sorted(odd, key=loads.__getitem__)[: 1 << power]
            columns.append(np.isin(met, chosen))
            load += columns[-1]
        owners.append((owner, owned))
    return Design(np.array(columns).T, tuple(owners))


def design_for(order: int, components: int, loci: int) -> Design:
    """A design of that order for at most so many loci whose sums can be looked up."""
    most = 1
    while most < order and (2 * components) ** (most + 1) <= MOST_CHOICES:
        most += 1
    plan = design(order, most)
    if plan.loci <= loci:
        return plan
    starts = accumulate((owned for _, owned in plan.owners), initial=0)
    owners = [
        (owner, min(owned, max(0, loci - start)))
        for (owner, owned), start in zip(plan.owners, starts, strict=False)
    ]
    return Design(plan.rows[:, :loci], tuple(owners))


def read(plan: Design, sums: Sequence[int], components: int) -> list[int] | None:
    """The number of every locus, or None where no numbers have these sums."""
    left = np.array(sums, dtype=object)
    subsets = np.arange(1, len(sums) + 1)
    signs = np.array([1 if int(each).bit_count() % 2 else -1 for each in subsets], dtype=object)
    numbers: list[int] = []
    for owner, owned in plan.owners:
        inside = subsets & owner == subsets
        found = choices(owned, components).get(int((left * signs)[inside].sum()))
        if found is None:
            return None
        for number in found:
            left = left - plan.rows[:, len(numbers)].astype(object) * number
            numbers.append(number)
    return numbers


@cache
def choices(count: int, components: int) -> dict[int, tuple[int, ...]]:
    """The numbers of so many loci by `sum(2**j * number)`."""
    numbers = [sign * BASE**component for component in range(components) for sign in (1, -1)]
    return {
        sum(number << power for power, number in enumerate(chosen)): chosen
        for chosen in product(numbers, repeat=count)
    }
