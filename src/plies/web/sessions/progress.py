"""How far a search is, and what it expects, as it is shown."""

from collections.abc import Iterable
from typing import Any

from plies.core.contract import Game
from plies.core.scores import value_text
from plies.search.task import Progress
from plies.web.messages import LineMove, Thinking
from plies.web.shares import Scale
from plies.web.view import Viewer

LONGEST_LINE = 12


def thinking(
    viewer: Viewer, state: Any, ply: int, seat: int | None, scale: Scale | None, progress: Progress
) -> Thinking:
    """What a running search can tell of the position after `ply` moves."""
    last = progress.history[-1] if progress.history else None
    mover = viewer.game.mover(state)
    return Thinking(
        ply=ply,
        seat=seat,
        depth=last.depth if last else 0,
        nodes=progress.nodes,
        rate=round(progress.nodes / max(progress.seconds, 1e-3)),
        seconds=round(progress.seconds, 2),
        told=value_text(last.value) if last else "",
        share=viewer.share(last.value, mover, scale) if last else None,
        line=line_moves(viewer.game, state, last.line) if last else [],
    )


def line_moves(game: Game, state: Any, line: Iterable[int]) -> list[LineMove]:
    """The first moves of a line."""
    found: list[LineMove] = []
    for move in line:
        if len(found) == LONGEST_LINE:
            break
        found.append(
            LineMove(
                text=game.move_text(state, move),
                spoken=game.move_notation(state, move),
                clicks=list(game.clicks(state, move)),
            )
        )
        state = game.play(state, move)
    return found
