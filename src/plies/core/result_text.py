"""The texts about players and results, the same everywhere."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from plies.core.scores import DRAW, ONGOING, SCORED
from plies.drawing.notation import ORDINALS

if TYPE_CHECKING:
    from plies.core.contract import Game


def player_name(game: "Game", player: int) -> str:
    """`White`, `second (O)`, `third`, ...: the side, or the number with a mark if it is one."""
    if player < len(game.sides):
        return game.sides[player]
    name = ORDINALS[player] if player < len(ORDINALS) else f"player {player + 1}"
    marks = game.marks[player] if player < len(game.marks) else ""
    has_mark = len(marks) == 1 and game.board(game.initial()) is not None
    return f"{name} ({marks})" if has_mark else name


def result_text(game: "Game", state: Any) -> str:
    """How the rules have ended a game, such as `White wins: Black is checkmated.`

    Empty while the game goes on.
    """
    result = game.outcome(state)
    if result == ONGOING:
        return ""
    if result == DRAW:
        text = "The game is drawn"
    elif result == SCORED:
        payoffs = enumerate(game.payoffs(state))
        scores = ", ".join(f"{player_name(game, seat)} {score:+d}" for seat, score in payoffs)
        text = f"The game is over: {scores}"
    else:
        text = f"{player_name(game, result)} wins"
    reason = game.ending(state)
    return f"{text}: {reason}." if reason else f"{text}."


def over_text(game: "Game", state: Any) -> str:
    """Why nothing can be done in a position where the game is over, without a full stop."""
    text = result_text(game, state).removesuffix(".")
    return f"the{text[3:]}" if text.startswith("The game is ") else f"the game is over: {text}"


def line_texts(game: "Game", state: Any, line: Iterable[int], is_spoken: bool = False) -> list[str]:
    """A line of moves from a state on, each as text, for programs or for people."""
    texts = []
    for move in line:
        texts.append(game.move_notation(state, move) if is_spoken else game.move_text(state, move))
        state = game.play(state, move)
    return texts
