"""A game as text is read back as the same game."""

import pytest

import plies
from plies.errors import BadSpec, PliesError, UnreadableMove, UnreadablePosition
from plies.search.decision import Decision
from plies.web.sessions.exchange import game_text, read, replay
from plies.web.sessions.session import Session

NIM = plies.game("nim:rows=3-4")


def played(game: plies.Game, *texts: str, start: str = "") -> Session:
    state = game.parse_position(start) if start else game.initial()
    session = Session(game, ["", "alphabeta:depth=2"], state)
    for text in texts:
        session.play(Decision(session.find(text)), 0.0, 0.0)
    return session


def test_a_game_is_read_back_as_it_was() -> None:
    session = played(NIM, "a-1", "b-4", start="2-4 second")
    text = game_text(session, NIM.spec, "")
    assert '[Game "nim:rows=3-4"]' in text
    assert '[Second "alphabeta:depth=2"]' in text
    loaded = read(NIM, text)
    assert loaded.start == session.match.states[0]
    assert loaded.moves == session.match.moves
    again = Session(NIM, ["", ""], loaded.start)
    replay(again, loaded)
    assert again.match.states == session.match.states
    assert [move.text for move in again.match.records] == ["a-1", "b-4"]


def test_a_position_is_read_and_so_is_a_list_of_moves() -> None:
    assert read(NIM, " 2-4 second ").moves == []
    assert NIM.position_text(read(NIM, "2-4 second").start) == "2-4 second"
    assert len(read(NIM, "a-1 b-2").moves) == 2
    assert len(read(NIM, "1. a-1 b-2\n2. b-1").moves) == 3
    assert len(read(NIM, "1.a-1 b-2 2.b-1").moves) == 3


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("nonsense", UnreadablePosition, "not a nim position"),
        ('[Game "chess"]\n\ne4', BadSpec, "that is a game of chess, not of nim"),
        ("a-1 a-9", UnreadableMove, "move 2: "),
        ('[Game "nim"]\n[Start "9-9 nobody"]', UnreadablePosition, "not a nim position"),
    ],
)
def test_what_is_wrong_with_a_text_is_told(text: str, kind: type[PliesError], said: str) -> None:
    with pytest.raises(kind, match=said):
        read(NIM, text)


def test_moves_after_the_end_are_refused() -> None:
    with pytest.raises(PliesError):
        read(NIM, "a-3 b-4 a-1")


def test_chess_is_exchanged_as_pgn() -> None:
    chess = plies.game("chess")
    session = played(chess, "e2e4", "e7e5")
    text = game_text(session, "chess", "")
    assert '[White "a person"]' in text
    assert "1. e4 e5 *" in text
    loaded = read(chess, text)
    assert loaded.moves == session.match.moves
    assert read(chess, "1. e4 e5").moves == session.match.moves
    assert read(chess, "1.e4 e5").moves == session.match.moves
    session.resign(1, 0.0)
    assert text != (ended := game_text(session, "chess", ""))
    assert '[Result "1-0"]' in ended
