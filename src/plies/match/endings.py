"""When a match is over although the rules of the game go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plies.core.contract import Game
from plies.core.result_text import player_name, result_text
from plies.core.scores import win_payoffs
from plies.errors import AgentFault
from plies.match.rules import Rules
from plies.records import ADJUDICATED, FAULTS, NORMAL, MoveRecord

PERIODS = range(2, 8)  # lengths of a cycle of moves


@dataclass(frozen=True)
class Ending:
    """The payoffs, the kind of end, the reason, and the faults of the players."""

    payoffs: tuple[int, ...]
    termination: str
    reason: str
    faults: tuple[str, ...] = ()  # by player


def ending(
    game: Game, rules: Rules, states: Sequence[Any], times: int, moves: Sequence[MoveRecord]
) -> Ending | None:
    """How a game with these positions so far ends here; None while it goes on.

    `times` counts how often the last position has arisen.
    """
    state = states[-1]
    players = game.players(state)
    if game.is_over(state):
        return Ending(game.payoffs(state), NORMAL, "rules")
    if len(moves) >= rules.max_plies:
        return _at_length(game, rules, state)
    draw = (0,) * players
    if rules.repetitions and times >= rules.repetitions:
        return Ending(draw, NORMAL, "repetition")
    if rules.cycles and is_cycle([move.text for move in moves[-2 * PERIODS[-1] :]]):
        return Ending(draw, NORMAL, "cycle")
    if claim := game.draw_claim(state, states[:-1]):
        return Ending(draw, NORMAL, claim)
    return _judgement(game, rules, moves) if players == 2 else None


def ending_text(game: Game, rules: Rules, end: Ending, state: Any) -> str:
    """The end of a game in a state, in words."""
    if end.reason == "rules":
        return result_text(game, state)
    words = {
        "repetition": f"the position arose {rules.repetitions} times",
        "cycle": "the last moves repeat those just before them",
        "length": f"it has lasted {rules.max_plies} plies",
    }
    reason = words.get(end.reason, end.reason)
    if not any(end.payoffs):
        return f"The game is drawn: {reason}."
    losers = [player_name(game, player) for player, fault in enumerate(end.faults) if fault]
    if end.termination in FAULTS and not any(name in reason for name in losers):
        return f"{' and '.join(losers)} lost by a fault: {reason}."
    winners = [player for player, payoff in enumerate(end.payoffs) if payoff > 0]
    if len(winners) == 1:
        return f"{player_name(game, winners[0])} wins: {reason}."
    return f"The game is over: {reason}."


def is_cycle(texts: Sequence[str]) -> bool:
    """Whether the last 2 to 7 moves repeat those just before them."""
    return any(
        len(texts) >= 2 * period and texts[-period:] == texts[-2 * period : -period]
        for period in PERIODS
    )


def forfeited(faults: Mapping[int, AgentFault], players: int) -> Ending:
    """The end of a game by a fault of one player or of several.

    If all players are at fault, nobody gets anything.
    """
    gain = 1 if players == 2 else 0
    payoffs = tuple(-1 if player in faults else gain for player in range(players))
    if len(faults) == players:
        payoffs = (0,) * players
    kinds = [faults[each].termination if each in faults else "" for each in range(players)]
    first = next(iter(faults.values()))
    return Ending(payoffs, first.termination, "; ".join(map(str, faults.values())), tuple(kinds))


def _at_length(game: Game, rules: Rules, state: Any) -> Ending:
    """The end at the length limit: a draw, or the verdict of an evaluator."""
    players = game.players(state)
    if rules.at_length == "draw":
        return Ending((0,) * players, NORMAL, "length")
    value = game.evaluate(state, rules.at_length)
    mover = game.mover(state)
    reason = f"length: {rules.at_length} says {value:+d} for {player_name(game, mover)}"
    if value == 0:
        return Ending((0,) * players, ADJUDICATED, reason)
    return Ending(win_payoffs(mover if value > 0 else 1 - mover, players), ADJUDICATED, reason)


def _judgement(game: Game, rules: Rules, moves: Sequence[MoveRecord]) -> Ending | None:
    """A result on which both agents have agreed for some moves."""
    if rules.resign_moves:
        low = [_values(moves, player, rules.resign_moves) for player in (0, 1)]
        for winner in (0, 1):
            is_ahead = low[winner] and min(low[winner]) >= rules.resign_value
            if is_ahead and low[1 - winner] and max(low[1 - winner]) <= -rules.resign_value:
                name = player_name(game, winner)
                reason = f"both agents see {name} ahead by {rules.resign_value} or more"
                return Ending(win_payoffs(winner, 2), ADJUDICATED, reason)
    if rules.draw_moves and len(moves) >= rules.draw_after:
        values = [_values(moves, player, rules.draw_moves) for player in (0, 1)]
        if all(each and max(map(abs, each)) <= rules.draw_value for each in values):
            reason = f"both agents see it within {rules.draw_value} of equal"
            return Ending((0, 0), ADJUDICATED, reason)
    return None


def _values(moves: Sequence[MoveRecord], player: int, count: int) -> list[int]:
    """A player's values of its last `count` moves; empty where one is missing."""
    values: list[int] = []
    for move in reversed(moves):
        if move.player == player:
            if move.value is None:
                return []
            values.append(move.value)
            if len(values) == count:
                return values
    return []
