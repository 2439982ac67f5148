"""A learner: a table that grows with the games it plays."""

import math
import random
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plies.agents import Agent
from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.errors import BadGame, BadSpec, shorten
from plies.learn.qlearning.episodes import (
    DRAWN,
    LOST,
    POLICY,
    WON,
    begin,
    finish,
    new_work,
    play_games,
    take_seats,
    turn,
)
from plies.learn.qlearning.settings import Settings, as_card
from plies.learn.qlearning.table import (
    DAMAGED,
    FIRST,
    LEAST_ROOM,
    NO_MOVE,
    VISITS,
    Setup,
    Table,
    add,
    columns_of,
    empty_table,
    grown,
    is_tight,
    result_of,
    state_at,
    table_from,
)
from plies.models.files import BadModel, Model
from plies.models.table import GOING, NOWHERE, canonical, slot_of

KIND = "table"
SELF = "self"
CHANCE = "random"
SLICE_SECONDS = 0.2  # between two chances to be interrupted, about
FEW_GAMES = 16
OWN, OTHER = "own_", "other_"  # a pattern is a feature that an evaluator has for both players


@dataclass
class Learner:
    """Learns a game of two players; `against` is SELF, CHANCE or the spec of an agent.

    `agent` is that agent.  Everything that chance decides follows from `seed`.
    """

    game: Game
    settings: Settings
    seed: int = 0
    against: str = SELF
    agent: Agent | None = None
    setup: Setup = field(init=False)
    work: Any = field(init=False)
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        state = self.game.initial()
        if not self.game.is_zero_sum(state):
            raise BadSpec(f"{self.game.spec} is not a game of two players, one against the other")
        if self.game.is_over(state):
            raise BadSpec(f"{self.game.spec} is over before it begins")
        with explaining(self.game):
            name, start = canonical(state, int(self.settings.symmetry))
            self.work = _new_work(self.settings, self.seed)
            self.setup = Setup(start, _pattern(self.game, self.settings.bonus, self.work))
            room = min(LEAST_ROOM, self.settings.states)
            self.table = empty_table(room, 4 * room)
            place = slot_of(self.table.slots, self.table.keys, name)
            add(self.table, self.work, place, name, result_of(start), NOWHERE, 0)

    @property
    def games(self) -> int:
        return int(self.work.games)

    @property
    def states(self) -> int:
        return int(self.work.states)

    @property
    def is_full(self) -> bool:
        """Whether the table has all the positions that it may have."""
        return self.states >= self.settings.states

    @property
    def learned(self) -> int:
        """Positions of which something was learned."""
        return int(np.count_nonzero(self.table.facts[: self.states, VISITS]))

    def play(self, games: int) -> None:
        """Play so many games; Ctrl-C is heard between slices, when nothing is half done."""
        end, most = self.games + games, FEW_GAMES
        while self.games < end:
            if is_tight(self.table, self.work):
                self.table = grown(self.table, self.work)
            began = time.perf_counter()
            if self.agent is not None:
                self._play_agent(self.agent)
            else:
                self._play_slice(min(end - self.games, most))
            self._complain()
            is_quick = time.perf_counter() - began < SLICE_SECONDS
            most = 2 * most if is_quick else max(most // 2, 1)

    def _play_slice(self, games: int) -> None:
        with explaining(self.game):
            play_games(self.table, self.work, self.setup, games, int(self.against == SELF))

    def _play_agent(self, agent: Agent) -> None:
        """One game against an agent, which is asked about the image that the table keeps."""
        table, work, setup = self.table, self.work, self.setup
        chance, before = random.Random(f"{self.seed}/{self.games}"), work.random
        try:
            own = take_seats(work, 0)
            begin(work)
            node, state, result = FIRST, setup.start, GOING
            while result == GOING and work.length < work.max_plies and not work.trouble:
                wanted = POLICY
                if work.seat != own:
                    if not work.has_state:
                        state, work.has_state = state_at(table, work, setup.start, node), 1
                    moves = [int(move) for move in verbs.legal_moves(state)]
                    wanted = moves.index(agent.choose(state, chance).move)
                node, state, result = turn(table, work, setup, node, state, wanted)
        except BaseException:
            work.random = before  # the game is played again
            raise
        if not work.trouble:
            finish(table, work, result)

    def _complain(self) -> None:
        if self.work.trouble == DAMAGED:
            raise BadModel(f"the table does not fit {self.game.spec}: a move in it is not legal")
        if self.work.trouble == NO_MOVE:
            raise BadGame(f"{self.game.name}: a position has no legal move but goes on")

    def model(self, card: dict[str, Any] | None = None) -> Model:
        """What was learned, as a model; `card` adds to what is said of it."""
        told = {
            "symmetry": self.settings.symmetry,
            "settings": as_card(self.settings),
            "against": self.against,
            "seed": self.seed,
            "random": str(int(self.work.random)),
            "games": self.games,
            "plies": int(self.work.plies),
            "results": [int(number) for number in self.work.results],
            "learned": self.learned,
            **(card or {}),
        }
        return Model(KIND, self.game.spec, told, columns_of(self.table, self.states))

    def resume(self, model: Model) -> None:
        """Go on where a model was left, which was made with the same settings."""
        count = len(model.arrays["keys"])
        room = len(self.table.keys)
        while room < 2 * count and room < self.settings.states:
            room = min(2 * room, self.settings.states)
        if count > room:
            raise BadModel(f"the table has {count} positions, more than {room}")
        table = table_from(model.arrays, room)
        if table.keys[FIRST] != self.table.keys[FIRST]:
            raise BadModel("the table begins with another position")
        self.table = table
        card = model.card
        self.work.states, self.work.games, self.work.plies = count, card["games"], card["plies"]
        self.work.results[:] = card["results"]
        self.work.random = np.uint64(int(card["random"]))


def _new_work(settings: Settings, seed: int) -> Any:
    work = new_work()
    work.random = np.uint64(random.Random(f"q/{seed}").getrandbits(63) | 1)
    work.most = settings.states
    work.rate, work.fade = settings.rate, settings.fade
    work.discount, work.exploration = settings.discount, settings.exploration
    work.is_ramp, work.has_symmetry = settings.rewards == "ramp", settings.symmetry
    work.max_plies = settings.max_plies
    work.make_bonus, work.block_bonus = settings.make_bonus, settings.block_bonus
    for seat, draw in enumerate((settings.draw_first, settings.draw_second)):
        for result, ramp, sign in (
            (LOST, settings.loss, -1),
            (DRAWN, draw, 1),
            (WON, settings.win, 1),
        ):
            work.rewards[result, seat] = (math.sqrt(ramp[0]), math.sqrt(ramp[1]), sign)
    return work


def _pattern(game: Game, name: str, work: Any) -> Any:
    """The evaluator that counts a pattern for both players; `work` is told where."""
    if not name:
        return verbs.ZERO
    known: dict[str, Any] = {}
    for evaluator in game.evaluators.values():
        names = verbs.feature_names(evaluator)
        own = [each.removeprefix(OWN) for each in names if each.startswith(OWN)]
        known = {each: evaluator for each in own if OTHER + each in names} | known
    if name not in known:
        there = f"there are {shorten(list(known))}" if known else "its evaluators count none"
        raise BadSpec(f"{game.spec} has no pattern {name} to give a bonus for; {there}")
    names = verbs.feature_names(known[name])
    work.has_bonus = 1
    work.own_feature, work.other_feature = names.index(OWN + name), names.index(OTHER + name)
    return known[name]
