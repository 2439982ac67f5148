"""The learner itself: what it learns from a game, what it keeps, how good it gets."""

import re
from pathlib import Path

import numpy as np
import pytest

import plies
from plies.core import Evaluator, Features, compiled
from plies.errors import BadSpec
from plies.learn.against_chance import exactly, graph_of, greedy
from plies.learn.qlearning.episodes import WON
from plies.learn.qlearning.learner import CHANCE, Learner
from plies.learn.qlearning.settings import Settings, read_settings
from plies.learn.qlearning.trial import Plan, trial
from plies.models.table import canonical, evaluator

PAIRS = Path(__file__).parents[1] / "data" / "pairs.py"
ONE_GAME = Settings(rate=1, fade=0, discount=0.5)


@pytest.fixture(scope="module")
def tictactoe():
    return plies.game("tictactoe")


def pairs(options=""):
    return plies.game(f"{PAIRS}{options}")


def value(learner, *fields):
    """What the table holds of the position of `pairs` with these fields."""
    name, _ = canonical(learner.game.State(*fields), int(learner.settings.symmetry))
    table = learner.table
    (number,) = np.flatnonzero(table.keys[: learner.states] == name)
    return table.values[number]


def test_the_next_own_decision_is_looked_up_after_the_reply_whoever_moves_twice():
    # Three objects, one a move: the first player moves twice, the second takes the last and wins.
    # Of the first player's moves the last is worth -1, the one before half of that; positions
    # hold what they are worth to their mover.
    learner = Learner(pairs(), ONE_GAME)
    learner.play(1)
    assert value(learner, 2, 0, 1, 1) == -0.5
    assert value(learner, 1, 1, 2, 1) == 1
    assert value(learner, 0, 1, 1, 1) == 1


def test_rewards_along_a_ramp_are_the_squares_of_a_line_and_losses_are_negative():
    # Six objects: first, first, second, second, first, first, who takes the last and wins.
    # Of four own moves a win gives ((1 + n) / 4)^2 from 1/16 to 1, of two a loss gives
    # -1/100 and -1/25; with a discount of 0 nothing else counts.
    settings = Settings(
        rate=1, fade=0, discount=0, rewards="ramp", win=(1 / 16, 1), loss=(0.01, 0.04)
    )
    learner = Learner(pairs(":left=6"), settings)
    learner.play(1)
    assert value(learner, 5, 0, 1, 1) == pytest.approx(1 / 16)  # the same player moves again
    assert value(learner, 4, 1, 2, 1) == pytest.approx(-4 / 16)
    assert value(learner, 3, 1, 1, 1) == pytest.approx(-0.01)
    assert value(learner, 2, 0, 2, 1) == pytest.approx(0.04)
    assert value(learner, 1, 0, 1, 1) == pytest.approx(9 / 16)
    assert value(learner, 0, 1, 2, 1) == pytest.approx(-1)


@compiled
def few(state):
    """The first player has the pattern with 5, 4, 1 or 0 left, the second with 6, 5, 3 or 2."""
    first, second = int(state.left % 4 < 2), int(state.left > 1 and state.left != 4)
    return (first, second) if state.turn == 0 else (second, first)


@compiled
def nothing(state):
    return 0


def test_a_bonus_is_for_moves_that_make_a_pattern_or_take_one_from_the_other():
    # Six objects: first, first, second, second, first, first, who takes the last and wins; with
    # a discount of 0 a move is worth its bonus and, the last of each player, the result.
    game = pairs(":left=6")
    features = Features(("own_few", "other_few"), few)
    game.add_evaluators({"patterns": Evaluator(nothing, features=features)})
    bonuses = {"bonus": "few", "make_bonus": 0.5, "block_bonus": 0.25}
    learner = Learner(game, Settings(rate=1, fade=0, discount=0, symmetry=False, **bonuses))
    learner.play(1)
    assert value(learner, 5, 0, 1, 1) == 0.5  # made; the same player moves again
    assert value(learner, 4, 1, 2, 1) == -0.25  # taken from the other, who moves now
    assert value(learner, 3, 1, 1, 1) == 0.75
    assert value(learner, 2, 0, 2, 1) == 1  # nothing but the loss
    assert value(learner, 1, 0, 1, 1) == 0.75
    assert value(learner, 0, 1, 2, 1) == -1


def test_a_game_at_its_greatest_length_is_a_draw():
    settings = Settings(rate=1, fade=0, rewards="ramp", discount=0, max_plies=2)
    learner = Learner(pairs(), settings)
    learner.play(1)
    assert list(learner.work.results) == [0, 1, 0]
    # Both moves are the first player's, whose draw goes from 0.01 to 0.1; then the other moves.
    assert value(learner, 2, 0, 1, 1) == pytest.approx(0.01)
    assert value(learner, 1, 1, 2, 1) == pytest.approx(-0.1)


def test_the_rate_fades_with_visits():
    # Rates of 1 and then 1 / (1 + 1): the second game, like the first, says -1, +1.
    learner = Learner(pairs(), Settings(rate=1, fade=1, discount=1))
    learner.play(1)
    learner.table.values[: learner.states] = 0
    learner.play(1)
    assert value(learner, 0, 1, 1, 1) == 0.5
    assert value(learner, 1, 1, 2, 1) == 0.5
    assert value(learner, 2, 0, 1, 1) == -0.25


def test_positions_that_differ_by_the_names_of_the_players_share_a_place():
    # Of six objects 0 to 5 are left after a move, each with one or two moves to go, though
    # 5 with two is never met and 0 ends the game; with the players' names there are more.
    found = {}
    for symmetry in (True, False):
        learner = Learner(pairs(":left=6,k=2"), Settings(symmetry=symmetry))
        learner.play(200)
        states = [learner.table.keys[: learner.states]]
        found[symmetry] = len(np.unique(states))
    shapes = {(left, rest) for left in range(7) for rest in (1, 2)}
    unreachable = {(6, 1), (5, 2)}
    assert found[True] == len(shapes - unreachable)
    assert found[False] > found[True]


def test_symmetric_boards_share_a_place(tictactoe):
    # facts: 765 positions of tic-tac-toe up to symmetry, 5478 in all.
    learner = Learner(tictactoe, Settings(exploration=1.0))
    learner.play(20_000)
    assert learner.states == 765
    plain = Learner(tictactoe, Settings(exploration=1.0, symmetry=False))
    plain.play(20_000)
    assert 5000 < plain.states <= 5478


@pytest.mark.parametrize("seed", range(1, 6))
def test_self_play_learns_to_beat_chance_nearly_as_often_as_can_be(tictactoe, seed):
    learner = Learner(tictactoe, Settings(), seed)
    learner.play(300_000)
    graph = graph_of(tictactoe)
    policy = greedy(tictactoe, graph, evaluator(learner.model(), tictactoe))
    assert exactly(graph, policy, 0).wins > 0.9948 - 0.005
    assert exactly(graph, policy, 1).wins > 0.9386 - 0.015


def test_the_same_seed_learns_the_same_however_the_games_are_cut(tictactoe):
    whole, cut, other = (Learner(tictactoe, Settings(exploration=0.3), seed) for seed in (1, 1, 2))
    whole.play(600)
    for _ in range(6):
        cut.play(100)
    other.play(600)
    values = [each.table.values[: each.states] for each in (whole, cut, other)]
    assert np.array_equal(values[0], values[1])
    assert not np.array_equal(values[0], values[2])


def test_chance_is_the_other_player_and_the_seat_is_drawn(tictactoe):
    learner = Learner(tictactoe, Settings(exploration=0.1), 1, CHANCE)
    learner.play(20_000)
    assert learner.work.results[WON] > 0.85 * learner.games


def test_a_full_table_learns_no_new_positions_and_goes_on(tictactoe):
    learner = Learner(tictactoe, Settings(states=100))
    learner.play(2000)
    assert (learner.states, learner.games) == (100, 2000)
    assert learner.work.is_full
    assert learner.is_full
    roomy = Learner(tictactoe, Settings(states=10_000))
    roomy.play(2000)
    assert not roomy.is_full


def test_against_an_agent_only_the_own_moves_are_learned():
    # Three objects, one a move: the first player makes two moves and loses.
    game = pairs()
    learned = {}
    for seed in range(8):
        agent = plies.agent("random", game)
        learner = Learner(game, ONE_GAME, seed, agent.spec, agent)
        learner.play(1)
        is_won = bool(learner.work.results[WON])
        learned[is_won] = [value(learner, 2, 0, 1, 1), value(learner, 1, 1, 2, 1)]
        learned[is_won].append(value(learner, 0, 1, 1, 1))
    assert learned == {False: [-0.5, 1, 0], True: [0, 0, 1]}


def test_an_agent_s_games_go_on_in_positions_whose_moves_are_known_by_heart():
    game = pairs(":left=9,k=2")
    agent = plies.agent("random", game)
    learner = Learner(game, Settings(exploration=0.5), 1, agent.spec, agent)
    learner.play(40)
    assert learner.games == 40
    assert learner.work.links > 0
    before = learner.table.values[: learner.states].copy()
    again = Learner(game, Settings(exploration=0.5), 1, agent.spec, agent)
    again.play(40)
    assert np.array_equal(again.table.values[: again.states], before)


def test_a_trial_counts_what_the_table_knew(tictactoe):
    learner = Learner(tictactoe, Settings(), 1)
    empty = trial(tictactoe, evaluator(learner.model(), tictactoe), Plan(0, games=500))
    assert (empty.games, empty.known_share) == (500, 0)
    learner.play(20_000)
    table = evaluator(learner.model(), tictactoe)
    sighted, blind = (trial(tictactoe, table, Plan(0, 1, 500, is_blind=b)) for b in (False, True))
    assert blind.known_share == 1
    assert sighted.known[0] == 1
    assert min(sighted.wins, blind.wins) > empty.wins
    chance = trial(
        tictactoe,
        evaluator(Learner(tictactoe, Settings()).model(), tictactoe),
        Plan(0, 1, 4000, is_blind=True),
    )
    # An empty table that does not see the end of a game is random: 58.49 % wins, of 4000 games
    # with a standard error of 0.8 %.
    assert chance.wins / chance.games == pytest.approx(0.5849, abs=0.03)


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        ({"rate": "0"}, "rate is above 0 and at most 1, not 0.0"),
        ({"exploration": "1.5"}, "exploration is 0 to 1, not 1.5"),
        ({"discount": "nan"}, "discount is 0 to 1, not nan"),
        ({"win": "0.5"}, "win is two numbers such as 0.1-1, not 0.5"),
        ({"rewards": "points"}, "rewards is result or ramp, not points"),
        ({"ratte": "0.5"}, "did you mean rate?"),
        ({"make_bonus": "0.3"}, "make_bonus needs bonus=PATTERN"),
        ({"bonus": "lines_4", "block_bonus": "2"}, "block_bonus is 0 to 1, not 2.0"),
        ({"states": "1"}, "states is 2 to 2e+07, not 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(texts, complaint):
    with pytest.raises(BadSpec, match=re.escape(complaint)):
        read_settings(texts)


def test_settings_are_written_as_they_are_read():
    settings = read_settings({"rate": "0.25", "win": "0.2-0.9", "symmetry": "no"})
    assert settings.text == "rate=0.25,win=0.2-0.9,symmetry=false"


def test_games_of_more_than_two_are_refused():
    with pytest.raises(BadSpec, match="is not a game of two players"):
        Learner(plies.game("nim:players=3"), Settings())


def test_a_bonus_for_a_pattern_that_no_evaluator_counts_is_refused(tictactoe):
    with pytest.raises(BadSpec, match="no pattern lines_9 to give a bonus for; there are cubes, "):
        Learner(plies.game("quixo"), Settings(bonus="lines_9"))
    with pytest.raises(BadSpec, match=r"no pattern lines_2 to give .*; its evaluators count none"):
        Learner(tictactoe, Settings(bonus="lines_2"))
