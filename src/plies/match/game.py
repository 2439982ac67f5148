"""One game between agents."""

import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from plies.agents import Agent, agent
from plies.core.contract import Game
from plies.core.result_text import line_texts
from plies.errors import AgentFault, BadSpec
from plies.match.endings import Ending, ending, forfeited
from plies.match.rules import Clocks, Rules
from plies.records import GameRecord, MoveRecord
from plies.registry import game as find_game
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.limits import MAX_SECONDS

DEFAULT_RULES = Rules()
NO_CLOCKS = Clocks()


def play_game(
    game: Game | str,
    *agents: Agent | str,
    seed: int = 0,
    start: str = "",
    rules: Rules = DEFAULT_RULES,
    clocks: Clocks = NO_CLOCKS,
) -> GameRecord:
    """Let agents (or their specs) play one game, in the order of their seats.

    `start` is the text of the position to begin with; `seed` makes the chances of the agents
    repeatable.
    """
    game = find_game(game) if isinstance(game, str) else game
    state = game.parse_position(start) if start else game.initial()
    if len(agents) != game.players(state):
        raise BadSpec(f"{game.spec} has {game.players(state)} players, not {len(agents)}")
    if rules.at_length != "draw":
        if len(agents) != 2:
            raise BadSpec(f"at_length is draw where {len(agents)} play: an opinion is for two")
        game.evaluator(rules.at_length)
    made = [agent(seat, game) for seat in agents if isinstance(seat, str)]
    try:
        if clocks.are_running:
            for seat in made:
                seat.prepare(state)
        fresh = iter(made)
        seats = [next(fresh) if isinstance(seat, str) else seat for seat in agents]
        return _Play(game, seats, state, seed, rules, clocks).run()
    finally:
        for seat in made:
            seat.close()


class _Play:
    """A game that is being played: what has happened, and what is left on the clocks."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Agent],
        state: Any,
        seed: int,
        rules: Rules,
        clocks: Clocks,
    ):
        self.game, self.seats, self.seed = game, seats, seed
        self.rules, self.clocks = rules, clocks
        self.states = [state]
        self.keys = [game.key(state)]
        self.seen = Counter(self.keys)
        self.played: list[int] = []
        self.moves: list[MoveRecord] = []
        self.left = [clocks.credit or MAX_SECONDS] * len(seats)
        self.faults = [0] * len(seats)
        self.chances = [random.Random(f"{seed}/{seat}") for seat in range(len(seats))]
        self.judge = random.Random(f"{seed}/judge")

    def run(self) -> GameRecord:
        """Play to the end."""
        end = self._ending() or self._begin()
        while end is None:
            end = self._turn() or self._ending()
        for seat, player in enumerate(self.seats):
            player.finish(self.states[-1], seat, end.payoffs, end.reason)
            player.forget()
        return GameRecord(
            game=self.game.spec,
            agents=tuple(seat.spec for seat in self.seats),
            seed=self.seed,
            moves=tuple(self.moves),
            payoffs=end.payoffs,
            reason=end.reason,
            start=self.game.position_text(self.states[0]),
            final=self.game.position_text(self.states[-1]),
            termination=end.termination,
            faults=end.faults,
        )

    def _begin(self) -> Ending | None:
        """Everybody sits down; who cannot has lost, unless faults are forgiven."""
        state = self.states[0]
        faults: dict[int, AgentFault] = {}
        for seat, player in enumerate(self.seats):
            seed = random.Random(f"{self.seed}/{seat}").getrandbits(32)
            try:
                player.begin(state, seat, seed, self._clock(seat), self.clocks.startup)
            except AgentFault as fault:
                faults[seat] = fault
        if faults and self.rules.forgiven == 0:
            return forfeited(faults, len(self.seats))
        return None

    def _ending(self) -> Ending | None:
        return ending(self.game, self.rules, self.states, self.seen, self.moves)

    def _clock(self, seat: int) -> Clock | None:
        if not self.clocks.are_running:
            return None
        return Clock(self.left[seat], self.clocks.increment, per_move=self.clocks.per_move)

    def _turn(self) -> Ending | None:
        """One move, by the player or by the judge; an ending where a fault loses the game."""
        state = self.states[-1]
        seat = self.game.mover(state)
        clock = self._clock(seat)
        began = time.perf_counter()
        decision, fault = self._asked(seat, state, clock, began)
        seconds = time.perf_counter() - began
        if decision is not None:
            # Programs outside are timed without what the judge does to start and stop them.
            if self.seats[seat].search.measures_seconds:
                seconds = decision.seconds
            fault = self._fault_in(state, decision, clock, seconds)
        if self.clocks.credit:
            left = self.left[seat] + self.clocks.increment - seconds
            self.left[seat] = min(left, MAX_SECONDS)
        if fault is not None:
            self.faults[seat] += 1
            forgiven = self.rules.forgiven
            if forgiven is not None and self.faults[seat] > forgiven:
                return forfeited({seat: fault}, len(self.seats))
            decision = Decision(self.judge.choice(self.game.moves(state)))
        assert decision is not None
        self._play(state, seat, decision, seconds, "" if fault is None else str(fault))
        return None

    def _asked(
        self, seat: int, state: Any, clock: Clock | None, began: float
    ) -> tuple[Decision | None, AgentFault | None]:
        """What a player decides, or why it does not."""
        allowed = self._allowed(clock)
        if allowed is not None and allowed <= 0:
            return None, AgentFault("time", "its time for the game is used up")
        try:
            decision = self.seats[seat].choose(
                state,
                self.chances[seat],
                past=self.keys[:-1],
                clock=clock,
                start=self.states[0],
                played=self.played,
                deadline=None if allowed is None else began + allowed,
            )
        except AgentFault as fault:
            return None, fault
        return decision, None

    def _allowed(self, clock: Clock | None) -> float | None:
        """How many seconds the judge waits for a move."""
        return None if clock is None else clock.for_this_move + self.clocks.margin

    def _fault_in(
        self, state: Any, decision: Decision, clock: Clock | None, seconds: float
    ) -> AgentFault | None:
        """What is wrong with a decision that took so many seconds."""
        allowed = self._allowed(clock)
        if clock is not None and allowed is not None and seconds > allowed:
            had = f"{max(clock.for_this_move, 0):.3g} s"
            return AgentFault("time", f"took {seconds:.3f} s for a move and had {had}")
        if decision.move not in self.game.moves(state):
            return AgentFault("illegal", f"chose move {decision.move}, which is not legal")
        return None

    def _play(self, state: Any, seat: int, decision: Decision, seconds: float, fault: str) -> None:
        text = self.game.move_text(state, decision.move)
        line = line_texts(self.game, state, decision.line) if len(decision.line) > 1 else [text]
        thought = (decision.value, decision.depth, decision.nodes)
        self.moves.append(MoveRecord(seat, text, *thought, seconds, tuple(line), fault))
        self.played.append(decision.move)
        self.states.append(self.game.play(state, decision.move))
        self.keys.append(self.game.key(self.states[-1]))
        self.seen[self.keys[-1]] += 1
