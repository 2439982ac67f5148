"""Going on with a run: agents join and leave, programs change, and no game is mixed up."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_samples import TAKE, tournament_of
from plies.arena.config import Gauntlet, Openings, Tournament
from plies.arena.plan import Entry, Planned, named
from plies.arena.report.run import read_run
from plies.arena.resuming import continued, edited
from plies.arena.runner import open_run, plan_of
from plies.arena.runner import tournament_of as stored_tournament
from plies.arena.schedule import pending
from plies.arena.statistics.sprt import Sprt
from plies.arena.store import BadStore, Finished, Store
from plies.arena.tally import results_of
from plies.cli.running import Run, stored_plan
from plies.errors import BadSpec
from plies.records import GameRecord
from tournament_samples import books_of

ENDED = "2026-05-04T10:00:00+00:00"


def finished(planned: Planned, reason: str = "") -> Finished:
    count = len(planned.seats)
    record = GameRecord("g", planned.seats, 1, (), (0,) * count, reason, "start", "final")
    return Finished(planned, record, ended=ENDED)


def todo(store: Store) -> list[Planned]:
    plan = plan_of(stored_tournament(store))
    return pending(plan.tournament, plan.books, results_of(store.games()))


def play(
    tournament: Tournament, path: Path, most: int = 10**6, *, reason: str = "", **how: object
) -> list[Planned]:
    """Go on with a run without agents: every game is drawn.  Answers those that were missing."""
    with open_run(tournament, path, **how) as store:  # type: ignore[arg-type]
        missing = todo(store)
        for planned in missing[:most]:
            store.add(finished(planned, reason))
        return missing


def games_of(path: Path) -> dict[int, Finished]:
    with Store.open(path) as store:
        return {game.planned.number: game for game in store.games()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.db"


# More agents, more pairs


@settings(max_examples=40)
@given(
    st.lists(st.integers(2, 7), min_size=2, max_size=4),
    st.lists(st.integers(1, 4), min_size=4, max_size=4),
    st.sampled_from(["round-robin", "gauntlet"]),
    st.randoms(use_true_random=False),
)
def test_no_game_of_a_run_changes_when_agents_and_pairs_are_added(
    sizes: list[int], pairs: list[int], kind: str, chance: object
):
    books = books_of(2, 3) if kind == "round-robin" else books_of(2, 2)
    tournament, before = None, {}
    for size, count in zip(sorted(sizes), sorted(pairs), strict=False):
        specs = [f"agent{number}" for number in range(size)]
        order = specs if kind == "gauntlet" else chance.sample(specs, size)  # type: ignore[attr-defined]
        wanted = Tournament(games=("quixo",), agents=named(order), kind=kind, pairs=count)  # type: ignore[arg-type]
        tournament = wanted if tournament is None else continued(tournament, wanted)
        assert Tournament.from_json(tournament.to_json()) == tournament
        games = {game.number: game for game in pending(tournament, books, [])}
        assert {number: games[number] for number in before} == before
        fresh = pending(wanted, books, [])
        assert sorted((g.game, sorted(g.seats), g.opening) for g in games.values()) == sorted(
            (g.game, sorted(g.seats), g.opening) for g in fresh
        )
        before = games


def test_an_agent_that_joins_plays_only_what_is_missing(path: Path):
    assert len(play(tournament_of(("random", "greedy")), path)) == 6
    before, said = games_of(path), []
    missing = play(tournament_of(("minimax", "random", "greedy")), path, say=said.append)
    assert said == ["minimax joins"]
    assert len(missing) == 12
    assert all("minimax" in game.seats for game in missing)
    after = games_of(path)
    assert len(after) == 18
    assert before.items() <= after.items()
    assert play(tournament_of(("greedy", "minimax", "random")), path) == []


def test_more_pairs_are_played_at_the_end(path: Path):
    play(tournament_of(("random", "greedy"), pairs=2), path)
    said = []
    missing = play(tournament_of(("random", "greedy"), pairs=3), path, say=said.append)
    assert said == ["a meeting has 3 pairs now; it had 2"]
    assert [game.number for game in missing] == [4, 5]


def test_a_run_of_an_older_version_goes_on_and_grows(path: Path):
    tournament = tournament_of(("random", "greedy"))
    play(tournament, path, 4)
    with Store.open(path, is_for_writing=True) as store:  # as it was written before
        old = json.loads(tournament.to_json())
        del old["earlier"]
        store.say("tournament", json.dumps(old))
        with store._connection:
            store._connection.execute("DELETE FROM run WHERE name IN ('digests', 'replays')")
    assert [game.number for game in play(tournament, path)] == [4, 5]
    assert len(play(tournament_of(("random", "greedy", "minimax")), path)) == 12


@pytest.mark.parametrize("kind", ["swiss", "knock-out"])
def test_where_results_decide_who_meets_nobody_can_join(kind: str, path: Path):
    play(tournament_of(("random", "greedy"), kind=kind), path, 2)
    why = f"the agents of a {kind} tournament cannot change"
    with pytest.raises(BadStore, match=rf"run\.db: {why}.*; choose another --out$"):
        open_run(tournament_of(("random", "greedy", "minimax"), kind=kind), path)
    with pytest.raises(BadSpec, match="games of greedy decide who meets whom"):
        open_run(tournament_of(("random", "greedy"), kind=kind), path, replay=["greedy"])
    assert len(games_of(path)) == 2


def test_games_that_would_be_no_part_of_the_plan_are_not_left_out_in_silence(path: Path):
    three = ("random", "greedy", "minimax")
    play(tournament_of(three, kind="gauntlet"), path)
    with pytest.raises(BadStore, match=r"no part of it, such as game 0 \(random against greedy\)"):
        open_run(tournament_of(three, kind="gauntlet", gauntlet=Gauntlet(2)), path)


def test_a_test_keeps_its_two_agents(path: Path):
    sprt = {"kind": "sprt", "sprt": Sprt(elo0=0, elo1=50)}
    play(tournament_of(("random", "greedy"), **sprt), path, 4)
    with pytest.raises(BadStore, match="it tests the first agent against the second"):
        open_run(tournament_of(("greedy", "random"), **sprt), path)
    assert play(tournament_of(("random", "greedy"), pairs=5, **sprt), path)[0].number == 4


# Fewer agents


def test_games_of_an_agent_that_leaves_do_not_count_until_it_comes_back(path: Path):
    three = tournament_of(("random", "greedy", "minimax"))
    two = tournament_of(("random", "minimax"))
    play(three, path)
    whole, said = games_of(path), []
    assert play(two, path, say=said.append) == []
    assert said == ["greedy takes part no longer; its 12 games are kept and do not count"]
    assert {game.planned.seats for game in games_of(path).values()} == {
        ("random", "minimax"),
        ("minimax", "random"),
    }
    assert read_run(path).tournament.names == ("random", "minimax")
    said.clear()
    assert play(three, path, say=said.append) == []
    assert said == ["greedy joins; its 12 games of before count again"]
    assert games_of(path) == whole


def test_other_agents_are_another_run(path: Path):
    play(tournament_of(("random", "greedy")), path)
    with pytest.raises(BadStore, match="this is another run: its agents are random, greedy;"):
        open_run(tournament_of(("random", "minimax")), path)


# Programs that change


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "alice.py"
    path.write_text("print(1)\n")
    return path


@pytest.fixture
def with_alice(program: Path) -> Callable[..., Tournament]:
    def made(*others: str, spec: str = f"process:{program}") -> Tournament:
        agents = (Entry("alice", spec), *named(others))
        return Tournament(games=("tictactoe",), agents=agents, pairs=3)

    return made


def test_a_program_that_has_changed_is_named_and_plays_again_when_asked_to(
    path: Path, program: Path, with_alice: Callable[..., Tournament]
):
    tournament = with_alice("random", "greedy")
    play(tournament, path, 15)
    before = games_of(path)
    own = {number for number, game in before.items() if "alice" in game.planned.seats}
    program.write_text("print(2)\n")
    with pytest.raises(BadStore) as refused:
        open_run(tournament, path)
    assert str(refused.value) == (
        f"{path}: alice's program has changed since {len(own)} games were played (2026-05-04):"
        " `--replay alice` plays its games again, or choose another --out"
    )
    assert games_of(path) == before

    said = []
    play(tournament, path, 2, replay=["alice"], say=said.append, reason="second")
    assert said == [f"alice plays its {len(own)} games again"]
    # Interrupted after two games: the same command, and the one without --replay, both go on.
    play(tournament, path, 1, replay=["alice"], say=said.append, reason="second")
    play(tournament, path, reason="second")
    assert len(said) == 1
    after = games_of(path)
    assert len(after) == 18
    others = before.keys() - own
    assert {number: after[number] for number in others} == {n: before[n] for n in others}
    assert all(after[number].record.reason == "second" for number in own)
    assert all(after[number].planned == before[number].planned for number in own)
    with Store.open(path) as store:
        assert {each.number for each in store.aside("replayed")} == own
    # Once it is complete, it can be asked for again.
    assert len(play(tournament, path, replay=["alice"])) == 12


def test_all_programs_that_have_changed_are_named_at_once(path: Path, tmp_path: Path):
    agents = []
    for name in ("alice", "bob b", "carol"):
        (tmp_path / f"{name[0]}.py").write_text("print(1)\n")
        agents.append(Entry(name, f"process:{tmp_path / name[0]}.py"))
    tournament = Tournament(games=("tictactoe",), agents=tuple(agents), pairs=1)
    play(tournament, path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("print(2)\n")
    with pytest.raises(BadStore) as refused:
        open_run(tournament, path)
    assert str(refused.value) == (
        f"{path}: alice's program has changed since 4 games were played (2026-05-04), and so has"
        " bob b: `--replay alice --replay 'bob b'` plays their games again, or choose another --out"
    )
    assert len(play(tournament, path, replay=["alice", "bob b"])) == 6


def test_a_replay_includes_the_old_games_where_new_ones_are_missing_too(
    path: Path, with_alice: Callable[..., Tournament]
):
    tournament = with_alice("random")
    play(tournament, path)
    play(tournament, path, replay=["alice"])
    more = replace(tournament, pairs=4)
    assert len(play(more, path, 7, replay=["alice"])) == 8
    assert len(play(more, path, replay=["alice"])) == 1  # which goes on
    # New games that were interrupted do not stand for a replay.
    even_more = replace(tournament, pairs=5)
    assert len(play(even_more, path, 1)) == 2
    assert len(play(even_more, path, replay=["alice"])) == 10


def test_replay_is_not_proposed_where_it_is_refused(
    path: Path, program: Path, with_alice: Callable[..., Tournament]
):
    tournament = replace(with_alice("random"), kind="swiss")
    play(tournament, path, 2)
    program.write_text("print(2)\n")
    with pytest.raises(BadStore) as refused:
        open_run(tournament, path)
    assert str(refused.value) == (
        f"{path}: alice's program has changed since 2 games were played (2026-05-04);"
        " choose another --out"
    )


def test_other_options_under_the_same_name_are_another_agent(
    path: Path, program: Path, with_alice: Callable[..., Tournament]
):
    play(with_alice("random"), path, 1)
    other = with_alice("random", spec=f"process:{program},memory=64")
    with pytest.raises(BadStore, match=r"alice is process:.*memory=64 and was process:.* since 1 "):
        open_run(other, path)
    assert len(play(other, path, replay=["alice"])) == 6


def test_a_program_that_moved_is_the_same_program(
    path: Path, program: Path, with_alice: Callable[..., Tournament]
):
    play(with_alice("random"), path, 1)
    moved = program.rename(program.with_name("moved.py"))
    assert len(play(with_alice("random", spec=f"process:{moved}"), path)) == 5


def test_a_program_that_has_not_played_yet_may_change(
    path: Path, program: Path, with_alice: Callable[..., Tournament]
):
    open_run(with_alice("random"), path).close()
    program.write_text("print(2)\n")
    play(with_alice("random"), path, 1)
    program.write_text("print(3)\n")
    with pytest.raises(BadStore, match="alice's program has changed since 1 game was played"):
        open_run(with_alice("random"), path)


def test_one_that_comes_back_with_another_program_plays_anew(
    path: Path, program: Path, with_alice: Callable[..., Tournament]
):
    all_three, others = with_alice("random", "greedy"), tournament_of(("random", "greedy"))
    play(all_three, path)
    play(others, path)
    program.write_text("print(2)\n")
    assert len(play(all_three, path)) == 12
    play(others, path)
    assert play(all_three, path) == []  # those that it played last count again


def test_a_program_that_is_edited_meanwhile_is_noticed(
    path: Path, program: Path, with_alice: Callable[..., Tournament]
):
    with open_run(with_alice("random"), path) as store:
        assert edited(store) == []
        program.write_text("print(2)\n")
        assert edited(store) == ["alice"]


def test_a_game_file_that_has_changed_is_named(tmp_path: Path, path: Path):
    game = tmp_path / "own.py"
    game.write_text(TAKE.read_text())
    openings = Openings(plies=0)  # without which its rules would be compiled
    tournament = tournament_of(("random", "greedy"), games=(str(game),), openings=openings)
    play(tournament, path, 2)
    assert len(play(tournament, path, 0)) == 4
    game.write_text(TAKE.read_text() + "\n# changed\n")
    with pytest.raises(BadStore, match=r"the file of the game own has changed since 2 games were"):
        open_run(tournament, path)


def test_who_is_to_be_replayed_must_take_part_and_have_played(path: Path):
    tournament = tournament_of(("random", "greedy"))
    with pytest.raises(BadStore, match="there are no games yet that greedy could play again"):
        open_run(tournament, path, replay=["greedy"])
    play(tournament, path, 1)
    with pytest.raises(
        BadSpec, match=r"no agent to replay is called greedi; did you mean greedy\?$"
    ):
        open_run(tournament, path, replay=["greedi"])


def test_a_revision_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch):
    play(tournament_of(("random", "greedy")), path)
    before = games_of(path)
    with Store.open(path, is_for_writing=True) as store:
        about = dict(store.about)
        facts = {"tournament": object()}  # cannot be written
        with pytest.raises(TypeError):
            store.revise(set_aside={0: "left"}, relabel={}, bring_back={}, facts=facts)
        assert store.about == about
    assert games_of(path) == before


def test_a_field_for_runs_alone_is_not_set_by_files():
    tournament = tournament_of(("random", "greedy"))
    grown = continued(tournament, replace(tournament, pairs=5))
    assert [roster.pairs for roster in grown.earlier] == [3]
    assert [roster.pairs for roster in continued(grown, replace(tournament, pairs=7)).earlier] == [
        3,
        5,
    ]


def test_a_dry_run_counts_games_that_come_back_or_are_replayed_and_changes_nothing(path: Path):
    three = tournament_of(("random", "greedy", "minimax"))
    play(three, path)
    play(tournament_of(("random", "minimax")), path)
    before = path.read_bytes()
    for replay, missing in (((), 0), (("minimax",), 12)):
        run = Run(path, 1, None, is_dry=True, as_json=False, again="", replay=replay)
        plan, games = stored_plan(plan_of(three), run)
        assert len(games) == 18 - missing
        assert len(pending(plan.tournament, plan.books, results_of(games))) == missing
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_games_set_aside_are_looked_up_by_their_number(path: Path):
    play(tournament_of(("random", "greedy", "minimax")), path)
    play(tournament_of(("random", "minimax")), path)
    with Store.open(path) as store:
        for where in ("games_aside WHERE number = 1 AND why = ''", "moves_aside WHERE number = 1"):
            (*_, how), *_ = store._connection.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {where}")
            assert how.startswith("SEARCH")
