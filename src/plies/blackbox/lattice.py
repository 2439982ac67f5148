"""Whole numbers behind a sum: multiples of known weights, and what they keep."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

CARRIES = 2  # times that not the nearest multiple of a weight is taken, in all
DOUBT = 2.0  # a second answer that is less likely by less than this makes both doubtful


def multiples(
    weights: Sequence[float], value: float, steps: int, tolerance: float
) -> tuple[int, ...] | None:
    """How often each weight is in `value`, when it was made by so many steps of one weight.

    Answers the whole numbers k with `sum(k * weight) == value` that have the least sum of
    squares, which is the likeliest where steps go up and down at random.  The sum of |k| is at
    most `steps` and as odd as it.  None where there are none, or where others are nearly as
    likely.  Weights come in descending order.
    """
    doubt = DOUBT * max(1.0, steps / len(weights))
    best: list[tuple[int, tuple[int, ...]]] = []  # the shortest two
    chosen: list[int] = []

    def descend(left: float, squares: int, room: int, carries: int) -> None:
        place = len(chosen)
        if place == len(weights):
            if abs(left) <= tolerance and room % 2 == 0:
                best.append((squares, tuple(chosen)))
                best.sort()
                del best[2:]
            return
        weight = weights[place]
        below = weights[place + 1] if place + 1 < len(weights) else 0.0
        nearest = round(left / weight)
        for offset in sorted(range(-carries, carries + 1), key=abs):
            times = nearest + offset
            rest, total = room - abs(times), squares + times * times
            is_possible = rest >= 0 and abs(left - times * weight) <= rest * below + tolerance
            if is_possible and (not best or total <= best[0][0] + doubt):
                chosen.append(times)
                descend(left - times * weight, total, rest, carries - abs(offset))
                chosen.pop()

    descend(value, 0, steps, CARRIES)
    if len(best) == 2 and best[1][0] <= best[0][0] + doubt:
        return None
    return best[0][1] if best else None


def relations(
    weights: Sequence[float], balances: Sequence[Mapping[float, int]]
) -> dict[float, tuple[int, int]]:
    """The component and the sign of every weight, as far as balances tell.

    A balance says that `sum(sign * times)` over its weights is 0.  Of all choices of signs
    those count that break the fewest balances; weights whose signs are tied together in all of
    them share a component, whose first weight has the sign 1.
    """
    signs = np.array([(1, *rest) for rest in product((1, -1), repeat=len(weights) - 1)])
    times = np.array([[each.get(weight, 0) for weight in weights] for each in balances])
    broken = (signs @ times.T != 0).sum(axis=1) if len(balances) else np.zeros(len(signs))
    possible = signs[broken == broken.min()]
    found: dict[float, tuple[int, int]] = {}
    component = 0
    for place, weight in enumerate(weights):
        if weight in found:
            continue
        for other in range(place, len(weights)):
            product_of = possible[:, place] * possible[:, other]
            if weights[other] not in found and (product_of == product_of[0]).all():
                found[weights[other]] = (component, int(product_of[0]))
        component += 1
    return found
