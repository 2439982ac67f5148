"""Chess engines that speak UCI, through python-chess.

You must trust them: an engine runs with the rights of the user who starts it.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plies.agents.faults import playable_line
from plies.agents.uci_process import UciProcess, command_of
from plies.core.contract import Game
from plies.core.scores import MAX_EVALUATION, lose_in, win_in
from plies.errors import BadSpec
from plies.search.clock import OVERHEAD_SECONDS, Clock
from plies.search.decision import Decision
from plies.search.limits import MAX_SECONDS, checked_whole
from plies.search.runner import Stopwatch
from plies.search.search import Search
from plies.search.task import Task

if TYPE_CHECKING:
    import chess
    from chess.engine import InfoDict, Limit, Option, PlayResult

DEFAULT_SECONDS = 0.1  # for a move that nothing else limits
STARTUP_SECONDS = 10.0
MOST = 2**31 - 1

UNSET = -1


@dataclass(frozen=True)
class Uci(Search):
    """A chess engine that speaks UCI: `path` is its file, or a command with arguments.

    It plays at `elo` or at a level of `skill` where it knows how to play weaker, and thinks
    `depth` plies, `nodes` or `movetime` milliseconds; without any of these as the clock of
    the match allows, and without a clock 100 milliseconds.  `hash` is in megabytes.
    """

    path: str
    elo: int = 0
    skill: int = UNSET
    depth: int = 0
    nodes: int = 0
    movetime: int = 0
    threads: int = 0
    hash: int = 0

    is_outside: ClassVar[bool] = True
    measures_seconds: ClassVar[bool] = True
    leading: ClassVar[str] = "path"

    def __post_init__(self) -> None:
        for name in ("elo", "depth", "nodes", "movetime", "threads", "hash"):
            checked_whole(name, getattr(self, name), 0, MOST)
        checked_whole("skill", self.skill, UNSET, MOST)

    def check(self, game: Game) -> None:
        """`BadSpec` for other games, and for an engine that cannot be started."""
        if game.name != "chess":
            raise BadSpec(f"UCI engines play chess, not {game.name}")
        command_of(self.path)

    def begin(self, task: Task, seconds: float) -> None:
        """Start the engine if it does not run yet, and begin a new game."""
        until = time.perf_counter() + seconds
        engine: UciProcess | None = task.memory.get("engine")
        if engine is None or not engine.is_running:
            engine = task.memory["engine"] = UciProcess(self.path, seconds)
        engine.begin_game(self._options(engine.options), until - time.perf_counter())

    def decide(self, task: Task) -> Decision:
        watch = Stopwatch()
        engine: UciProcess | None = task.memory.get("engine")
        if engine is None or not engine.is_in_game:
            self.begin(task, min(STARTUP_SECONDS, task.seconds_left))
            engine = task.memory["engine"]
            assert engine is not None
        board, limit = board_of(task), self._limit(task.clock)
        deadline = time.perf_counter() + task.seconds_left
        return _decision(task, engine.play(board, limit, deadline, task.stop), watch)

    def _options(self, known: "Mapping[str, Option]") -> dict[str, int | bool]:
        """The engine's options to set; `BadSpec` for one that it does not have."""
        options = {
            "Threads": ("threads", self.threads),
            "Hash": ("hash", self.hash),
            "UCI_Elo": ("elo", self.elo),
            "Skill Level": ("skill", self.skill),
        }
        settings: dict[str, int | bool] = {}
        for option, (name, value) in options.items():
            if value == getattr(type(self), name):
                continue
            if option not in known:
                raise BadSpec(f"{self.path} has no option {option}, which {name} would set")
            least, most = known[option].min, known[option].max
            if not (least or 0) <= value <= (MOST if most is None else most):
                raise BadSpec(f"{name} of {self.path} is {least} to {most}, not {value}")
            settings[option] = value
        if self.elo and "UCI_LimitStrength" in known:
            settings["UCI_LimitStrength"] = True
        return settings

    def _limit(self, clock: Clock | None) -> "Limit":
        from chess.engine import Limit

        own = {"depth": self.depth, "nodes": self.nodes, "time": self.movetime / 1000}
        if limits := {name: value for name, value in own.items() if value}:
            return Limit(**limits)
        return clock_limit(clock)


def clock_limit(clock: Clock | None) -> "Limit":
    """How long an engine may think by the clock of the match.

    Nobody here knows the other side's clock: the engine gets its own for both.
    """
    from chess.engine import Limit

    if clock is None:
        return Limit(time=DEFAULT_SECONDS)
    limit = Limit()
    if clock.per_move:
        limit.time = max(clock.per_move - OVERHEAD_SECONDS, 0.001)
    if clock.remaining < MAX_SECONDS:
        left = max(clock.remaining - OVERHEAD_SECONDS, 0.001)
        limit.white_clock = limit.black_clock = left
        limit.white_inc = limit.black_inc = clock.increment
        limit.remaining_moves = clock.moves_to_go or None
    return limit if limit != Limit() else Limit(time=DEFAULT_SECONDS)


def board_of(task: Task) -> "chess.Board":
    """The game so far, so that the engine knows about repetitions."""
    import chess

    start = task.state if task.start is None else task.start
    board = chess.Board(task.game.position_text(start))
    for move in task.played:
        # Chess writes a move as text without looking at the position.
        board.push_uci(task.game.move_text(start, move))
    return board


def _decision(task: Task, played: "PlayResult", watch: Stopwatch) -> Decision:
    assert played.move is not None
    info = played.info
    move = task.game.parse_move(task.state, played.move.uci())
    line = [each.uci() for each in info.get("pv", [])]  # which is how chess writes moves as text
    return Decision(
        move=move,
        value=value_of(info),
        depth=info.get("depth", 0),
        nodes=info.get("nodes", 0),
        seconds=watch.seconds,
        line=playable_line(task.game, task.state, move, line, is_text=True),
    )


def value_of(info: "InfoDict") -> int | None:
    """The engine's value for the mover; a mate becomes a win or loss in n plies."""
    if "score" not in info:
        return None
    score = info["score"].relative
    moves = score.mate()
    if moves is not None:
        return int(win_in(2 * moves - 1) if moves > 0 else lose_in(-2 * moves))
    value = score.score()
    assert value is not None
    return max(-MAX_EVALUATION, min(value, MAX_EVALUATION))
