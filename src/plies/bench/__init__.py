"""The same work every time: positions of every game, searched by every method.

How many nodes that takes is the signature of a method on a game.  It is kept in
`signatures.txt`, and changes only when a method, a rule or an opinion was changed on purpose.
`plies bench` measures, compares and, if asked, writes them anew.
"""

from plies.bench.measuring import Measured, measure
from plies.bench.signatures import Found, Signature, kept_signatures, write_signatures
from plies.bench.works import SPECS, Work, works

__all__ = [
    "SPECS",
    "Found",
    "Measured",
    "Signature",
    "Work",
    "kept_signatures",
    "measure",
    "works",
    "write_signatures",
]
