"""Moves as text: what is read, and what each kind of wrong text is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.drawing.notation import SEPARATORS, find_move, steps_text
from plies.errors import AmbiguousMove, IllegalMove, UnreadableMove

MOVES = {("a1", "a5"): 10, ("a1", "e1"): 11, ("c5", "c1"): 12, ("pass",): 13}
POINTS = ("a1", "a5", "b2", "c1", "c5", "e1")

steps = st.lists(st.from_regex(r"[a-z][a-z0-9]{0,3}", fullmatch=True), min_size=1, max_size=4)
separators = st.text("-,;> \t", min_size=1, max_size=3)


def test_a_move_is_its_steps_joined_by_hyphens():
    assert steps_text(("a1", "a5")) == "a1-a5"
    assert steps_text(("pass",)) == "pass"


@given(st.lists(steps.map(tuple), min_size=1, max_size=6, unique=True), st.data())
def test_every_move_reads_back_in_any_case_with_any_separator(
    moves: list[tuple[str, ...]], data: st.DataObject
):
    numbers = {move: number for number, move in enumerate(moves)}
    move = data.draw(st.sampled_from(moves))
    text = data.draw(separators).join(move)
    written = data.draw(st.sampled_from([text, text.upper(), f"  {text}\n"]))
    assert find_move(steps_text(move), numbers, ()) == numbers[move]
    assert find_move(written, numbers, ()) == numbers[move]


@pytest.mark.parametrize("text", ["", "  ", "-", "z9", "a1-z9", "a1a5", "a1-a5?"])
def test_text_that_names_nothing_is_unreadable_and_sees_an_example(text: str):
    with pytest.raises(UnreadableMove, match="like a1-a5"):
        find_move(text, MOVES, POINTS)


@pytest.mark.parametrize("text", ["b2", "a1-b2", "c1-c5", "a5-a1", "a1-a5-e1"])
def test_a_readable_move_that_the_rules_forbid_is_illegal_and_sees_the_legal_ones(text: str):
    with pytest.raises(IllegalMove) as error:
        find_move(text, MOVES, POINTS)
    assert not isinstance(error.value, AmbiguousMove)
    assert error.value.legal == ("a1-a5", "a1-e1", "c5-c1", "pass")
    assert all(word in str(error.value) for word in (text, *error.value.legal))


def test_the_beginning_of_several_moves_is_ambiguous_and_sees_those():
    with pytest.raises(AmbiguousMove) as error:
        find_move("A1", MOVES, POINTS)
    assert error.value.legal == ("a1-a5", "a1-e1")
    assert all(word in str(error.value) for word in ("A1", *error.value.legal))


def test_a_whole_move_that_begins_a_longer_one_is_not_ambiguous():
    assert find_move("a1", {("a1", "b2"): 1, ("a1",): 2}, ()) == 2


def test_a_minus_sign_is_part_of_a_number():
    moves = {("3",): 30, ("-3",): 31}
    assert find_move("3", moves, ()) == 30
    assert find_move("-3", moves, ()) == 31
    with pytest.raises(UnreadableMove):
        find_move("-3", {("3",): 30}, ())


def test_a_step_with_a_separator_in_it_is_read_as_it_is_written():
    assert find_move("Castle-Long", {("castle-long",): 1, ("castle",): 2}, ()) == 1


def test_a_long_list_of_legal_moves_stays_on_one_line():
    moves = {(f"a{number}",): number for number in range(1, 31)}
    with pytest.raises(IllegalMove, match=r"a12 and 18 more$"):
        find_move("b1", moves, ["b1"])


@given(st.text(max_size=12))
def test_reading_any_text_answers_a_move_or_one_of_three_errors(text: str):
    words = tuple(part for part in SEPARATORS.split(text.strip().lower()) if part)
    try:
        move = find_move(text, MOVES, POINTS)
    except (UnreadableMove, IllegalMove):
        assert words not in MOVES
    else:
        assert MOVES[words] == move
