"""Games and options in a sentence, and what the board does not show."""

import pytest

import plies
from plies.web import prose
from plies.web.opponents import ALLOWED, opponents
from plies.web.view import Viewer

RULES = """Halma: hop to the other side.

A move hops as often as it likes, `far` cells at most.  The first to arrive wins.

    . . `far` is no sentence here

Where sources differ: with `jump=long` hops are long."""


@pytest.mark.parametrize(
    ("title", "rules", "told"),
    [
        ("Halma", RULES, "Hop to the other side."),
        ("Hop", "Hops: go on and on. And on.", "Go on and on."),
        ("Connect four", "Connect four.\n\nStones fall.  Then more.", "Stones fall."),
        ("Kalah", "Kalah, in which seeds are sown.", "Kalah, in which seeds are sown."),
        ("Nameless", "", ""),
        ("Odd (one)", "Odd (one): it is.", "It is."),
    ],
)
def test_a_game_is_told_in_its_first_sentence(title: str, rules: str, told: str) -> None:
    assert prose.summary(title, rules) == told


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("far", "A move hops as often as it likes, `far` cells at most."),
        ("jump", "With `jump=long` hops are long."),
        ("hops", ""),
        ("fa", ""),
    ],
)
def test_an_option_is_told_in_the_first_sentence_that_names_it(option: str, told: str) -> None:
    assert prose.about_option(option, RULES) == told


def test_options_of_games_are_told_by_their_rules() -> None:
    nim = plies.game("nim")
    told = {option.name: option.told for option in Viewer(nim).detail("nim", "nim").options}
    assert told["misere"].startswith("Whoever takes the last object wins; with `misere`")
    assert told["rows"] == ""  # of which the rules say nothing by name


def test_every_option_of_every_agent_is_told() -> None:
    kinds = [
        kind for spec in ("nim", "nim:players=3") for kind in opponents(plies.game(spec)).kinds
    ]
    assert {kind.name for kind in kinds} >= ALLOWED.keys() - {"greedy", "mixed"}
    for kind in kinds:
        assert [option.name for option in kind.options if not option.told] == []


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ("startpos", "castling KQkq"),
        ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "in check; castling K"),
        ("4k3/8/8/8/8/8/8/4K2R b - - 0 1", ""),
    ],
)
def test_whose_turn_it_is_is_not_told_twice(position: str, told: str) -> None:
    chess = plies.game("chess")
    assert Viewer(chess).position(chess.parse_position(position), 0).situation == told
