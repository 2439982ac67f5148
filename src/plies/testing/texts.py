"""Checks of what people read and type: moves, positions, drawings."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from plies.drawing.board import Board
from plies.drawing.notation import SEPARATORS
from plies.errors import UnreadablePosition
from plies.testing.sample import FEW, Check, ContractError, Sample, content

CELL = re.compile(r"[a-z]+[0-9]+", re.IGNORECASE)


def every_move_has_steps_of_its_own(sample: Sample) -> None:
    game = sample.game
    for state, moves in sample.ongoing():
        owners: dict[tuple[str, ...], int] = {}
        for move in moves:
            steps = tuple(step.lower() for step in game.steps(state, move))
            if owners.setdefault(steps, move) != move:
                text = game.move_text(state, move)
                raise ContractError(f"moves {owners[steps]} and {move} are both called {text}")


def steps_are_points_of_the_board_or_words(sample: Sample) -> None:
    game = sample.game
    for state, moves in sample.ongoing():
        board = game.board(state)
        has_cells = board is not None and all(CELL.fullmatch(name) for name in board.points)
        for move in moves:
            steps = game.steps(state, move)
            if not steps:
                raise ContractError(f"move {move} has no steps, expected at least one")
            for step in steps:
                if not isinstance(step, str) or not step or SEPARATORS.search(step):
                    raise ContractError(f"move {move} has the step {step!r}, expected a word")
                if board and has_cells and CELL.fullmatch(step) and step not in board.points:
                    raise ContractError(
                        f"move {move} has the step {step}, which is no point of the board"
                    )


def every_move_has_clicks_of_its_own(sample: Sample) -> None:
    game = sample.game
    for state, moves in sample.ongoing():
        owners: dict[tuple[str, ...], int] = {}
        for move in moves:
            clicks = game.clicks(state, move)
            if not clicks or not all(isinstance(click, str) and click for click in clicks):
                raise ContractError(
                    f"move {move} has the clicks {clicks}, expected points or words"
                )
            if owners.setdefault(clicks, move) != move:
                both = f"moves {owners[clicks]} and {move}"
                raise ContractError(f"{both} are both made by clicking on {', '.join(clicks)}")


def what_moves_goes_from_point_to_point(sample: Sample) -> None:
    game = sample.game
    for state, moves in sample.ongoing():
        board = game.board(state)
        for move in moves:
            for motion in game.motions(state, move):
                if board is None or len(motion) != 2 or not set(motion) <= set(board.points):
                    raise ContractError(
                        f"move {move} has the motion {motion}, expected two points of the board"
                    )


def moves_read_back_from_their_text(sample: Sample) -> None:
    game = sample.game
    for state, moves in sample.ongoing(FEW):
        for move in moves:
            text = game.move_text(state, move)
            for written in (text, text.upper(), text.replace("-", " ")):
                read = game.parse_move(state, written)
                if read != move:
                    raise ContractError(f"move {move} is written {written} and read as {read}")


def positions_read_back_from_their_text(sample: Sample) -> None:
    game = sample.game
    for state in sample.positions():
        text = game.position_text(state)
        if not isinstance(text, str) or len(text.splitlines()) != 1:
            raise ContractError(f"position_text answers {text!r}, expected one line of text")
        again = game.parse_position(text)
        if type(again) is not game.State or content(again) != content(state):
            raise ContractError(f"{text} is read as {again!r}, expected {state!r}")
        if game.moves(again) != game.moves(state):
            raise ContractError(f"the position read from {text} has other moves")


def text_that_is_no_position_is_refused(sample: Sample) -> None:
    game = sample.game
    texts = {game.position_text(state) for state in sample.positions()}
    for state in sample.positions(most=10):
        for wrong in _misspelt(game.position_text(state)):
            try:
                read = game.parse_position(wrong)
            except UnreadablePosition:
                continue
            except Exception as error:
                raise ContractError(f"{wrong!r}: {error}; expected a ValueError") from error
            text = game.position_text(read)
            if "?" in wrong and "?" not in text and wrong not in texts:
                raise ContractError(f"{wrong!r} is read as {text}, expected to be refused")
            if content(game.parse_position(text)) != content(read):
                raise ContractError(
                    f"{wrong!r} is read as {text}, which is read as another position"
                )


def pieces_stand_on_points_of_the_board(sample: Sample) -> None:
    game = sample.game
    for state in sample.positions():
        board = game.board(state)
        _expect_geometry(board)
        points = board.points if board else {}
        for point, symbol in game.pieces(state).items():
            if point not in points:
                raise ContractError(f"there is a piece on {point}, which is no point of the board")
            if not isinstance(symbol, str) or not symbol.strip():
                raise ContractError(f"the piece on {point} is {symbol!r}, expected a symbol")


def every_piece_is_somebodys_or_declared_neutral(sample: Sample) -> str:
    """Numbers, words and labels are texts on the board, not pieces."""
    game = sample.game
    if not game.marks:
        return "no player has pieces"
    known = {*game.neutral, *"".join(game.marks)}
    for state in sample.positions():
        for point, symbol in game.pieces(state).items():
            is_piece = len(symbol) == 1 and not symbol.isdigit() and symbol != point
            if is_piece and symbol not in known:
                raise ContractError(
                    f"the piece {symbol} on {point} belongs to no player: add it to marks"
                    f" {game.marks} of Game, or write neutral={symbol!r} if it is nobody's"
                )
    return ""


def drawings_are_text_and_svg(sample: Sample) -> None:
    game = sample.game
    for state in sample.positions(most=20):
        drawn = game.draw(state)
        if not isinstance(drawn, str) or not drawn.strip():
            raise ContractError(f"draw answers {drawn!r}, expected text")
        picture = game.svg(state)
        try:
            tag = ElementTree.fromstring(picture).tag
        except (ElementTree.ParseError, TypeError) as error:
            raise ContractError(f"svg answers no XML: {error}") from error
        if tag.rpartition("}")[2] != "svg":
            raise ContractError(f"svg answers <{tag}>, expected <svg>")


CHECKS: tuple[Check, ...] = (
    every_move_has_steps_of_its_own,
    steps_are_points_of_the_board_or_words,
    every_move_has_clicks_of_its_own,
    what_moves_goes_from_point_to_point,
    moves_read_back_from_their_text,
    positions_read_back_from_their_text,
    text_that_is_no_position_is_refused,
    pieces_stand_on_points_of_the_board,
    every_piece_is_somebodys_or_declared_neutral,
    drawings_are_text_and_svg,
)


def _misspelt(text: str) -> Iterator[str]:
    """Texts that are no position, and a few that hardly can be one."""
    yield from ("", "?", "no position?", f"{text}?", f"?{text}", f"{text} {text}")
    for index in range(0, len(text), max(1, len(text) // 8)):
        yield f"{text[:index]}?{text[index + 1 :]}"
        yield text[:index] + text[index + 1 :]


def _expect_geometry(board: Board | None) -> None:
    if board is None:
        return
    places: dict[tuple[float, float], str] = {}
    for name, place in board.points.items():
        if places.setdefault(place, name) != name:
            raise ContractError(
                f"the points {places[place]} and {name} are at the same place {place}"
            )
    for line in board.lines:
        if not set(line) <= set(board.points):
            raise ContractError(
                f"the board has a line {line}, which does not join two of its points"
            )
