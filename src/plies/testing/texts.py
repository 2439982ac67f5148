"""Checks of what people read and type: moves, positions and drawings."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from plies.core.contract import Game
from plies.drawing.notation import SEPARATORS
from plies.errors import UnreadablePosition
from plies.testing.sample import FEW, Problems, Sample, content, fields_of
from plies.testing.sentences import first_difference

CELL = re.compile(r"[a-z]+[0-9]+", re.IGNORECASE)


def every_move_has_steps_of_its_own(game: Game, sample: Sample) -> Problems:
    for state, moves in sample.ongoing():
        owners: dict[tuple[str, ...], int] = {}
        for move in moves:
            steps = tuple(step.lower() for step in game.steps(state, move))
            if (other := owners.setdefault(steps, move)) != move:
                yield f"moves {other} and {move} are both called {game.move_text(state, move)}"


def steps_are_points_of_the_board_or_words(game: Game, sample: Sample) -> Problems:
    for state, move in sample.moves():
        board, steps = game.board(state), game.steps(state, move)
        has_cells = board is not None and all(CELL.fullmatch(name) for name in board.points)
        if not steps:
            yield f"move {move} has no steps, expected at least one"
        for step in steps:
            if not isinstance(step, str) or not step or SEPARATORS.search(step):
                yield f"move {move} has the step {step!r}, expected a word"
            if board and has_cells and CELL.fullmatch(step) and step not in board.points:
                yield f"move {move} has the step {step}, which is no point of the board"


def every_move_has_clicks_of_its_own(game: Game, sample: Sample) -> Problems:
    for state, moves in sample.ongoing():
        owners: dict[tuple[str, ...], int] = {}
        for move in moves:
            clicks = game.clicks(state, move)
            if not clicks or not all(isinstance(click, str) and click for click in clicks):
                yield f"move {move} has the clicks {clicks}, expected points or words"
            if (other := owners.setdefault(clicks, move)) != move:
                yield f"moves {other} and {move} are both made by clicking on {', '.join(clicks)}"


def what_moves_goes_from_point_to_point(game: Game, sample: Sample) -> Problems:
    for state, move in sample.moves():
        board = game.board(state)
        for motion in game.motions(state, move):
            if board is None or len(motion) != 2 or not set(motion) <= set(board.points):
                yield f"move {move} has the motion {motion}, expected two points of the board"


def moves_read_back_from_their_text(game: Game, sample: Sample) -> Problems:
    for state, move in sample.moves(FEW):
        text = game.move_text(state, move)
        for written in (text, text.upper(), text.replace("-", " ")):
            if (read := game.parse_move(state, written)) != move:
                yield f"move {move} is written {written} and read as {read}"


def positions_read_back_from_their_text(game: Game, sample: Sample) -> Problems:
    for state in sample.positions():
        text = game.position_text(state)
        if not isinstance(text, str) or len(text.splitlines()) != 1:
            yield f"position_text answers {text!r}, expected one line of text"
        again = game.parse_position(text)
        if type(again) is not game.State:
            yield f"its text is read as {again!r}, expected a State"
        if content(again) != content(state):
            place, one, other = first_difference(fields_of(again), fields_of(state))
            yield f"in the position read from its text, {place} is {one}, expected {other}"
        if game.moves(again) != game.moves(state):
            yield "the position read from its text has other moves"


def text_that_is_no_position_is_refused(game: Game, sample: Sample) -> Problems:
    texts = {game.position_text(state) for state in sample.positions()}
    for state in sample.positions(most=10):
        for wrong in _misspelt(game.position_text(state)):
            try:
                read = game.parse_position(wrong)
            except UnreadablePosition:
                continue
            except Exception as error:
                yield f"{wrong!r}: {error}; expected a ValueError"
                continue
            text = game.position_text(read)
            if "?" in wrong and "?" not in text and wrong not in texts:
                yield f"{wrong!r} is read as {text}, expected to be refused"
            if content(game.parse_position(text)) != content(read):
                yield f"{wrong!r} is read as {text}, which is read as another position"


def pieces_stand_on_points_of_the_board(game: Game, sample: Sample) -> Problems:
    for state in sample.positions():
        board = game.board(state)
        points = board.points if board else {}
        owners: dict[tuple[float, float], str] = {}
        for name, point in points.items():
            if (other := owners.setdefault(point, name)) != name:
                yield f"the points {other} and {name} are at the same place {point}"
        for line in board.lines if board else ():
            if not set(line) <= set(points):
                yield f"the board has a line {line}, which does not join two of its points"
        for name, symbol in game.pieces(state).items():
            if name not in points:
                yield f"there is a piece on {name}, which is no point of the board"
            if not isinstance(symbol, str) or not symbol.strip():
                yield f"the piece on {name} is {symbol!r}, expected a symbol"


def every_piece_is_somebodys_or_declared_neutral(game: Game, sample: Sample) -> Problems:
    """Numbers, words and labels are texts on the board, not pieces."""
    if not game.marks:
        return "no player has pieces"
    known = {*game.neutral, *"".join(game.marks)}
    for state in sample.positions():
        for point, symbol in game.pieces(state).items():
            is_piece = len(symbol) == 1 and not symbol.isdigit() and symbol != point
            if is_piece and symbol not in known:
                yield (
                    f"the piece {symbol} on {point} belongs to no player: add it to marks"
                    f" {game.marks} of Game, or write neutral={symbol!r} if it is nobody's"
                )
    return ""


def drawings_are_text_and_svg(game: Game, sample: Sample) -> Problems:
    for state in sample.positions(20):
        text = game.draw(state)
        if not isinstance(text, str) or not text.strip():
            yield f"draw answers {text!r}, expected text"
        try:
            tag = ElementTree.fromstring(game.svg(state)).tag
        except (ElementTree.ParseError, TypeError) as error:
            yield f"svg answers no XML: {error}"
        else:
            if tag.rpartition("}")[2] != "svg":
                yield f"svg answers <{tag}>, expected <svg>"


def _misspelt(text: str) -> Iterator[str]:
    """Texts that are hardly a position: with letters added, replaced or left out."""
    yield from ("", "?", "no position?", f"{text}?", f"?{text}", f"{text} {text}")
    for index in range(0, len(text), max(1, len(text) // 8)):
        yield f"{text[:index]}?{text[index + 1 :]}"
        yield text[:index] + text[index + 1 :]
