"""Players of Nim that evolve: fitness, exact chances to win, the agents, the command."""

import json
import os
import random
import signal
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.agents import agent
from plies.cli.main import main
from plies.errors import AgentFault, BadSpec
from plies.games import nim
from plies.learn.evolution import Evolution, Fitness, Plan
from plies.learn.nim_evolution import (
    OPPONENTS,
    Positions,
    Seats,
    best_fitness,
    model_of,
    moves_encoding,
    oracle_fitness,
    positions_of,
    report,
    win_fitness,
)
from plies.learn.nim_strategies import agent_spec, probabilities, strategies_encoding
from plies.match import play_game
from plies.models.files import BadModel, Model, save_model
from plies.models.moves import moves_model
from plies.studies.nim_strategies import mixtures

STUDY = "nim:k=3"  # rows 1, 3, 5 and 7: the default of the study


@pytest.fixture(autouse=True)
def no_compile_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIES_QUIET", "1")


@cache
def table(spec: str = STUDY) -> Positions:
    return positions_of(plies.game(spec))


@cache
def evolved(generations: int, seed: int = 1) -> np.ndarray:
    """By the study's parameters."""
    return best_of(table(), oracle_fitness(table()), Plan(), generations, seed)


def best_of(
    positions: Positions, fitness: Fitness, plan: Plan, generations: int, seed: int = 1
) -> np.ndarray:
    evolution = Evolution(positions.counts, fitness, plan, seed)
    for _ in range(generations):
        evolution.advance()
    return evolution.best[0]


def any_genome(positions: Positions, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, positions.counts)


# Project facts, computed: states that can be answered and the greatest fitness, by the sizes of
# the study; the positions are the product of 2i + 2 over the rows, less the empty one.
@pytest.mark.parametrize(
    ("spec", "positions", "answerable", "fitness"),
    [
        ("nim:rows=1-3-5,k=2", 47, 34, 414),
        ("nim:k=3", 383, 288, 3735),
        ("nim", 383, 336, 4473),
        ("nim:rows=1-3-5-7-9,k=4", 3839, 3216, 42916),
    ],
)
def test_the_greatest_fitness_is_that_of_the_rules(spec, positions, answerable, fitness):
    found = table(spec)
    assert len(found.counts) == positions
    assert found.is_answerable.sum() == answerable
    assert best_fitness(found) == fitness
    best = (10 * found.is_answer + found.taken).argmax(axis=1)
    assert oracle_fitness(found)(best[None]).tolist() == [fitness]


def test_a_genome_gets_ten_for_an_answer_and_one_for_every_object():
    # Rows 1 and 2: positions (0,1) (0,2) (1,0) (1,1) (1,2) in this order, moves by row.
    found = table("nim:rows=1-2")
    assert found.rows.tolist() == [[0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    # (0,1) and (1,0) are emptied; (0,2) loses one; (1,1) has no answer; (1,2) leaves (1,1).
    genome = np.array([[0, 0, 0, 0, 1]])
    assert oracle_fitness(found)(genome).tolist() == [11 + 1 + 11 + 1 + 11]


def by_playing(positions: Positions, genome: np.ndarray, chances: np.ndarray) -> Seats:
    """The chances to win from the start, by the rules of the game and a recursion."""
    game = positions.game
    place = {tuple(map(int, rows)): index for index, rows in enumerate(positions.rows)}

    def win(state: Any, own: int) -> float:
        if game.is_over(state):
            return float(game.outcome(state) == own)
        index = place[nim.unpack_rows(state.heaps, state)]
        moves = game.moves(state)
        if game.mover(state) == own:
            return win(game.play(state, moves[genome[index]]), own)
        return sum(
            float(chance) * win(game.play(state, move), own)
            for move, chance in zip(moves, chances[index], strict=False)
            if chance
        )

    return Seats(win(game.initial(), 0), win(game.initial(), 1))


@pytest.mark.parametrize("spec", ["nim:rows=1-3-2,k=2", "nim:rows=2-2-2,misere=true"])
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_chances_to_win_are_those_of_playing_every_line(spec, opponent):
    positions = table(spec)
    for seed in range(3):
        genome = any_genome(positions, seed)
        expected = by_playing(positions, genome, OPPONENTS[opponent](positions))
        found = report(positions, genome).wins[opponent]
        assert (found.first, found.second) == pytest.approx((expected.first, expected.second))
        player = moves_encoding(positions).player
        fitness = win_fitness(positions, player, [opponent], is_everywhere=False)(genome[None])[0]
        assert fitness == pytest.approx((expected.first + expected.second) / 2)


@pytest.mark.parametrize("spec", ["nim:rows=1-3-5,k=2", "nim:rows=2-3-1,misere=true"])
def test_opponents_play_as_the_agents_of_their_names(spec):
    positions = table(spec)
    game = positions.game
    for index, rows in enumerate(positions.rows):
        heaps = nim.pack_rows(tuple(map(int, rows)), game.initial().bits)
        state = game.initial()._replace(heaps=heaps)
        moves = game.moves(state)
        for name, player in OPPONENTS.items():
            chosen = () if name == "random" else game.strategy(name, state)[:1]
            expected = [float(move in (chosen or moves)) for move in moves]
            chances = player(positions)[index]
            assert chances[: len(moves)] == pytest.approx(np.array(expected) / sum(expected))
            assert not chances[len(moves) :].any()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_study_answers_nearly_all_positions_after_200_generations(seed):
    found = report(table(), evolved(200, seed=seed))
    assert found.share >= 0.95
    assert found.held >= 0.95
    assert min(found.wins["random"].first, found.wins["random"].second) > 0.9


def test_a_perfect_player_evolves_and_holds_every_won_position():
    found = report(table(), evolved(700))
    # The start 1-3-5-7 with k = 3 is lost for the first player.
    assert found.wins["nim-sum"].first == 0.0
    assert found.wins["nim-sum"].second == pytest.approx(1)
    assert (found.answered, found.answerable) == (288, 288)
    assert found.held == pytest.approx(1)
    assert found.fitness == found.best_fitness == 3735


def test_a_perfect_player_evolves_from_wins_against_chance_alone():
    positions = table("nim:rows=1-3-5,k=2")
    player = moves_encoding(positions).player
    fitness = win_fitness(positions, player, ["random"], is_everywhere=True)
    found = report(positions, best_of(positions, fitness, Plan(), 100))
    assert found.answered == found.answerable == 34
    assert found.held == pytest.approx(1)


# Mixtures of strategies


def test_weights_are_always_a_distribution():
    weights = np.array([[0, 0, 7], [1, 1, 2], [0, 0, 0]])
    assert probabilities(weights) == pytest.approx(
        np.array([[0, 0, 1], [0.25, 0.25, 0.5], [1 / 3, 1 / 3, 1 / 3]])
    )


@pytest.mark.parametrize("weights", [[0, 1, 0], [1, 1, 2], [0, 0, 0]])
def test_the_agent_of_a_genome_plays_as_its_chances_say(weights):
    positions = table("nim:rows=1-3-5,k=2")
    genome = np.array(weights)
    chances = strategies_encoding(positions).player(genome)[-1]  # of the start
    player = agent(agent_spec(genome), positions.game)
    rng = random.Random(1)
    state = positions.game.initial()
    games = 2000
    drawn = Counter(player.choose(state, rng).move for _ in range(games))
    found = [drawn[move] / games for move in positions.game.moves(state)]
    assert found == pytest.approx(chances[: len(found)], abs=0.05)  # 4.5 standard deviations


def test_strategies_evolve_to_the_nim_sum_which_is_the_best_mixture():
    positions = table()
    encoding = strategies_encoding(positions)
    fitness = win_fitness(positions, encoding.player, list(OPPONENTS), is_everywhere=False)
    evolution = Evolution(encoding.choices, fitness, Plan(), 1)
    assert probabilities(evolution.genomes)[..., 2].mean() < 0.4
    for _ in range(40):
        evolution.advance()
    assert probabilities(evolution.best[0]).tolist() == [0, 0, 1]
    assert probabilities(evolution.genomes)[..., 2].mean() > 0.99
    assert evolution.best[1] == pytest.approx(fitness(mixtures()).max())


def test_the_command_evolves_strategies_goes_on_and_names_the_agent(capsys, tmp_path: Path):
    words = (*SMALL, "--genome", "strategies", "--out", str(tmp_path / "mixture.npz"))
    told(capsys, *words, "--generations", "3")
    found = told(capsys, *words, "--generations", "6")
    assert found["generations"] == 6
    assert sum(found["probabilities"].values()) == pytest.approx(1)
    assert agent(found["agent"], plies.game(SMALL[0])).spec.startswith("mixed:")
    assert main(["train", "evolve", *words, "--generations", "6"]) == 0
    assert f"plies match {SMALL[0]} {found['agent']} nim-sum" in capsys.readouterr().out
    with pytest.raises(BadModel, match=f"play it as {found['agent']}"):
        agent(f"greedy:eval={tmp_path / 'mixture.npz'}", plies.game(SMALL[0]))
    save_model(tmp_path / "bad.npz", Model("mixture", "nim", {}, {"weights": np.array([-1])}))
    with pytest.raises(BadModel, match="its weights are not whole numbers"):
        agent(f"greedy:eval={tmp_path / 'bad.npz'}", plies.game("nim"))


# The agent


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("moves") / "evolved.npz"
    save_model(path, model_of(table(), evolved(700), {}))
    return path


def test_the_agent_plays_the_genome_in_every_position_and_seat(tmp_path: Path):
    positions = table("nim:rows=1-3-5,k=2")
    game, genome = positions.game, any_genome(positions, 1)
    save_model(tmp_path / "any.npz", model_of(positions, genome, {}))
    player = agent(f"moves:{tmp_path / 'any.npz'}", game)
    for rows, gene in zip(positions.rows, genome, strict=True):
        for turn in (0, 1):
            heaps = nim.pack_rows(tuple(map(int, rows)), game.initial().bits)
            state = game.initial()._replace(heaps=heaps, turn=turn)
            assert player.choose(state).move == game.moves(state)[gene]


@pytest.mark.parametrize("opponent", ["random", "theory"])
def test_the_evolved_agent_wins_every_game_as_second(file: Path, opponent: str):
    for seed in range(5):
        assert play_game(STUDY, opponent, f"moves:{file}", seed=seed).payoffs == (-1, 1)


def test_a_position_that_is_not_in_the_table_is_played_by_chance(tmp_path: Path):
    game = plies.game("nim:rows=2-2")
    other = game.play(game.initial(), game.moves(game.initial())[0])
    move = game.moves(other)[0]
    save_model(tmp_path / "few.npz", moves_model(game, {game.key(other): move}, {}))
    player = agent(f"moves:{tmp_path / 'few.npz'}", game)
    assert player.choose(game.initial()).move in game.moves(game.initial())
    assert player.choose(other).move == move


def test_a_table_with_an_illegal_move_commits_a_fault(tmp_path: Path):
    game = plies.game("nim:rows=2-2")
    save_model(tmp_path / "bad.npz", moves_model(game, {game.key(game.initial()): 99}, {}))
    with pytest.raises(AgentFault, match="move 99, which is not legal here"):
        agent(f"moves:{tmp_path / 'bad.npz'}", game).choose(game.initial())


def test_a_table_is_for_one_game_and_is_no_evaluator(file: Path):
    with pytest.raises(BadModel, match="was made for nim:k=3, not for nim:k=2"):
        agent(f"moves:{file}", plies.game("nim:k=2"))
    with pytest.raises(BadModel, match="play it as moves:FILE"):
        agent(f"greedy:eval={file}", plies.game(STUDY))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"keys": np.array([1, 2])}, "no array moves"),
        ({"keys": np.array([1, 2]), "moves": np.array([1])}, "2 keys and 1 moves"),
        ({"keys": np.array([2, 1]), "moves": np.array([1, 1])}, "ascending order"),
        ({"keys": np.array([1.5]), "moves": np.array([1])}, "keys is not a one-dimensional array"),
        ({"keys": np.array([[1]]), "moves": np.array([1])}, "keys is not a one-dimensional array"),
        ({"keys": np.empty(0, int), "moves": np.empty(0, int)}, "0 keys and 0 moves"),
    ],
)
def test_a_damaged_table_is_refused(tmp_path: Path, arrays, message):
    save_model(tmp_path / "bad.npz", Model("moves", "nim", {}, arrays))
    with pytest.raises(BadModel, match=message):
        agent(f"moves:{tmp_path / 'bad.npz'}", plies.game("nim"))


# The command


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["train", "evolve", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


SMALL = ("nim:rows=1-3-5,k=2", "--population", "100", "--offspring", "50")


def test_the_command_tells_what_the_evolved_moves_are_worth(capsys, tmp_path: Path):
    out = tmp_path / "small.npz"
    found = told(capsys, *SMALL, "--out", str(out), "--generations", "60")
    assert (found["positions"], found["answerable"], found["best_fitness"]) == (47, 34, 414)
    assert found["share"] == found["answered"] / 34
    assert set(found["wins"]) == {"random", "gabriele", "nim-sum"}
    assert main(["train", "evolve", *SMALL, "--out", str(out), "--generations", "60"]) == 0
    text = capsys.readouterr().out
    assert f"{found['answered']} of 34 answerable positions" in text
    assert f"plies match nim:rows=1-3-5,k=2 moves:{out} nim-sum" in text
    assert main(["match", SMALL[0], f"moves:{out}", "random", "--pairs", "1", "--dry-run"]) == 0


def test_fitness_by_wins_knows_nothing_of_answers(capsys):
    words = (*SMALL, "--fitness", "wins", "--starts", "start", "--generations", "30")
    found = told(capsys, *words, "--opponents", "gabriele")
    assert found["plan"]["opponents"] == ["gabriele"]
    # Always beaten, which is all that was asked; answers come by luck.
    assert found["score"] == found["wins"]["gabriele"]["second"] == 1.0
    assert found["share"] < 0.9


def test_an_interrupted_evolution_goes_on_as_if_nothing_had_happened(
    capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    words = (*SMALL, "--islands", "2", "--generations", "20", "--out")
    advance = Evolution.advance

    def interrupted(self: Evolution) -> None:
        advance(self)
        if self.generation == 7:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(Evolution, "advance", interrupted)
        assert main(["train", "evolve", *words, str(tmp_path / "a.npz")]) == 130
    assert "stopped after 7 generations; the same command goes on" in capsys.readouterr().err
    broken, whole = (told(capsys, *words, str(tmp_path / name)) for name in ("a.npz", "b.npz"))
    assert broken == {**whole, "file": broken["file"]}


def test_moves_that_are_there_are_told_again_and_never_replaced_by_others(capsys, tmp_path: Path):
    out = tmp_path / "small.npz"
    words = [*SMALL, "--out", str(out)]
    first = told(capsys, *words, "--generations", "5")
    before = out.read_bytes()
    out.with_suffix(".population.npz").unlink()  # nothing to go on from is needed
    again = told(capsys, *words, "--generations", "5")
    assert {name: again[name] for name in first} == first
    assert main(["train", "evolve", *words, "--generations", "5", "--seed", "2"]) == 2
    assert "holds another model (plan: seed 1, not 2)" in capsys.readouterr().err
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tictactoe"], "moves evolve for Nim of two players, such as nim:k=3, not tictactoe"),
        (["nim:players=3"], "not nim:players=3"),
        (["nim:rows=99-99-99"], "has 999999 positions; a table has 100000 at most"),
        (["--fitness", "wins", "--opponents", "gabriel"], "did you mean gabriele?"),
        (["--fitness", "wins", "--opponents", ","], "no opponent"),
        (["--opponents", "random"], "--opponents is for --fitness wins"),
        (["--starts", "all"], "--starts is for --fitness wins"),
        (["--genome", "strategies", "--fitness", "oracle"], "oracle is for --genome moves"),
        (["--population", "1000000"], "it may have 261096 members"),
        (["--tournament", "1000000", "--offspring", "1000000"], "20000000 at most"),
        (["--offspring", "1000000"], "it may have 261096 members"),
        (["--mutation", "2"], "mutation is a probability from 0 to 1, not 2.0"),
        (["--out", "moves.txt"], "a file that ends with .npz, not moves.txt"),
        (["--out", "nowhere/moves.npz"], "there is no folder nowhere"),
    ],
)
def test_bad_input_is_one_clear_line(words, message, capsys):
    assert main(["train", "evolve", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_fewer_generations_than_there_are_is_refused(capsys, tmp_path: Path):
    words = [*SMALL, "--out", str(tmp_path / "small.npz")]
    told(capsys, *words, "--generations", "5")
    assert main(["train", "evolve", *words, "--generations", "4"]) == 2
    assert "has lived 5 generations, more than --generations 4" in capsys.readouterr().err


def test_an_unknown_opponent_is_refused_in_python():
    with pytest.raises(BadSpec, match="there is no opponent bob"):
        win_fitness(table(), moves_encoding(table()).player, ["bob"], is_everywhere=True)
