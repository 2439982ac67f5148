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
from plies.errors import BadSpec
from plies.testing.sample import (
    FEW,
    MAX_PLIES,
    Check,
    ContractError,
    Sample,
    content,
    expect_state,
    fresh,
    visible,
)


def a_game_begins_with_whole_numbers(sample: Sample) -> None:
    game = sample.game
    state = game.initial()
    expect_state(game, state, "initial")
    if content(state) != content(game.initial()):
        raise ContractError(f"initial answers {state!r}, and another state the second time")


def random_games_run(sample: Sample) -> str:
    sample.play()
    plies = sum(len(walk.states) - 1 for walk in sample.walks)
    return f"{plies} moves in {len(sample.walks)} games"


def moves_are_whole_numbers_listed_once(sample: Sample) -> None:
    for state, moves in sample.ongoing():
        listed = verbs.legal_moves(state)
        if not isinstance(listed, np.ndarray) or listed.ndim != 1 or listed.dtype != np.int64:
            kind = getattr(listed, "dtype", type(listed).__name__)
            raise ContractError(
                f"legal_moves answers {kind}, expected a one-dimensional int64 array"
            )
        twice = [move for move, count in Counter(moves).items() if count > 1]
        if twice:
            raise ContractError(
                f"move {twice[0]} is listed {moves.count(twice[0])} times, expected once"
            )


def play_leads_to_states_of_this_game(sample: Sample) -> None:
    for state, moves in sample.ongoing():
        for move in moves:
            expect_state(sample.game, verbs.play(fresh(state), move), f"play of move {move}")


def rules_leave_their_argument_alone(sample: Sample) -> None:
    game = sample.game
    for state, moves in sample.ongoing():
        before = content(state)
        for rule in (verbs.mover, verbs.outcome, verbs.legal_moves, game.key, game.symmetries):
            rule(state)
            if content(state) != before:
                raise ContractError(f"{rule.__name__} changed the state it was given")
        for move in moves:
            verbs.play(state, move)
            if content(state) != before:
                raise ContractError(f"play of move {move} changed the state it was given")


def rules_answer_the_same_when_asked_twice(sample: Sample) -> None:
    game = sample.game
    for state in sample.positions():
        for rule in (game.mover, game.outcome, game.moves, game.key):
            answers = rule(fresh(state)), rule(fresh(state))
            if answers[0] != answers[1]:
                raise ContractError(f"{rule.__name__} answers {answers[0]}, then {answers[1]}")
        for move in game.moves(fresh(state)):
            first, second = (verbs.play(fresh(state), move) for _ in range(2))
            if content(first) != content(second):
                raise ContractError(f"play of move {move} answers {first!r}, then {second!r}")


def the_mover_is_one_of_the_players(sample: Sample) -> None:
    game = sample.game
    players = game.players(game.initial())
    if players < 1:
        raise ContractError(f"there are {players} players, expected at least 1")
    for state in sample.positions():
        if game.players(state) != players:
            raise ContractError(
                f"there are {game.players(state)} players, expected {players} as before"
            )
        if not 0 <= game.mover(state) < players:
            raise ContractError(f"mover is {game.mover(state)}, expected 0 to {players - 1}")


def a_state_without_moves_is_decided(sample: Sample) -> None:
    for walk in sample.walks:
        if walk.is_stuck:
            sample.at = walk.states[-1]
            raise ContractError(
                "outcome is ONGOING and there is no legal move, expected an outcome"
            )


def games_end(sample: Sample) -> str:
    """At least some do: a game may go on for ever, but not every one."""
    lengths = [len(walk.states) - 1 for walk in sample.walks if walk.is_over]
    played, endless = len(sample.walks), sum(walk.is_endless for walk in sample.walks)
    if not lengths:
        sample.at = sample.walks[0].states[-1]
        raise ContractError(f"none of {played} random games ended within {MAX_PLIES} plies")
    note = f"{len(lengths)} of {played} after {min(lengths)} to {max(lengths)} plies"
    return f"{note}; {endless} went on for {MAX_PLIES} plies" if endless else note


def a_decided_game_pays_every_player(sample: Sample) -> None:
    game = sample.game
    for state in sample.positions():
        result, players = game.outcome(state), game.players(state)
        if result not in (ONGOING, DRAW, SCORED) and not 0 <= result < players:
            codes = f"ONGOING, DRAW, SCORED or 0 to {players - 1}"
            raise ContractError(f"outcome is {result}, expected {codes}")
        if result == SCORED and "payoff" not in verbs.rules_of[game.State]:
            raise ContractError("outcome is SCORED, expected a rule payoff(state, player)")
        if result != ONGOING:
            _expect_payoffs(game, state)


def strategies_answer_legal_moves(sample: Sample) -> str:
    game = sample.game
    agents_of(game)  # refuses the names of other agents
    for state, _ in sample.ongoing(FEW):
        for name in game.strategies:
            # One that does not play the game with these options says so.
            with suppress(BadSpec):
                game.strategy(name, fresh(state))
    return ", ".join(game.strategies) or "none declared"


def equal_keys_mean_equal_positions(sample: Sample) -> str:
    game = sample.game
    known: dict[int, Any] = {}
    states = 0
    for state, moves in sample.ongoing():
        for seen in (state, *(verbs.play(fresh(state), move) for move in moves)):
            key = game.key(seen)
            other = known.setdefault(key, seen)
            if content(other) != content(seen) and visible(game, other) != visible(game, seen):
                texts = f"{game.position_text(other)} and {game.position_text(seen)}"
                raise ContractError(f"{texts} are different positions with the same key {key}")
            states += 1
    return f"{len(known)} keys of {states} states"


def options_read_back_from_their_text(sample: Sample) -> str:
    game = sample.game
    options = {**game.defaults, **game.options}
    texts = {
        name: option_text(value)
        for name, value in options.items()
        if isinstance(value, (bool, int, float, str, tuple)) and option_text(value)
    }
    again = game.with_options(texts)
    if repr(content(again.initial())) != repr(content(game.initial())):  # 7.0 is not 7
        raise ContractError(f"{again.spec} begins with {again.initial()!r}, not {game.initial()!r}")
    return "" if options else "none declared"


CHECKS: tuple[Check, ...] = (
    options_read_back_from_their_text,
    moves_are_whole_numbers_listed_once,
    play_leads_to_states_of_this_game,
    rules_leave_their_argument_alone,
    rules_answer_the_same_when_asked_twice,
    the_mover_is_one_of_the_players,
    a_state_without_moves_is_decided,
    games_end,
    a_decided_game_pays_every_player,
    equal_keys_mean_equal_positions,
    strategies_answer_legal_moves,
)


def _expect_payoffs(game: Game, state: Any) -> None:
    if game.moves(state):
        raise ContractError("the game is decided, expected no moves")
    payoffs = game.payoffs(state)
    if len(payoffs) != game.players(state):
        raise ContractError(
            f"payoffs are {payoffs}, expected one for each of {game.players(state)}"
        )
    if any(abs(payoff) > MAX_EVALUATION for payoff in payoffs):
        raise ContractError(
            f"payoffs are {payoffs}, expected -{MAX_EVALUATION} to {MAX_EVALUATION}"
        )
    if game.is_zero_sum(state) and sum(payoffs) != 0:
        raise ContractError(f"payoffs are {payoffs}, expected a sum of zero")
