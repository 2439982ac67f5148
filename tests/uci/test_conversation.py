"""The protocol without streams and threads: positions and searches."""

import pytest
from uci_desk import Desk

import plies
from plies.search.clock import Clock
from plies.search.decision import Decision
from plies.search.task import Progress
from plies.uci.conversation import Prepare, Stop

# Getting to know each other


def test_it_introduces_itself_at_once_and_compiles_nothing_for_it() -> None:
    desk = Desk(is_ready=False)
    desk.hear("uci")
    assert desk.said[0] == f"id name plies {plies.__version__}"
    assert desk.said[-1] == "uciok"
    assert desk.job is None
    names = [line.split(" type ")[0] for line in desk.said if line.startswith("option")]
    assert names == [
        f"option name {name}"
        for name in ("Hash", "Threads", "Move Overhead", "Eval", "Clear Hash", "Ponder")
    ]


def test_ready_is_said_when_the_engine_is_compiled() -> None:
    desk = Desk(is_ready=False)
    desk.hear("isready", "position startpos", "go depth 1")
    assert desk.answers() == []
    assert isinstance(desk.job, Prepare)
    desk.work()
    assert desk.answers() == ["readyok"]
    assert desk.thought().state == desk.game.initial()


def test_the_engine_is_compiled_for_a_new_game_before_a_clock_may_run() -> None:
    desk = Desk(is_ready=False)
    desk.hear("ucinewgame")
    assert isinstance(desk.job, Prepare)
    desk.work()
    desk.hear("position startpos", "go movetime 100")
    assert desk.thought().state == desk.game.initial()


def test_go_is_enough_to_begin_with() -> None:
    desk = Desk(is_ready=False)
    desk.hear("go depth 1")
    desk.work_all()
    assert desk.answers() == ["bestmove a1"]


def test_stop_before_the_search_has_begun_stops_it() -> None:
    desk = Desk(is_ready=False)
    desk.hear("go infinite", "stop")
    desk.work()
    assert desk.done[-1] == Stop()
    desk.work()
    assert desk.answers() == ["bestmove a1"]


# Positions


def test_a_search_is_told_the_position_and_the_keys_of_those_before() -> None:
    desk = Desk()
    desk.hear("position startpos moves a1 b2", "go depth 1")
    game, states = desk.game, [desk.game.initial()]
    for text in ("a1", "b2"):
        states.append(game.play(states[-1], game.parse_move(states[-1], text)))
    assert desk.thought().state == states[-1]
    assert desk.thought().past == tuple(game.key(state) for state in states[:-1])


def test_positions_follow_each_other_in_any_way() -> None:
    """One that goes on, one that takes back, one that branches off, one from elsewhere."""
    desk, fresh = Desk(), Desk()
    lines = (
        "startpos moves a1 b2",
        "startpos moves a1 b2 c3",
        "startpos moves a1",
        "startpos moves a1 c2 c3",
        "fen X.O/.../... X moves b2",
        "fen X.O/.../... X",
        "startpos",
    )
    for line in lines:
        desk.hear(f"position {line}", "go depth 1")
        fresh.talk.line = None
        fresh.hear(f"position {line}", "go depth 1")
        assert (desk.thought().state, desk.thought().past) == (
            fresh.thought().state,
            fresh.thought().past,
        )
        desk.work()
        fresh.work()


@pytest.mark.parametrize(
    "position", ["fen nonsense", "startpos moves a1 a1", "", "startpos moves z9"]
)
def test_a_position_that_cannot_be_is_told_and_has_no_best_move(position: str) -> None:
    desk = Desk()
    desk.hear(f"position {position}")
    (complaint,) = desk.said
    assert complaint.startswith("info string ")
    desk.hear("go depth 1")
    assert desk.answers() == ["bestmove 0000"]
    desk.hear("position startpos", "go depth 1")
    desk.work()
    assert desk.answers() == ["bestmove a1"]


@pytest.mark.parametrize(
    ("position", "score"), [("XXX/OO./... O", "mate 0"), ("XOX/XOO/OXX O", "cp 0")]
)
def test_a_game_that_is_over_has_no_best_move(position: str, score: str) -> None:
    desk = Desk()
    desk.hear(f"position fen {position}", "go depth 3")
    assert desk.said == [f"info depth 0 score {score}", "bestmove (none)"]


# Searches


def test_limits_reach_the_agent() -> None:
    desk = Desk()
    desk.hear("setoption name Move Overhead value 100", "go depth 3 nodes 50 movetime 600")
    assert desk.thought().spec == "engine:table=64,threads=1,eval=zero,depth=3,nodes=50,seconds=0.5"
    assert desk.thought().clock is None


def test_the_clock_is_that_of_the_side_to_move() -> None:
    desk = Desk()
    desk.hear("position startpos moves a1", "go wtime 1000 btime 5030 winc 10 binc 20")
    assert desk.thought().clock == Clock(5.0, 0.02)


@pytest.mark.parametrize("line", ["go infinite", "go", "go infinite depth 1", "go ponder depth 1"])
def test_a_search_without_end_is_not_answered_before_stop(line: str) -> None:
    desk = Desk()
    desk.hear(line)
    desk.work()
    desk.hear("isready")
    assert desk.answers() == ["readyok"]
    desk.hear("stop")
    assert desk.answers() == ["bestmove a1"]
    desk.hear("stop", "ponderhit")
    assert desk.answers() == []


def test_what_an_endless_search_has_found_is_told_although_its_move_is_not() -> None:
    desk = Desk()
    desk.hear("go infinite")
    move = desk.game.moves(desk.game.initial())[0]
    told = desk.talk.answered(Decision(move, 3, 9, 100, 0.1, (move,)))
    assert told == ["info depth 9 score cp 3 nodes 100 nps 1000 hashfull 0 time 100 pv a1"]


def test_a_game_that_is_over_is_not_answered_before_stop_either() -> None:
    desk = Desk()
    desk.hear("position fen XXX/OO./... O", "go infinite")
    assert desk.answers() == []
    desk.hear("stop")
    assert desk.answers() == ["bestmove (none)"]


def test_stop_stops_the_search_and_the_answer_comes_when_it_has_ended() -> None:
    desk = Desk()
    desk.hear("go infinite", "stop")
    assert desk.done[-1] == Stop()
    assert desk.answers() == []
    desk.work()
    assert desk.answers() == ["bestmove a1"]


def test_ready_is_said_at_once_while_a_search_runs() -> None:
    desk = Desk()
    desk.hear("go depth 5", "isready")
    assert desk.answers() == ["readyok"]


def test_orders_wait_for_a_search_that_ends_by_itself() -> None:
    desk = Desk()
    desk.hear("go depth 5", "position startpos moves a1", "go depth 6")
    assert Stop() not in desk.done
    desk.work()
    assert desk.thought().past
    desk.work()
    assert desk.answers() == ["bestmove a1", "bestmove b1"]


def test_orders_end_a_search_that_would_not_end() -> None:
    desk = Desk()
    desk.hear("go infinite", "position startpos moves a1", "go depth 6")
    assert desk.done[-1] == Stop()
    desk.work_all()
    assert desk.answers() == ["bestmove a1", "bestmove b1"]


def test_stop_also_counts_for_a_search_that_waits() -> None:
    desk = Desk()
    desk.hear("go depth 5", "go infinite", "stop")
    desk.work_all()
    assert desk.answers() == ["bestmove a1", "bestmove a1"]


def test_ponderhit_begins_the_search_anew_by_the_clock() -> None:
    desk = Desk()
    desk.hear("go ponder wtime 1030 btime 1030")
    assert desk.thought().clock is None
    desk.hear("ponderhit")
    assert desk.done[-1] == Stop()
    desk.work()
    assert desk.answers() == []
    assert desk.thought().clock == Clock(1.0)
    desk.work()
    assert desk.answers() == ["bestmove a1"]


def test_ponderhit_after_the_search_has_ended_answers_at_once() -> None:
    desk = Desk()
    desk.hear("go ponder depth 1")
    desk.work()
    desk.hear("ponderhit")
    assert desk.answers() == ["bestmove a1"]


def test_stop_after_ponderhit_answers_with_what_was_found() -> None:
    desk = Desk()
    desk.hear("go ponder depth 1", "ponderhit", "stop")
    desk.work()
    assert desk.answers() == ["bestmove a1"]


def test_progress_is_told() -> None:
    desk = Desk()
    desk.hear("go depth 5")
    assert desk.talk.told(Progress(2.0, 500, ())) == ["info nodes 500 nps 250 hashfull 0 time 2000"]
    desk.work()
    assert desk.talk.told(Progress(4.0, 500, ())) == []


@pytest.mark.parametrize("line", ["isready", "go depth 1"])
def test_a_failure_is_told_and_nobody_waits_for_ever(line: str) -> None:
    desk = Desk(is_ready=line != "isready")
    desk.hear(line)
    desk.fail()
    assert "info string no luck" in desk.said
    assert desk.answers() == ["readyok" if line == "isready" else "bestmove 0000"]
