"""The two ends of a conversation: whoever asks, and an engine that works when told to."""

import plies
from plies.search.decision import Decision
from plies.uci.conversation import Conversation, Effect, Prepare, Think


class Desk:
    """A user interface and an engine that has one job at a time and ends it when told to."""

    def __init__(self, spec: str = "tictactoe", is_ready: bool = True):
        self.game = plies.game(spec)
        self.talk = Conversation(self.game)
        self.said: list[str] = []
        self.done: list[Effect] = []
        self.job: Prepare | Think | None = None
        if is_ready:
            self.hear("isready")
            self.work()
            self.said.clear()

    def hear(self, *lines: str) -> None:
        for line in lines:
            self._note(self.talk.hear(line))

    def work(self) -> None:
        """The job is done."""
        job, self.job = self.job, None
        if isinstance(job, Prepare):
            self._note(self.talk.prepared())
        elif isinstance(job, Think):
            move = self.game.moves(job.state)[0]
            self._note(self.talk.answered(Decision(move, line=(move,))))

    def fail(self) -> None:
        assert self.job is not None
        self.job = None
        self._note(self.talk.failed("no\nluck"))

    def work_all(self) -> None:
        while self.job is not None:
            self.work()

    def _note(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, str):
                self.said.append(effect)
            elif isinstance(effect, Prepare | Think):
                assert self.job is None, "two jobs at a time"
                self.job = effect
            self.done.append(effect)

    def answers(self) -> list[str]:
        """What was said since the last time, notes left out."""
        said = [line for line in self.said if not line.startswith("info")]
        self.said.clear()
        return said

    def thought(self) -> Think:
        assert isinstance(self.job, Think)
        return self.job
