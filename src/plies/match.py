"""One game between agents."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from plies.agents import Agent, agent
from plies.core.contract import Game
from plies.core.errors import BadSpec
from plies.records import GameRecord, MoveRecord
from plies.registry import game as find_game

MAX_PLIES = 1000
REPETITIONS = 3


def play_game(
    game: Game | str,
    *agents: Agent | str,
    seed: int = 0,
    start: str = "",
    max_plies: int = MAX_PLIES,
) -> GameRecord:
    """Let agents (or their specs) play one game, in the order of their seats.

    The rules of a game know no history: a position that arises for the third time,
    a game longer than `max_plies`, or a draw that the game's `draw_claim` finds, is
    declared here.
    """
    game = find_game(game) if isinstance(game, str) else game
    state = game.parse_position(start) if start else game.initial()
    seats = _seated(game, state, agents)
    for seat in seats:
        seat.forget()
    chances = [random.Random(f"{seed}/{seat}") for seat in range(len(seats))]
    first = game.position_text(state)
    seen = Counter([game.key(state)])
    moves: list[MoveRecord] = []
    earlier: list[Any] = []
    while not (reason := _ending(game, state, earlier, seen, max_plies)):
        player = game.mover(state)
        past = [game.key(before) for before in earlier]
        decision = seats[player].choose(state, chances[player], past=past)
        text = game.move_text(state, decision.move)
        thought = (decision.value, decision.depth, decision.nodes, decision.seconds)
        moves.append(MoveRecord(player, text, *thought))
        earlier.append(state)
        state = game.play(state, decision.move)
        seen[game.key(state)] += 1
    return GameRecord(
        game=game.spec,
        agents=tuple(seat.spec for seat in seats),
        seed=seed,
        moves=tuple(moves),
        payoffs=game.payoffs(state) if reason == "rules" else (0,) * len(seats),
        reason=reason,
        start=first,
        final=game.position_text(state),
    )


def _seated(game: Game, state: Any, agents: Sequence[Agent | str]) -> list[Agent]:
    """One agent for every player."""
    if len(agents) != game.players(state):
        raise BadSpec(f"{game.spec} has {game.players(state)} players, not {len(agents)}")
    return [agent(seat, game) if isinstance(seat, str) else seat for seat in agents]


def _ending(
    game: Game, state: Any, earlier: Sequence[Any], seen: Counter[int], max_plies: int
) -> str:
    """Why the game ends here, as a record says it; empty while it goes on."""
    if game.is_over(state):
        return "rules"
    if len(earlier) >= max_plies:
        return "length"
    if seen[game.key(state)] >= REPETITIONS:
        return "repetition"
    return game.draw_claim(state, earlier)
