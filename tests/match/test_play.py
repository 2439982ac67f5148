"""One game between agents."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.errors import BadSpec, GameOver
from plies.match import Rules

EXAMPLES = Path(__file__).parents[2] / "examples"


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_the_same_seed_gives_the_same_game(seed: int) -> None:
    game = plies.game("tictactoe")
    first, second = (plies.play_game(game, "random", "random", seed=seed) for _ in range(2))
    assert [move.text for move in first.moves] == [move.text for move in second.moves]
    assert (first.final, first.payoffs) == (second.final, second.payoffs)


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_a_record_can_be_replayed_to_its_final_position(seed: int) -> None:
    game = plies.game("tictactoe")
    record = plies.play_game(game, "random", "alphabeta:depth=2", seed=seed)
    state = game.parse_position(record.start)
    for move in record.moves:
        assert game.mover(state) == move.player
        state = game.play(state, game.parse_move(state, move.text))
    assert game.position_text(state) == record.final
    assert game.payoffs(state) == record.payoffs


def test_perfect_play_draws_tic_tac_toe_and_never_loses_to_chance() -> None:
    game = plies.game("tictactoe")
    perfect = "alphabeta:depth=9"
    assert plies.play_game(game, perfect, perfect).winner is None
    for seed in range(10):
        assert plies.play_game(game, perfect, "random", seed=seed).winner in (None, 0)
        assert plies.play_game(game, "random", perfect, seed=seed).winner in (None, 1)


def test_three_players_can_play_nim() -> None:
    record = plies.play_game(plies.game("nim:players=3"), "random", "random", "random", seed=1)
    assert sorted(record.payoffs) == [0, 0, 1]
    assert [move.player for move in record.moves[:4]] == [0, 1, 2, 0]


def test_a_game_that_is_too_long_is_drawn_by_the_match() -> None:
    record = plies.play_game(plies.game("quixo"), "random", "random", rules=Rules(max_plies=5))
    assert (record.reason, record.payoffs, len(record.moves)) == ("length", (0, 0), 5)


def test_a_position_that_arises_three_times_is_a_draw() -> None:
    # Two kings that can only walk to and fro.
    record = plies.play_game(
        plies.game(str(EXAMPLES.parent / "tests/data/pacing.py")), *["random"] * 2
    )
    assert (record.reason, record.payoffs) == ("repetition", (0, 0))
    assert len(record.moves) == 8


def test_a_game_may_start_anywhere() -> None:
    record = plies.play_game(plies.game("tictactoe"), "random", "random", start="XX./OO./... X")
    assert record.start == "XX./OO./... X"


@pytest.mark.parametrize("agents", [["random"], ["random"] * 3])
def test_the_number_of_agents_must_fit_the_game(agents: list[str]) -> None:
    with pytest.raises(BadSpec, match="has 2 players, not"):
        plies.play_game(plies.game("tictactoe"), *agents)


def test_nobody_chooses_a_move_when_the_game_is_over() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("XXX/OO./... O")
    with pytest.raises(GameOver, match="the game is over"):
        plies.agent("random", game).choose(state)


def test_a_draw_that_a_game_claims_ends_the_match_and_is_named(tmp_path: Path) -> None:
    text = (EXAMPLES.parent / "tests/data/pacing.py").read_text()
    last = "GAME = Game("
    claim = 'def draw_claim(state, earlier):\n    return "enough" if len(earlier) == 2 else ""\n\n'
    assert text.count(last) == 1
    path = tmp_path / "claiming.py"
    path.write_text(text.replace(last, claim + last))
    record = plies.play_game(plies.game(str(path)), *["random"] * 2)
    assert (record.reason, record.payoffs, len(record.moves)) == ("enough", (0, 0), 2)
