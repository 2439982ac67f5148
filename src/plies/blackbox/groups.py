"""Whole groups of loci that are flipped together."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from plies.blackbox.problem import Evaluate

MOST_GROUPS = 40  # that are tried two by two

Place = tuple[np.ndarray, float]  # a genome and its value
Effect = tuple[float, int]  # a weight, and whether a flip adds it (1) or takes it away (-1)
Group = tuple[float, int]  # groups with the same first number are opposites


def move_groups(
    evaluate: Evaluate,
    start: Place,
    effects: Mapping[int, Effect],
    sides: Mapping[float, tuple[int, int]],
) -> Place:
    """Flip whole sides, then all loci of equal effect, as long as that is better.

    Where there are too many groups for that, all loci whose flip is better are flipped at once.
    """
    by_side: dict[Group, list[int]] = {}
    by_effect: dict[Group, list[int]] = {}
    for locus, (weight, sign) in effects.items():
        component, turn = sides.get(weight, (-weight, 1))
        by_side.setdefault((component, turn * sign), []).append(locus)
        by_effect.setdefault((-weight, sign), []).append(locus)
    place = start
    for groups in (by_side, by_effect):
        if len(groups) <= MOST_GROUPS:
            place = climb_by_groups(evaluate, place, groups)
    better = [locus for locus, (_, sign) in effects.items() if sign > 0]
    return best_of(place, flipped_at(evaluate, start[0], [better]))


def climb_by_groups(
    evaluate: Evaluate, place: Place, groups: Mapping[Group, Sequence[int]]
) -> Place:
    """Flip one group of each pair, the better one, where that helps; at last any two groups."""
    names = sorted({name for name, _ in groups})
    pairs = [[groups[name, sign] for sign in (1, -1) if (name, sign) in groups] for name in names]
    while True:
        before = place
        for pair in pairs:
            tried = [flipped_at(evaluate, place[0], [loci]) for loci in pair]
            place = best_of(place, *tried)
        if place is before:
            for two in combinations(groups.values(), 2):
                place = best_of(place, flipped_at(evaluate, place[0], two))
        if place is before:
            return place


def flipped_at(evaluate: Evaluate, genome: np.ndarray, groups: Iterable[Sequence[int]]) -> Place:
    flipped = genome.copy()
    for loci in groups:
        flipped[list(loci)] ^= 1
    return flipped, evaluate(flipped)


def best_of(*places: Place) -> Place:
    """The place of the highest value, the first of equals."""
    return max(places, key=lambda place: place[1])
