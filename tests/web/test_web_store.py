"""Sessions are kept in a file: whole, within quotas, for as long as they should be."""

from contextlib import closing
from pathlib import Path

import pytest

from plies.web import limits
from plies.web.problems import TooMany
from plies.web.sessions.database import BadStore
from plies.web.sessions.manager import visitor_at
from plies.web.sessions.store import Change, Head, Store
from store_samples import HEAD, MOVE, OTHER, append, begin, moves_of, names, reopen


def test_what_was_kept_is_there_again_in_a_new_process(store: Store, folder: Path) -> None:
    begin(store, "one", MOVE)
    append(store, "one", 1, MOVE)
    with closing(reopen(store, folder)) as again:
        found = again.load("one")
        assert found is not None
        head, moves = found
        assert head == Head(**{**vars(HEAD), "clock": [0.0, 0.0]})
        assert moves == [MOVE, MOVE]
        assert again.load("two") is None


def test_moves_are_taken_back_and_played_anew(store: Store) -> None:
    begin(store, "one", MOVE, MOVE, MOVE)
    append(store, "one", 1)
    append(store, "one", 1, OTHER)
    assert moves_of(store, "one") == [4, 8]


def test_a_change_replaces_whatever_moves_are_there_from_its_ply_on(store: Store) -> None:
    begin(store, "one", MOVE, MOVE, MOVE)
    append(store, "one", 1, OTHER)  # in one transaction: no undone move comes back later
    assert moves_of(store, "one") == [4, 8]


def test_many_changes_are_stored_together_and_a_session_that_is_gone_is_named(
    store: Store,
) -> None:
    begin(store, "one")
    begin(store, "two")
    changes = [Change(name, HEAD, False, 0, [MOVE]) for name in ("one", "gone", "two")]
    assert store.write(changes) == ["gone"]
    assert (moves_of(store, "one"), moves_of(store, "two")) == ([4], [4])
    assert store.load("gone") is None


def test_a_session_is_deleted_with_its_moves(store: Store) -> None:
    begin(store, "one", MOVE)
    store.delete("one")
    begin(store, "one")
    assert moves_of(store, "one") == []


def test_a_game_whose_text_is_damaged_is_refused_in_one_line(store: Store) -> None:
    begin(store, "one", MOVE)
    store._database.connection.execute("UPDATE sessions SET head = '[1, 2'")
    with pytest.raises(BadStore, match="this game is damaged"):
        store.load("one")


# Quotas


def test_a_visitor_who_has_too_many_games_is_refused_and_others_are_not(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "VISITOR_SESSIONS", 3)
    begin(store, "of another", visitor="b")
    for number in range(3):
        begin(store, f"{number}", visitor="a")
    with pytest.raises(TooMany, match="you have 3 games here"):
        begin(store, "3", visitor="a")
    begin(store, "one more", visitor="b")
    assert names(store) == ["0", "1", "2", "of another", "one more"]


def test_a_visitors_own_oldest_finished_game_gives_way_unless_it_is_in_use(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "VISITOR_SESSIONS", 3)
    begin(store, "of another", visitor="b", is_over=True)
    begin(store, "in use", visitor="a", is_over=True)
    begin(store, "finished", visitor="a", is_over=True)
    begin(store, "unfinished", visitor="a")
    store.create(Change("new", HEAD, False, 0, []), "a", live={"in use"})
    assert names(store) == ["in use", "new", "of another", "unfinished"]


def test_a_full_store_lets_finished_games_give_way_and_never_an_unfinished_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STORED_SESSIONS", 3)
    begin(store, "0")
    begin(store, "1", is_over=True)
    begin(store, "2")
    begin(store, "3")
    assert names(store) == ["0", "2", "3"]
    with pytest.raises(BadStore, match="3 games are stored here, as many as there may be"):
        begin(store, "4")
    assert names(store) == ["0", "2", "3"]


@pytest.mark.parametrize(
    ("address", "visitor"),
    [
        ("127.0.0.1", "local"),
        ("::1", "local"),
        ("::ffff:127.0.0.1", "local"),
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", "local"),
    ],
)
def test_a_visitor_is_known_by_the_address(address: str, visitor: str) -> None:
    assert visitor_at(address) == visitor


# Ages


def test_what_nobody_has_touched_for_long_is_deleted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, "old")
    begin(store, "in use")
    store._opened -= limits.FORGOTTEN_SECONDS + 1  # so long has the server run
    store.tidy_up({"in use"})
    assert names(store) == ["in use"]


def test_nothing_is_deleted_on_a_leap_of_time(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, "one")
    now = 2_000_000_000.0
    for leap in (100 * 86400.0, -100 * 86400.0):
        monkeypatch.setattr("time.time", lambda at=now + leap: at)
        store = reopen(store, folder)
        store.tidy_up(())
        assert names(store) == ["one"]


def test_the_time_that_servers_have_run_adds_up(store: Store, folder: Path) -> None:
    store._opened -= 1000.0
    store.close()
    with closing(Store(folder)) as again:
        assert 1000.0 <= again.running < 2000.0
