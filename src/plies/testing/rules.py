"""Checks of the rules: moves, states, turns, endings and what derives from them."""

from collections import Counter
from contextlib import suppress
from typing import Any

import numpy as np

from plies.agents import agents_of
from plies.core import verbs
from plies.core.contract import Game
from plies.core.scores import DRAW, MAX_EVALUATION, ONGOING, SCORED
from plies.core.spec import option_text
from plies.core.states import fresh
from plies.errors import BadSpec
from plies.testing.sample import (
    FEW,
    MAX_PLIES,
    Problems,
    Sample,
    content,
    fields_of,
    state_problems,
    visible,
)
from plies.testing.sentences import first_difference


def options_read_back_from_their_text(game: Game, sample: Sample) -> Problems:
    options = {**game.defaults, **game.options}
    texts = {
        name: option_text(value)
        for name, value in options.items()
        if isinstance(value, (bool, int, float, str, tuple)) and option_text(value)
    }
    again = game.with_options(texts)
    if repr(content(again.initial())) != repr(content(game.initial())):  # 7.0 is not 7
        yield f"{again.spec} begins with {again.initial()!r}, not {game.initial()!r}"
    return "" if options else "none declared"


def moves_are_whole_numbers_listed_once(game: Game, sample: Sample) -> Problems:
    for state, moves in sample.ongoing():
        listed = verbs.legal_moves(state)
        if not isinstance(listed, np.ndarray) or listed.ndim != 1 or listed.dtype != np.int64:
            kind = getattr(listed, "dtype", type(listed).__name__)
            yield f"legal_moves answers {kind}, expected a one-dimensional int64 array"
        for move, count in Counter(moves).items():
            if count > 1:
                yield f"move {move} is listed {count} times, expected once"


def play_leads_to_states_of_this_game(game: Game, sample: Sample) -> Problems:
    for state, move in sample.moves():
        yield from state_problems(game, verbs.play(fresh(state), move), f"play of move {move}")


def rules_leave_their_argument_alone(game: Game, sample: Sample) -> Problems:
    for state, moves in sample.ongoing():
        before = content(state)
        for rule in (verbs.mover, verbs.outcome, verbs.legal_moves, game.key, game.symmetries):
            rule(state)
            if content(state) != before:
                yield f"{rule.__name__} changed the state it was given"
        for move in moves:
            verbs.play(state, move)
            if content(state) != before:
                yield f"play of move {move} changed the state it was given"


def rules_answer_the_same_when_called_twice(game: Game, sample: Sample) -> Problems:
    for state in sample.positions():
        for rule in (game.mover, game.outcome, game.moves, game.key):
            first, second = rule(fresh(state)), rule(fresh(state))
            if first != second:
                yield f"{rule.__name__} answers {first}, then {second}"
        for move in game.moves(fresh(state)):
            first, second = (verbs.play(fresh(state), move) for _ in range(2))
            if content(first) != content(second):
                place, one, other = first_difference(fields_of(first), fields_of(second))
                yield f"play of move {move} makes {place} {one}, then {other}"


def the_mover_is_one_of_the_players(game: Game, sample: Sample) -> Problems:
    players = game.players(game.initial())
    if players < 1:
        yield f"there are {players} players, expected at least 1"
    for state in sample.positions():
        if (now := game.players(state)) != players:
            yield f"there are {now} players, expected {players} as before"
        if not 0 <= game.mover(state) < players:
            yield f"mover is {game.mover(state)}, expected 0 to {players - 1}"


def a_state_without_moves_is_decided(game: Game, sample: Sample) -> Problems:
    for each in sample.played:
        if each.is_stuck:
            sample.at = each.states[-1]
            yield "outcome is ONGOING and there is no legal move, expected an outcome"


def games_end(game: Game, sample: Sample) -> Problems:
    """At least one does: some may go on for ever, but not all."""
    lengths = [len(each.states) - 1 for each in sample.played if each.is_over]
    played, endless = len(sample.played), sum(each.is_endless for each in sample.played)
    if not lengths:
        sample.at = sample.played[0].states[-1]
        yield f"none of {played} random games ended within {MAX_PLIES} plies"
    note = f"{len(lengths)} of {played} after {min(lengths)} to {max(lengths)} plies"
    return f"{note}; {endless} went on for {MAX_PLIES} plies" if endless else note


def a_decided_game_pays_every_player(game: Game, sample: Sample) -> Problems:
    for state in sample.positions():
        result, players = game.outcome(state), game.players(state)
        if result not in (ONGOING, DRAW, SCORED) and not 0 <= result < players:
            yield f"outcome is {result}, expected ONGOING, DRAW, SCORED or 0 to {players - 1}"
        if result == SCORED and not game.defines("payoff"):
            yield "outcome is SCORED, expected a rule payoff(state, player)"
        if result == ONGOING:
            continue
        if game.moves(state):
            yield "the game is decided, expected no moves"
        payoffs = game.payoffs(state)
        if len(payoffs) != players:
            yield f"payoffs are {payoffs}, expected one for each of {players}"
        if any(abs(payoff) > MAX_EVALUATION for payoff in payoffs):
            yield f"payoffs are {payoffs}, expected -{MAX_EVALUATION} to {MAX_EVALUATION}"
        if game.is_zero_sum(state) and sum(payoffs) != 0:
            right = "answer the lead of a player, or define is_zero_sum(state)"
            yield f"payoffs are {payoffs}, expected a sum of zero; {right}"


def equal_keys_mean_equal_positions(game: Game, sample: Sample) -> Problems:
    known: dict[int, Any] = {}
    states = 0
    for state, moves in sample.ongoing():
        for seen in (state, *(verbs.play(fresh(state), move) for move in moves)):
            key = game.key(seen)
            other = known.setdefault(key, seen)
            if content(other) != content(seen) and visible(game, other) != visible(game, seen):
                texts = f"{game.position_text(other)} and {game.position_text(seen)}"
                yield f"{texts} are different positions with the same key {key}"
            states += 1
    return f"{states} states, no two different ones share a key"


def strategies_answer_legal_moves(game: Game, sample: Sample) -> Problems:
    agents_of(game)  # refuses the names of other agents
    for state, _ in sample.ongoing(FEW):
        for name in game.strategies:
            # One that does not play the game with these options says so.
            with suppress(BadSpec):
                game.strategy(name, fresh(state))
    yield from ()
    return ", ".join(game.strategies) or "none declared"
