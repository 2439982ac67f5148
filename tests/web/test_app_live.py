"""Listening: news of the session, agents that think only while somebody is there."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import plies
from plies.agents import Agent
from plies.search.decision import Decision
from plies.search.runner import StopFlag
from plies.web import limits
from plies.web.messages import Hint, InsideNews, SessionNews, ThinkingNews, ValuesNews
from plies.web.opponents import allowed_agent
from plies.web.sessions import analysis as analysis_module
from plies.web.sessions.inside import PositionAnalysis, hint
from plies.web.tables import TableBudget
from plies.web.view import Viewer
from web_samples import SMALL, begin, next_news, serving, wait_until

ENDLESS = "engine:depth=40"  # on a large board
LARGE = "tictactoe:width=8,height=6,k=5"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("data"), "tictactoe") as found:
        yield found


def manager_of(client: TestClient) -> Any:
    return client.app.app.state.site.manager  # type: ignore[attr-defined]


def test_whoever_listens_sees_every_move_of_two_agents(client: TestClient) -> None:
    owner = begin(client, "random", SMALL)
    with owner.listen() as socket:
        plies = []
        while True:
            news = SessionNews.model_validate(next_news(socket, "session"))
            plies.append(news.session.ply)
            if news.session.ending is not None:
                break
    assert plies == list(range(plies[-1] + 1))
    assert not news.session.is_thinking


def test_nobody_thinks_while_nobody_is_there(client: TestClient) -> None:
    owner = begin(client, "random", "random")
    assert owner.ask("GET")["ply"] == 0
    assert not owner.ask("GET")["is_thinking"]


def test_the_last_closed_tab_stops_the_search_and_a_new_one_resumes_it(client: TestClient) -> None:
    owner = begin(client, ENDLESS, "", game=LARGE)
    room = manager_of(client).rooms[owner.name]
    with owner.listen() as first:
        assert next_news(first, "session")["session"]["is_thinking"]
        thought = ThinkingNews.model_validate(next_news(first, "thinking")).thinking
        assert thought.seat == 0
        assert thought.nodes > 0
        with owner.listen() as second:
            next_news(second, "session")
        assert room.turn is not None
    wait_until(lambda: room.turn is None)
    assert owner.ask("GET")["ply"] == 0
    owner.ask("PUT", "/seats/0", agent="random")
    with owner.listen() as again:
        while next_news(again, "session")["session"]["ply"] == 0:
            pass


def test_a_pause_stops_thinking_and_what_was_thought_is_not_played(client: TestClient) -> None:
    owner = begin(client, ENDLESS, ENDLESS, game=LARGE)
    with owner.listen() as socket:
        next_news(socket, "thinking")
        paused = owner.ask("PUT", "/pace", is_paused=True, seconds=0.0)
        assert (paused["ply"], paused["is_thinking"]) == (0, False)
        assert manager_of(client).rooms[owner.name].turn is None


def test_a_search_ends_at_its_limit_with_the_best_move_so_far(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SEARCH_SECONDS", 0.2)
    owner = begin(client, "", ENDLESS, game=LARGE)
    assert owner.move("d4")["ply"] == 2


def test_an_invited_player_is_seated_by_listening(client: TestClient) -> None:
    owner: Any = begin(client, "", "")
    with owner.listen() as socket:
        next_news(socket, "session")
        with owner.invites[1].listen() as guest:
            assert next_news(guest, "session")["session"]["yours"] == [1]
            seen = next_news(socket, "session")["session"]
            assert (seen["seats"][1]["is_taken"], seen["yours"]) == (True, [0])
            owner.move("b2")
            assert next_news(guest, "session")["session"]["ply"] == 1


def test_what_is_no_message_is_answered_and_costs_nothing(client: TestClient) -> None:
    owner = begin(client, "", "")
    with owner.listen() as socket:
        for text in ("junk", "[]", '{"type": "inside"}', '{"type": "nothing"}', "{}"):
            socket.send_text(text)
            assert next_news(socket, "problem")["error"] == "that is no message of this page"
        socket.send_bytes(b"\x00")
        next_news(socket, "problem")
        socket.send_json({"type": "ping"})
        assert next_news(socket, "pong") == {"type": "pong"}


def test_an_unknown_game_is_told_and_the_socket_closed(client: TestClient) -> None:
    owner = begin(client, "", "")
    owner.name = "unknown"
    with owner.listen() as socket:
        assert "no such game" in next_news(socket, "problem")["error"]
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_only_so_many_listen_to_one_game(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LISTENERS", 1)
    owner = begin(client, "", "")
    with owner.listen() as first:
        next_news(first, "session")
        with owner.listen() as second:
            assert "as many as there may be" in next_news(second, "problem")["error"]


def test_a_flag_falls_while_somebody_is_there_and_not_before(client: TestClient) -> None:
    owner = begin(client, "", "", clock={"credit": 0.3})
    time.sleep(0.4)
    session = owner.ask("GET")
    assert (session["ending"], session["seats"][0]["left"]) == (None, 0.3)
    with owner.listen() as socket:
        while session["ending"] is None:
            session = next_news(socket, "session")["session"]
    assert session["ending"]["termination"] == "time"
    assert session["ending"]["payoffs"] == [-1, 1]


def test_looking_inside_tells_a_line_and_the_values_of_all_moves(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ANALYSIS_SECONDS", 60.0)
    owner = begin(client, "", "", text="XX./OO./... X")
    with owner.listen() as socket:
        socket.send_json({"type": "inside", "on": True, "ply": 0})
        while True:
            inside = InsideNews.model_validate(next_news(socket, "inside")).inside
            if inside.is_done:
                break
        assert inside.thinking is not None
        assert inside.thinking.line[0].text == "c3"
        assert inside.thinking.share == 1.0
        values = {value.text: value for value in inside.values}
        assert set(values) == {"c3", "c2", "a1", "b1", "c1"}
        assert (values["c3"].told, values["c3"].share) == ("win in 1", 1.0)
        assert (values["a1"].told, values["a1"].share) == ("loss in 2", 0.0)
        # Once more, from what was found before.
        socket.send_json({"type": "inside", "on": False, "ply": 0})
        socket.send_json({"type": "inside", "on": True, "ply": 0})
        assert next_news(socket, "inside")["inside"]["is_done"]


def test_a_move_is_valued_with_the_whole_past(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plies.game("tictactoe")
    start = game.initial()
    state = game.play(start, game.parse_move(start, "b2"))
    pasts = []
    choose = Agent.choose

    def noted(agent: Agent, state: Any, **options: Any) -> Decision:
        pasts.append(tuple(options["past"]))
        return choose(agent, state, **options)

    monkeypatch.setattr(Agent, "choose", noted)
    past, tables = [game.key(start)], TableBudget()
    analysis = PositionAnalysis(
        Viewer(game), state, 1, past, StopFlag(), lambda _: None, 60, tables
    )
    agent = allowed_agent("engine:depth=1,table=1", game)
    analysis._value(agent, game.moves(state)[0], depth=1)
    assert pasts == [(game.key(start), game.key(state))]


def test_looking_inside_values_every_ply(client: TestClient) -> None:
    owner = begin(client, "", "", text="XX./OO./... X")
    with owner.listen() as socket:
        socket.send_json({"type": "inside", "on": True, "ply": 0})
        owner.move("a1")
        while True:
            values = ValuesNews.model_validate(next_news(socket, "values")).values
            if len(values) == 2 and None not in values:
                break
        assert values == [1.0, 0.0]


def test_the_last_value_of_a_game_that_was_given_up_is_its_result(client: TestClient) -> None:
    owner = begin(client, "", "", text="XX./OO./... X")
    owner.ask("POST", "/resign", ply=0)  # X could have won at once
    with owner.listen() as socket:
        socket.send_json({"type": "inside", "on": True, "ply": 0})
        values = None
        while values in (None, [None]):
            values = ValuesNews.model_validate(next_news(socket, "values")).values
        assert values == [0.0]


def test_a_hint_is_the_winning_move(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HINT_SECONDS", 30.0)
    owner = begin(client, "", "", text="XX./OO./... X")
    hint = owner.ask("POST", "/hint", ply=0)
    assert hint["move"]["text"] == "c3"
    assert hint["told"] == "win in 1"
    assert hint["share"] == 1.0


def test_closing_stops_everything(tmp_path: Path) -> None:
    with serving(tmp_path) as own:
        owner = begin(own, ENDLESS, "", game=LARGE)
        with owner.listen() as socket:
            next_news(socket, "thinking")
            manager = manager_of(own)
            assert own.portal is not None
            own.portal.call(manager.stop)
            assert manager.rooms == {}
            assert owner.ask("GET")["status"] == 503
        searching = manager.turns.threads._threads
        assert searching
        wait_until(lambda: not any(thread.is_alive() for thread in searching))


def test_taking_back_nothing_leaves_the_agent_thinking(client: TestClient) -> None:
    owner = begin(client, ENDLESS, "", game=LARGE)
    with owner.listen() as socket:
        next_news(socket, "thinking")
        assert owner.ask("POST", "/undo", ply=0)["status"] == 422
        assert owner.ask("GET")["is_thinking"]
        assert manager_of(client).rooms[owner.name].turn is not None


def test_who_waits_for_an_agent_is_let_go_when_the_game_is_deleted(client: TestClient) -> None:
    owner = begin(client, "", ENDLESS, game=LARGE)
    room = manager_of(client).rooms[owner.name]
    waiting = threading.Thread(target=owner.move, args=("d4",))
    waiting.start()
    wait_until(lambda: room.is_thinking)
    assert owner.ask("DELETE")["status"] == 204
    waiting.join(60)
    assert not waiting.is_alive()


def test_one_hint_at_a_time_is_looked_for(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = begin(client, "", "")
    analysis, go = manager_of(client).service.analysis, threading.Event()

    def held_hint(*arguments: Any) -> Hint:
        go.wait(30)
        return hint(*arguments)

    monkeypatch.setattr(analysis_module, "hint", held_hint)
    first = threading.Thread(target=owner.ask, args=("POST", "/hint"), kwargs={"ply": 0})
    first.start()
    wait_until(lambda: owner.name in analysis._hinting)
    assert owner.ask("POST", "/hint", ply=0)["status"] == 429
    go.set()
    first.join()
    assert owner.ask("POST", "/hint", ply=0)["status"] == 200


def test_whoever_looks_back_at_once_is_answered(client: TestClient) -> None:
    owner = begin(client, "", "")
    owner.move("b2")
    manager = manager_of(client)
    room = manager.rooms[owner.name]
    with owner.listen() as socket:
        next_news(socket, "session")
        listener = next(iter(room.listeners))

        def look_away_and_back() -> None:
            for ply in (0, 1, 0):
                manager.service.analysis.look(room, listener, ply)

        assert client.portal is not None
        client.portal.call(look_away_and_back)
        assert next_news(socket, "inside")["inside"]["ply"] == 0
