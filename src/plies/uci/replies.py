"""What the engine says about a search."""

from collections.abc import Iterator, Sequence
from typing import Any

from plies.core.contract import Game
from plies.core.result_text import line_texts
from plies.core.scores import WIN, is_decided
from plies.core.verbs import evaluators_of
from plies.search.decision import Decision, Depth
from plies.search.task import Progress

NO_MOVE = "0000"
SIGN_OF_LIFE_SECONDS = 1.0
CENTIPAWNS = 100


def score_text(value: int, unit: int = CENTIPAWNS) -> str:
    """`cp 35` in hundredths of a pawn, which is worth `unit`; `mate 3` in moves, not plies."""
    if is_decided(value):
        moves = (WIN - abs(value) + 1) // 2
        return f"mate {moves if value > 0 else -moves}"
    return f"cp {value * CENTIPAWNS // unit if unit else value}"


class Report:
    """What is told about one search, each depth once; `fullness` is that of the table."""

    def __init__(self, game: Game, state: Any, evaluator: Any):
        self.game = game
        self.state = state
        self.unit = evaluators_of[type(evaluator)].unit
        self.told = 0  # depths
        self.last_sign = 0.0  # of life, in seconds since the search began

    def progress(self, progress: Progress, fullness: float = 0.0) -> Iterator[str]:
        """The depths that have been finished since the last time, or a sign of life."""
        depths = progress.history[self.told :]
        yield from (self._depth(depth, fullness) for depth in depths)
        self.told += len(depths)
        if depths:
            self.last_sign = progress.seconds
        elif progress.seconds >= self.last_sign + SIGN_OF_LIFE_SECONDS:
            self.last_sign = progress.seconds
            yield f"info {costs_text(progress.nodes, progress.seconds, fullness)}"

    def result(self, decision: Decision, fullness: float = 0.0) -> Iterator[str]:
        """The rest of the depths, and what was found after the last one."""
        yield from (self._depth(depth, fullness) for depth in decision.history[self.told :])
        told = decision.history[-1].nodes if decision.history else 0
        if decision.value is not None and decision.nodes > told:
            costs = costs_text(decision.nodes, decision.seconds, fullness)
            opinion = self._opinion(decision.depth, decision.value)
            yield f"info {opinion} {costs} pv {self._line(decision.line)}"

    def move(self, decision: Decision) -> str:
        """The move, and the answer to it that is expected: `e2e4 ponder e7e5`."""
        return " ponder ".join(line_texts(self.game, self.state, decision.line[:2]))

    def _depth(self, depth: Depth, fullness: float) -> str:
        costs = costs_text(depth.nodes, depth.seconds, fullness)
        return f"info {self._opinion(depth.depth, depth.value)} {costs} pv {self._line(depth.line)}"

    def _opinion(self, depth: int, value: int) -> str:
        return f"depth {depth} score {score_text(value, self.unit)}"

    def _line(self, line: Sequence[int]) -> str:
        return " ".join(line_texts(self.game, self.state, line))


def costs_text(nodes: int, seconds: float, fullness: float) -> str:
    """`nodes 52310 nps 1046200 hashfull 12 time 50`: hashfull in thousandths."""
    rate = round(nodes / seconds) if seconds > 0 else 0
    return f"nodes {nodes} nps {rate} hashfull {int(1000 * fullness)} time {int(1000 * seconds)}"
