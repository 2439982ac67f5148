"""Games, positions and sessions as they are shown: from what they are to messages."""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from inspect import getdoc, signature
from typing import Any, Literal, get_args, get_origin, get_type_hints

from plies.core import verbs
from plies.core.contract import Game
from plies.core.result_text import player_name
from plies.core.scores import value_text
from plies.core.spec import option_text
from plies.drawing.board import Board
from plies.errors import PliesError
from plies.match import Match, Rules
from plies.match.endings import Ending, ending_text
from plies.records import MoveRecord
from plies.web import prose
from plies.web.messages import (
    BoardShape,
    EndingView,
    GameCard,
    GameDetail,
    MoveView,
    OptionView,
    PlayedView,
    PositionView,
    Table,
)
from plies.web.sessions.session import Offer, gone, offers_in
from plies.web.shares import Scale

KINDS = {int: "whole", float: "number", bool: "yes-no"}
RULES = Rules()  # of the games of visitors
NOTHING: Mapping[str, Any] = {}
EMPTY = Table(board=None, marks=[], glyphs={}, sides=[])


class Viewer:
    """Shows one game; what does not change from position to position is made once."""

    def __init__(self, game: Game):
        self.game = game
        start = game.initial()
        self.summary = prose.summary(game.title, game.rules)
        self.is_zero_sum = game.is_zero_sum(start)
        self.board = game.board(start)
        self.table = Table(
            board=shape_of(self.board),
            marks=list(game.marks),
            glyphs=game.glyphs(),
            sides=[player_name(game, seat) for seat in range(game.players(start))],
        )

    def prepare(self) -> None:
        """Let the rules be compiled, and whatever shows a position or a move."""
        game, state = self.game, self.game.initial()
        match = Match(game, state)
        self.at(match, 0)
        for move in game.moves(state)[:1]:
            match.play(move)
            self.at(match, 1)
            self.played(state, move, match.records[0], None)
        with suppress(PliesError):
            verbs.payoff(match.state, 0)
            game.ending(match.state)

    def position(
        self,
        state: Any,
        ply: int,
        *,
        offers: Sequence[Offer] | None = None,
        before: Any = None,
        move: int = 0,
        is_over: bool = False,
    ) -> PositionView:
        """A position, reached by a move from the state `before`, if there was one.

        `offers` are its legal moves where they are known; `is_over` that the game has ended
        here although the rules may go on.
        """
        game = self.game
        is_over = is_over or game.is_over(state)
        offers = [] if is_over else offers_in(game, state) if offers is None else offers
        mover = None if is_over else game.mover(state)
        board = game.board(state)
        points = board.points if board is not None else {}
        return PositionView(
            ply=ply,
            text=game.position_text(state),
            mover=mover,
            pieces=game.pieces(state),
            moves=[
                MoveView(text=offer.text, clicks=list(offer.clicks), gone=list(offer.gone))
                for offer in offers
            ],
            last=[] if before is None else self._touched(before, move, points),
            motions=[] if before is None else list(game.motions(before, move)),
            situation=self._situation(state, mover),
            picture="" if board is not None else game.draw(state),
            board=None if board == self.board else shape_of(board),
        )

    def _situation(self, state: Any, mover: int | None) -> str:
        """What the board does not show, without whose turn it is: the page tells that itself."""
        told = self.game.situation(state)
        if not told or mover is None:
            return told
        return told.removeprefix(f"{player_name(self.game, mover)} to move").lstrip(",; ")

    def _touched(self, before: Any, move: int, points: Container[str]) -> list[str]:
        """The points of a move: what was clicked for it, and what vanished by it."""
        clicks = [step for step in self.game.clicks(before, move) if step in points]
        taken = gone(self.game, before, move) if self.game.defines("clicks") else ()
        return [*clicks, *(point for point in taken if point not in clicks)]

    def at(self, match: Match, ply: int, offers: Sequence[Offer] | None = None) -> PositionView:
        """A position of a match."""
        return self.position(
            match.states[ply],
            ply,
            offers=offers,
            before=match.states[ply - 1] if ply else None,
            move=match.moves[ply - 1] if ply else 0,
            is_over=ply == match.ply and match.end is not None,
        )

    def share(self, value: int | None, mover: int, scale: Scale | None) -> float | None:
        """How good a value is for the first player, where that can be said."""
        if value is None or scale is None or not self.is_zero_sum:
            return None
        return scale.share(value, mover)

    def played(self, before: Any, move: int, record: MoveRecord, scale: Scale | None) -> PlayedView:
        """A move that was played; `scale` is what its player's values are measured by."""
        value = record.value
        return PlayedView(
            player=record.player,
            text=record.text,
            spoken=self.game.move_notation(before, move),
            told="" if value is None else value_text(value),
            share=self.share(value, record.player, scale),
            depth=record.depth,
            nodes=record.nodes,
            seconds=round(record.seconds, 3),
            line=list(record.line),
            fault=record.fault,
        )

    def ending(self, end: Ending, state: Any) -> EndingView:
        """How a game has ended."""
        return EndingView(
            text=ending_text(self.game, RULES, end, state),
            payoffs=list(end.payoffs),
            termination=end.termination,
            reason=end.reason,
        )

    def detail(self, spec: str, name: str) -> GameDetail:
        """Everything that is shown before the first move."""
        game = self.game
        start = game.initial()
        return GameDetail(
            spec=spec,
            name=name,
            title=game.title,
            summary=self.summary,
            rules=game.rules,
            players=game.players(start),
            is_zero_sum=self.is_zero_sum,
            table=self.table,
            options=options_view(
                game.option_taker,
                game.options,
                told=lambda name: prose.about_option(
                    name, game.rules, getdoc(game.option_taker) or ""
                ),
            ),
            evaluators=[*game.evaluators, "zero"],
            position=self.position(start, 0),
        )

    def card(self, spec: str) -> GameCard:
        """The game in the list of games."""
        game = self.game
        start = game.initial()
        return GameCard(
            spec=spec,
            title=game.title,
            summary=self.summary,
            players=game.players(start),
            table=self.table,
            pieces=game.pieces(start),
            picture="" if self.board is not None else game.draw(start),
            problem="",
        )


def broken_card(spec: str, title: str, error: PliesError) -> GameCard:
    """The card of a game whose file is at fault."""
    return GameCard(
        spec=spec,
        title=title,
        summary="",
        players=2,
        table=EMPTY,
        pieces={},
        picture="",
        problem=str(error),
    )


def shape_of(board: Board | None) -> BoardShape | None:
    if board is None:
        return None
    return BoardShape(
        points=dict(board.points),
        lines=list(board.lines),
        style=getattr(board, "style", "cells"),
        marked=list(getattr(board, "marked", ())),
    )


def options_view(
    taker: Any, chosen: Mapping[str, Any] = NOTHING, *, told: Callable[[str], str]
) -> list[OptionView]:
    """The options that a function or a record takes, with what was chosen or the defaults.

    `told` says what an option of some name does.
    """
    hints = get_type_hints(taker if not isinstance(taker, type) else taker.__init__)
    found = []
    for name, parameter in signature(taker).parameters.items():
        kind = hints.get(name, type(parameter.default))
        choices = [str(choice) for choice in get_args(kind)] if get_origin(kind) is Literal else []
        default = chosen.get(name, parameter.default)
        known: Any = "choice" if choices else KINDS.get(kind, "text")
        found.append(
            OptionView(
                name=name,
                kind=known,
                default=option_text(default),
                choices=choices,
                told=told(name),
            )
        )
    return found


# JSON without needless space
dumps = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
