"""Problems: functions of genomes that count how often they are called.

A genome is a sequence of zeros and ones.  The value of the problem `x` is made of the ones in
each of x classes of loci (class s is s, s+x, s+2x, ...): the counts that equal the largest are
added, of the others a tenth of the first, a hundredth of the second and so on, in descending
order, is taken away, and the rest is divided by the length.  All ones are worth 1.
"""

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from plies.errors import PliesError

LENGTH = 1000
CLASSES = (1, 2, 5, 10)
SUCCESS = 1 - 1e-12  # values from here on count as the optimum

Evaluate = Callable[[np.ndarray], float]


class BadGenome(PliesError):
    """A genome of another length, or with something else than 0 and 1 in it."""


class BadProblem(PliesError):
    """A problem that does not exist."""


class Problem:
    """A function of genomes of one length that counts its calls.

    `calls` is how many genomes have been valued.  It can only be read, and there is no second
    copy of a problem that would be called for nothing.  A genome that is refused costs nothing.
    """

    __slots__ = ("_call", "_calls", "length", "name")

    def __init__(self, function: Evaluate, length: int, name: str = ""):
        calls = 0

        def call(genome: np.ndarray) -> float:
            nonlocal calls
            calls += 1
            return float(function(genome))

        def counted() -> int:
            return calls

        for key, value in (
            ("_call", call),
            ("_calls", counted),
            ("length", length),
            ("name", name or getattr(function, "__name__", "problem")),
        ):
            object.__setattr__(self, key, value)

    def __call__(self, genome: Any) -> float:
        return self._call(checked(genome, self.length))

    @property
    def calls(self) -> int:
        return self._calls()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a problem does not change: {name} can only be read")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a problem does not change: {name} stays")

    def __copy__(self) -> NoReturn:
        raise TypeError("a problem cannot be copied: every call counts")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__copy__()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self.__copy__()

    def __repr__(self) -> str:
        return f"<{self.name}: {self.length} loci, {self.calls} calls>"


def checked(genome: Any, length: int) -> np.ndarray:
    """The genome as an array of its own that nobody else can change."""
    array = np.array(genome)
    if array.shape != (length,):
        found = len(array) if array.ndim == 1 else f"{array.ndim}-dimensional array"
        raise BadGenome(f"a genome of this problem has {length} loci, not {found}")
    if array.dtype.kind not in "biuf" or (array != array.astype(bool)).any():
        raise BadGenome("a genome consists of the numbers 0 and 1")
    return array.astype(np.int8, copy=False)


def problem(classes: int, length: int = LENGTH) -> Problem:
    """The problem of so many interleaved classes."""
    if length < 1:
        raise BadProblem(f"a genome has at least one locus, not {length}")
    if classes < 1 or length % classes:
        raise BadProblem(f"{length} loci cannot be split into {classes} equal classes")
    return Problem(class_value(classes, length), length, str(classes))


def class_value(classes: int, length: int) -> Evaluate:
    """The value as the module's text has it, of genomes that have been checked."""
    takes = 0.1 ** np.arange(1, classes)

    def value(genome: np.ndarray) -> float:
        ones = genome.reshape(-1, classes).sum(axis=0, dtype=np.int64)
        ones[::-1].sort()
        largest = int((ones == ones[0]).sum())
        rest = ones[largest:]
        return (largest * int(ones[0]) - float(takes[: len(rest)] @ rest)) / length

    return value


def random_genome(length: int, rng: np.random.Generator) -> np.ndarray:
    """Where searches start: each locus is 0 or 1 alike."""
    return rng.integers(0, 2, length, dtype=np.int8)
