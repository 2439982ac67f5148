"""The conversation with streams and threads: one thread reads, another one thinks."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from typing import Any

from plies.agents import Agent, agent
from plies.core.contract import Game
from plies.search.runner import StopFlag
from plies.search.table import Table, forget_game
from plies.search.task import Progress
from plies.uci.conversation import Conversation, Effect, Forget, Prepare, Quit, Stop, Think

PATIENCE_SECONDS = 2.0  # with a search that was asked to stop


class Program:
    """An engine for a game that hears `lines` and answers through `write`, line by line."""

    def __init__(self, game: Game, write: Callable[[str], Any]):
        self.game = game
        self.write = write
        self.conversation = Conversation(game)
        self.memory: dict[str, Any] = {}
        self.stop = StopFlag()
        self.is_over = False
        self._lock = threading.Lock()  # of the conversation, the writing, and all above
        self._jobs: SimpleQueue[Prepare | Think | None] = SimpleQueue()
        self._thinker = threading.Thread(target=self._work, daemon=True)

    def run(self, lines: Iterable[str]) -> bool:
        """Until `quit` or the end of the lines.

        The answer is whether all has ended; False while the engine is still being compiled,
        which nothing can stop.
        """
        self._thinker.start()
        for line in lines:
            with self._lock:
                self._perform(self.conversation.hear(line))
            if self.is_over:
                break
        else:
            with self._lock:
                self._perform(self.conversation.hear("quit"))
        self._jobs.put(None)
        self._thinker.join(PATIENCE_SECONDS)
        return not self._thinker.is_alive()

    def _perform(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            match effect:
                case str():
                    self.write(effect)
                case Prepare() | Think():
                    self.stop = StopFlag()
                    self._jobs.put(effect)
                case Stop():
                    self.stop.stop()
                case Forget():
                    forget_game(self.memory)
                case Quit():
                    self.is_over = True

    # In the other thread

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                tell = self._prepare(job) if isinstance(job, Prepare) else self._think(job)
            except Exception as error:  # whatever it is, nobody may wait for ever
                tell = partial(self.conversation.failed, f"{type(error).__name__}: {error}")
            self._then(tell)

    def _then(self, tell: Callable[[], list[Effect]]) -> None:
        """Tell the conversation, and do what follows."""
        with self._lock:
            self._perform(tell())

    def _prepare(self, job: Prepare) -> Callable[[], list[Effect]]:
        self.memory.clear()
        self._agent(job.spec).prepare(self.game.initial())
        return self.conversation.prepared

    def _think(self, job: Think) -> Callable[[], list[Effect]]:
        def hear(progress: Progress) -> None:
            self._then(partial(self.conversation.told, progress, self._fullness()))

        found = self._agent(job.spec).choose(
            job.state, stop=self.stop, past=job.past, clock=job.clock, on_progress=hear
        )
        return partial(self.conversation.answered, found, self._fullness())

    def _agent(self, spec: str) -> Agent:
        """One that remembers what the last one has found."""
        return replace(agent(spec, self.game), memory=self.memory)

    def _fullness(self) -> float:
        table: Table | None = self.memory.get("table")
        return table.share_used() if table is not None else 0.0
