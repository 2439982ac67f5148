"""What a position is worth, and why: a search that tells its progress, and all moves' values.

These functions search, so they belong into worker threads; `stop` ends them at once.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plies.agents import Agent
from plies.core.scores import MAX_EVALUATION, WIN, is_decided, value_text
from plies.search.decision import Decision, Depth
from plies.search.runner import StopFlag
from plies.search.task import Progress
from plies.web import limits
from plies.web.messages import Hint, Inside, MoveValue, Thinking
from plies.web.opponents import allowed_agent
from plies.web.sessions.progress import line_moves, thinking
from plies.web.sessions.session import Offer, offers_in
from plies.web.shares import Scale, scale_of
from plies.web.tables import TableBudget
from plies.web.view import Viewer

FIRST_DEPTH = 2  # to which all moves are looked at before anything else
MOST_DEPTH = 60
LINE_SHARE = 0.45  # of the time, for the one search that finds the best line

Tell = Callable[[Inside], None]


@dataclass(frozen=True)
class Searchers:
    """Who searches a game for those who look inside: the best line, and one move at a time.

    How long, or how deep, is added to these specs.
    """

    best: str
    by_depth: str

    def line(self, viewer: Viewer, seconds: float) -> Agent:
        return allowed_agent(f"{self.best}seconds={seconds:g}", viewer.game)

    def deep(self, viewer: Viewer, depth: int) -> Agent:
        return allowed_agent(f"{self.by_depth}depth={depth}", viewer.game)

    def all(self, viewer: Viewer) -> list[Agent]:
        """One of each kind, to be compiled beforehand."""
        return [self.line(viewer, 1), self.deep(viewer, 1)]


ZERO_SUM = Searchers("engine:table=16,", "engine:table=8,")
MANY = Searchers("mcts:table=64,", "maxn:")


def searchers_of(viewer: Viewer) -> Searchers:
    return ZERO_SUM if viewer.is_zero_sum else MANY


@dataclass
class PositionAnalysis:
    """One position, looked at deeper and deeper until the time is up."""

    viewer: Viewer
    state: Any
    ply: int
    past: Sequence[int]
    stop: StopFlag
    tell: Tell
    seconds: float
    tables: TableBudget
    memory: dict[str, Any] = field(default_factory=dict)  # of the search for moves' values

    def run(self) -> Inside:
        """Tell what is found as it is found; the last word is the answer, and not told."""
        try:
            return self._run()
        finally:
            self.tables.forget(self._deep(1))

    def _run(self) -> Inside:
        end = time.monotonic() + self.seconds
        offers = offers_in(self.viewer.game, self.state)
        inside = Inside(ply=self.ply, is_done=False, thinking=None, depth=0, values=[])
        names = {
            offer.move: self.viewer.game.move_notation(self.state, offer.move) for offer in offers
        }
        deepening = self._deepening(offers, names, end)
        for _ in range(FIRST_DEPTH):
            inside = self._deeper(inside, deepening)
        inside = inside.model_copy(update={"thinking": self._line(inside)})
        before = None
        while inside is not before:  # until there is no more, or no more time
            before, inside = inside, self._deeper(inside, deepening)
        return inside.model_copy(update={"is_done": True})

    def _deeper(self, inside: Inside, deepening: Iterator[tuple[int, list[MoveValue]]]) -> Inside:
        """The values of all moves, one ply deeper than before; unchanged where there is no more."""
        found = next(deepening, None)
        if found is None:
            return inside
        depth, values = found
        inside = inside.model_copy(update={"depth": depth, "values": values})
        self.tell(inside)
        return inside

    def _line(self, inside: Inside) -> Thinking:
        """The best line."""
        agent = searchers_of(self.viewer).line(self.viewer, LINE_SHARE * self.seconds)
        scale = scale_of(agent)
        told = 0.0

        def on_progress(progress: Progress) -> None:
            nonlocal told
            if progress.seconds - told >= limits.TELL_SECONDS:
                told = progress.seconds
                self.tell(inside.model_copy(update={"thinking": self._thinking(scale, progress)}))

        with self.tables.lend(agent, is_kept=lambda: False) as searcher:
            found = searcher.choose(
                self.state, stop=self.stop, past=self.past, on_progress=on_progress
            )
        return self._thinking(scale, progress_of(found))

    def _thinking(self, scale: Scale, progress: Progress) -> Thinking:
        return thinking(self.viewer, self.state, self.ply, None, scale, progress)

    def _deep(self, depth: int) -> Agent:
        return replace(searchers_of(self.viewer).deep(self.viewer, depth), memory=self.memory)

    def _deepening(
        self, offers: list[Offer], names: dict[int, str], end: float
    ) -> Iterator[tuple[int, list[MoveValue]]]:
        """Depth by depth, what every move is worth."""
        mover = self.viewer.game.mover(self.state)
        for depth in range(1, MOST_DEPTH):
            agent = self._deep(depth)
            scale = scale_of(agent)
            found: list[MoveValue] = []
            is_open = False
            for offer in offers:
                value, is_exact = self._value(agent, offer.move, depth)
                if self.stop.is_set or time.monotonic() > end:
                    return
                is_open = is_open or not is_exact
                found.append(
                    MoveValue(
                        text=offer.text,
                        spoken=names[offer.move],
                        clicks=list(offer.clicks),
                        value=value,
                        told=value_text(value),
                        share=self.viewer.share(value, mover, scale),
                    )
                )
            yield depth, found
            if not is_open:
                return

    def _value(self, agent: Agent, move: int, depth: int) -> tuple[int, bool]:
        """What a move is worth to its player, and whether more depth would change nothing."""
        game = self.viewer.game
        player, child = game.mover(self.state), game.play(self.state, move)
        if game.is_over(child):
            return over_value(game.outcome(child), game.payoffs(child), player), True
        past = (*self.past, game.key(self.state))
        with self.tables.lend(agent) as searcher:
            found = searcher.choose(child, stop=self.stop, past=past)
        if found.payoffs:
            value = found.payoffs[player]
        else:
            value = found.value or 0
            value = value if game.mover(child) == player else -value
        is_exact = is_decided(value) or (found.is_complete and found.depth < depth)
        return one_ply_before(value), is_exact


def over_value(outcome: int, payoffs: Sequence[int], player: int) -> int:
    """The value of a move that ends the game."""
    if outcome >= 0:
        return WIN - 1 if outcome == player else 1 - WIN
    return payoffs[player]


def one_ply_before(value: int) -> int:
    """A decided value as it is one ply earlier."""
    if value > MAX_EVALUATION:
        return value - 1
    return value + 1 if value < -MAX_EVALUATION else value


def progress_of(found: Decision) -> Progress:
    """A search that has ended, told like one that runs."""
    history = found.history
    if not history and found.value is not None:
        only = Depth(found.depth, found.move, found.value, found.line, found.nodes, found.seconds)
        history = (only,)
    return Progress(found.seconds, found.nodes, history)


def hint(
    viewer: Viewer,
    state: Any,
    ply: int,
    past: Sequence[int],
    stop: StopFlag,
    tables: TableBudget,
) -> Hint:
    """A good move."""
    agent = searchers_of(viewer).line(viewer, limits.HINT_SECONDS)
    with tables.lend(agent, is_kept=lambda: False) as searcher:
        found = searcher.choose(state, stop=stop, past=past)
    mover = viewer.game.mover(state)
    return Hint(
        ply=ply,
        move=line_moves(viewer.game, state, [found.move])[0],
        told="" if found.value is None else value_text(found.value),
        share=viewer.share(found.value, mover, scale_of(agent)),
        depth=found.depth,
        nodes=found.nodes,
    )


def quick_share(viewer: Viewer, state: Any, stop: StopFlag, tables: TableBudget) -> float | None:
    """About how good a position is for the first player; None where that cannot be said."""
    game = viewer.game
    if not viewer.is_zero_sum:
        return None
    if game.is_over(state):
        first, second = game.payoffs(state)
        return 0.5 if first == second else float(first > second)
    agent = allowed_agent(f"engine:nodes={limits.PLY_NODES},table=1", game)
    with tables.lend(agent, is_kept=lambda: False) as searcher:
        found = searcher.choose(state, stop=stop)
    return viewer.share(found.value, game.mover(state), scale_of(agent))
