"""From the events of a search to steps in words."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from plies.search.reference import Event, Path, Window
from plies.search.trace.records import Node, Step
from plies.search.trace.visits import Visit
from plies.search.trace.writing import Writer, plain

BOUNDS = {"exact": "exactly", "at least": "at least", "at most": "at most"}


class StepWriter:
    """Writes the events of one pass, at nodes of the record, as steps."""

    def __init__(self, writer: Writer, visits: Mapping[Path, Visit], recorded: Mapping[Path, Node]):
        self.writer = writer
        self.visits = visits
        self.recorded = recorded
        self.move_texts: dict[Path, str] = {(): ""}
        self.windows: dict[Path, Window] = {}  # as the last event of each node left them
        self.child: int | None = None  # the one that was left last
        self.nodes = self.leaves = self.cutoffs = 0

    def steps(self, events: Iterable[Event]) -> Iterator[Step]:
        for event in events:
            self.nodes += event.kind == "enter"
            self.leaves += event.kind == "leaf"
            self.cutoffs += event.kind == "cut"
            home = event.path[:-1] if event.kind == "drop" else event.path
            if home in self.recorded:
                yield self.step(event)
            self.windows[event.path] = (event.alpha, event.beta)
            if event.kind in ("leaf", "leave") and event.path:
                self.child = event.path[-1]

    def step(self, event: Event) -> Step:
        has_windows = self.writer.kind.has_windows
        describe = getattr(self, event.kind)
        return Step(
            kind=event.kind,  # type: ignore[arg-type]
            path=event.path,
            window_text=self.window_text(event) if has_windows else "",
            value=plain(event.value),
            value_text=self.value_text(event),
            child=self.child if event.kind == "update" else None,
            text=describe(event),
            nodes=self.nodes,
            leaves=self.leaves,
            cutoffs=self.cutoffs,
        )

    # One method for each kind of event

    def enter(self, event: Event) -> str:
        window = f", window {self.window_text(event)}" if self.writer.kind.has_windows else ""
        turn = f": {self.mover(event)} to move" if event.children else ""
        return f"Enter {self.place(event.path)}{turn}{window}"

    def leaf(self, event: Event) -> str:
        place, value = self.moves(event.path) or "The root", self.value_text(event)
        is_end = self.recorded[event.path].kind == "leaf"
        return f"{place} is a leaf: {value}" if is_end else f"{place} is estimated: {value}"

    def update(self, event: Event) -> str:
        assert self.child is not None
        move = self.writer.names.move(event.node, self.child)
        gain = f"{self.mover(event)} can have {self.value_text(event)} {self.where(event.path)}"
        return f"{gain} with {move}{self.change(event)}"

    def change(self, event: Event) -> str:
        """How an update changes the window."""
        if not self.writer.kind.has_windows:
            return ""
        before = self.windows[event.path]
        if (event.alpha, event.beta) == before:
            return f": outside the window, which stays {self.window_text(event)}"
        if event.alpha != before[0]:
            return f": alpha rises to {self.writer.end_text(event.alpha)}"
        return f": beta falls to {self.writer.end_text(event.beta)}"

    def drop(self, event: Event) -> str:
        rank = self.writer.names.value(event.value)
        return f"{self.place(event.path)} is left out: it ranks {rank}, others look better"

    def cut(self, event: Event) -> str:
        if why := self.recorded[event.path].cut:
            return f"Cut {self.where(event.path)}: {why}"
        ends = f"alpha {self.writer.end_text(event.alpha)}, beta {self.writer.end_text(event.beta)}"
        return f"{ends} {self.where(event.path)}: a cut, but no child is left to leave out"

    def leave(self, event: Event) -> str:
        worth = BOUNDS[self.recorded[event.path].bound]
        return f"{self.moves(event.path) or 'The root'} is worth {worth} {self.value_text(event)}"

    # Words

    def mover(self, event: Event) -> str:
        turn = self.writer.turn
        if turn.is_max is not None:
            return "Max" if turn.is_max(event.node) else "Min"
        return f"player {turn.player(event.node) + 1}"

    def value_text(self, event: Event) -> str:
        return "" if event.value is None else self.writer.names.value(event.value)

    def window_text(self, event: Event) -> str:
        return self.writer.window_text((event.alpha, event.beta))

    def place(self, path: Path) -> str:
        """`the root`, or the moves that lead there."""
        return self.moves(path) or "the root"

    def where(self, path: Path) -> str:
        moves = self.moves(path)
        return f"after {moves}" if moves else "at the root"

    def moves(self, path: Path) -> str:
        if path not in self.move_texts:
            move: Any = self.writer.names.move(self.visits[path[:-1]].node, path[-1])
            self.move_texts[path] = f"{self.moves(path[:-1])} {move}".strip()
        return self.move_texts[path]
