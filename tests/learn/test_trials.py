"""Games of candidates against the incumbent, and who plays them in compiled code."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.arena.openings import random_openings
from plies.errors import BadGame, BadSpec
from plies.learn.trials import Players, Referee, Trial, is_plain, trial_agent
from plies.learn.weights import Tuning, Weights
from plies.search.alphabeta import AlphaBeta

DATA = Path(__file__).parents[1] / "data"
PASSING = str(DATA / "passing.py")
# Weights of its evaluator, which are the lead, the next coin and patience.
EAGER, LAZY = (1, 0, 0), (-1, 0, 0)  # always takes; passes unless it sees the end


@pytest.fixture(autouse=True)
def no_compile_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIES_QUIET", "1")


def tuning_of(agent: str = "alphabeta:depth=1", **options: Any) -> Tuning:
    return Tuning(PASSING, agent, "opinion", ("lead", "coin"), **options)


def both(referee: Referee, first: Weights, second: Weights, opening: str) -> list[float]:
    """What the first player gets in compiled code, and in a match."""
    trial = Trial(first, second, opening, seed=1)
    seats = referee.kind(*first), referee.kind(*second)
    return [referee.quick_game(*seats, trial), referee.match_game(*seats, trial)]


# One game


@pytest.mark.parametrize("options", ["depth=1", "depth=3", "depth=3,fail=hard,cut=beyond"])
def test_a_game_in_compiled_code_ends_as_it_does_in_a_match(options: str):
    referee = Referee(tuning_of(f"alphabeta:{options}"))
    found = set()
    for opening in random_openings(plies.game(PASSING), 8, 4, random.Random(1)):
        for weights in (EAGER, LAZY, (2, -1, 0), (1, 3, 6)):
            for other in (EAGER, LAZY, (3, -2, 0)):
                quick, match = both(referee, weights, other, opening)
                assert quick == match
                found.add(quick)
    assert found == {0, 0.5, 1}


@pytest.mark.parametrize(
    ("opening", "points"),
    [
        # The last coin, which is 2, is taken by whoever is to move.
        ("7 12 10 0 0", 1.0),  # 14 to 10
        ("7 10 12 1 0", 0.0),  # 10 to 14
        ("7 4 18 0 0", 0.0),  # 6 to 18
        ("7 18 4 1 0", 1.0),  # 18 to 6
        ("7 10 12 0 0", 0.5),  # 12 to 12
    ],
)
def test_a_game_with_scores_goes_to_whoever_has_more(opening: str, points: float):
    assert both(Referee(tuning_of()), EAGER, EAGER, opening) == [points, points]


def test_a_third_repetition_draws_and_a_second_does_not():
    referee = Referee(tuning_of())
    # Both pass while the next position is before the ply of their patience.  The position of
    # ply 0 is there again at plies 2 and 4.  The first player is far ahead in all of them.
    opening = "4 14 0 0 0"
    assert both(referee, (1, 0, 4), (1, 0, 4), opening) == [1, 1]
    assert both(referee, (1, 0, 5), (1, 0, 5), opening) == [0.5, 0.5]


def test_a_game_is_drawn_at_its_greatest_length_whoever_is_ahead():
    # Three coins are left, and take three plies.
    for opening in ("5 18 0 0 0", "5 0 18 0 0"):
        assert both(Referee(tuning_of(max_plies=2)), EAGER, EAGER, opening) == [0.5, 0.5]
    referee = Referee(tuning_of(max_plies=3))
    assert both(referee, EAGER, EAGER, "5 18 0 0 0") == [1, 1]
    assert both(referee, EAGER, EAGER, "5 0 18 0 0") == [0, 0]


def test_broken_rules_are_told_of():
    referee = Referee(Tuning(str(DATA / "games" / "stuck.py"), "alphabeta", "zero", ("unused",)))
    with pytest.raises(BadGame, match="no legal move"):
        referee.points(Trial((0,), (0,), "7 0", seed=1))


# Who plays


def test_only_plain_alphabeta_plays_in_compiled_code():
    assert is_plain(AlphaBeta(depth=5, eval="opinion", fail="hard", cut="beyond"))
    assert not is_plain(AlphaBeta(table=1))
    assert not is_plain(AlphaBeta(order="shallow"))
    assert not is_plain(AlphaBeta(choice="random"))
    assert not is_plain(AlphaBeta(nodes=10))


@pytest.mark.parametrize(
    ("agent", "points"),
    [
        ("alphabeta:depth=1", 1),
        ("alphabeta:depth=1,nodes=1", 0.5),  # too few for anything but the first move, a pass
        ("greedy", 1),
    ],
)
def test_an_agent_plays_with_all_of_its_options_in_both_seats(agent: str, points: float):
    referee = Referee(tuning_of(agent))
    assert referee.points(Trial(EAGER, LAZY, "0 0 0 0 0", seed=1)) == points
    assert referee.points(Trial(LAZY, EAGER, "0 0 0 0 0", seed=1)) == 1 - points


def test_candidates_of_a_finer_scale_play_with_a_finer_unit(monkeypatch: pytest.MonkeyPatch):
    referee = Referee(replace(tuning_of("alphabeta:depth=1,table=1"), scale=10))
    classes: list[type] = []

    def watched(game: Any, *seats: Any, **options: Any) -> Any:
        classes.extend(type(seat.evaluator) for seat in seats)
        return plies.play_game(game, "random", "random", **options)

    monkeypatch.setattr("plies.learn.trials.play_game", watched)
    referee.points(Trial(EAGER, LAZY, "0 0 0 0 0", seed=1))
    own = type(referee.agent.evaluator)
    assert classes == [referee.finer, own, own, referee.finer]
    assert referee.finer is not own


def test_every_seat_thinks_for_itself(monkeypatch: pytest.MonkeyPatch):
    # With a table in common one player would believe what the other's weights say.
    referee = Referee(tuning_of("alphabeta:depth=1,table=1"))
    memories: list[dict[str, Any]] = []

    def watched(game: Any, *seats: Any, **options: Any) -> Any:
        memories.extend(seat.memory for seat in seats)
        return plies.play_game(game, "random", "random", **options)

    monkeypatch.setattr("plies.learn.trials.play_game", watched)
    referee.points(Trial(EAGER, LAZY, "0 0 0 0 0", seed=1))
    assert len({id(memory) for memory in [referee.agent.memory, *memories]}) == 5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("random", "random asks no evaluator"),
        ("alphabeta:depth=1,eval=opinion", "names an evaluator itself"),
        ("alfabeta", "did you mean alphabeta"),
    ],
)
def test_agents_that_cannot_be_tuned_are_refused(name: str, message: str):
    with pytest.raises(BadSpec, match=message):
        trial_agent(tuning_of(name))


# Many games


def losses(tuning: Tuning, *arguments: Any) -> list[float]:
    players = Players(tuning, threads=2)
    try:
        return players.losses(*arguments)
    finally:
        players.close()


def test_the_loss_is_the_share_of_points_that_a_candidate_does_not_get():
    # Who always takes has more than who always passes; against itself everybody gets half.
    openings = ["0 0 0 0 0", "0 0 0 1 0"]
    assert losses(tuning_of(), [EAGER, LAZY], LAZY, openings) == [0, 0.5]
    assert losses(tuning_of(), [EAGER, LAZY], EAGER, openings) == [0.5, 1]


def test_every_candidate_plays_the_same_openings_with_the_same_seeds(
    monkeypatch: pytest.MonkeyPatch,
):
    points: dict[Weights, tuple[float, ...]] = {EAGER: (1, 0.5, 0.75), LAZY: (0, 0, 0.75)}
    trials: list[Trial] = []

    def known(referee: Referee, trial: Trial) -> float:
        trials.append(trial)
        return points[trial.candidate]["abc".index(trial.opening)]

    monkeypatch.setattr(Referee, "points", known)
    told: list[int] = []
    asked: tuple[Sequence[Weights], Weights, str] = ([EAGER, LAZY], (5, 5, 5), "abc")
    assert losses(tuning_of(), *asked, lambda: told.append(1)) == [0.25, 0.75]
    games = [(EAGER, opening, seed) for seed, opening in enumerate("abc")]
    games += [(LAZY, opening, seed) for seed, opening in enumerate("abc")]
    assert sorted((each.candidate, each.opening, each.seed) for each in trials) == sorted(games)
    assert {each.incumbent for each in trials} == {(5, 5, 5)}
    assert len(told) == 6
