"""A judge who asks one hostile agent for moves; also a program, so that anybody can be it.

Needs nothing but the standard library and `plies.sandbox`.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from plies.errors import AgentFault
from plies.sandbox import stopping
from plies.sandbox.confined import Confined
from plies.sandbox.guards import GUARDS
from plies.sandbox.limits import Limits

START_SECONDS = 20.0
QUESTION = {"type": "move", "position": "x", "legal": ["a1", "b2"]}


def judge(
    agent: Path,
    *words: str,
    guards: tuple[str, ...] = tuple(GUARDS),
    limits: dict[str, int] | None = None,
    seconds: float = 20.0,
    moves: int = 1,
    pause: float = 0.0,
    stopping_seconds: float = stopping.STOPPING_SECONDS,
) -> dict[str, Any]:
    """What became of it: `answers`, and `termination` with `message` if it did wrong.

    It is stopped after every move, between two moves for a `pause`; to stop it may take
    `stopping_seconds`.
    """
    with patch.object(stopping, "STOPPING_SECONDS", stopping_seconds):
        pauses = ([pause] * (moves - 1) + [0.0])[:moves]
        return _judge(agent, words, guards, limits or {}, seconds, pauses)


def _judge(
    agent: Path,
    words: tuple[str, ...],
    guards: tuple[str, ...],
    limits: dict[str, int],
    seconds: float,
    pauses: list[float],
) -> dict[str, Any]:
    told: dict[str, Any] = {"answers": [], "termination": "normal", "message": ""}
    allowed = Limits(**{"memory_mb": 256, **limits})
    program = None
    try:
        program = Confined(
            (sys.executable, str(agent), *words), [agent], limits=allowed, guards=guards
        )
        told |= {"guards": program.guards, "missing": program.missing}
        program.send(json.dumps({"type": "start"}))
        program.receive(time.perf_counter() + START_SECONDS)
        for pause in pauses:
            program.send(json.dumps(QUESTION))
            told["answers"].append(program.receive(time.perf_counter() + seconds))
            program.suspend()
            time.sleep(pause)
            program.resume()
    except AgentFault as fault:
        told |= {"termination": fault.termination, "message": str(fault)}
    finally:
        if program is not None:
            program.close()
    return told


if __name__ == "__main__":
    chosen = json.loads(sys.argv[1])
    options = {**chosen["options"], "guards": tuple(chosen["options"]["guards"])}
    print(json.dumps(judge(Path(chosen["agent"]), *chosen["words"], **options)))
