"""The protocol as a state machine: it hears lines and answers with effects.

A line of text is to be written; the other effects are for whoever owns the threads, who
tells in turn how far it is (`told`) and how it ended (`prepared`, `answered`, `failed`).

While a search runs, orders that would change it wait until it has ended.  A search without
an end of its own (`go infinite`, `go ponder`, a bare `go`) is stopped when something waits.
Every `go` is answered by one `bestmove`, every `isready` by one `readyok`.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from plies import __version__
from plies.core.contract import Game
from plies.core.scores import DRAW, lose_in
from plies.errors import PliesError
from plies.models.kinds import find_evaluator
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.task import Progress
from plies.uci.limits import clock_of, is_endless, limits_of
from plies.uci.options import CLEAR_HASH, PONDER, Options
from plies.uci.orders import Go, Order, read_go, read_option, read_order, read_position
from plies.uci.replies import NO_MOVE, Report, score_text

START = "startpos"
PREPARING = "getting ready; the first time the engine is compiled, which takes some seconds"

AT_ONCE = ("", "uci", "debug", "register", "quit")
URGENT = ("isready", "stop", "ponderhit")  # heard at once while a search runs
COMPILED = ("isready", "ucinewgame", "position", "go")  # done only when the engine is compiled


@dataclass(frozen=True)
class Prepare:
    """Compile what this agent needs, and begin with an empty memory."""

    spec: str


@dataclass(frozen=True)
class Think:
    """Let an agent choose a move; `past` are the keys of the positions before."""

    spec: str
    state: Any
    past: tuple[int, ...]
    clock: Clock | None


@dataclass(frozen=True)
class Stop:
    """Stop the search that runs, if one does."""


@dataclass(frozen=True)
class Forget:
    """Empty the memory: a new game begins."""


@dataclass(frozen=True)
class Quit:
    """The end."""


Effect = str | Prepare | Think | Stop | Forget | Quit


@dataclass
class Search:
    """What was asked by the last `go`.

    `reply` is the move that may not be told yet; `is_hit` says that the opponent has
    played the move that was pondered on, so that the search begins anew, by the clock.
    """

    go: Go
    report: Report | None = None
    is_stopped: bool = False
    is_hit: bool = False
    reply: str = ""


@dataclass(frozen=True)
class Line:
    """The game so far: where it began, the moves as text, and every state."""

    start: str
    texts: tuple[str, ...]
    states: tuple[Any, ...]


class Conversation:
    """One user interface that speaks, and what it has said so far."""

    def __init__(self, game: Game):
        self.game = game
        self.options = Options(game)
        self.line: Line | None = None  # None: there is nothing to think about, for `trouble`
        self.trouble = ""
        self.is_debugging = False
        self.is_ready = False
        self.is_preparing = False
        self.search: Search | None = None  # the one that runs
        self.waiting: deque[Order] = deque()
        self._deeds: dict[str, Callable[[tuple[str, ...]], Iterable[Effect]]] = {
            "": lambda rest: [_note(f"unknown: {' '.join(rest)}")] if rest else [],
            "uci": self._introduce,
            "debug": self._debug,
            "register": lambda rest: [],
            "quit": lambda rest: [*self._stop(rest), Quit()],
            "isready": lambda rest: ["readyok"],
            "setoption": self._set,
            "ucinewgame": lambda rest: [Forget()],
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._hit,
        }

    def hear(self, line: str) -> list[Effect]:
        """What a line leads to."""
        order = read_order(line)
        if order.word in AT_ONCE:
            return self._do(order)
        if self.search is None or order.word not in URGENT:
            self.waiting.append(order)
            return self._go_on()
        effects = self._do(order)
        if order.word != "isready" and any(other.word == "go" for other in self.waiting):
            self.waiting.append(order)  # it may be meant for the search that has not begun
        return effects + self._go_on()

    def prepared(self) -> list[Effect]:
        """The engine is compiled."""
        self.is_preparing, self.is_ready = False, True
        if self.line is None and not self.trouble:
            self.line = Line(START, (), (self.game.initial(),))
        return self._go_on()

    def told(self, progress: Progress, fullness: float = 0.0) -> list[Effect]:
        """A search has found so much; `fullness` is the share of the table that is used."""
        if self.search is None or self.search.report is None:
            return []
        return list(self.search.report.progress(progress, fullness))

    def answered(self, decision: Decision, fullness: float = 0.0) -> list[Effect]:
        """The search has ended."""
        assert self.search is not None
        assert self.search.report is not None
        if self.search.is_hit and not self.search.is_stopped:
            return self._begin(self.search.go) + self._go_on()
        told = list(self.search.report.result(decision, fullness))
        return [*told, *self._reply(self.search.report.move(decision)), *self._go_on()]

    def failed(self, message: str) -> list[Effect]:
        """Something went wrong where the thinking is done."""
        if self.is_preparing:
            return [_note(message), *self.prepared()]
        return [_note(message), *self._reply(NO_MOVE), *self._go_on()]

    # What waits

    def _go_on(self) -> list[Effect]:
        """Do what waits, as far as that is possible now."""
        effects: list[Effect] = []
        while self.waiting and not self.is_preparing:
            word = self.waiting[0].word
            if self.search is not None and word not in URGENT:
                if self.search.is_stopped or not is_endless(self.search.go):
                    break
                effects += self._stop(())
            elif word in COMPILED and not self.is_ready:
                self.is_preparing = True
                effects += [_note(PREPARING), Prepare(self.options.settings.spec())]
            else:
                effects += self._do(self.waiting.popleft())
        return effects

    def _do(self, order: Order) -> list[Effect]:
        return list(self._deeds[order.word](order.rest))

    # Single orders

    def _introduce(self, rest: tuple[str, ...]) -> Iterable[Effect]:
        yield f"id name plies {__version__}"
        yield "id author the authors of plies"
        yield from self.options.announced()
        yield "uciok"

    def _debug(self, rest: tuple[str, ...]) -> Iterable[Effect]:
        """`on` has every `go` tell which agent thinks."""
        self.is_debugging = "off" not in rest
        return ()

    def _set(self, rest: tuple[str, ...]) -> Iterable[Effect]:
        wanted, before = read_option(rest), self.options.settings
        if wanted.name.lower() == CLEAR_HASH.lower():
            return [Forget()]
        if wanted.name.lower() == PONDER.lower():
            return []  # `go ponder` says it when it matters
        try:
            self.options.set(wanted.name, wanted.value)
        except PliesError as error:
            return [_note(str(error))]
        now = self.options.settings
        if (now.table, now.eval) != (before.table, before.eval):
            self.is_ready = False
        return []

    def _position(self, rest: tuple[str, ...]) -> Iterable[Effect]:
        try:
            self.line, self.trouble = self._followed(*read_position(rest)), ""
        except PliesError as error:
            self.line, self.trouble = None, str(error)
            return [_note(self.trouble)]
        return []

    def _followed(self, start: str, texts: tuple[str, ...]) -> Line:
        """Another line; what it has in common with the last one is not read again."""
        states: list[Any] = []
        if self.line is not None and self.line.start == start:
            common = 0
            for before, now in zip(self.line.texts, texts, strict=False):
                if before != now:
                    break
                common += 1
            states += self.line.states[: common + 1]
        else:
            is_first = start == START
            states.append(self.game.initial() if is_first else self.game.parse_position(start))
        for text in texts[len(states) - 1 :]:
            move = self.game.parse_move(states[-1], text)
            states.append(self.game.play(states[-1], move))
        return Line(start, texts, tuple(states))

    def _go(self, rest: tuple[str, ...]) -> Iterable[Effect]:
        go, skipped = read_go(rest)
        if skipped:
            yield _note(f"ignored: {' '.join(skipped)}")
        yield from self._begin(go)

    def _begin(self, go: Go) -> list[Effect]:
        self.search = Search(go)
        if self.line is None:
            return [_note(self.trouble), *self._reply(NO_MOVE)]
        state = self.line.states[-1]
        if self.game.is_over(state):
            value = 0 if self.game.outcome(state) == DRAW else int(lose_in(0))
            return [f"info depth 0 score {score_text(value)}", *self._reply("(none)")]
        settings = self.options.settings
        self.search.report = Report(self.game, state, find_evaluator(self.game, settings.eval))
        spec = settings.spec(**limits_of(go, settings.overhead))
        clock = clock_of(go, self.game.mover(state) == 1, settings.overhead)
        past = tuple(self.game.key(before) for before in self.line.states[:-1])
        notes: list[Effect] = [_note(f"{spec} {clock}")] if self.is_debugging else []
        return [*notes, Think(spec, state, past, clock)]

    def _reply(self, move: str) -> list[Effect]:
        """Answer the search, or keep the answer of an endless one until it may be given."""
        assert self.search is not None
        if is_endless(self.search.go) and not self.search.is_stopped:
            self.search.reply = move
            return []
        self.search = None
        return [f"bestmove {move}"]

    def _stop(self, rest: tuple[str, ...]) -> list[Effect]:
        if self.search is None:
            return []
        self.search.is_stopped = True
        if self.search.reply:
            return self._reply(self.search.reply)
        return [Stop()]

    def _hit(self, rest: tuple[str, ...]) -> list[Effect]:
        """The opponent has played the expected move: from now on the clock counts."""
        if self.search is None or not self.search.go.ponder:
            return []
        self.search.go = replace(self.search.go, ponder=False)
        if self.search.reply:
            return self._reply(self.search.reply)
        self.search.is_hit = True
        return [Stop()]


def _note(message: str) -> str:
    return f"info string {' '.join(message.split())}"
