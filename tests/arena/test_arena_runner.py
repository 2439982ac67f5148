"""Running a tournament: always the same games, whoever plays them and however often it stops."""

from pathlib import Path

import pytest

from arena_samples import TAKE, kept, let_workers_start_uncompiled, played, timeless, tournament_of
from plies.arena.export import export
from plies.arena.judge import Job, Judge
from plies.arena.runner import about, has_people, note_change, open_run, plan_of, run
from plies.arena.schedule import pending
from plies.arena.statistics.sprt import Sprt
from plies.arena.store import BadStore, Store
from plies.arena.summary import summary
from plies.match import Rules

# Chance, an opinion, and a tree that is kept from move to move.
AGENTS = ("random", "greedy", "mcts:simulations=10")


@pytest.fixture(autouse=True)
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    let_workers_start_uncompiled(monkeypatch)


def test_one_worker_and_two_play_the_same_games_byte_for_byte(tmp_path: Path) -> None:
    tournament = tournament_of(AGENTS, seed=7)
    for workers in (1, 2):
        with open_run(tournament, tmp_path / f"{workers}.db") as store:
            run(store, workers=workers)
            export(tournament, store.games(), tmp_path / f"{workers}.jsonl", has_times=False)
    lines = [(tmp_path / f"{workers}.jsonl").read_bytes() for workers in (1, 2)]
    assert lines[0] == lines[1]
    assert lines[0].count(b"\n") == 18


def test_a_game_does_not_depend_on_those_played_before_it() -> None:
    tournament = tournament_of(("random", "greedy"), pairs=5)
    planned = pending(tournament, plan_of(tournament).books, [])
    job = Job({name: name for name in ("random", "greedy")}, tournament.rules, tournament.clocks)
    forwards, backwards = Judge(job), Judge(job)
    games = [forwards.play(game) for game in planned]
    again = [backwards.play(game) for game in reversed(planned)]
    forwards.close()
    backwards.close()
    assert timeless(games) == timeless(again[::-1])


def test_a_run_that_is_stopped_gives_up_the_games_that_have_not_ended(tmp_path: Path) -> None:
    tournament = tournament_of(("random", "greedy"), pairs=20)
    ended = []
    with open_run(tournament, tmp_path / "run.db") as store:
        run(store, ended.append, workers=2, is_stopped=lambda: len(ended) >= 3)
        assert len(store.games()) == len(ended) == 3
        run(store, workers=2, is_stopped=lambda: True)
        assert len(store.games()) == 3


def test_the_seed_of_a_tournament_decides_its_games() -> None:
    games = [played(tournament_of(("random", "random"), seed=seed), workers=1) for seed in (1, 2)]
    assert games[0] != games[1]


@pytest.mark.parametrize(
    "more",
    [
        {"kind": "swiss", "pairs": 1},
        {"kind": "knock-out", "pairs": 1},
        {"kind": "gauntlet", "pairs": 1},
    ],
    ids=lambda more: more["kind"],
)
def test_every_kind_of_tournament_comes_to_its_end_and_to_the_same(more: dict[str, object]) -> None:
    tournament = tournament_of(("random", "greedy", "random", "greedy"), **more)
    one, two = (played(tournament, workers=workers) for workers in (1, 2))
    assert one == two
    assert len(one) >= 6


def test_a_test_stops_at_its_verdict_and_counts_the_same_games() -> None:
    tournament = tournament_of(
        ("greedy", "random"), kind="sprt", pairs=200, sprt=Sprt(elo0=0, elo1=200)
    )
    plan, found = plan_of(tournament), []
    for workers in (1, 2):
        with open_run(tournament, None) as store:
            run(store, workers=workers)
            games = store.games()
        assert len(games) < 400
        found.append(summary(plan, games))
    assert found[0].match == found[1].match
    assert found[0].match is not None
    assert found[0].match.verdict == "H1"
    assert found[0].games == found[1].games == 2 * sum(found[0].match.counts)


def test_games_of_three_players_are_played_from_every_seat() -> None:
    agents = ("random", "maxn:depth=1", "random")
    games = played(tournament_of(agents, games=("nim:players=3",), pairs=2), workers=2)
    assert len(games) == 6
    names = {"random", "maxn:depth=1", "random (2)"}
    for place in range(3):
        assert {game["seats"][place] for game in games if game["pair"] == games[0]["pair"]} == names
    assert all(sorted(game["payoffs"]) == [0, 0, 1] for game in games)


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    tournament = tournament_of(("random", "greedy"), pairs=10)
    ended = []

    def stop(game: object) -> None:
        ended.append(game)
        if len(ended) == 7:
            raise Enough

    path = tmp_path / "run.db"
    with open_run(tournament, path) as store, pytest.raises(Enough):
        run(store, stop, workers=1)
    before = kept(path)
    assert len(before) == 7
    after = played(tournament, path, workers=1)
    assert after[:7] == before
    assert after == played(tournament, workers=1)


def test_a_finished_run_plays_nothing_more(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    tournament = tournament_of(("random", "random"), pairs=1)
    played(tournament, path, workers=1)
    heard = []
    with open_run(tournament, path) as store:
        run(store, heard.append, workers=1)
    assert heard == []


def test_a_file_with_another_tournament_is_refused_and_says_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    open_run(tournament_of(("random", "greedy"), seed=1), path).close()
    for other, said in (
        ({"seed": 2}, "seed is 1, not 2"),
        ({"pairs": 2}, "its meetings have 3 pairs, which cannot become fewer"),
        ({"games": ("nim",)}, "games is tictactoe, not nim"),
        ({"rules": Rules(cycles=True)}, "rules.cycles is False, not True"),
        ({"kind": "swiss"}, "kind is round-robin, not swiss"),
    ):
        with pytest.raises(BadStore, match=said):
            open_run(tournament_of(("random", "greedy"), **{"seed": 1} | other), path)
    open_run(tournament_of(("random", "greedy"), seed=1), path).close()


def test_a_run_says_by_what_and_where_it_was_played(tmp_path: Path) -> None:
    tournament = tournament_of(("random", "greedy"), seed=9)
    with open_run(tournament, tmp_path / "run.db"):
        pass
    with Store.open(tmp_path / "run.db") as store:
        assert store.about == {**about(tournament), "begun": store.about["begun"]}
        assert {"version", "source", "seed", "machine"} <= store.about.keys()
        assert store.about["seed"] == 9


def test_a_change_of_the_rules_is_noticed(tmp_path: Path) -> None:
    game = tmp_path / "own.py"
    game.write_text(TAKE.read_text())
    tournament = tournament_of(("random", "random"), games=(str(game),))
    with open_run(tournament, tmp_path / "run.db") as store:
        assert not note_change(store)
        game.write_text(TAKE.read_text() + "\n# changed\n")
        assert note_change(store)
        assert not note_change(store)  # it is known by now
    with Store.open(tmp_path / "run.db") as store:
        (change,) = store.about["continued"]
        assert change["source"] != store.about["source"]


def test_people_are_known_by_their_specs() -> None:
    assert has_people(tournament_of(("random", "human")))
    assert not has_people(tournament_of(("random", "greedy")))
