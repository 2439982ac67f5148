"""Games as PGN, to and from text.

Reading is strict: every word of the main line must be a legal move, because a reader that
skips what it does not understand continues with another game than the one written.
Comments, variations and annotation marks are dropped.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from plies.errors import (
    BadSpec,
    IllegalMove,
    PliesError,
    UnreadableMove,
    UnreadablePosition,
)
from plies.games.chess.attacks import is_in_check
from plies.games.chess.endings import draw_claim
from plies.games.chess.fen import SIDES, START, state_of, write_fen
from plies.games.chess.moves import has_moves
from plies.games.chess.notation import move_text, san
from plies.games.chess.playing import play
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
STANDARD = ("standard", "chess", "normal", "from position")  # values of the tag Variant
TOKEN = re.compile(
    r"""
    (?P<ignored> \s+ | ^%.* | ;.* | \{[^}]*\} | \$\d+ | [!?]+ | \.+ | e\.p\. )
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
    """One game of a PGN text."""

    start: str  # a FEN
    moves: tuple[str, ...]  # the main line, as `move_text` writes moves
    headers: dict[str, str]  # the tags, with `Result`


class RecordLike(Protocol):
    """A finished game as `plies.play_game` returns it."""

    @property
    def moves(self) -> Sequence[Any]: ...
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
    """A game as PGN: a record of `plies.play_game`, or moves as texts or numbers.

    `start` is the FEN of the first position.  `result` is `1-0`, `0-1`, `1/2-1/2` or `*`; the
    default is that of `headers`, else of the record, else of the last position.  Each of
    `comments` that is not empty is written behind the move of the same index.
    """
    moves, tags = _moves_and_tags(game)
    tags |= headers or {}
    state = state_of(start or tags.get("FEN", START))
    tags = {name: value for name, value in tags.items() if name not in ("SetUp", "FEN")}
    if write_fen(state) != START:
        tags |= {"SetUp": "1", "FEN": write_fen(state)}
    words, last = _movetext(state, moves, comments)
    tags["Result"] = result or tags.get("Result") or last
    if tags["Result"] not in RESULTS:
        raise BadSpec(f"{tags['Result']!r} is not a PGN result; write one of {', '.join(RESULTS)}")
    lines = [_tag_line(name, str(value)) for name, value in (ROSTER | tags).items()]
    text = " ".join([*words, tags["Result"]])
    wrapped = textwrap.fill(text, WIDTH, break_on_hyphens=False, break_long_words=False)
    return "\n".join([*lines, "", wrapped, ""])


def _moves_and_tags(
    game: RecordLike | PgnGame | Iterable[str | int],
) -> tuple[Iterable[str | int], dict[str, str]]:
    """The moves of a game in any form, and the tags that follow from it."""
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
    """The moves with numbers and comments, and the result of the last position."""
    words: list[str] = []
    occurrences = Counter([state.zobrist])  # for the draw by repetition
    for ply, text_or_move in enumerate(moves, start=1):
        try:
            move = find_move(state, text_or_move) if isinstance(text_or_move, str) else text_or_move
            name = san(state, move)
        except PliesError as error:
            raise _with_message(error, f"ply {ply}: {error}") from error
        if state.turn == WHITE:
            words.append(f"{_number(state)}.")
        elif not words or words[-1].endswith("}"):
            words.append(f"{_number(state)}...")
        words.append(name)
        if comment := " ".join(comments[ply - 1 : ply]):
            words.append("{" + " ".join(comment.split()).translate(NO_BRACES) + "}")
        state = play(state, move)
        occurrences[state.zobrist] += 1
    if not has_moves(state):
        return words, WINS[state.turn ^ 1] if is_in_check(state) else DRAWN
    is_drawn = occurrences[state.zobrist] >= REPETITIONS or draw_claim(state, ())
    return words, DRAWN if is_drawn else ONGOING


def _number(state: State) -> int:
    """The move number of a FEN."""
    return int(state.clock) // CLOCK


def _tag_line(name: str, value: str) -> str:
    if not re.fullmatch(r"\w+", name, re.ASCII):
        raise BadSpec(f"{name!r} is not a PGN tag name: use letters, digits and _")
    escaped = " ".join(value.split()).replace("\\", r"\\").replace('"', r"\"")
    return f'[{name} "{escaped}"]'


# Reading


def from_pgn(text: str) -> PgnGame:
    """The first game of a PGN text, without comments and variations."""
    for game in games_of_pgn(text):
        return game
    raise UnreadableMove("the PGN cannot be read: there is no game in it")


def games_of_pgn(text: str) -> Iterator[PgnGame]:
    """All games of a PGN text, in order; raises at the first that cannot be read."""
    # Legal moves only: an error names game and move, so that the file can be mended.
    for count, (tags, words) in enumerate(_split(text.removeprefix("\ufeff")), start=1):
        fault = f"{'the' if count == 1 else f'game {count} of the'} PGN cannot be read"
        if tags.get("Variant", STANDARD[0]).lower() not in STANDARD:
            raise UnreadableMove(f"{fault}: Variant is {tags['Variant']}, not chess")
        try:
            state = state_of(tags.get("FEN", START))
        except UnreadablePosition as error:
            raise _with_message(error, f"{fault}: {error}") from error
        start, moves = write_fen(state), []
        for word in words:
            try:
                move = find_move(state, word)
            except PliesError as error:
                where = f"move {_number(state)} of {SIDES[state.turn]}"
                raise _with_message(error, f"{fault} at {where}: {error}") from error
            moves.append(move_text(state, move))
            state = play(state, move)
        yield PgnGame(start, tuple(moves), tags)


def _split(text: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Tags and main-line words of each game, which ends at a result or at a tag after moves."""
    tags: dict[str, str] = {}
    words: list[str] = []
    is_ended, depth = False, 0
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if (is_ended and kind != "ignored") or (kind == "tag" and (words or depth)):
            yield _finished(tags, words, depth)
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
        yield _finished(tags, words, depth)


def _finished(
    tags: dict[str, str], words: list[str], depth: int
) -> tuple[dict[str, str], list[str]]:
    """A game with a result; an unclosed variation becomes a word that cannot be read."""
    return {"Result": ONGOING} | tags, [*words, "("] if depth else words


def _with_message(error: Error, message: str) -> Error:
    """An error of the same class with another message, such as one that names the place."""
    if isinstance(error, IllegalMove):
        return type(error)(message, error.legal)
    return type(error)(message)
