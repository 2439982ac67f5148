"""Classes in compiled code are the same ones wherever a game file runs from."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import plies

EXAMPLE = Path(__file__).parents[2] / "examples" / "connect_four.py"
AS_SCRIPT = """
if __name__ == "__main__":
    import plies
    state = GAME.play(GAME.initial(), 0)
    print(type(state) is State, len(GAME.moves(state)))
    print(plies.perft(GAME, state, 3), plies.search(GAME, state, "minimax:depth=3").nodes)
"""


def test_a_game_file_run_as_a_script_plays_with_its_own_class_cold_and_warm(
    tmp_path: Path,
) -> None:
    script = tmp_path / "four.py"
    script.write_text(EXAMPLE.read_text(encoding="utf-8") + AS_SCRIPT, encoding="utf-8")
    environment = {**os.environ, "PLIES_CACHE_DIR": str(tmp_path / "cache")}
    outputs = []
    for _ in ("cold", "warm"):
        done = subprocess.run(
            [sys.executable, str(script)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append((done.stdout, "compiling" in done.stderr))
    lines = "True 7\n343 400\n"  # 400 = 1 + 7 + 49 + 343
    assert outputs == [(lines, True), (lines, False)]


def test_a_state_can_be_pickled_and_copied() -> None:
    game = plies.game("tictactoe")
    state = game.play(game.initial(), 5)
    again = pickle.loads(pickle.dumps(state))
    assert (again, type(again)) == (state, type(state))
