"""What a failed check tells: the reason in sight, and the place where two answers differ."""

from typing import Any

import pytest

from plies.testing.sentences import at_position, error_problem, first_difference, one_line

BOARD = list(range(81))


def test_a_short_position_stands_before_the_problem_and_a_long_one_after_it():
    assert at_position("5 1", "mover is 2") == "at 5 1: mover is 2"
    long = ",".join("0" * 81)
    assert at_position(long, "mover is 2") == f"mover is 2; at {long}"
    assert at_position("", "mover is 2") == "mover is 2"


@pytest.mark.parametrize(
    ("answer", "expected", "difference"),
    [
        (3, 4, ("", "3", "4")),
        ((1, 2), (1, 3), ("", "(1, 2)", "(1, 3)")),
        ({"heap": 3, "turn": 1}, {"heap": 3, "turn": 0}, ("turn", "1", "0")),
        ({"cells": BOARD}, {"cells": [*BOARD[:80], 7]}, ("cells[80]", "80", "7")),
        ({"cells": BOARD}, {"cells": BOARD[:80]}, ("the length of cells", "81", "80")),
        (BOARD, BOARD[:80], ("the length", "81", "80")),
        (({"cells": BOARD}, 1), ({"cells": BOARD}, 2), ("[1]", "1", "2")),
    ],
)
def test_two_answers_are_told_apart_by_their_first_difference(
    answer: Any, expected: Any, difference: tuple[str, str, str]
):
    assert first_difference(answer, expected) == difference


def test_a_long_answer_is_cut():
    place, one, other = first_difference("x" * 100, BOARD)
    assert (place, one, other) == ("", "x" * 60 + " ...", one_line(BOARD, 60))


def test_an_error_is_named_with_its_line():
    with pytest.raises(IndexError) as caught:
        BOARD[81]  # pyright: ignore[reportUnusedExpression]
    told = error_problem("play of move 80", caught.value, __file__)
    assert told.startswith("play of move 80 goes beyond the end of an array (test_sentences.py, ")
    told = error_problem("outcome", KeyError(3), __file__)
    assert told == "outcome raises KeyError as interpreted: 3"
