"""Proof-number search: forced wins against plain play to the end, theory and mate problems."""

from functools import cache
from pathlib import Path
from typing import Any

import chess
import pytest
from hypothesis import given, settings

import plies
from plies.compiling.compiler import is_interpreting
from plies.core.scores import WIN, win_in
from plies.errors import BadSpec
from plies.games.tree import Tree, tree_game
from plies.search import reference
from plies.search.clock import Clock
from plies.search.dfpn import PROVING, Proving, dfpn
from plies.search.reference import Position
from plies.search.runner import StopFlag
from plies.search.table import Table
from plies.search.workspace import new_workspace
from proof_samples import Truth, positions, sample
from tree_samples import examples, trees

EXAMPLES = Path(__file__).parents[2] / "examples"
ENDLESS = Path(__file__).parents[1] / "data" / "circle.py"


class Prover:
    """Looks at one position after another, with one table for each hero."""

    def __init__(self, players: int = 2):
        self.works = [new_workspace(dtype=PROVING) for _ in range(players)]
        self.tables = [Table(1) for _ in range(players)]
        for work, table in zip(self.works, self.tables, strict=True):
            table.connect(work)

    def search(self, game: plies.Game, state: Any) -> Proving:
        search = Proving(state, self.works[game.mover(state)])
        search.run()
        return search


def check_line(game: plies.Game, state: Any, line: tuple[int, ...]) -> None:
    """A line that is legal and ends with a win of whoever begins it."""
    hero = game.mover(state)
    for move in line:
        state = game.play(state, move)
    assert game.payoffs(state)[hero] > 0


@pytest.mark.parametrize("spec", ["tictactoe", "nim:rows=3-2-4", "nim:rows=3-2-3,k=2,misere=true"])
def test_exactly_the_won_positions_are_proven(spec: str) -> None:
    game = plies.game(spec)
    truth, prover = Truth(game), Prover()
    for state in sample(positions(game)):
        if game.is_over(state):
            continue
        found, value = prover.search(game, state), truth.value(state)
        assert (found.numbers.proof == 0) == (value > 0), game.position_text(state)
        assert (found.numbers.disproof == 0) == (value <= 0), game.position_text(state)
        if value > 0:
            assert found.numbers.plies == len(found.line) >= 1000 - value
            check_line(game, state, found.line)
    assert not any(work.is_assumed for work in prover.works)


@settings(max_examples=examples(150))
@given(tree=trees(most_leaves=40, most_children=4))
def test_random_trees_are_won_when_minimax_is_above_zero(tree: Tree) -> None:
    game = tree_game(tree)
    state = game.initial()
    value = reference.minimax(Position(state), **reference.on_game(game.evaluator())).value
    value = value if game.mover(state) == 0 else -value
    found = plies.search(game, state, "dfpn:table=1")
    assert found.is_complete
    assert (found.value is not None) == (value > 0)
    if found.value is not None:
        check_line(game, state, found.line)


@pytest.mark.parametrize("rows", ["1-1-1", "2-1-1", "2-2", "1-2-3", "2-2-2-1", "4"])
def test_a_win_against_two_others_is_one_against_everything_they_do(rows: str) -> None:
    game = plies.game(f"nim:rows={rows},players=3")

    @cache
    def wins(state: Any) -> bool:
        if game.is_over(state):
            return game.outcome(state) == 0
        results = [wins(game.play(state, move)) for move in game.moves(state)]
        return any(results) if game.mover(state) == 0 else all(results)

    found = plies.search(game, game.initial(), "dfpn:table=1")
    assert found.is_complete
    assert (found.value is not None) == wins(game.initial())


def test_a_game_that_goes_round_in_circles_is_won_where_it_is_won() -> None:
    # project facts, Quixo: the empty 3x3 board is a win in 7, which is the fastest
    game = plies.game("quixo:n=3")
    found = plies.search(game, game.initial(), "dfpn")
    assert found.is_complete
    assert found.value is not None
    assert found.value <= win_in(7)
    assert len(found.line) == WIN - found.value
    check_line(game, game.initial(), found.line)


def test_endless_play_proves_nothing() -> None:
    game = plies.game(str(ENDLESS))
    found = plies.search(game, game.initial(), "dfpn:table=1")
    assert (found.value, found.is_complete) == (None, False)
    assert found.move in game.moves(game.initial())
    with_exit = plies.game(f"{ENDLESS}:exits=1")
    found = plies.search(with_exit, with_exit.initial(), "dfpn:table=1")
    assert (found.value, found.is_complete) == (win_in(3), True)


def test_a_lost_game_is_proven_not_to_be_won() -> None:
    # Gardner 1962: the second player wins hexapawn
    game = plies.game(str(EXAMPLES / "hexapawn.py"))
    found = plies.search(game, game.initial(), "dfpn:table=1")
    assert (found.value, found.is_complete) == (None, True)


def is_mate_in(board: chess.Board, plies_left: int) -> bool:
    """Whether the side to move mates within so many plies, by trying everything."""
    for move in list(board.legal_moves):
        board.push(move)
        if board.is_checkmate():
            is_mating = True
        else:
            replies = list(board.legal_moves) if plies_left > 2 else []
            is_mating = bool(replies)
            for reply in replies:
                board.push(reply)
                is_mating = is_mate_in(board, plies_left - 2)
                board.pop()
                if not is_mating:
                    break
        board.pop()
        if is_mating:
            return True
    return False


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        # Paul Morphy's problem, published 1859: mate in two, 1 Ra6
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        # a rook and a bishop against a king in the corner: mate in three, 1 Ra6+
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ],
)
def test_mate_problems_are_solved(fen: str, moves: int) -> None:
    game = plies.game("chess")
    state = game.parse_position(fen)
    found = plies.search(game, state, "dfpn:table=16")
    assert found.value is not None
    assert WIN - found.value >= 2 * moves - 1
    board = chess.Board(fen)
    assert is_mate_in(board, 2 * moves - 1)
    for move in found.line:
        board.push_uci(game.move_text(state, move))
        state = game.play(state, move)
    assert board.is_checkmate()


def test_limits_end_it_with_a_legal_move_and_nothing_proven() -> None:
    game = plies.game("quixo")
    stopped = StopFlag()
    stopped.stop()
    for options, stop in (("nodes=2000", None), ("seconds=0.05", None), ("table=1", stopped)):
        found = plies.search(game, game.initial(), f"dfpn:{options}", stop=stop)
        assert (found.value, found.is_complete) == (None, False)
        assert found.move in game.moves(game.initial())
    found = plies.agent("dfpn:table=1", game).choose(game.initial(), clock=Clock(0.2))
    assert not found.is_complete


def test_nobody_else_has_the_table_meanwhile() -> None:
    game = plies.game("quixo")
    agent = plies.agent("dfpn:seconds=0.3,table=1", game)
    seen: list[bool] = []
    agent.choose(game.initial(), on_progress=lambda _: seen.append("table" in agent.memory))
    assert seen
    assert not any(seen)
    assert "table" in agent.memory


def test_a_small_table_is_enough_to_be_right() -> None:
    size = 4 if is_interpreting() else 5
    game = plies.game(f"{EXAMPLES / 'hexapawn.py'}:size={size}")
    for megabytes in (1, 64):
        found = plies.search(game, game.initial(), f"dfpn:table={megabytes}")
        assert found.value is not None
        check_line(game, game.initial(), found.line)


@pytest.mark.parametrize("spec", ["dfpn:table=0", "dfpn:nodes=-1", "dfpn:seconds=-1"])
def test_bad_limits_are_refused(spec: str) -> None:
    with pytest.raises(BadSpec):
        plies.agent(spec, plies.game("tictactoe"))


@pytest.mark.skipif(not hasattr(dfpn, "signatures"), reason="there is no compiler")
def test_the_kernel_has_one_signature_for_each_game() -> None:
    plies.search("nim", plies.game("nim").initial(), "dfpn:table=1")
    states = [signature[0] for signature in dfpn.signatures]  # type: ignore[attr-defined]
    assert len(states) == len(set(states))
