"""Whether players differ by more than chance, and a player that takes bounds for ties."""

import random
from pathlib import Path

import numpy as np
import pytest

import plies
from plies.games.tree import read_tree, tree_game
from plies.search.alphabeta import SOFT_AND_EQUAL
from plies.search.task import Task
from plies.search.workspace import new_workspace
from plies.studies import chess_counts
from plies.studies.bounds import (
    SOFT_AND_BEYOND,
    TiesAmongBounds,
    answers,
    play_instead,
    worse_choices,
)
from plies.studies.chess_moves import Change, depth_of_change
from plies.studies.equality import (
    decided_games_needed,
    games_needed,
    half_width,
    permutation_test,
    shares,
    spread_by_chance,
    win_rates,
)
from plies.studies.study import Work
from study_samples import tournament

# Of the second move Min's first reply says 3, as the best move has; the other one makes it 1.
TRAP = "M(m(3, 5), m(3, 1), m(2, 9))"


def test_players_with_the_same_results_are_equal_and_others_are_not():
    same = np.tile([[1.0], [0.5], [0.0], [1.0]], 3)
    assert permutation_test(same, win_rates, seed=1, tries=50) == 1
    # All 20 openings are won by one and lost by the other: 2 of 2^20 ways to deal are as uneven.
    uneven = np.tile([1.0, 0.0], (20, 1))
    for rate in (win_rates, shares):
        assert permutation_test(uneven, rate, seed=1, tries=200) == 1 / 201


def test_a_win_rate_leaves_out_drawn_games():
    points = np.array([[1.0, 0.5], [1.0, 0.5], [0.0, 0.5], [0.5, 0.5]])
    assert win_rates(points).tolist() == pytest.approx([2 / 3, 0.5])


def test_games_needed_are_those_whose_interval_is_as_narrow_as_asked():
    # 1.96^2 * 2 * 1/4 / 0.05^2 = 768.3
    assert decided_games_needed(0.5, 0.05) == 769
    counts = {"wins": 30, "draws": 40, "losses": 10}
    needed = games_needed(counts, 0.05)
    assert half_width(counts, needed) <= 0.05
    assert half_width(counts, needed - 10) > 0.05
    assert games_needed({"wins": 20, "draws": 0, "losses": 0}, 0.05) > 0


def test_equal_players_are_the_closer_the_more_they_play():
    counts = {"wins": 3, "draws": 1, "losses": 2}
    few, many = (spread_by_chance(counts, games, 3, seed=1) for games in (20, 2000))
    assert 0 < many["median"] < many["high"] < few["median"] < few["high"] < 1


def test_cuts_on_equality_answer_bounds_that_look_like_ties():
    game = tree_game(read_tree(TRAP))
    state, evaluator = game.initial(), game.evaluator()
    # docs/search/textbook.md: soft equal 3 3 2, soft beyond 3 1 2
    for kind, found in ((SOFT_AND_EQUAL, [3, 3, 2]), (SOFT_AND_BEYOND, [3, 1, 2])):
        told = answers(state, 2, kind, evaluator, new_workspace())
        assert list(told.values()) == found
    wrong = worse_choices(game, [state], 2, SOFT_AND_EQUAL, evaluator)
    assert wrong == {"possible": 1, "likely": 0.5}
    right = worse_choices(game, [state], 2, SOFT_AND_BEYOND, evaluator)
    assert right == {"possible": 0, "likely": 0}
    chosen = {
        TiesAmongBounds(2).decide(Task(state, evaluator, rng=random.Random(seed))).move
        for seed in range(20)
    }
    assert chosen == {0, 1}


def test_the_games_of_an_agent_are_played_once_more_from_its_openings(tmp_path: Path):
    games = tournament(1, 2, "tictactoe")
    points = play_instead(Work(tmp_path), games, "greedy", depth=2)
    assert len(points) == 4
    assert set(points) <= {0, 0.5, 1}
    assert play_instead(Work(tmp_path), games, "greedy", depth=2) == points


def test_a_move_that_was_one_of_the_best_and_no_longer_is_has_changed():
    change = Change("a1", "b1")
    assert depth_of_change([{"a1", "b1"}, {"b1"}, {"b1"}], change) == 2
    assert depth_of_change([{"c1"}, {"a1", "b1"}, {"b1", "c1"}], change) == 3
    for best in ([{"a1"}, {"a1", "b1"}, {"c1"}], [{"b1"}, {"a1"}, {"a1"}]):
        assert depth_of_change(best, change) == 0


def test_states_of_two_plies_are_counted_without_the_root_and_the_first_pass():
    game = plies.game("chess")
    root = chess_counts.laid_out(game, game.initial())
    way = chess_counts.WAYS[0]
    # 20 first moves and 400 replies; without a capture every first reply cuts on equality.
    assert chess_counts.states(root, prune="none") == 420
    assert chess_counts.states(root, way, cut="beyond") == 420
    assert chess_counts.states(root, way, cut="equal") == 20 + 20 + 19
