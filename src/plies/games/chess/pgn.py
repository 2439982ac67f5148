"""Games as PGN, to and from text.

Reading is strict: every word of the main line must be a legal move, for a reader that
passes over what it does not understand goes on with another game than the one written.
Comments, variations and marks are left out.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from plies.errors import (
    BadSpec,
    IllegalMove,
    PliesError,
    UnreadableMove,
    UnreadablePosition,
)
from plies.games.chess.attacks import is_in_check
from plies.games.chess.endings import draw_claim
from plies.games.chess.moves import has_moves
from plies.games.chess.notation import move_text, san
from plies.games.chess.playing import play
from plies.games.chess.position import SIDES, START, fen, state_of
from plies.games.chess.reading import find_move
from plies.games.chess.state import CLOCK, WHITE, State

ONGOING, DRAWN, WINS = "*", "1/2-1/2", ("1-0", "0-1")
RESULTS = (*WINS, DRAWN, ONGOING)
REPETITIONS = 3
WIDTH = 79
NO_BRACES = str.maketrans("{}", "()")  # a brace would end the comment
ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": ONGOING,
}
STANDARD = ("standard", "chess", "normal", "from position")  # names of the usual kind of chess
TOKEN = re.compile(
    r"""
    (?P<left_out> \s+ | ^%.* | ;.* | \{[^}]*\} | \$\d+ | [!?]+ | \.+ | e\.p\. )
    | (?P<tag> \[ \s* (?P<name>\w+) \s+ "(?P<value> (?: \\. | [^\\\n] )*? )" \s* \] )
    | (?P<result> (?: 1-0 | 0-1 | 1/2-1/2 | \* ) (?= [\s(){};\[] | \Z ) )
    | (?P<number> \d+ (?: \.+ | (?= [\s(){};] | \Z ) ) )
    | (?P<opening> \( ) | (?P<closing> \) )
    | (?P<word> \[.* | [^\s(){}\[\];$]+ | . )
    """,
    re.VERBOSE | re.MULTILINE,
)
Error = TypeVar("Error", bound=PliesError)


class PgnGame(NamedTuple):
    """What a PGN tells of a game."""

    start: str  # a FEN
    moves: tuple[str, ...]  # the main line, as `move_text` writes moves
    headers: dict[str, str]  # the tags, `Result` among them


class MoveLike(Protocol):
    """A move of a record."""

    @property
    def text(self) -> str: ...


class RecordLike(Protocol):
    """A finished game as `plies.play_game` answers it."""

    @property
    def moves(self) -> Sequence[MoveLike]: ...
    @property
    def start(self) -> str: ...
    @property
    def agents(self) -> Sequence[str]: ...
    @property
    def payoffs(self) -> Sequence[int]: ...
    @property
    def reason(self) -> str: ...


# Writing


def to_pgn(
    game: RecordLike | PgnGame | Iterable[str | int],
    start: str = "",
    headers: Mapping[str, str] | None = None,
    result: str = "",
    comments: Sequence[str] = (),
) -> str:
    """A game as PGN: a record of `plies.play_game`, or moves, written or as numbers.

    `start` is the FEN that it began with.  `result` is `1-0`, `0-1`, `1/2-1/2` or `*`; left
    out, it is that of `headers`, else of the record, else what the last position says.
    `comments` are written behind the moves in their order, where they are not empty.
    """
    moves, tags = _told(game)
    tags |= headers or {}
    state = state_of(start or tags.get("FEN", START))
    tags = {name: value for name, value in tags.items() if name not in ("SetUp", "FEN")}
    if fen(state) != START:
        tags |= {"SetUp": "1", "FEN": fen(state)}
    words, last = _movetext(state, moves, comments)
    tags["Result"] = result or tags.get("Result") or last
    if tags["Result"] not in RESULTS:
        raise BadSpec(f"{tags['Result']!r} is no result; write one of {', '.join(RESULTS)}")
    lines = [_tag_line(name, str(value)) for name, value in (ROSTER | tags).items()]
    text = " ".join([*words, tags["Result"]])
    wrapped = textwrap.fill(text, WIDTH, break_on_hyphens=False, break_long_words=False)
    return "\n".join([*lines, "", wrapped, ""])


def _told(
    game: RecordLike | PgnGame | Iterable[str | int],
) -> tuple[Iterable[str | int], dict[str, str]]:
    """The moves, and the tags that follow from what is given."""
    if isinstance(game, PgnGame):
        return game.moves, {"FEN": game.start, **game.headers}
    if isinstance(game, str):
        raise BadSpec("moves are a list, such as ['e4', 'e5']; from_pgn reads a text")
    if isinstance(game, Iterable):
        return game, {}
    white, black = game.agents
    tags = {"White": white, "Black": black, "Result": DRAWN, "FEN": game.start}
    for win, payoff in zip(WINS, game.payoffs, strict=True):
        if payoff > 0:
            tags["Result"] = win
    if game.reason != "rules":
        tags["Termination"] = game.reason
    return [move.text for move in game.moves], tags


def _movetext(
    state: State, moves: Iterable[str | int], comments: Sequence[str]
) -> tuple[list[str], str]:
    """The moves with numbers and comments, and the result that the last position has."""
    words: list[str] = []
    seen = Counter([state.zobrist])
    for ply, given in enumerate(moves, start=1):
        try:
            move = find_move(state, given) if isinstance(given, str) else given
            name = san(state, move)
        except PliesError as error:
            raise _retold(error, f"ply {ply}: {error}") from error
        if state.turn == WHITE:
            words.append(f"{_number(state)}.")
        elif not words or words[-1].endswith("}"):
            words.append(f"{_number(state)}...")
        words.append(name)
        if comment := " ".join(comments[ply - 1 : ply]):
            words.append("{" + " ".join(comment.split()).translate(NO_BRACES) + "}")
        state = play(state, move)
        seen[state.zobrist] += 1
    if not has_moves(state):
        return words, WINS[state.turn ^ 1] if is_in_check(state) else DRAWN
    is_drawn = seen[state.zobrist] >= REPETITIONS or draw_claim(state, ())
    return words, DRAWN if is_drawn else ONGOING


def _number(state: State) -> int:
    """The number of the move."""
    return int(state.clock) // CLOCK


def _tag_line(name: str, value: str) -> str:
    if not re.fullmatch(r"\w+", name, re.ASCII):
        raise BadSpec(f"{name!r} is no name of a PGN tag; letters, digits and _ make one")
    escaped = " ".join(value.split()).replace("\\", r"\\").replace('"', r"\"")
    return f'[{name} "{escaped}"]'


# Reading


def from_pgn(text: str) -> PgnGame:
    """The first game of a PGN text; comments and variations are left out."""
    for game in games_of_pgn(text):
        return game
    raise UnreadableMove("the PGN cannot be read: there is no game in it")


def games_of_pgn(text: str) -> Iterator[PgnGame]:
    """All games of a PGN text, one after the other; the first that cannot be read ends it."""
    for count, (tags, words) in enumerate(_split(text.removeprefix("\ufeff")), start=1):
        fault = f"{'the' if count == 1 else f'game {count} of the'} PGN cannot be read"
        if tags.get("Variant", STANDARD[0]).lower() not in STANDARD:
            raise UnreadableMove(f"{fault}: it is a game of {tags['Variant']}, not of chess")
        try:
            state = state_of(tags.get("FEN", START))
        except UnreadablePosition as error:
            raise _retold(error, f"{fault}: {error}") from error
        start, moves = fen(state), []
        for word in words:
            try:
                move = find_move(state, word)
            except PliesError as error:
                where = f"move {_number(state)} of {SIDES[state.turn]}"
                raise _retold(error, f"{fault} at {where}: {error}") from error
            moves.append(move_text(state, move))
            state = play(state, move)
        yield PgnGame(start, tuple(moves), tags)


def _split(text: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Tags and words of the main line of each game; a result or a tag after moves ends it."""
    tags: dict[str, str] = {}
    words: list[str] = []
    is_ended, depth = False, 0
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if (is_ended and kind != "left_out") or (kind == "tag" and (words or depth)):
            yield _whole(tags, words, depth)
            tags, words, is_ended, depth = {}, [], False, 0
        if kind == "opening":
            depth += 1
        elif kind == "closing" and depth:
            depth -= 1
        elif kind == "tag":
            tags[token["name"]] = re.sub(r"\\(.)", r"\1", token["value"])
        elif kind == "result" and not depth:
            tags.setdefault("Result", token["result"])
            is_ended = True
        elif kind in ("word", "closing") and not depth:
            words.append(token[0])
    if tags or words or depth:
        yield _whole(tags, words, depth)


def _whole(tags: dict[str, str], words: list[str], depth: int) -> tuple[dict[str, str], list[str]]:
    """A game with a result; what opens a variation that is never closed is one word too many."""
    return {"Result": ONGOING} | tags, [*words, "("] if depth else words


def _retold(error: Error, message: str) -> Error:
    """An error of the same kind that also says where it was."""
    if isinstance(error, IllegalMove):
        return type(error)(message, error.legal)
    return type(error)(message)
