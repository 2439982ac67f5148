"""Games that alpha-beta plays against itself."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.core import verbs
from plies.core.contract import Game
from plies.core.scores import WIN, is_decided
from plies.errors import BadSpec
from plies.learn.selfplay import PART, SelfPlay, play_part
from plies.processes import answers
from plies.search.random_numbers import GENERATOR, random_below

GAMES = SelfPlay("tictactoe", games=2 * PART, depth=2, opening=3)
NEIGHBOURS = Path(__file__).parents[1] / "data" / "neighbours.py"  # a player moves twice


def slow_start(game: Game, plan: SelfPlay, chance: Any) -> Any:
    state = game.initial()
    for _ in range(1 + random_below(plan.opening, chance)):
        moves = game.moves(state)
        child = game.play(state, moves[random_below(len(moves), chance)])
        if game.is_over(child):
            break
        state = child
    return state


def slow_game(game: Game, plan: SelfPlay, chance: Any) -> list[tuple[list[int], int, int]]:
    """The inputs, the value and the result of each position, in plain Python with minimax."""
    state, found = slow_start(game, plan, chance), []
    gain = 0  # of the first player, unless somebody wins
    while len(found) < plan.max_plies and not game.is_over(state):
        decision = plies.search(game, state, f"minimax:depth={plan.depth}")
        row = np.isin(np.arange(verbs.input_count(state)), verbs.inputs(state)).astype(int)
        side = 1 if game.mover(state) == 0 else -1
        value, move, moves = decision.value, decision.move, game.moves(state)
        assert value is not None
        found.append((row.tolist(), value, side))
        if is_decided(value):
            gain = side * value
            break
        if random_below(2**30, chance) / 2**30 < plan.epsilon:
            move = moves[random_below(len(moves), chance)]
        state = game.play(state, move)
    if game.is_over(state):
        gain = game.payoffs(state)[0]
    return [(row, value, side * int(np.sign(gain))) for row, value, side in found]


@pytest.mark.parametrize(
    "plan",
    [
        replace(GAMES, epsilon=0.3),
        replace(GAMES, epsilon=0.0, opening=1),
        replace(GAMES, epsilon=1.0, opening=8),
        replace(GAMES, max_plies=2, depth=1),
        SelfPlay(f"{NEIGHBOURS}:cells=6", games=2 * PART, depth=2, opening=3),
        SelfPlay(f"{NEIGHBOURS}:cells=7,scored=1", games=2 * PART, depth=2, opening=3),
    ],
    ids=["now-and-then", "never", "always", "given-up", "moves-twice", "points"],
)
def test_games_are_those_that_minimax_plays_in_plain_python(plan: SelfPlay):
    plan = replace(plan, games=2 * PART + 12)
    found = play_part((plan, 2))  # the last part has twelve games
    chance = np.zeros(1, GENERATOR).view(np.recarray)[0]
    chance.random = np.random.default_rng([plan.seed, 2]).integers(1, 2**63, dtype=np.uint64)
    game = plies.game(plan.game)
    slow = [position for _ in range(12) for position in slow_game(game, plan, chance)]
    rows, values, results = zip(*slow, strict=True)
    assert found.rows.tolist() == list(rows)
    assert found.values.tolist() == list(values)
    assert found.results.tolist() == list(results)
    assert len(set(results)) > 1


def test_a_part_is_the_same_in_whichever_process_it_is_played():
    jobs = [(GAMES, 0), (GAMES, 1)]
    here = {job[1]: found for job, found in answers(play_part, jobs, workers=1)}
    there = {job[1]: found for job, found in answers(play_part, jobs, workers=2)}
    for number in (0, 1):
        for own, other in zip(here[number], there[number], strict=True):
            assert np.array_equal(own, other)
    assert not np.array_equal(here[0].rows[:50], here[1].rows[:50])


def test_positions_are_seen_by_their_mover_and_results_as_well():
    found = play_part((GAMES, 0))
    marks = found.rows[:, :9].sum(axis=1).astype(int) - found.rows[:, 9:].sum(axis=1)
    assert set(marks) == {0, -1}  # as many as the other side, or one less
    decided = abs(found.values) > WIN // 2
    assert decided.any()
    # A proven win ends the game, so what was proven is how it ended.
    assert np.array_equal(np.sign(found.values[decided]), found.results[decided])


@pytest.mark.parametrize(
    "wrong",
    [{"games": 1}, {"depth": 0}, {"opening": 0}, {"epsilon": 2.0}, {"max_plies": 0}],
    ids=str,
)
def test_self_play_that_makes_no_sense_is_refused(wrong: dict[str, Any]):
    with pytest.raises(BadSpec):
        replace(GAMES, **wrong)
