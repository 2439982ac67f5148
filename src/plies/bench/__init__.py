"""The same work every time: positions of every game, searched by every algorithm.

The number of nodes is the signature of a search on a game.  It is stored in `signatures.txt`,
and changes only when a search, a rule or an evaluator was changed on purpose.  `plies bench`
measures, compares and, with `--write`, stores new signatures.
"""

from plies.bench.signatures import Result, Signature, read_signatures, write_signatures
from plies.bench.workloads import SPECS, Measurement, Workload, measure, workloads

__all__ = [
    "SPECS",
    "Measurement",
    "Result",
    "Signature",
    "Workload",
    "measure",
    "read_signatures",
    "workloads",
    "write_signatures",
]
