"""A rule that does not return is named, with position and line, and the command ends."""

import subprocess
import sys
from pathlib import Path

import pytest

from game_samples import INITIAL, OUTCOME, PLAY, changed_file

ENDLESS = "while True:\n        pass\n    "
# Plain numbers grow beyond the end; those of 64 bits become 0 and stay 0.
WRAPPING = "number = 1\n    while number < 9 * 10**18:\n        number <<= 1\n    "
BEGINS, EQUAL = "a game begins with whole numbers", "compiled rules equal the interpreted"
STEPS = "every move has steps of its own"
GAME = "GAME = "
FAULTS = {
    "plain Python": (INITIAL, ENDLESS + INITIAL, BEGINS, "initial does not return", True),
    "a rule": (
        PLAY,
        f"while move > 0:\n        pass\n    {PLAY}",
        EQUAL,
        "at 7 0: play of move 1 does not return",
        True,
    ),
    "one position": (
        OUTCOME,
        f"while state.heap == 3:\n        pass\n    {OUTCOME}",
        EQUAL,
        "at 3 0: outcome does not return",
        True,
    ),
    "compiled alone": (
        PLAY,
        WRAPPING + PLAY.replace("- move", "- move + min(number, 0)"),
        EQUAL,
        "at 7 0: play of move 1 does not return",
        False,
    ),
    "notation": (
        GAME,
        f"def steps(state, move):\n    {ENDLESS}return ()\n\n\n{GAME}",
        STEPS,
        "at 7 0: steps does not return",
        True,
    ),
}


@pytest.mark.parametrize(("old", "new", "check", "story", "has_line"), FAULTS.values(), ids=FAULTS)
def test_an_endless_rule_is_named_with_its_position_and_line(
    tmp_path: Path, old: str, new: str, check: str, story: str, has_line: bool
) -> None:
    changed_file(tmp_path, (old, new))
    command = [sys.executable, "-m", "plies", "check", "changed.py", "--patience", "1"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=120)
    last = done.stdout.decode().splitlines()[-1]
    assert done.returncode == 1, done.stderr
    assert last.startswith(f"✗ {check}: {story}")
    assert ("(changed.py, line " in last) == has_line
