"""Workers on a Ray cluster: the same games, played by actors instead of processes."""

import logging
import os
import socket
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from plies.arena.judge import Job, Judge
from plies.arena.plan import Planned
from plies.arena.store import Finished
from plies.arena.worker import answer
from plies.arena.workers import Attempts, NoWorkers, complain_of, failure
from plies.errors import BadSpec

ANSWER_SECONDS = 5.0
HERE = "local"  # the address that means: a cluster of its own on this machine


class RayWorkers:
    """An actor for every core of a cluster; one that dies is replaced and its game replayed."""

    def __init__(self, address: str, job: Job, count: int = 0):
        """`count` actors, 0 for one on every core of the cluster at `address`."""
        self._ray = _connected(address, count)
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        # 0 restarts and retries: a lost game is begun again by us, who count the attempts.
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Actor)
        self._job = job
        self._made = 0
        # More of them than cores would wait for one another for ever.
        self._workers = [self._hire() for _ in range(max(min(count or cores, cores), 1))]
        try:
            self._ray.get([worker.is_ready.remote() for worker in self._workers])
        except self._ray.exceptions.RayError as error:
            self.close()
            raise NoWorkers(str(error).strip().splitlines()[-1].strip()) from error

    def play(self, games: Sequence[Planned]) -> Iterator[Finished]:
        """Every game as it ends, in whatever order that is."""
        waiting = deque(games)
        attempts = Attempts()
        failures: list[str] = []
        running: dict[Any, tuple[Any, Planned]] = {}
        idle = list(self._workers)
        while waiting or running:
            while idle and waiting:
                worker, planned = idle.pop(), waiting.popleft()
                running[worker.play.remote(planned)] = (worker, planned)
            (done, *_), _ = self._ray.wait(list(running), num_returns=1)
            worker, planned = running.pop(done)
            try:
                told = self._ray.get(done)
            except self._ray.exceptions.RayError:
                if attempts.may_try_again(planned):
                    waiting.appendleft(planned)
                idle.append(self._replace(worker))
                continue
            idle.append(worker)
            if isinstance(told, str):
                failures.append(failure(planned, told))
                continue
            yield told
        complain_of(failures, attempts)

    def _replace(self, worker: Any) -> Any:
        self._ray.kill(worker)
        new = self._hire()
        self._workers[self._workers.index(worker)] = new
        return new

    def _hire(self) -> Any:
        self._made += 1
        return self._actor.remote(self._job, f"ray/{self._made}")

    def close(self) -> None:
        self._ray.shutdown()


class _Actor:
    """What lives on the cluster."""

    def __init__(self, job: Job, name: str):
        self._judge = Judge(job, name)

    def is_ready(self) -> bool:
        return True

    def play(self, planned: Planned) -> Finished | str:
        return answer(self._judge, planned)


def _check_answers(address: str) -> None:
    """Ray itself would try for a long time, and tell of every attempt."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), ANSWER_SECONDS).close()
    except OSError as error:
        raise BadSpec(f"no Ray cluster answers at {address}: {error}") from error


def _connected(address: str, count: int) -> Any:
    """Ray, connected to a cluster or with one of its own."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise BadSpec("Ray is not installed; pip install 'plies[ray]'") from error
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == HERE:
        cores = {"num_cpus": count} if count else {}
        ray.init("local", include_dashboard=False, **cores, **quiet)
        return ray
    _check_answers(address)
    try:
        ray.init(address, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        told = str(error).strip().partition("\n")[0]
        hint = "if it wants a token, set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN as it does"
        raise BadSpec(f"no Ray cluster answers at {address}: {told}; {hint}") from error
    return ray
