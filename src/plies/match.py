"""One game between agents."""

import random
from collections import Counter

from plies.agents import Agent, agent
from plies.core.contract import Game
from plies.core.errors import BadSpec
from plies.records import GameRecord, MoveRecord

MAX_PLIES = 300
REPETITIONS = 3


def play_game(
    game: Game,
    *agents: Agent | str,
    seed: int = 0,
    start: str = "",
    max_plies: int = MAX_PLIES,
) -> GameRecord:
    """Let agents (or their specs) play one game, in the order of their seats.

    The rules of a game know no history: a position that arises for the third time,
    or a game longer than `max_plies`, is a draw declared here.
    """
    state = game.parse_position(start) if start else game.initial()
    seats = [agent(seat, game) if isinstance(seat, str) else seat for seat in agents]
    if len(seats) != game.players(state):
        raise BadSpec(f"{game.spec} has {game.players(state)} players, not {len(seats)}")
    chances = [random.Random(f"{seed}/{seat}") for seat in range(len(seats))]
    first = game.position_text(state)
    seen: Counter[int] = Counter()
    moves: list[MoveRecord] = []
    reason = "rules"
    while not game.is_over(state):
        seen[game.key(state)] += 1
        if seen[game.key(state)] >= REPETITIONS or len(moves) >= max_plies:
            reason = "length" if len(moves) >= max_plies else "repetition"
            break
        player = game.mover(state)
        decision = seats[player].choose(state, chances[player])
        text = game.move_text(state, decision.move)
        thought = (decision.value, decision.depth, decision.nodes, decision.seconds)
        moves.append(MoveRecord(player, text, *thought))
        state = game.play(state, decision.move)
    payoffs = game.payoffs(state) if reason == "rules" else (0,) * len(seats)
    return GameRecord(
        game=game.spec,
        agents=tuple(seat.spec for seat in seats),
        seed=seed,
        moves=tuple(moves),
        payoffs=payoffs,
        reason=reason,
        start=first,
        final=game.position_text(state),
    )
