"""Runs a tournament: what is planned and not yet in the store is played and put there."""

import hashlib
import platform
import time
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plies.agents import read_spec
from plies.arena.config import Tournament
from plies.arena.judge import Job
from plies.arena.logs import add_to_logs
from plies.arena.openings import books
from plies.arena.resuming import DIGESTS, digests_of, resume
from plies.arena.schedule import is_finished, pending
from plies.arena.schedule.pairs import Plan
from plies.arena.store import BadStore, Finished, Store, is_blank
from plies.arena.tally import results_of
from plies.arena.workers import InThisProcess, Pool, Workers
from plies.processes import cores
from plies.registry import game as find_game

ASK_SECONDS = 0.5  # between two looks at whether a test is decided
PACKAGE = Path(__file__).parents[1]
OnFinished = Callable[[Finished], None]


def open_run(
    tournament: Tournament,
    path: Path | None,
    *,
    replay: Collection[str] = (),
    say: Callable[[str], None] = lambda _: None,
    is_dry: bool = False,
) -> Store:
    """The store of a tournament at `path`: a new one, or the one to go on with.

    Without a path the games are kept in memory only.  The games of the agents `replay` are
    played again; `say` hears what differs from how the run was before, a line each.  With
    `is_dry` all that is done to a copy in memory, and the file stays as it is.
    """
    if path is None or is_blank(path):
        if replay:
            raise BadStore(f"there are no games yet that {next(iter(replay))} could play again")
        return Store.create(None if is_dry else path, about(tournament))
    if is_dry:
        with Store.open(path) as stored:
            store = stored.copy()
    else:
        store = Store.open(path, is_for_writing=True)
    try:
        resume(store, tournament, replay, say)
    except BadStore as error:
        store.close()
        way = ", or" if "--replay" in str(error) else ";"
        raise BadStore(f"{path}: {error}{way} choose another --out") from error
    except BaseException:
        store.close()
        raise
    return store


def tournament_of(store: Store) -> Tournament:
    """The tournament whose games a store holds."""
    return Tournament.from_json(store.about["tournament"])


def about(tournament: Tournament) -> dict[str, Any]:
    """What a store keeps of how and where its games were played."""
    return {
        "tournament": tournament.to_json(),
        "version": version("plies"),
        "source": source_hash(tournament.games),
        DIGESTS: digests_of(tournament),
        "seed": tournament.seed,
        "begun": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "system": platform.platform(),
            "processor": platform.machine(),
            "cores": cores(),
            "python": platform.python_version(),
        },
    }


def source_hash(games: Sequence[str]) -> str:
    """Of everything that decides how the games go: this package and the files of the games."""
    paths = set(PACKAGE.rglob("*.py"))
    paths |= {Path(find_game(spec).source) for spec in games}
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def note_change(store: Store) -> bool:
    """Whether the code is no longer that which played the games so far; the store notes it."""
    source = source_hash(tournament_of(store).games)
    continued: list[dict[str, str]] = store.about.get("continued", [])
    last = continued[-1]["source"] if continued else store.about["source"]
    if source == last:
        return False
    now = datetime.now(UTC).isoformat(timespec="seconds")
    store.say("continued", [*continued, {"source": source, "version": version("plies"), "at": now}])
    return True


def run(
    store: Store,
    on_finished: OnFinished = lambda _: None,
    *,
    workers: int = 0,
    ray: str | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Play all that is left of a store's tournament; each game is kept when it ends.

    `workers` processes of this machine play (0: one on every core), or the Ray cluster at the
    address `ray`.  Which games are played, and how they go, does not depend on that.  When
    `is_stopped` says so, games that have not ended are given up.
    """
    plan = plan_of(tournament_of(store))
    is_test = plan.tournament.kind == "sprt"
    results = results_of(store.games())
    pool: Pool | None = None
    asked = time.monotonic()
    try:
        while not is_stopped() and (todo := pending(plan.tournament, plan.books, results)):
            pool = pool or _pool(plan.tournament, workers, ray, len(todo), is_stopped)
            for finished in pool.play(todo):
                store.add(finished)
                if store.path != ":memory:":
                    add_to_logs(Path(store.path), finished)
                results += results_of([finished])
                on_finished(finished)
                if is_stopped():
                    break
                if is_test and time.monotonic() > asked + ASK_SECONDS:
                    asked = time.monotonic()
                    if is_finished(plan.tournament, plan.books, results):
                        break
    finally:
        if pool is not None:
            pool.close()


def plan_of(tournament: Tournament) -> Plan:
    """A tournament with its openings, which are the same whenever they are drawn."""
    return Plan(tournament, books(tournament))


def _pool(
    tournament: Tournament,
    workers: int,
    ray: str | None,
    games: int,
    is_stopped: Callable[[], bool],
) -> Pool:
    specs = {entry.name: entry.spec for entry in tournament.agents}
    job = Job(specs, tournament.rules, tournament.clocks)
    if has_people(tournament):
        return InThisProcess(job)
    if ray is not None:
        from plies.arena.ray_workers import RayWorkers

        return RayWorkers(ray, job, workers)
    return Workers(min(workers or cores(), games), job, is_stopped)


def has_people(tournament: Tournament) -> bool:
    """Whether somebody has to be asked for moves."""
    return any(read_spec(entry.spec)[0] == "human" for entry in tournament.agents)
