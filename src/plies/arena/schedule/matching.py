"""Pairing up a field so that as many as possible meet for the first time."""

from collections import deque
from collections.abc import Callable, Sequence

Pair = tuple[int, int]
IsNew = Callable[[int, int], bool]


def pair_up(
    field: Sequence[int], is_new: IsNew, preferred: Callable[[Sequence[int]], Sequence[int]]
) -> list[Pair]:
    """Everybody of an even field in one pair, with the fewest that are not new.

    In the order of the field, everybody gets the most preferred opponent that leaves the
    others able to reach that; `preferred` lists the opponents of the first of those left.
    """
    left = list(field)
    new = most_new_pairs(left, is_new)
    pairs: list[Pair] = []
    while left:
        one = left[0]
        for other in preferred(left):
            rest = [each for each in left if each not in (one, other)]
            still = most_new_pairs(rest, is_new)
            if is_new(one, other) + still == new:
                break
        else:
            raise AssertionError("an optimal pairing gives everybody an opponent")
        pairs.append((one, other))
        left, new = rest, still
    return pairs


def most_new_pairs(field: Sequence[int], is_new: IsNew) -> int:
    """How many new pairs a pairing of the field can have."""
    places = range(len(field))
    neighbours = [
        [other for other in places if other != one and is_new(field[one], field[other])]
        for one in places
    ]
    return largest_matching(neighbours)


def largest_matching(neighbours: Sequence[Sequence[int]]) -> int:
    """How many edges without a common end a graph has, by Edmonds' blossom algorithm."""
    mates: list[int] = [-1] * len(neighbours)
    for root, others in enumerate(neighbours):  # a good start saves most searches
        free = next((other for other in others if mates[other] < 0), -1)
        if mates[root] < 0 <= free:
            mates[root], mates[free] = free, root
    for root in range(len(neighbours)):
        if mates[root] < 0:
            _Forest(neighbours, mates).augment(root)
    return sum(mate >= 0 for mate in mates) // 2


class _Forest:
    """Alternating paths from one free vertex; an odd cycle shrinks to its base."""

    def __init__(self, neighbours: Sequence[Sequence[int]], mates: list[int]):
        self.neighbours = neighbours
        self.mates = mates
        self.base = list(range(len(neighbours)))
        self.before: list[int] = [-1] * len(neighbours)  # on the path to an odd vertex
        self.is_even = [False] * len(neighbours)

    def augment(self, root: int) -> None:
        """Match one pair more, where a path from `root` to another free vertex allows it."""
        self.is_even[root] = True
        queue = deque([root])
        while queue:
            one = queue.popleft()
            for other in self.neighbours[one]:
                if self.base[one] == self.base[other] or self.mates[one] == other:
                    continue
                if self.is_even[other]:
                    queue.extend(self._shrink(one, other))
                elif self.before[other] < 0:
                    self.before[other] = one
                    if self.mates[other] < 0:
                        self._flip(other)
                        return
                    self.is_even[self.mates[other]] = True
                    queue.append(self.mates[other])

    def _flip(self, end: int) -> None:
        """Exchange matched and unmatched edges on the path to a free vertex."""
        while end >= 0:
            one = self.before[end]
            following = self.mates[one]
            self.mates[end], self.mates[one] = one, end
            end = following

    def _shrink(self, one: int, other: int) -> list[int]:
        """Two even vertices are neighbours: their cycle becomes one even vertex."""
        base = self._meeting_point(one, other)
        cycle: set[int] = set()
        for start, beyond in ((one, other), (other, one)):
            vertex, after = start, beyond
            while self.base[vertex] != base:
                mate = self.mates[vertex]
                cycle |= {self.base[vertex], self.base[mate]}
                self.before[vertex] = after
                vertex, after = self.before[mate], mate
        fresh = []
        for vertex in range(len(self.base)):
            if self.base[vertex] in cycle:
                self.base[vertex] = base
                if not self.is_even[vertex]:
                    self.is_even[vertex] = True
                    fresh.append(vertex)
        return fresh

    def _meeting_point(self, one: int, other: int) -> int:
        """The first base that the ways from both back to the root share."""
        seen = set()
        while True:
            one = self.base[one]
            seen.add(one)
            if self.mates[one] < 0:
                break
            one = self.before[self.mates[one]]
        while self.base[other] not in seen:
            other = self.before[self.mates[self.base[other]]]
        return self.base[other]
