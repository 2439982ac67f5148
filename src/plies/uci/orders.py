"""Lines of the protocol as orders.

As the protocol wants it, words that are unknown are skipped: `joho debug on` switches
debugging on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

WORDS = (
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
)


class Order(NamedTuple):
    """What is to be done, and the rest of the line; `word` is empty where nothing is known."""

    word: str
    rest: tuple[str, ...]


@dataclass(frozen=True)
class Go:
    """What `go` asks for; times are milliseconds, None is what was not said.

    `searchmoves` and `mate` are read and not followed.
    """

    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    mate: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: bool = False


@dataclass(frozen=True)
class SetOption:
    name: str
    value: str


FLAGS = {field.name for field in fields(Go) if field.type is bool}
NUMBERS = {field.name for field in fields(Go)} - FLAGS


def read_order(line: str) -> Order:
    """The first word that is known, and what follows it."""
    tokens = tuple(line.split())
    for place, token in enumerate(tokens):
        if token in WORDS:
            return Order(token, tokens[place + 1 :])
    return Order("", tokens)


def read_go(tokens: Sequence[str]) -> tuple[Go, list[str]]:
    """What is asked for, and the words that were skipped."""
    found: dict[str, int | bool] = {}
    skipped: list[str] = []
    rest = list(tokens)
    while rest:
        word = rest.pop(0)
        number = _number(rest[0]) if rest else None
        if word in NUMBERS and number is not None:
            found[word] = number
            rest.pop(0)
        elif word in FLAGS:
            found[word] = True
        elif "searchmoves" not in found:
            skipped.append(word)
    return Go(**found), skipped  # type: ignore[arg-type]


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def read_position(tokens: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """`fen FEN moves e2e4 ...` as the text of a position and the moves since."""
    place = tokens.index("moves") if "moves" in tokens else len(tokens)
    start = tokens[1:place] if tokens and tokens[0] == "fen" else tokens[:place]
    return " ".join(start), tuple(tokens[place + 1 :])


def read_option(tokens: Sequence[str]) -> SetOption:
    """`name NAME value VALUE`, of which both may have several words."""
    place = tokens.index("value") if "value" in tokens else len(tokens)
    name = tokens[1:place] if tokens and tokens[0] == "name" else tokens[:place]
    return SetOption(" ".join(name), " ".join(tokens[place + 1 :]))
