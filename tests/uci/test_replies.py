"""What the engine says about a search."""

import pytest

import plies
from plies.core.scores import lose_in, win_in
from plies.search.decision import Decision, Depth
from plies.search.task import Progress
from plies.uci.replies import Report, score_text


# Mate is counted in moves: the mover's n-th move is ply 2n - 1, the opponent's ply 2n.
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (35, "cp 35"),
        (-120, "cp -120"),
        (win_in(1), "mate 1"),
        (win_in(2), "mate 1"),
        (win_in(5), "mate 3"),
        (lose_in(0), "mate 0"),
        (lose_in(2), "mate -1"),
        (lose_in(6), "mate -3"),
    ],
)
def test_values_are_centipawns_or_moves_to_mate(value: int, text: str) -> None:
    assert score_text(value) == text


def test_evaluators_that_count_otherwise_are_converted() -> None:
    assert score_text(-3, unit=1) == "cp -300"
    assert score_text(45, unit=0) == "cp 45"  # nobody knows what its unit is


def report(text: str = "") -> tuple[plies.Game, Report]:
    game = plies.game("tictactoe")
    state = game.parse_position(text) if text else game.initial()
    return game, Report(game, state, game.evaluator("zero"))


def test_every_depth_is_told_once() -> None:
    game, told = report()
    moves = game.moves(game.initial())
    depths = tuple(
        Depth(depth, moves[0], 7, moves[:depth], 100 * depth, depth / 10) for depth in (1, 2, 3)
    )
    assert list(told.progress(Progress(0.15, 150, depths[:1]), 0.0125)) == [
        "info depth 1 score cp 7 nodes 100 nps 1000 hashfull 12 time 100 pv a1"
    ]
    assert list(told.progress(Progress(0.16, 160, depths[:1]))) == []
    decision = Decision(moves[0], 7, 3, 300, 0.3, moves[:3], history=depths)
    assert list(told.result(decision)) == [
        "info depth 2 score cp 7 nodes 200 nps 1000 hashfull 0 time 200 pv a1 b1",
        "info depth 3 score cp 7 nodes 300 nps 1000 hashfull 0 time 300 pv a1 b1 c1",
    ]
    assert told.move(decision) == "a1 ponder b1"


def test_a_search_that_was_stopped_tells_what_it_found_after_the_last_depth() -> None:
    game, told = report()
    first, second, *_ = game.moves(game.initial())
    history = (Depth(1, first, 0, (first,), 9, 0.1),)
    decision = Decision(second, 5, 1, 20, 0.2, (second,), history=history)
    assert list(told.result(decision)) == [
        "info depth 1 score cp 0 nodes 9 nps 90 hashfull 0 time 100 pv a1",
        "info depth 1 score cp 5 nodes 20 nps 100 hashfull 0 time 200 pv b1",
    ]
    assert told.move(decision) == "b1"


def test_a_search_that_has_found_nothing_answers_with_a_move_alone() -> None:
    game, told = report()
    move = game.moves(game.initial())[0]
    assert list(told.result(Decision(move, line=(move,)))) == []
    assert told.move(Decision(move, line=(move,))) == "a1"


def test_a_long_depth_gives_a_sign_of_life_every_second() -> None:
    _, told = report()
    said = [list(told.progress(Progress(tenths / 10, 1000, ()))) for tenths in range(35)]
    assert [tenths for tenths, lines in enumerate(said) if lines] == [10, 20, 30]
    assert said[20] == ["info nodes 1000 nps 500 hashfull 0 time 2000"]
