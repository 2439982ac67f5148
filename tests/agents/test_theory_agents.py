"""The agents that know: the theory of a game, and the solution of the whole game."""

import random
from pathlib import Path
from typing import Any

import pytest

import plies
from game_samples import LAST, changed, extended
from plies.agents.theory import Perfect
from plies.core.scores import ONGOING, win_in
from plies.errors import AgentFault, BadGame, BadSpec
from plies.search.clock import Clock
from plies.search.runner import StopFlag
from plies.search.task import Progress, Task
from proof_samples import Truth, positions

ODD_ROWS = {n: "-".join(str(row) for row in range(1, 2 * n, 2)) for n in range(1, 12)}

# Project facts, Nim: N for which the first player loses from 1, 3, ..., 2N - 1, N <= 11 (those
# whose rows fit into a state).
LOST = {
    "": {4, 8},
    ",k=2": {6},
    ",k=3": {4, 8},
    ",misere=true": {1, 4, 8},
    ",misere=true,k=2": {1, 2, 6},
}


@pytest.mark.parametrize("options", LOST)
def test_theory_knows_a_move_exactly_where_the_first_player_can_win(options: str) -> None:
    for n, rows in ODD_ROWS.items():
        game = plies.game(f"nim:rows={rows}{options}")
        assert (game.theory(game.initial()) is None) == (n in LOST[options]), rows


@pytest.mark.parametrize("misere", ["false", "true"])
@pytest.mark.parametrize(
    "rows", ["1", "6", "2-2", "4-5,k=2", "1-1-1", "3-4-2", "3-5-2,k=3", "1-6-2,k=1", "2-1-3-2"]
)
def test_every_move_of_the_theory_wins_and_it_has_none_only_where_all_lose(
    rows: str, misere: str
) -> None:
    game = plies.game(f"nim:rows={rows},misere={misere}")
    truth = Truth(game)
    for state in positions(game):
        if game.is_over(state):
            continue
        move = game.theory(state)
        if move is None:
            assert truth.value(state) < 0
        else:
            assert truth.value(game.play(state, move)) < 0


def test_theory_wins_what_can_be_won_against_perfect_play() -> None:
    for seed in range(5):
        record = plies.play_game("nim:rows=2-3-5", "theory", "perfect", seed=seed)
        assert record.winner == 0
    for seed in range(5):
        record = plies.play_game("nim:rows=1-2-3", "perfect", "theory", seed=seed)
        assert record.winner == 1


def test_theory_plays_any_move_where_it_knows_none_and_claims_no_value() -> None:
    game = plies.game("nim:rows=2-2")
    agent = plies.agent("theory", game)
    decisions = [agent.choose(game.initial(), random.Random(seed)) for seed in range(50)]
    assert {decision.move for decision in decisions} == set(game.moves(game.initial()))
    assert {decision.value for decision in decisions} == {None}
    again = [agent.choose(game.initial(), random.Random(seed)) for seed in range(50)]
    assert [each.move for each in again] == [each.move for each in decisions]


def test_nim_has_no_theory_for_three_players() -> None:
    game = plies.game("nim:players=3")
    with pytest.raises(BadSpec, match="two players"):
        game.theory(game.initial())


WRONG = ("def theory(state):", "    return 7", "")  # a heap of seven, of which two are the most


def test_gabriele_takes_what_a_move_may_of_the_lowest_row() -> None:
    for options, position, taken in (
        ("", "0-3-5-7 second", "b-3"),
        ("", "0-0-1-7 first", "c-1"),
        (":k=2", "0-3-5-7 second", "b-2"),
        (":k=2", "0-1-5-7 second", "b-1"),
        (":players=3", "0-0-5-7 first", "c-5"),
    ):
        game = plies.game(f"nim{options}")
        state = game.parse_position(position)
        decision = plies.search(game, state, "gabriele")
        assert game.move_text(state, decision.move) == taken


@pytest.mark.parametrize("name", ["nim-sum", "theory"])
def test_optimal_play_takes_the_first_winning_move_or_any_of_them(name: str) -> None:
    game = plies.game("nim:rows=1-3-3")
    state = game.initial()  # the nim-sum is 1: one object from any row makes it 0
    winning = [game.parse_move(state, text) for text in ("a-1", "b-1", "c-1")]
    assert list(game.strategy(name, state)) == winning
    for spec, expected in ((name, winning[:1]), (f"{name}:choice=random", winning)):
        agent = plies.agent(spec, game)
        chosen = {agent.choose(state, random.Random(seed)).move for seed in range(30)}
        assert chosen == set(expected)


def test_mixed_draws_an_agent_anew_for_every_move_by_its_share() -> None:
    game = plies.game("nim:rows=1-9")
    state = game.initial()  # gabriele takes a-1, the nim-sum b-8, chance mostly something else
    agent = plies.agent("mixed:gabriele=1,nim-sum=3", game)
    rng = random.Random(1)
    chosen = [game.move_text(state, agent.choose(state, rng).move) for _ in range(400)]
    assert set(chosen) == {"a-1", "b-8"}
    assert 260 < chosen.count("b-8") < 340  # 300 expected, standard deviation 9
    assert plies.agent(agent.spec, game).spec == agent.spec == "mixed:gabriele=1.0,nim-sum=3.0"


@pytest.mark.parametrize(
    ("declared", "word"),
    [
        ('{"random": theory}', "agent random"),
        ('{"a b": theory}', "'a b'"),
        ('{"seven": 7}', "seven .* 7"),
        ('{"seven": lambda state: 1.5}', "seven .*TypeError"),
        ('{"seven": lambda state: [1, 7]}', "seven answers 7"),
    ],
)
def test_a_strategy_at_fault_is_named_with_its_file(
    tmp_path: Path, declared: str, word: str
) -> None:
    last = LAST.replace(")", f", strategies={declared})")
    with pytest.raises(BadGame, match=f"^changed: .*{word}"):
        plies.agent("seven", changed(tmp_path, (LAST, "\n".join([*WRONG, last]))))


def test_a_theory_that_answers_an_illegal_move_is_a_fault_of_the_file(tmp_path: Path) -> None:
    game = extended(tmp_path, *WRONG)
    with pytest.raises(BadGame, match=r"^changed: theory answers 7"):
        plies.agent("theory", game).choose(game.initial())


@pytest.mark.parametrize("opponent", ["random", "alphabeta:depth=2", "perfect"])
def test_perfect_never_loses_at_tic_tac_toe(opponent: str) -> None:
    game = plies.game("tictactoe")
    perfect = plies.agent("perfect", game)
    for seed in range(10):
        first = plies.play_game(game, perfect, opponent, seed=seed)
        second = plies.play_game(game, opponent, perfect, seed=seed)
        assert first.payoffs[0] >= 0
        assert second.payoffs[1] >= 0


def test_perfect_takes_the_fastest_win_and_the_slowest_loss() -> None:
    game = plies.game("quixo:n=2")
    truth = plies.agent("solve:table=1", game)
    perfect = plies.agent("perfect", game)
    for state in ongoing(game):
        found, proven = perfect.choose(state), truth.choose(state)
        assert (found.value, len(found.line)) == (proven.value, len(proven.line))
        assert found.is_complete


def ongoing(game: plies.Game) -> list[Any]:
    return [state for state in positions(game) if game.outcome(state) == ONGOING]


def test_a_solution_is_kept_for_the_next_move_and_the_next_game() -> None:
    game = plies.game("tictactoe")
    agent = plies.agent("perfect", game)
    state = game.initial()
    assert agent.choose(state).nodes == 5478
    later = game.play(state, game.moves(state)[0])
    assert agent.choose(later).nodes == 1
    agent.begin(state, seat=0)
    assert agent.choose(state).nodes == 1


def test_the_game_is_solved_before_its_clock_runs() -> None:
    game = plies.game("tictactoe")
    agent = plies.agent("perfect", game)
    agent.begin(game.initial(), seat=1, clock=Clock(remaining=0.001))
    decision = agent.choose(game.initial(), clock=Clock(remaining=0.001))
    assert (decision.value, decision.nodes, decision.is_complete) == (0, 1, True)


def test_a_game_that_is_not_solved_in_the_time_to_get_ready_is_a_fault_of_time() -> None:
    game = plies.game("quixo")  # 3 ** 25 boards
    agent = plies.agent("perfect:positions=100000000", game)
    with pytest.raises(AgentFault, match=r"0\.05 s") as fault:
        agent.begin(game.initial(), seat=0, seconds=0.05)
    assert fault.value.termination == "time"


def test_too_many_positions_are_refused_with_their_number() -> None:
    game = plies.game("tictactoe")
    with pytest.raises(BadSpec, match=r"^tictactoe .* 5477 [^\n]*$"):
        plies.search(game, game.initial(), "perfect:positions=5477")
    with pytest.raises(BadSpec, match="5477"):
        plies.play_game(game, "perfect:positions=5477", "random")
    assert plies.search(game, game.initial(), "perfect:positions=5478").is_complete


def test_of_equal_moves_the_first_or_any_is_taken() -> None:
    game = plies.game("tictactoe")
    state = game.parse_position("X../.O./..X O")  # a corner loses, an edge does not
    moves = {game.move_text(state, move): move for move in game.moves(state)}
    edges = [moves[name] for name in ("b1", "a2", "c2", "b3")]
    first = plies.agent("perfect:choice=first", game)
    chosen = {first.choose(state, random.Random(seed)).move for seed in range(20)}
    assert chosen == {min(edges, key=game.moves(state).index)}
    chance = plies.agent("perfect", game)
    chosen = {chance.choose(state, random.Random(seed)).move for seed in range(50)}
    assert chosen == set(edges)


def test_a_stopped_perfect_plays_the_first_move_without_a_value_and_keeps_nothing() -> None:
    game = plies.game("tictactoe")
    agent = plies.agent("perfect", game)
    stopped = StopFlag()
    stopped.stop()
    decision = agent.choose(game.initial(), stop=stopped)
    assert decision.move == game.moves(game.initial())[0]
    assert (decision.value, decision.is_complete) == (None, False)
    assert agent.memory == {}


def test_ctrl_c_while_a_game_is_solved_is_passed_on() -> None:
    interrupted = StopFlag()
    interrupted.was_interrupted = True
    interrupted.stop()
    task = Task(plies.game("tictactoe").initial(), stop=interrupted)
    with pytest.raises(KeyboardInterrupt):
        Perfect().begin(task, 10.0)


def test_perfect_tells_how_many_positions_it_has_looked_at() -> None:
    game = plies.game("quixo")
    heard: list[Progress] = []
    stop = StopFlag()

    def hear(progress: Progress) -> None:
        heard.append(progress)
        stop.stop()

    agent = plies.agent("perfect:positions=100000000", game)
    decision = agent.choose(game.initial(), stop=stop, on_progress=hear)
    assert not decision.is_complete
    assert heard[0].nodes > 0


def test_perfect_and_theory_agree_who_wins_nim() -> None:
    game = plies.game("nim:rows=2-3-4")
    decision = plies.search(game, game.initial(), "perfect")
    assert game.theory(game.initial()) is not None
    assert decision.value == win_in(len(decision.line))
