"""How long a tournament is going to take."""

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena_samples import tournament_of
from plies.arena.config import Openings
from plies.arena.estimate import estimate
from plies.arena.runner import plan_of
from plies.match import Rules

PACING = str(Path(__file__).parents[1] / "data" / "pacing.py")


@pytest.mark.parametrize("agents", [("random", "random"), ("random", "human")])
def test_it_is_a_move_of_every_agent_times_the_length_of_a_game(
    agents: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = tournament_of(
        agents,
        games=(PACING,),
        openings=Openings(positions=("0 0 0",)),
        rules=Rules(repetitions=0, max_plies=6),
    )
    plan = plan_of(tournament)
    # A second goes by between looks at the clock: before a move, when it is there, and when it
    # is judged.  A move so takes 2 s, a game of 6 plies 12 s.
    clock = count()
    fake = SimpleNamespace(perf_counter=lambda: float(next(clock)))
    monkeypatch.setattr("plies.match.game.time", fake)
    found = estimate(plan)
    assert found.seconds_per_game == pytest.approx(12)
    assert found.basis == "one move of every agent was timed; random games last 6 plies"


def test_without_patience_the_other_moves_are_thought_to_take_as_long() -> None:
    tournament = tournament_of(("random", "greedy"), games=(PACING,), openings=Openings(plies=0))
    found = estimate(plan_of(tournament), patience=0)
    assert found.seconds_per_game == 0
    assert found.basis.startswith("0 moves were timed; ")
