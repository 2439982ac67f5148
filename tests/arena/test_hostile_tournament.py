"""A tournament with hostile programs ends, each gets what it deserves, and nobody else suffers."""

import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from plies.arena.config import Openings, Tournament
from plies.arena.judge import Job, Judge
from plies.arena.plan import Entry
from plies.arena.runner import open_run, run
from plies.arena.store import Finished
from plies.arena.tally import standings
from plies.match import Clocks
from plies.records import NORMAL
from plies.sandbox.confined import Confined

HOSTILE = Path(__file__).parents[1] / "data" / "hostile"
ENDS = {
    "endless_loop": "time",
    "sleeper": "time",
    "memory_bomb": "memory",
    "fork_bomb": "crash",
    "garbage": "bad output",
    "invalid_json": "bad output",
    "illegal_move": "illegal",
    "exit_at_once": "crash",
    "exit_in_the_middle": "crash",
}
# They try to do harm, play one move if they have failed, and end.
HARMFUL = ("writes_outside", "opens_socket", "reads_other")
CHALLENGER, HONEST = "random", "greedy"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the run is kept, with files that nobody is to touch."""
    found = tmp_path_factory.mktemp("hostile")
    for name in ("victim.txt", "second.txt", "other.py"):
        (found / name).write_text("untouched")
    return found


@pytest.fixture(scope="module")
def tournament(folder: Path) -> Iterator[Tournament]:
    """One honest agent meets another and all the hostile ones.

    From the start of the game everybody is asked at least twice before it can end.
    """
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        words = {
            "writes_outside": f"where={folder}",
            "opens_socket": f"port={server.getsockname()[1]}",
            "reads_other": f"other={folder / 'other.py'}",
        }
        commands = {
            name: shlex.join([sys.executable, f"{HOSTILE / name}.py", words[name]])
            for name in HARMFUL
        }
        hostile = [
            Entry(name, f"process:{HOSTILE / name}.py,memory=128,seconds={patience_with(name)}")
            for name in ENDS
        ]
        harmful = [Entry(name, f"process:{words},seconds=60") for name, words in commands.items()]
        yield Tournament(
            games=("tictactoe",),
            agents=(Entry(CHALLENGER, CHALLENGER), Entry(HONEST, HONEST), *hostile, *harmful),
            kind="gauntlet",
            pairs=1,
            openings=Openings(plies=0),
            clocks=Clocks(startup=60.0),
        )


def patience_with(name: str) -> int:
    """Seconds for a move: none runs out of them by chance."""
    return 1 if ENDS[name] == "time" else 60


@pytest.fixture(scope="module")
def games(tournament: Tournament, folder: Path) -> list[Finished]:
    with open_run(tournament, folder / "run.db") as store:
        run(store, workers=2)
        return store.games()


def missing_guards() -> dict[str, str]:
    confined = Confined([sys.executable, "-c", "input()"])
    try:
        return confined.missing
    finally:
        confined.close()


def of(games: list[Finished], name: str) -> list[Finished]:
    return [game for game in games if name in game.planned.seats]


def test_every_game_is_played_exactly_once(games: list[Finished]) -> None:
    opponents = [HONEST, *ENDS, *HARMFUL]
    seats = sorted(game.planned.seats for game in games)
    wanted = [(CHALLENGER, name) for name in opponents] + [(name, CHALLENGER) for name in opponents]
    assert seats == sorted(wanted)


@pytest.mark.parametrize("name", ENDS)
def test_what_a_program_does_is_what_ends_its_games(games: list[Finished], name: str) -> None:
    for game in of(games, name):
        assert game.record.termination == ENDS[name], game.record.reason
        assert game.record.payoffs[game.planned.seats.index(name)] == -1
        assert game.record.payoffs[game.planned.seats.index(CHALLENGER)] == 1


@pytest.mark.parametrize("name", HARMFUL)
def test_no_program_does_harm(games: list[Finished], name: str, folder: Path) -> None:
    if missing := {"landlock", "seccomp"} & missing_guards().keys():
        pytest.skip(f"this machine has no guard {' and '.join(sorted(missing))}")
    for game in of(games, name):
        assert "escaped" not in game.record.reason
        own = [move for move in game.record.moves if game.planned.seats[move.player] == name]
        assert len(own) == 1  # which it plays only when its attempts have failed
    names = ("victim.txt", "second.txt", "other.py")
    assert {(folder / each).read_text() for each in names} == {"untouched"}


def test_the_games_of_the_others_are_as_if_alone(
    games: list[Finished], tournament: Tournament
) -> None:
    specs = {entry.name: entry.spec for entry in tournament.agents}
    judge = Judge(Job(specs, tournament.rules, tournament.clocks))
    for game in of(games, HONEST):
        alone = judge.play(game.planned).record
        assert game.record.termination == NORMAL
        assert [move.text for move in game.record.moves] == [move.text for move in alone.moves]
        assert (game.record.payoffs, game.record.reason) == (alone.payoffs, alone.reason)


def test_the_standings_say_who_did_what(games: list[Finished], tournament: Tournament) -> None:
    for standing in standings(tournament.names, games):
        expected = {ENDS[standing.name]: 2} if standing.name in ENDS else {}
        if standing.name in HARMFUL:
            expected = {"crash": 2}  # they end after their move
        assert standing.faults == expected
