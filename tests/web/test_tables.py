"""The tables of all searches together stay within a stated memory."""

import weakref
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.agents import Agent, agent
from plies.search.mcts.tree import NODE, new_tree
from plies.search.table import LINE_BYTES, Table
from plies.web import limits
from plies.web.opponents import fresh
from plies.web.tables import MEGABYTE, TableBudget, least_for, sized, wanted_by
from web_samples import begin, serving

GAME = plies.game("tictactoe")
ENGINE = agent("engine:nodes=20,table=8", GAME)


class Counted:
    """The bytes of all tables and trees that are alive, and the most that there were."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.most = 0
        self._tables: weakref.WeakSet[Table] = weakref.WeakSet()
        make = Table.__init__

        def noted(table: Table, megabytes: int) -> None:
            make(table, megabytes)
            self._tables.add(table)
            self.most = max(self.most, self.bytes)

        def noted_tree(megabytes: int) -> Any:
            tree = new_tree(megabytes)
            self.most = max(self.most, int(tree.room) * NODE.itemsize)
            return tree

        monkeypatch.setattr(Table, "__init__", noted)
        monkeypatch.setattr("plies.search.mcts.search.new_tree", noted_tree)

    @property
    def bytes(self) -> int:
        return sum(table.buckets * LINE_BYTES for table in self._tables)


def search(budget: TableBudget, player: Agent) -> int:
    """The megabytes that a search has had."""
    with budget.lend(player) as lent:
        lent.choose(GAME.initial())
        return lent.search.table  # type: ignore[attr-defined]


def test_thirty_sessions_have_no_more_tables_than_one_server_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SEARCHES", 14)  # of two cores
    counted, most = Counted(monkeypatch), 2 * limits.SEARCHES
    with serving(tmp_path) as client:
        tables = client.app.app.state.site.manager.turns.tables  # type: ignore[attr-defined]
        tables.megabytes = most
        for number in range(30):
            answer = begin(client, "", f"engine:nodes=20,table={1 + number % 9}").move("b2")
            assert answer["ply"] == 2  # it has played
            assert tables.bytes <= most * MEGABYTE
    assert most * MEGABYTE / 2 < counted.most <= most * MEGABYTE
    assert counted.bytes == 0


def test_what_is_lent_is_what_there_is_to_the_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEARCHES", 14)  # of two cores
    counted, budget = Counted(monkeypatch), TableBudget(4 * limits.SEARCHES)
    players = [fresh(ENGINE) for _ in range(20)]
    for player in players:
        search(budget, player)
        assert budget.bytes == counted.bytes <= 4 * limits.SEARCHES * MEGABYTE
    kept = [bool(player.memory) for player in players]
    assert kept == sorted(kept)  # the latest
    assert 1 < sum(kept) < 20
    for player in players:
        budget.forget(player)
    assert budget.bytes == counted.bytes == 0


def test_what_was_used_longest_ago_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEARCHES", 4)
    budget = TableBudget(24)  # three of them
    first, second, third, fourth = (fresh(ENGINE) for _ in range(4))
    for player in (first, second, third, first, fourth):
        assert search(budget, player) == 8
    assert [bool(player.memory) for player in (first, second, third, fourth)] == [1, 0, 1, 1]


def test_what_nobody_has_used_for_a_while_is_forgotten_and_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted, now = Counted(monkeypatch), [0.0]
    budget = TableBudget(64, clock=lambda: now[0])
    first, second, third = (fresh(ENGINE) for _ in range(3))
    search(budget, first)
    now[0] = 60.0
    search(budget, second)
    with budget.lend(third) as lent:
        now[0] = 90.0
        budget.forget_unused(seconds=31)
        assert [bool(player.memory) for player in (first, second)] == [False, True]
        now[0] = 900.0
        budget.forget_unused(seconds=31)
        assert lent.choose(GAME.initial())  # who searches keeps its table
    assert [bool(player.memory) for player in (first, second, third)] == [False, False, True]
    assert budget.bytes == counted.bytes == 8 * MEGABYTE
    assert search(budget, first) == 8
    assert budget.bytes == counted.bytes == 16 * MEGABYTE


def test_searches_at_once_share_and_each_gets_a_table() -> None:
    budget = TableBudget(limits.SEARCHES + 10)
    players = [fresh(ENGINE) for _ in range(limits.SEARCHES)]
    with ExitStack() as stack:
        sizes = [stack.enter_context(budget.lend(player)).search.table for player in players]  # type: ignore[attr-defined]
        assert budget.bytes <= budget.megabytes * MEGABYTE
        for player in players:  # who is searching is not robbed of its table
            budget.forget(player)
        assert budget.bytes == sum(sizes) * MEGABYTE
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (5, 1)
    assert budget.bytes == 0


def test_a_search_that_is_given_up_leaves_nothing() -> None:
    budget, player = TableBudget(), fresh(ENGINE)
    with budget.lend(player, is_kept=lambda: False) as lent:
        lent.choose(GAME.initial())
        assert player.memory
    assert not player.memory
    assert budget.bytes == 0


@pytest.mark.parametrize(
    "spec",
    [
        "engine:nodes=20",
        "alphabeta:depth=2,table=16",
        "branch:depth=2,width=2,table=16",
        "deepening:depth=2",
        "deepening:depth=2,prune=none",
        "dfpn",
        "solve:depth=2",
        "mcts:simulations=20",
        "mcts:simulations=20,threads=2,table=4",
        "perfect",
        "random",
    ],
)
def test_every_agent_plays_with_the_smallest_table(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)
    player = fresh(agent(spec, GAME))
    state = GAME.parse_position("XX./OO./... X")
    assert sized(player, wanted_by(player)) is player
    for megabytes in {1, least_for(player)}:
        budget = TableBudget(megabytes)
        with budget.lend(player) as lent:
            assert GAME.move_text(state, lent.choose(state).move)
            assert counted.most <= megabytes * MEGABYTE
        budget.forget(player)
        assert not player.memory
