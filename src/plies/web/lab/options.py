"""Which searches the laboratory shows, and what may be asked of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, get_args

from plies.core.spec import option_text, options_text, read_options, split_spec
from plies.errors import BadSpec
from plies.search.alphabeta import Cut, Fail, Prune
from plies.search.branch import Rule
from plies.search.limits import checked_whole
from plies.search.trace.algorithms import Algorithm, find_algorithm
from plies.web.lab.messages import LabAlgorithm, LabExample, LabOption

MOST_DEPTH = 12


@dataclass(frozen=True)
class Entry:
    """An algorithm as the page offers it; `defaults` are made for small drawings."""

    title: str
    told: str
    defaults: Mapping[str, Any]


TWO = {"fail": "soft", "cut": "equal"}
ENTRIES: Mapping[str, Entry] = {
    "minimax": Entry("Minimax", "Every node is visited.", {"depth": 3}),
    "alphabeta": Entry("Alpha-beta", "Leaves out what cannot matter.", {"depth": 3, **TWO}),
    "branch": Entry(
        "Branch-limited",
        "Alpha-beta on the few children that rank best.",
        {"depth": 3, "look": 0, "width": 2, "rule": "plain", "prune": "alphabeta"},
    ),
    "beam": Entry(
        "Beam",
        "Alpha-beta on the better share of the children.",
        {"depth": 3, "share": 0.5, "above": 2, "look": 0},
    ),
    "deepening": Entry(
        "Iterative deepening",
        "Alpha-beta to depth 1, 2, ...; each pass tries the last one's best line first.",
        {"depth": 3, "prune": "alphabeta", **TWO},
    ),
    "mcts": Entry(
        "Monte Carlo tree search",
        "Simulations grow a tree where play looks promising.",
        {"simulations": 60, "c": 1.414, "seed": 0, "plies": 200},
    ),
    "maxn": Entry("max^n", "Everybody maximises their own payoff.", {"depth": 3}),
    "paranoid": Entry("Paranoid", "The player at the root against all the others.", {"depth": 3}),
}
TOLD = {
    "depth": "plies; empty: to the leaves",
    "fail": "answer with the proven bound (soft) or the end of the window (hard)",
    "cut": "when alpha >= beta (equal) or only when alpha > beta (beyond)",
    "look": "plies that rank the children",
    "width": "children that are explored",
    "rule": "rank look plies deep (plain), or only near the horizon (report)",
    "prune": "cut what cannot matter (alphabeta), or nothing (none)",
    "share": "of the children that is kept",
    "above": "so many children are always kept",
    "simulations": "how many",
    "c": "how much is explored",
    "seed": "of the random numbers",
    "plies": "of a random game",
}
CHOICES = {
    "fail": get_args(Fail),
    "cut": get_args(Cut),
    "rule": get_args(Rule),
    "prune": get_args(Prune),
}
RANGES: Mapping[str, tuple[float, float]] = {
    "depth": (1, MOST_DEPTH),
    "look": (0, 4),
    "width": (1, 100),
    "share": (0, 1),
    "above": (0, 100),
    "simulations": (1, 400),
    "c": (0, 100),
    "seed": (0, 2**31),
    "plies": (0, 1000),
}
EXAMPLES = (
    LabExample(
        title="28 leaves",
        told="Alpha-beta evaluates 20 from left to right, 14 from right to left, 9 at best.",
        parameters={"algorithm": "alphabeta"},
    ),
    LabExample(
        title="A first cut",
        told="After 3 on the left, Min's 2 on the right decides: nothing else matters there.",
        parameters={"tree": "M(m(3, 12, 8), m(2, 4, 6), m(14, 5, 2))", "algorithm": "alphabeta"},
    ),
    LabExample(
        title="A deep cut",
        told="The bound that cuts comes from an ancestor three plies above.",
        parameters={
            "tree": "M(5, m(M(m(4, 9), 3), 8))",
            "algorithm": "alphabeta",
            "with": "minimax",
        },
    ),
    LabExample(
        title="Soft against hard",
        told="What a node answers when its value lies outside the window.",
        parameters={
            "tree": "M(m(M(5, 7), M(6, 2)), m(M(1, 3), M(0, 9)), m(M(4, 4), M(8, 1)))",
            "algorithm": "alphabeta:fail=soft",
            "with": "alphabeta:fail=hard",
        },
    ),
    LabExample(
        title="Order matters",
        told="The same tree from left to right and in the best order.",
        parameters={"algorithm": "alphabeta", "with": "alphabeta", "with-order": "best"},
    ),
    LabExample(
        title="Three players",
        told="max^n: everybody looks after themselves.",
        parameters={
            "tree": "1(2(3((1, 2, 3), (4, 2, 1)), (6, 1, 2)),"
            " 2((3, 4, 2), 3((7, 1, 1), (2, 2, 5))))",
            "algorithm": "maxn",
            "with": "paranoid",
        },
    ),
    LabExample(
        title="Noughts and crosses",
        told="Two plies before the end, with the boards.",
        parameters={
            "game": "tictactoe",
            "position": "XOX/OXO/... X",
            "algorithm": "alphabeta:depth=3",
        },
    ),
    LabExample(
        title="Nim by simulations",
        told="Monte Carlo tree search finds the winning move of 1-2-2.",
        parameters={"game": "nim:rows=1-2-2", "algorithm": "mcts:simulations=60"},
    ),
)


def algorithm_view(name: str) -> LabAlgorithm:
    entry, algorithm = ENTRIES[name], find_algorithm(name, {})
    return LabAlgorithm(
        name=name,
        title=entry.title,
        told=entry.told,
        options=[_option(key, value) for key, value in entry.defaults.items()],
        has_windows=algorithm.has_windows,
        is_growing=algorithm.is_growing,
        is_for_two=not algorithm.has_vectors,
    )


def _option(name: str, default: Any) -> LabOption:
    kind = "choice" if name in CHOICES else "whole" if isinstance(default, int) else "number"
    least, most = RANGES.get(name, (None, None))
    return LabOption(
        name=name,
        kind=kind,
        default=option_text(default),
        choices=list(CHOICES.get(name, ())),
        told=TOLD[name],
        least=least,
        most=most,
    )


def read_algorithm(spec: str) -> tuple[str, Algorithm, dict[str, Any]]:
    """The name, the search and its options; a depth that is not given is not among them."""
    name, texts = split_spec(spec)
    algorithm = find_algorithm(name, {})
    defaults = ENTRIES[name].defaults
    for key in texts:
        if key not in defaults:
            raise BadSpec(f"{name} has no option {key}; {options_text(defaults)}")
    given = read_options(name, texts, algorithm.run)
    if "depth" in texts:
        given["depth"] = _whole("depth", texts["depth"])
    options = {key: value for key, value in defaults.items() if key != "depth"} | given
    for key, value in options.items():
        _check_range(name, key, value)
        if isinstance(defaults[key], int):
            options[key] = int(value)
    return name, algorithm, options


def _whole(name: str, text: str) -> int:
    number = int(text) if text.isdecimal() and len(text) < 10 else text
    return checked_whole(name, number, 1, MOST_DEPTH)


def _check_range(name: str, key: str, value: Any) -> None:
    if key not in RANGES:
        return
    least, most = RANGES[key]
    if not isfinite(value) or not least <= value <= most:
        raise BadSpec(f"{name}: {key} is {least:g} to {most:g} here, not {value}")


def title_of(name: str, options: Mapping[str, Any]) -> str:
    """`Alpha-beta, depth 3, fail hard, cut equal`."""
    told = (f"{key} {option_text(value)}" for key, value in options.items())
    return ", ".join([ENTRIES[name].title, *told])
