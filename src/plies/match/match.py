"""THE game loop: tournaments, the terminal and the browser all step the same `Match`."""

import copy
import random
from collections import Counter
from collections.abc import Collection, Sequence
from math import inf
from typing import Any

from plies.agents import Agent
from plies.core.contract import Game
from plies.core.result_text import line_texts, player_name
from plies.errors import AgentFault, BadGame, BadSpec, GameOver, IllegalMove
from plies.match.endings import Ending, ending, forfeited
from plies.match.rules import Clocks, Rules
from plies.records import RESIGNED, GameRecord, MoveRecord
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.limits import MAX_SECONDS
from plies.search.runner import Stopwatch

DEFAULT_RULES = Rules()
NO_CLOCKS = Clocks()
PERSON = "human"  # in records, where no agent plays


class Match:
    """One game from its start to its present position, and the rules by which it goes on.

    `agents[player]` is the agent of a player, None where moves come by `play`: from a person, or
    from an agent elsewhere.  `states` holds every position so far and `keys` their hashes;
    `moves` and `records` lead from each to the next.  `left` holds the clocks in each position:
    0 without a credit, below 0 what a player owes who has used the margin.  `mover` is the player
    to move, None once there is an `end`.

    Only `step` measures time, but not that of the compiler; who calls `play` says how long the
    move took.
    """

    def __init__(
        self,
        game: Game,
        state: Any,
        agents: Sequence[Agent | None] | None = None,
        *,
        seed: int = 0,
        rules: Rules = DEFAULT_RULES,
        clocks: Clocks = NO_CLOCKS,
    ):
        players = game.players(state)
        self.agents = (None,) * players if agents is None else tuple(agents)
        if len(self.agents) != players:
            raise BadSpec(f"{game.spec} has {players} players, not {len(self.agents)}")
        for given, kind in ((rules, Rules), (clocks, Clocks)):
            if not isinstance(given, kind):
                raise BadSpec(f"write plies.match.{kind.__name__}(...), not {given!r:.60}")
        rules.check(game, players)
        self.game, self.seed = game, seed
        self.rules, self.clocks = rules, clocks
        self.states = [state]
        self.keys: list[int] = [game.key(state)]
        self.moves: list[int] = []
        self.records: list[MoveRecord] = []
        self.left = [(clocks.credit,) * players]
        self.end: Ending | None = None
        self.mover: int | None = None
        self._counts = Counter(self.keys)
        self._random = [random.Random(f"{seed}/{player}") for player in range(players)]
        self._judge = random.Random(f"{seed}/judge")
        self._look_for_end()

    def copy(self) -> "Match":
        """A copy that goes on independently."""
        other = copy.copy(self)
        for name in ("states", "keys", "moves", "records", "left", "_counts"):
            setattr(other, name, getattr(self, name).copy())
        return other

    @property
    def ply(self) -> int:
        """The number of moves so far."""
        return len(self.moves)

    @property
    def state(self) -> Any:
        """The position on the board."""
        return self.states[-1]

    # With agents

    def run(self) -> GameRecord:
        """Let the agents play to the end."""
        self.begin()
        while self.end is None:
            self.step()
        self.finish()
        return self.record()

    def begin(self) -> None:
        """Let every agent get ready; one that fails loses, unless the rules forgive faults."""
        if self.end is not None:
            return
        faults: dict[int, AgentFault] = {}
        for player, each in enumerate(self.agents):
            if each is None:
                continue
            seed = random.Random(f"{self.seed}/{player}").getrandbits(32)
            try:
                each.begin(self.state, player, seed, self.clock(player), self.clocks.startup)
            except AgentFault as fault:
                faults[player] = fault
        if faults and self.rules.forgiven == 0:
            self.conclude(forfeited(faults, len(self.agents)))

    def step(self) -> Decision | None:
        """Let the agent to move decide, judge its decision, and play it.

        Returns the decision played, which is the judge's own after a forgiven fault; None where
        a fault has ended the game.
        """
        player = self._player_to_move()
        each = self.agents[player]
        assert each is not None, "a person's move comes by `play`"
        watch = Stopwatch()
        decision, fault = self._decide(each, player, watch)
        seconds = watch.seconds
        if decision is not None:
            # The judge's own work to start and stop a program does not count.
            if each.search.measures_seconds:
                seconds = decision.seconds
            fault = self._fault_in(decision, player, seconds)
        if fault is not None:
            if not self._is_forgiven(player):
                self.forfeit(player, fault)
                return None
            decision = Decision(self._judge.choice(self.game.moves(self.state)))
        assert decision is not None
        self._advance(decision, seconds, seconds, "" if fault is None else str(fault))
        return decision

    def consult(self, player: Agent, clock: Clock | None, **details: Any) -> Decision:
        """The decision of an agent in this position, with the whole game so far."""
        return player.choose(
            self.state,
            past=self.keys[:-1],
            start=self.states[0],
            played=self.moves,
            clock=clock,
            **details,
        )

    def finish(self) -> None:
        """Tell every agent how the game has ended."""
        assert self.end is not None
        for player, each in enumerate(self.agents):
            if each is not None:
                each.finish(self.state, player, self.end.payoffs, self.end.reason)
                each.forget()

    def record(self, names: Sequence[str] = ()) -> GameRecord:
        """The record of the finished game; `names` replace the specs of the players."""
        assert self.end is not None
        specs = [PERSON if each is None else each.spec for each in self.agents]
        return GameRecord(
            game=self.game.spec,
            agents=tuple(names or specs),
            seed=self.seed,
            moves=tuple(self.records),
            payoffs=self.end.payoffs,
            reason=self.end.reason,
            start=self.game.position_text(self.states[0]),
            final=self.game.position_text(self.state),
            termination=self.end.termination,
            faults=self.end.faults,
        )

    # Moves

    def play(self, move: Decision | int, seconds: float = 0.0, charge: float | None = None) -> None:
        """Play a move of the player to move, who took `seconds` for it.

        Its clock loses `charge`, by default the same; less if the clock did not always run.
        """
        decision = move if isinstance(move, Decision) else Decision(move)
        self._player_to_move()
        legal = self.game.moves(self.state)
        if decision.move not in legal:
            texts = self.game.move_texts(self.state)
            raise IllegalMove(f"move {decision.move} is not legal here", texts)
        self._advance(decision, seconds, seconds if charge is None else charge)

    def append(self, move: int, record: MoveRecord, left: Sequence[float]) -> None:
        """Play a move that has its record already, as in a stored game."""
        if record.player != self.mover:
            raise BadSpec("the moves do not fit the game")
        self.states.append(self.game.play(self.state, move))
        self.keys.append(self.game.key(self.state))
        self._counts[self.keys[-1]] += 1
        self.moves.append(move)
        self.records.append(record)
        self.left.append(tuple(left))
        self._look_for_end()

    def undo(self, players: Collection[int]) -> bool:
        """Go back to the last turn of one of these players; whether there was one."""
        for ply in range(self.ply - 1, -1, -1):
            if self.records[ply].player in players:
                self.go_back(ply)
                return True
        return False

    def go_back(self, ply: int) -> None:
        """Go back to the position at `ply`."""
        self._counts.subtract(self.keys[ply + 1 :])
        del self.states[ply + 1 :], self.keys[ply + 1 :], self.left[ply + 1 :]
        del self.moves[ply:], self.records[ply:]
        self._look_for_end()

    # Ends

    def resign(self, player: int) -> None:
        """A player resigns."""
        self._player_to_move()
        reason = f"{player_name(self.game, player)} resigns"
        self.forfeit(player, AgentFault(RESIGNED, reason))

    def lose_on_time(self) -> None:
        """The flag of the player to move has fallen."""
        player = self._player_to_move()
        reason = f"{player_name(self.game, player)} has no time left"
        self.forfeit(player, AgentFault("time", reason))

    def forfeit(self, player: int, fault: AgentFault) -> None:
        """End the game by a player's fault."""
        self.conclude(forfeited({player: fault}, len(self.agents)))

    def conclude(self, end: Ending) -> None:
        """End the game."""
        self.end, self.mover = end, None

    # Clocks

    def clock(self, player: int, used: float = 0.0) -> Clock | None:
        """A player's clock after `used` seconds of this turn; None without limits."""
        if not self.clocks.are_running:
            return None
        left = self._left(player, used)
        return Clock(left, self.clocks.increment, per_move=self.clocks.per_move)

    def _left(self, player: int, used: float = 0.0) -> float:
        return self.left[-1][player] - used if self.clocks.credit else MAX_SECONDS

    # The judge

    def _decide(
        self, each: Agent, player: int, watch: Stopwatch
    ) -> tuple[Decision | None, AgentFault | None]:
        """An agent's decision, or its fault."""
        clock, limit = self.clock(player), self._limit(player)
        if limit <= 0:
            return None, AgentFault("time", "its time for the game is used up")
        deadline = watch.wall + limit if limit < inf else None
        try:
            return self.consult(each, clock, rng=self._random[player], deadline=deadline), None
        except AgentFault as fault:
            return None, fault

    def _limit(self, player: int) -> float:
        """The seconds for which the judge waits for a move."""
        if not self.clocks.are_running:
            return inf
        return min(self._left(player), self.clocks.per_move or inf) + self.clocks.margin

    def _fault_in(self, decision: Decision, player: int, seconds: float) -> AgentFault | None:
        """The fault in a decision that took `seconds`, if any."""
        clock = self.clock(player)
        if clock is not None and seconds > self._limit(player):
            had = f"{clock.for_this_move:.3g} s"
            return AgentFault("time", f"took {seconds:.3f} s for a move and had {had}")
        if decision.move not in self.game.moves(self.state):
            return AgentFault("illegal", f"chose move {decision.move}, which is not legal")
        return None

    def _is_forgiven(self, player: int) -> bool:
        """Whether one more fault of a player costs only a random move."""
        forgiven = self.rules.forgiven
        if forgiven is None:
            return True
        earlier = sum(bool(each.fault) and each.player == player for each in self.records)
        return earlier < forgiven

    def _advance(self, decision: Decision, seconds: float, charge: float, fault: str = "") -> None:
        state, player = self.state, self._player_to_move()
        left = list(self.left[-1])
        if self.clocks.credit:
            left[player] = min(left[player] - charge + self.clocks.increment, MAX_SECONDS)
        text = self.game.move_text(state, decision.move)
        line = line_texts(self.game, state, decision.line) if len(decision.line) > 1 else [text]
        counts = (decision.value, decision.depth, decision.nodes)
        record = MoveRecord(player, text, *counts, seconds, tuple(line), fault)
        self.append(decision.move, record, left)

    def _look_for_end(self) -> None:
        """Set `end` and `mover` for the present position."""
        times = self._counts[self.keys[-1]]
        end = ending(self.game, self.rules, self.states, times, self.records)
        self.end, self.mover = end, None if end else self.game.mover(self.state)
        if self.mover is not None and not 0 <= self.mover < len(self.agents):
            last = len(self.agents) - 1
            raise BadGame(f"{self.game.name}: mover answers {self.mover}, expected 0 to {last}")

    def _player_to_move(self) -> int:
        if self.mover is None:
            raise GameOver("the game is over")
        return self.mover
