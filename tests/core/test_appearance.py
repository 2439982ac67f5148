"""What is clicked and what visibly moves, compared with the positions before and after."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import plies
from game_samples import extended
from plies.core.contract import Game
from plies.errors import BadSpec, IllegalMove, UnreadableMove, UnreadablePosition
from plies.registry import game_names

pytestmark = pytest.mark.plain


def moves_of(game: Game, games: int = 5, plies_each: int = 40) -> Iterator[tuple[Any, int, Any]]:
    """Positions of random games, a move in each and the position after it."""
    for seed in range(games):
        rng, state = random.Random(seed), game.initial()
        for _ in range(plies_each):
            if game.is_over(state):
                break
            move = rng.choice(game.moves(state))
            after = game.play(state, move)
            yield state, move, after
            state = after


@pytest.mark.parametrize("spec", game_names())
def test_what_moves_arrives_where_its_motion_ends(spec: str):
    game = plies.game(spec)
    for state, move, after in moves_of(game):
        before, now = game.pieces(state), game.pieces(after)
        for number, (origin, target) in enumerate(game.motions(state, move)):
            own = game.marks[game.mover(state)]
            is_promoted_or_turned = number == 0 and now.get(target, "?") in own
            assert before.get(origin) == now.get(target) or is_promoted_or_turned


@pytest.mark.parametrize("spec", ["quixo", "quixo:n=4", "quixo:n=7"])
def test_in_quixo_every_cube_that_changes_its_place_is_told(spec: str):
    game = plies.game(spec)
    for state, move, after in moves_of(game):
        motions = game.motions(state, move)
        moved = {target: game.pieces(state).get(origin, "") for origin, target in motions[1:]}
        entry = {motions[0][1]: game.marks[game.mover(state)]}
        expected = {**game.pieces(state), **moved, **entry}
        assert {name: mark for name, mark in expected.items() if mark} == game.pieces(after)
        # A cube leaves every place that another one enters, and no place is left without one.
        assert {origin for origin, _ in motions} == {target for _, target in motions}


@pytest.mark.parametrize(
    ("castling", "rook"),
    [
        ("e1g1", ("h1", "f1")),
        ("e1c1", ("a1", "d1")),
        ("e8g8", ("h8", "f8")),
        ("e8c8", ("a8", "d8")),
    ],
)
def test_a_castling_king_takes_its_rook_along(castling: str, rook: tuple[str, str]):
    game = plies.game("chess")
    side = "w" if castling.startswith("e1") else "b"
    state = game.parse_position(f"r3k2r/8/8/8/8/8/8/R3K2R {side} KQkq - 0 1")
    move = game.parse_move(state, castling)
    assert game.motions(state, move) == ((castling[:2], castling[2:]), rook)


def test_in_nim_the_clicked_object_goes_with_all_to_its_right():
    game = plies.game("nim:rows=3-4-5")
    for state, move, after in moves_of(game):
        (clicked,) = game.clicks(state, move)
        gone = game.pieces(state).keys() - game.pieces(after).keys()
        same_row = [name for name in game.pieces(state) if name[0] == clicked[0] and name[1:]]
        assert gone == {name for name in same_row if int(name[1:]) >= int(clicked[1:])}


def test_in_a_tree_the_child_is_clicked_where_it_is_drawn():
    game = plies.game("tree")
    for state, move, after in moves_of(game):
        (clicked,) = game.clicks(state, move)
        assert clicked == "." + game.position_text(after).replace("-", ".")
        board = game.board(state)
        assert board is not None
        assert clicked in board.points


@pytest.mark.parametrize("spec", ["tictactoe", "chess", "morris", "seega", "quixo"])
def test_elsewhere_the_steps_are_clicked(spec: str):
    game = plies.game(spec)
    for state, move, _ in moves_of(game, games=1):
        assert game.clicks(state, move) == game.steps(state, move)


def test_chess_pieces_have_drawings_of_their_own():
    assert set(plies.game("chess").glyphs()) == set("KQRBNPkqrbnp")


def test_a_situation_is_one_line_where_a_game_says_it():
    situations = {
        spec: plies.game(spec).situation(plies.game(spec).initial()) for spec in game_names()
    }
    assert situations["morris"] == "in hand: W 9, B 9"
    assert situations["seega"] == "to place: X 12, O 12"
    assert situations["chess"] == "White to move; castling KQkq"
    assert situations["tictactoe"] == situations["quixo"] == ""


def test_the_centre_of_seega_stands_out_in_pictures():
    game = plies.game("seega")
    board = game.board(game.initial())
    assert board is not None
    assert board.marked == ("c3",)
    assert game.svg(game.initial()).count("#f3d98b") == 1  # the colour of what stands out


def test_the_situation_stands_below_the_board(tmp_path: Path):
    extra = (
        "from plies.core import grid\ndef board(state):\n    return grid(1, 1)",
        "def pieces(state):\n    return {}",
        "def situation(state):\n    return f'{state.heap} left'",
    )
    game = extended(tmp_path, *extra)
    assert game.draw(game.initial()).splitlines()[-2:] == ["", "7 left"]


def test_the_vocabulary_is_listed_and_each_word_is_there():
    import plies.core

    assert {"is_tactical", "null_move", "compiled"} <= set(dir(plies.core))
    assert all(hasattr(plies.core, name) for name in dir(plies.core))


# Mistakes of who asks


def answers(game: Game, state: Any) -> dict[str, Callable[[], Any]]:
    """Questions about a state, by the name of the method."""
    return {
        "draw": lambda: game.draw(state),
        "svg": lambda: game.svg(state),
        "position_text": lambda: game.position_text(state),
        "move_text": lambda: game.move_text(state, 0),
        "steps": lambda: game.steps(state, 0),
    }


@pytest.mark.parametrize("spec", ["chess", "nim"])
@pytest.mark.parametrize("name", ["draw", "svg", "position_text", "move_text", "steps"])
def test_a_state_of_another_game_is_not_the_fault_of_this_one(spec: str, name: str):
    game, other = plies.game(spec), plies.game("quixo").initial()
    with pytest.raises(BadSpec, match=f"^quixo.State.* is not a state of {spec}$"):
        answers(game, other)[name]()


def test_a_move_that_is_not_legal_is_not_the_fault_of_the_game():
    game = plies.game("quixo")
    for ask in (game.move_text, game.steps, game.clicks):
        with pytest.raises(IllegalMove, match=r"^move 999 is not legal here$"):
            ask(game.initial(), 999)


@pytest.mark.parametrize("text", [5, None, b"a1"])
def test_moves_and_positions_are_read_from_text(text: Any):
    game = plies.game("tictactoe")
    with pytest.raises(UnreadableMove, match=r"^a move is read from a text, not from "):
        game.parse_move(game.initial(), text)
    with pytest.raises(UnreadablePosition, match=r"from a text such as '\.\.\./.* X', not from "):
        game.parse_position(text)
