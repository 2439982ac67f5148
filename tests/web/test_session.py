"""A session is a match with seats and clocks that run: moves, taking back, giving up."""

import pytest

import plies
from plies.errors import BadSpec, GameOver, IllegalMove
from plies.match import Clocks
from plies.search.decision import Decision
from plies.web.problems import NotNow
from plies.web.sessions.session import PERSON, Session

GAME = plies.game("tictactoe")
AGENT = "alphabeta:depth=2"


def session(*seats: str, clocks: Clocks = Clocks()) -> Session:  # noqa: B008
    return Session(GAME, seats, GAME.initial(), clocks)


def play(played: Session, *texts: str, now: float = 0.0) -> None:
    for text in texts:
        played.play(Decision(played.find(text)), 1.0, now)


def test_moves_are_played_in_turn_until_the_rules_end_the_game() -> None:
    played = session("", "")
    play(played, "a1", "a2", "b1", "b2", "c1")
    assert played.match.ply == 5
    assert played.match.mover is None
    assert played.match.end is not None
    assert played.match.end.payoffs == (1, -1)
    assert [move.player for move in played.match.records] == [0, 1, 0, 1, 0]
    assert played.offers() == []
    with pytest.raises(GameOver):
        played.resign(0, 0.0)
    with pytest.raises(GameOver):
        played.play(Decision(0), 0.0, 0.0)


def test_an_illegal_move_changes_nothing_and_names_the_legal_ones() -> None:
    played = session("", "")
    play(played, "a1")
    with pytest.raises(IllegalMove) as error:
        played.find("a1")
    assert len(error.value.legal) == 8
    assert played.match.ply == 1


def test_as_many_sit_down_as_play() -> None:
    with pytest.raises(BadSpec, match="tictactoe has 2 players, not 3"):
        session("", "", "")


def test_two_persons_take_one_move_back() -> None:
    played = session("", "")
    play(played, "a1", "a2")
    played.undo()
    assert (played.match.ply, played.match.mover) == (1, 1)
    assert [offer.text for offer in played.offers()].count("a2") == 1


def test_a_person_takes_the_agents_reply_back_as_well() -> None:
    played = session("", AGENT)
    play(played, "a1", "a2", "b1", "c1")
    played.undo()
    assert (played.match.ply, played.match.mover) == (2, 0)


def test_what_an_agent_did_before_any_person_is_not_taken_back() -> None:
    played = session(AGENT, "")
    play(played, "b2")
    with pytest.raises(NotNow, match="no move of a person"):
        played.undo()
    watched = session(AGENT, AGENT)
    play(watched, "b2", "a1")
    with pytest.raises(NotNow):
        watched.undo()


def test_a_game_that_was_lost_goes_on_when_the_move_is_taken_back() -> None:
    played = session("", "")
    play(played, "a1", "a2", "b1", "b2", "c1")
    played.undo()
    assert played.match.end is None
    assert played.match.mover == 0


def test_who_gives_up_has_lost() -> None:
    played = session("", AGENT)
    played.resign(0, 0.0)
    assert played.match.end is not None
    assert played.match.end.payoffs == (-1, 1)
    assert played.match.end.reason == "first (X) resigns"
    assert played.match.mover is None


def test_a_seat_is_handed_over_in_the_middle_and_the_moves_keep_their_players() -> None:
    played = session("", "")
    play(played, "a1")
    played.seats[1] = AGENT
    assert played.is_agents_turn
    play(played, "b2")
    assert played.players == ["", AGENT]
    played.seats[1] = PERSON
    assert played.persons == [0, 1]


def test_the_clock_of_the_player_to_move_runs_and_the_increment_is_added() -> None:
    played = session("", "", clocks=Clocks(credit=60, increment=2))
    played.start_clock(100.0)
    assert played.seconds_left(110.0) == (50.0, 60.0)
    play(played, "a1", now=110.0)
    assert played.seconds_left(500.0) == (52.0, 60.0)  # nobody has started the other clock
    played.start_clock(500.0)
    play(played, "a2", now=505.0)
    assert played.seconds_left(505.0) == (52.0, 57.0)


def test_a_clock_that_was_stopped_goes_on_where_it_was() -> None:
    played = session("", "", clocks=Clocks(credit=60))
    played.start_clock(0.0)
    played.stop_clock(10.0)
    played.start_clock(1000.0)
    assert played.seconds_left(1005.0) == (45.0, 60.0)


def test_taking_back_restores_the_clocks_of_that_ply() -> None:
    played = session("", "", clocks=Clocks(credit=60))
    for now, text in ((10.0, "a1"), (30.0, "a2")):
        played.start_clock(now - 10)
        play(played, text, now=now)
    played.undo()
    assert played.seconds_left(99.0) == (50.0, 60.0)


def test_whose_flag_falls_has_lost() -> None:
    played = session("", "", clocks=Clocks(credit=5))
    played.start_clock(0.0)
    played.lose_on_time(5.0)
    assert played.match.end is not None
    assert (played.match.end.payoffs, played.match.end.termination) == ((-1, 1), "time")
    assert played.seconds_left(100.0)[0] == 0.0


def test_without_a_credit_no_clock_runs() -> None:
    played = session("", "")
    played.start_clock(0.0)
    assert not played.is_running


def test_moves_are_played_again_as_they_were_and_others_refused() -> None:
    first = session("", AGENT, clocks=Clocks(credit=60))
    first.start_clock(0.0)
    play(first, "a1", "b2", now=7.0)
    again = session("", AGENT, clocks=Clocks(credit=60))
    for ply in range(2):
        left = first.match.left[ply + 1]
        again.restore(first.match.moves[ply], first.match.records[ply], first.players[ply], left)
    assert again.match.states == first.match.states
    assert again.match.records == first.match.records
    assert again.match.left[-1] == (53.0, 60.0)
    with pytest.raises(BadSpec, match="do not fit"):
        again.restore(first.match.moves[1], first.match.records[1], AGENT, ())


def test_a_move_tells_what_it_takes_away_where_the_game_says_what_is_clicked() -> None:
    game = plies.game("nim:rows=1-3")
    (one, *_, three) = Session(game, ["", ""], game.initial()).offers()
    assert (one.text, one.gone) == ("a-1", ("a1",))
    assert three.text == "b-3"
    assert sorted(three.gone) == ["b1", "b2", "b3"]
    assert all(offer.gone == () for offer in session("", "").offers())
