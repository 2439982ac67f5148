"""Agents' turns: who thinks when, for how long, and what the clocks do meanwhile.

Agents think only while somebody listens or waits; when the last one goes their search stops,
and when somebody comes back it begins again.  Clocks run on the same condition.
"""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from plies.agents import Agent
from plies.compiling.compile_time import counting_into
from plies.core.contract import Game
from plies.errors import PliesError
from plies.search.decision import Decision
from plies.search.runner import StopFlag
from plies.search.task import Progress
from plies.web import limits
from plies.web.messages import ProblemNews, ThinkingNews
from plies.web.models import Models
from plies.web.opponents import allowed_agent, fresh
from plies.web.problems import log_problem
from plies.web.sessions.database import BadStore
from plies.web.sessions.progress import thinking
from plies.web.sessions.room import Pacing, Room
from plies.web.sessions.session import PERSON
from plies.web.sessions.waiting import Waiting
from plies.web.shares import scale_of
from plies.web.tables import TableBudget, least_for
from plies.web.warming import Warmer
from plies.web.worker_threads import Unanswered, WorkerThreads

MOST_AGENTS = 1000
# Stores and shows the move of an agent: the room, the position and the agent that it is of, the
# decision, and the seconds that it took.
PlayForAgent = Callable[[Room, Any, str, Decision, float], Awaitable[None]]


class Turns:
    """Lets agents move; `play` stores every move that one makes, `lose_on_time` fallen flags."""

    def __init__(
        self,
        helpers: WorkerThreads,
        models: Models,
        play: PlayForAgent,
        lose_on_time: Callable[[Room], Awaitable[None]],
        warmer: Warmer,
    ):
        self.helpers = helpers
        self.models = models
        self.threads = WorkerThreads("search", limits.WORKERS)
        self.tables = TableBudget()
        self.warmer = warmer
        self.waiting = Waiting(warmer)
        self._waiters: Counter[asyncio.Task[None]] = Counter()  # how many wait for each
        self._play = play
        self._lose_on_time = lose_on_time
        self._falling: set[asyncio.Task[None]] = set()
        self._agents: dict[tuple[str, str], Agent] = {}
        self._warming: dict[tuple[str, str], asyncio.Task[None]] = {}

    # Agents

    def model(self, spec: str, game: Game) -> Agent:
        """An agent of that spec that may play here; every session has a fresh one like it."""
        model = self._agents.get((game.spec, spec))
        if model is None:
            model = allowed_agent(spec, game, self.models)
            if len(self._agents) >= MOST_AGENTS:
                self._agents.clear()
            self._agents[game.spec, spec] = self._agents[game.spec, model.spec] = model
        return model

    def measure(self, room: Room, *more: str) -> None:
        """Note what the values of everybody who plays or has played are measured by.

        An agent of a stored game may not be here any more: its seat can be handed over.
        """
        game = room.match.game
        for spec in {*room.session.seats, *room.session.players, *more} - {PERSON}:
            if spec not in room.scales:
                with suppress(PliesError):
                    room.scales[spec] = scale_of(self.model(spec, game))

    def _agent(self, room: Room, spec: str) -> Agent:
        if spec not in room.agents:
            room.agents[spec] = fresh(self.model(spec, room.match.game))
        return room.agents[spec]

    def prepare(self, room: Room) -> None:
        """Begin to compile what the agents of a session need."""
        for spec in {*room.session.seats} - {PERSON}:
            self._warming_of(self.model(spec, room.match.game), room.match.states[0])

    async def warm(self, room: Room, agent: Agent, state: Any) -> None:
        """Compile what an agent needs, once for all sessions; who listens sees how far it is."""
        warming = self._warming_of(agent, state)
        if not warming.done():
            self._waiters[warming] += 1
            try:
                with self.waiting.shown(room):
                    await asyncio.shield(warming)
            finally:
                self._waiters[warming] -= 1
                if not self._waiters[warming]:
                    del self._waiters[warming]
                    self._leave(warming)
        warming.result()

    def _leave(self, warming: asyncio.Task[None]) -> None:
        """Nobody waits any more: something else is compiled first, unless this process does it."""
        if self.warmer.is_on and not warming.done():
            self._warming = {
                key: task for key, task in self._warming.items() if task is not warming
            }
            warming.cancel()

    def _warming_of(self, agent: Agent, state: Any) -> asyncio.Task[None]:
        known = (agent.game.spec, agent.spec)
        if known not in self._warming:
            if len(self._warming) >= MOST_AGENTS:
                self._warming = {
                    key: task for key, task in self._warming.items() if not task.done()
                }
            seconds = limits.PREPARE_SECONDS if agent.foreign else 0.0
            compiling, job = partial(self._compile, fresh(agent), state), self.warmer.agent(agent)
            prepare = self.warmer.run(self.helpers, compiling, job, seconds)
            task = self._warming[known] = asyncio.ensure_future(prepare)

            def forget_failure(task: asyncio.Task[None]) -> None:
                is_failed = task.cancelled() or task.exception() is not None
                if is_failed and self._warming.get(known) is task:
                    del self._warming[known]

            task.add_done_callback(forget_failure)
        return self._warming[known]

    def _compile(self, agent: Agent, state: Any) -> None:
        with self.tables.lend(agent, least_for(agent), is_kept=lambda: False) as small:
            small.prepare(state)

    def forget(self, room: Room) -> None:
        """Free what the agents of a session remember."""
        for agent in room.agents.values():
            self.tables.forget(agent)
        room.agents.clear()

    # Turns

    def may_go_on(self, room: Room) -> bool:
        """Whether an agent is to move and nothing but time keeps it from moving."""
        pacing = room.pacing
        is_free = not pacing.is_paused or pacing.steps > 0
        return is_free and room.is_attended and not room.is_away and room.session.is_agents_turn

    def go_on(self, room: Room) -> None:
        """Begin, go on or stop, as the state of the session wants it; wind the clocks."""
        if not self.may_go_on(room):
            self._end_turn(room)
        elif room.turn is None:
            room.is_thinking = True
            room.turn = asyncio.ensure_future(self._take_turns(room))
        self._wind(room)

    def stop(self, room: Room) -> None:
        """Stop thinking and stop the clocks."""
        self._end_turn(room)
        self._unwind(room)
        room.session.stop_clock(room.now())

    def _end_turn(self, room: Room) -> None:
        turn, room.turn = room.turn, None
        room.is_thinking = False
        if turn is not None and turn is not asyncio.current_task():
            turn.cancel()

    async def _take_turns(self, room: Room) -> None:
        """Move as long as agents are to move."""
        while self.may_go_on(room):
            try:
                await self._take_turn(room)
            except PliesError as error:
                self._fail(room, error)
            except Exception as error:
                log_problem(f"an agent failed: {type(error).__name__}: {error}")
                self._fail(room, PliesError("something went wrong here"))

    async def _take_turn(self, room: Room) -> None:
        mover = room.match.mover
        assert mover is not None
        who = room.session.seats[mover]
        agent = self._agent(room, who)
        await self.warm(room, agent, room.match.state)
        rest = room.moved + room.pacing.seconds - room.now()
        if rest > 0 and not room.pacing.steps:
            await asyncio.sleep(rest)
        state = room.match.state
        room.session.start_clock(room.now())
        self._wind(room)
        began = room.now()
        decision = await self._decide(room, agent, mover)
        # Which cancels this turn, where no agent is to move next.
        await self._play(room, state, who, decision, max(room.now() - began, 0.0))

    async def _decide(self, room: Room, agent: Agent, mover: int) -> Decision:
        """Search in a thread; stopped, it answers with the best move so far."""
        match, clock = room.match, room.session.clock(room.now())
        stop, is_given_up = StopFlag(), threading.Event()
        rng = random.Random(random.getrandbits(64))
        hear = self._teller(room, agent, mover) if room.listeners else None

        def search() -> Decision:
            lent = self.tables.lend(agent, is_kept=lambda: not is_given_up.is_set())
            with counting_into(room.compile_time), lent as player:
                return match.consult(player, clock, rng=rng, stop=stop, on_progress=hear)

        timer = asyncio.get_running_loop().call_later(limits.SEARCH_SECONDS, stop.stop)
        try:
            return await self.threads.run(search, limits.ANSWER_SECONDS if agent.foreign else 0.0)
        # Its thread may go on for a moment, or for ever: it is not asked again.
        except (asyncio.CancelledError, Unanswered):
            is_given_up.set()
            self.tables.forget(agent)
            room.agents.pop(agent.spec, None)
            raise
        finally:
            timer.cancel()
            stop.stop()

    def _teller(self, room: Room, agent: Agent, seat: int) -> Callable[[Progress], None]:
        """Tells listeners how far a search is, from the thread that searches."""
        loop, match = asyncio.get_running_loop(), room.match
        ply, state = match.ply, match.state
        scale, last = room.scales.get(agent.spec), [0.0]

        def send(message: str) -> None:
            if room.match.ply == ply:
                for listener in room.listeners:
                    listener.tell(message)

        def tell(progress: Progress) -> None:
            if progress.seconds - last[0] < limits.TELL_SECONDS:
                return
            last[0] = progress.seconds
            shown = thinking(room.viewer, state, ply, seat, scale, progress)
            message = ThinkingNews(thinking=shown).model_dump_json()
            loop.call_soon_threadsafe(send, message)

        return tell

    def _fail(self, room: Room, error: PliesError) -> None:
        """An agent that cannot move waits for somebody to do something about it."""
        problem = self.models.without_paths(f"the agent cannot move: {error}")
        room.pacing = Pacing(True, room.pacing.seconds, problem=problem)
        message = ProblemNews(error=problem).model_dump_json()
        for listener in room.listeners:
            listener.tell(message)
        self.stop(room)
        room.tell_all(room.now())

    # Clocks

    def _wind(self, room: Room) -> None:
        """Let the clock of a person run while somebody is there; that of an agent runs while
        it thinks."""
        self._unwind(room)
        session, now = room.session, room.now()
        is_thinking = session.is_running and room.turn is not None
        mover = room.match.mover
        is_moving = is_thinking or not session.is_agents_turn
        if mover is not None and is_moving and room.is_attended and room.match.clocks.credit:
            session.start_clock(now)
            left = session.seconds_left(now)[mover]
            room.flag = asyncio.get_running_loop().call_later(left, self._fall, room)
        else:
            session.stop_clock(now)

    def _unwind(self, room: Room) -> None:
        if room.flag is not None:
            room.flag.cancel()
            room.flag = None

    def _fall(self, room: Room) -> None:
        """A flag falls, unless the compiler has stopped the clock meanwhile."""
        if not room.session.has_run_out(room.now()):
            self._wind(room)
            return
        task = asyncio.ensure_future(self._end_on_time(room))
        self._falling.add(task)
        task.add_done_callback(self._falling.discard)

    async def _end_on_time(self, room: Room) -> None:
        try:
            await self._lose_on_time(room)
        except BadStore:  # it has fallen all the same: nobody moves before that is stored
            self._end_turn(room)
            self._unwind(room)
            later = asyncio.get_running_loop().call_later
            room.flag = later(limits.RETRY_SECONDS, self._fall, room)

    def close(self) -> None:
        for warming in self._warming.values():
            warming.cancel()
        self.threads.close()
