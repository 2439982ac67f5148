"""Random numbers in compiled code: the state of a generator is a field of a record."""

import numpy as np

from plies.compiling.compiler import inlined

LEFT, RIGHT, LAST, HALF = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)

# A generator by itself; its state is never 0.  To the compiler a record that begins with all
# fields of another is of that type, too, so this one has a field that no other begins with.
GENERATOR = np.dtype([("random", np.uint64), ("alone", np.int64)])


@inlined
def random_below(count, record):
    """A random number from 0 to count - 1; `record.random` is the state of the generator.

    Xorshift (Marsaglia 2003).  Its upper half, scaled, is as good as unbiased for the few
    thousand moves that a position may have.
    """
    bits = record.random
    bits ^= bits << LEFT
    bits ^= bits >> RIGHT
    bits ^= bits << LAST
    record.random = bits
    return np.int64((bits >> HALF) * np.uint64(count) >> HALF)
