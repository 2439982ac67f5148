"""Agents written with plies: they load the judge's compiled code, and cannot change it."""

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from courts import ORDINARY, _python_of_everybody, copy

import plies

AGENT = Path(__file__).parents[1] / "data" / "plies_agent.py"
HEXAPAWN = Path(__file__).parents[2] / "examples" / "hexapawn.py"

# Compiles what the agent will need, lets it play one game, and says how that went.
JUDGE = """
import json, sys
import plies
from plies.agents.process import errors_of
from plies.match import Clocks, Rules

agent, spec = sys.argv[1:]
game = plies.game(spec)
count = plies.perft(game, game.initial(), 2)
seats = [plies.agent(each, game) for each in (agent, "random")]
record = plies.play_game(
    game, *seats, rules=Rules(max_plies=1), clocks=Clocks(per_move=60, startup=60)
)
print(json.dumps({
    "reason": record.reason,
    "nodes": [move.nodes for move in record.moves] == [count],
    "errors": errors_of(seats[0].memory),
}))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """With a game and an agent; everybody can enter it."""
    with tempfile.TemporaryDirectory(prefix="plies-tests-", dir="/tmp") as name:
        path = Path(name)
        path.chmod(0o755)
        copy(AGENT, path / "agent.py")
        copy(HEXAPAWN, path / "hexapawn.py")
        yield path


@pytest.mark.parametrize("who", ["myself", "ordinary user"])
def test_a_confined_agent_loads_compiled_code_of_the_judge_and_cannot_change_it(
    folder: Path, who: str
):
    """What an ordinary user judges with was compiled by root, for everybody."""
    myself = {"python": sys.executable, "paths": "", "options": {}}
    judge = myself if who == "myself" else ordinary_judge(folder)
    environment = {
        **os.environ,
        "PYTHONPATH": judge["paths"].replace(" ", os.pathsep),
        "PLIES_CACHE_DIR": str(folder / "cache"),
        "PLIES_QUIET": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    def play(agent: str, **how: Any) -> dict[str, Any]:
        words = [judge["python"], "-c", JUDGE, agent, "hexapawn.py:size=4"]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, **how)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    if who == "ordinary user":
        shared = str(folder / "shared")
        play("random", env=environment | {"PLIES_CACHE_DIR": shared})
        subprocess.run(["chmod", "-R", "a+rX", shared], check=True)
        environment["PLIES_SHARED_CACHE_DIR"] = shared
    said = play(
        f"process:python3 agent.py {judge['paths']}".strip(), env=environment, **judge["options"]
    )
    assert (said["reason"], said["nodes"]) == ("length", True)
    folders = 1 if who == "myself" else 2  # with the judge's own
    assert json.loads(said["errors"]) == {"hits": 1, "misses": 0, "changed": [[]] * folders}


def ordinary_judge(folder: Path) -> dict[str, Any]:
    """A user without privileges, and where it finds plies and what that needs."""
    if os.geteuid() != 0:
        pytest.skip("whoever runs these tests is an ordinary user already")
    copy(Path(plies.__file__).parent, folder / "src" / "plies")
    paths = f"{folder / 'src'} {sysconfig.get_path('purelib')}"
    (folder / "cache").mkdir()
    os.chown(folder / "cache", ORDINARY, ORDINARY)
    options = {"user": ORDINARY, "group": ORDINARY, "extra_groups": []}
    python = _python_of_everybody()
    probe = [python, "-c", f"import sys; sys.path[:0] = {paths.split()}; import numba"]
    if subprocess.run(probe, cwd="/", capture_output=True, **options).returncode != 0:
        pytest.skip("an ordinary user cannot import Numba here")
    return {"python": python, "paths": paths, "options": options}
