"""Which guards does this machine offer?"""

from dataclasses import dataclass

from plies.errors import PliesError
from plies.sandbox.confined import Confined
from plies.sandbox.guards import GUARDS

PROGRAM = ("/bin/sh", "-c", ":")  # which everybody can read, unlike this Python


@dataclass(frozen=True)
class Offer:
    """A guard, what it ensures, and why it is not to be had here: empty if it is."""

    guard: str
    ensures: str
    why_missing: str


def survey() -> list[Offer]:
    """Start a program that does nothing behind all guards, and see which are up."""
    try:
        program = Confined(PROGRAM)
    except PliesError as error:  # an agent fault too: the table is to warn, not to end anything
        missing = dict.fromkeys(GUARDS, str(error))
    else:
        program.close()
        missing = program.missing
    return [Offer(guard, ensures, missing.get(guard, "")) for guard, ensures in GUARDS.items()]


def table_lines(offers: list[Offer]) -> list[str]:
    """A line for each guard, below a heading."""
    width = max(len(offer.guard) for offer in offers)
    lines = [f"{'guard':<{width}}  here  ensures that a program"]
    for offer in offers:
        is_here = "no " if offer.why_missing else "yes"
        why = f" (not here: {offer.why_missing})" if offer.why_missing else ""
        lines.append(f"{offer.guard:<{width}}  {is_here}   {offer.ensures}{why}")
    return lines
