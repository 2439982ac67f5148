"""A worker process: plays the games that come through a pipe until it closes."""

import os
import signal
import threading
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

from plies.arena.judge import Job, Judge
from plies.arena.measuring import Trial
from plies.errors import OutOfResources, PliesError

WATCH_SECONDS = 0.5
PAUSES = (0.5, 2.0, 8.0)  # seconds, after which a machine may have threads and memory again
READY = "ready"  # what a worker says first


def work(connection: Connection, job: Job, name: str) -> None:
    """What runs in the process.  It answers every game with what came out, or with a complaint.

    Searches run in a thread that is not the main one, where they need none of their own.
    """
    os.environ["PLIES_QUIET"] = "1"  # that something is compiled is told once, by the parent
    os.dup2(2, 1)  # what agents print is not the answer of the command that is run
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = os.getppid()
    player = threading.Thread(target=_play_all, args=(connection, job, name), daemon=True)
    player.start()
    while player.is_alive():
        player.join(WATCH_SECONDS)
        if os.getppid() != parent:
            os._exit(1)  # nobody waits for the result


def _play_all(connection: Connection, job: Job, name: str) -> None:
    judge = Judge(job, name)
    try:
        connection.send(READY)
        while True:
            planned = connection.recv()
            if planned is None:
                return
            connection.send(answer(judge, planned))
    except (EOFError, OSError):
        return  # the parent has gone
    finally:
        judge.close()


def answer(judge: Judge, planned: Any) -> Any:
    """A finished or timed game, or the text of what is wrong with the game or the agent."""
    try:
        for pause in PAUSES:
            try:
                return _play(judge, planned)
            except OutOfResources:
                judge.close()  # the game is begun anew, with agents that are started anew
                time.sleep(pause)
        return _play(judge, planned)
    except PliesError as error:
        return str(error)
    except BaseException:  # a mistake in a rule or a method: the run is over, its games are not
        last = traceback.format_exc().strip().splitlines()
        return f"{last[-1]} ({last[-3].strip() if len(last) > 2 else 'unknown place'})"


def _play(judge: Judge, planned: Any) -> Any:
    return judge.measure(planned) if isinstance(planned, Trial) else judge.play(planned)
