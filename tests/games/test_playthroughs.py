"""Every game has a transcript, and answers as it says."""

import subprocess
import sys
from pathlib import Path

import pytest

import playthrough
import plies

NAMES = plies.game_names()

pytestmark = pytest.mark.plain  # uncompiled code must give the same answers


def test_no_transcript_is_of_a_game_that_does_not_exist() -> None:
    assert {path.stem for path in playthrough.FOLDER.iterdir()} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_game_answers_as_its_transcript_says(name: str) -> None:
    path = playthrough.path_of(name)
    write = f"python tests/playthrough.py --write {name}"
    assert path.is_file(), f"{name} has no transcript; look at what this writes: {write}"
    stored = path.read_text(encoding="utf-8").splitlines()
    assert playthrough.transcript(name).splitlines() == stored, f"if that is meant: {write}"


def test_a_transcript_is_the_same_in_another_process() -> None:
    command = [sys.executable, str(Path(playthrough.__file__)), "nim"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert printed == playthrough.transcript("nim") + "\n"
