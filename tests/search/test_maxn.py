"""max^n against the textbook, with and without pruning, for two players and for more."""

import random
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import is_interpreting
from plies.core import Evaluator, compiled, verbs
from plies.core.scores import SCORED, win_in
from plies.errors import BadSpec
from plies.games.tree import Inner, Leaf, Tree, tree_game
from plies.games.tree import State as TreeState
from plies.search import reference
from plies.search.decision import Decision
from plies.search.leaf import result_for
from plies.search.maxn import MAX_PLAYERS, Maxn, MaxnPrune, maxn
from plies.search.reference import Position, on_players
from search_samples import SPECS
from tree_samples import PAPER, THREE_PLAYERS, examples, trees

PRUNES: tuple[MaxnPrune, ...] = get_args(MaxnPrune)
vectors = st.tuples(*[st.integers(-2, 4)] * 3)
# A fixed sum makes the bounds tight, so that much is pruned.
SHARES = [vector for vector in product(range(4), repeat=3) if sum(vector) == 3]
ANY = list(product(range(-1, 3), repeat=3))

DEPTH = 1 if is_interpreting() else 3  # of every game


def search(game: plies.Game, **options: Any) -> Decision:
    state = game.initial()
    spec = ",".join(f"{key}={value}" for key, value in options.items())
    return plies.agent(f"maxn:{spec}", game).choose(state)


def on_tree(players: int = 3) -> dict[str, Any]:
    """A tree as the reference sees it; at the horizon nobody has anything."""
    return {
        "children": lambda node: node.children,
        "evaluate": lambda node: node.payoffs if isinstance(node, Leaf) else (0,) * players,
        "mover": lambda node: node.mover,
    }


@pytest.mark.parametrize("prune", PRUNES)
def test_the_three_player_example_gives_1_2_3(prune: MaxnPrune) -> None:
    # project facts, n players: movers 1, 2, 3 and eight leaves; the root is (1, 2, 3)
    game = plies.game(f"tree:file={THREE_PLAYERS}")
    found = search(game, depth=3, prune=prune)
    assert (found.payoffs, found.value, found.line) == ((1, 2, 3), 1, (0, 0, 0))


@pytest.mark.parametrize("prune", PRUNES)
def test_the_paper_tree_is_that_of_minimax(prune: MaxnPrune) -> None:
    # project facts, n players: 28 leaves, minimax 1 by the third move
    found = search(plies.game(f"tree:file={PAPER}"), depth=9, prune=prune)
    assert (found.payoffs, found.move) == ((1, -1), 2)
    assert found.leaves == 28 if prune == "none" else found.leaves <= 28


def test_shallow_pruning_leaves_out_what_cannot_matter() -> None:
    # By hand: two players share at most 9.  The first has 6 of its first child; in the second
    # child the second player finds 4, which leaves at most 5 for the first: the last two
    # leaves are not looked at.
    tree = Inner(0, [Inner(1, [Leaf((6, 1, 2))]), Inner(1, [Leaf((3, 4, 2)), Leaf((0, 9, 0))])])
    game = tree_game(Inner(0, [*tree.children, Inner(1, [Leaf((1, 5, 3)), Leaf((9, 0, 0))])]))
    leaves = {prune: search(game, depth=2, prune=prune).leaves for prune in PRUNES}
    assert leaves == {"none": 5, "immediate": 5, "shallow": 3}


def test_immediate_pruning_stops_at_the_most_that_anybody_can_get() -> None:
    game = tree_game(Inner(0, [Leaf((2, 0, 0)), Leaf((7, 0, 0)), Leaf((1, 1, 1))]))
    found = search(game, depth=1, prune="immediate")
    assert (found.leaves, found.cutoffs, found.move) == (2, 1, 1)


@compiled
def likes_every_third(state):
    """An opinion far above what any leaf of the trees here pays."""
    return 50 * (state.node % 3)


@settings(max_examples=60)
@given(tree=trees(vectors, players=3, most_leaves=30), depth=st.integers(1, 4))
def test_an_opinion_above_all_payoffs_is_never_pruned_wrongly(tree: Tree, depth: int) -> None:
    game = tree_game(tree)
    game.evaluators = {}
    game.add_evaluators({"likes": Evaluator(likes_every_third)})
    whole = search(game, depth=depth, eval="likes")
    for prune in ("immediate", "shallow"):
        found = search(game, depth=depth, prune=prune, eval="likes")
        assert (found.payoffs, found.line) == (whole.payoffs, whole.line)


@settings(max_examples=examples(120))
@given(tree=trees(vectors, players=3, most_leaves=30), depth=st.integers(1, 8))
def test_random_trees_are_those_of_the_reference(tree: Tree, depth: int) -> None:
    answer = reference.maxn(tree, depth=depth, **on_tree())
    found = search(tree_game(tree), depth=depth)
    assert (found.payoffs, found.line) == (answer.value, answer.line)
    assert (found.nodes, found.leaves) == (answer.nodes, answer.leaves)


def bushy(chance: random.Random, height: int, vectors: list[tuple[int, ...]]) -> Tree:
    """A tree of two or three children everywhere, with movers and payoffs by chance."""
    if height == 0:
        return Leaf(chance.choice(vectors))
    kids = [bushy(chance, height - 1, vectors) for _ in range(chance.choice((2, 3)))]
    return Inner(chance.randrange(3), kids)


@settings(max_examples=examples(150))
@given(seed=st.integers(0, 10**6), height=st.integers(2, 4), is_shared=st.booleans())
def test_pruning_changes_neither_the_vector_nor_the_line(
    seed: int, height: int, is_shared: bool
) -> None:
    game = tree_game(bushy(random.Random(seed), height, SHARES if is_shared else ANY))
    full = search(game, depth=height)
    for prune in PRUNES:
        pruned = search(game, depth=height, prune=prune)
        assert (pruned.payoffs, pruned.line) == (full.payoffs, full.line)
        assert pruned.nodes <= full.nodes


def worst_for(hero: int, node: Tree) -> tuple[int, ...]:
    """max^n in which every tie is resolved against one player."""
    if isinstance(node, Leaf):
        return node.payoffs
    found = [worst_for(hero, child) for child in node.children]
    return max(found, key=lambda vector: (vector[node.mover], -vector[hero]))


@settings(max_examples=examples(200))
@given(tree=trees(vectors, players=3, most_leaves=30))
def test_ties_can_be_resolved_against_the_player_at_the_root(tree: Tree) -> None:
    assert isinstance(tree, Inner)
    found = search(tree_game(tree), depth=100, ties="worst")
    assert found.payoffs == worst_for(tree.mover, tree)


def by_the_rules(players: int) -> dict[str, Any]:
    """The positions of a game as the reference sees them, with nearer wins preferred."""

    def evaluate(position: Position) -> tuple[int, ...]:
        state, ply = position
        result = verbs.outcome(state)
        return tuple(int(result_for(seat, state, result, ply)) for seat in range(players))

    return {**on_players(verbs.ZERO, players), "evaluate": evaluate}


@pytest.mark.parametrize("prune", PRUNES)
@pytest.mark.parametrize("spec", ["players=3", "players=4,k=2", "players=3,misere=true"])
def test_nim_by_several_is_that_of_the_reference(spec: str, prune: MaxnPrune) -> None:
    game = plies.game(f"nim:rows=2-3-2,{spec}")
    state = game.initial()
    answer = reference.maxn(Position(state), **by_the_rules(game.players(state)))
    found = search(game, depth=20, prune=prune)
    assert found.payoffs == answer.value
    assert found.value == answer.value[0]


def test_a_win_of_three_is_as_near_as_it_can_be() -> None:
    game = plies.game("nim:rows=1-1-2,players=3")
    found = search(game, depth=9)
    last = game.initial()
    for move in found.line:
        last = game.play(last, move)
    winner = found.payoffs.index(win_in(len(found.line)))
    assert game.outcome(last) == winner
    others = [seat for seat in range(3) if seat != winner]
    assert [found.payoffs[seat] for seat in others] == [-win_in(len(found.line))] * 2


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
def test_with_two_players_it_is_minimax(spec: str) -> None:
    game = plies.game(spec)
    expected = plies.search(game, game.initial(), f"minimax:depth={DEPTH}")
    found = search(game, depth=DEPTH)
    assert (found.value, found.line) == (expected.value, expected.line)
    assert found.payoffs == (found.value, -(found.value or 0))
    assert (found.nodes, found.leaves) == (expected.nodes, expected.leaves)


@pytest.mark.parametrize("prune", PRUNES)
@pytest.mark.parametrize("spec", ["tictactoe", "nim:rows=2-3-2,misere=true", "quixo:n=3"])
def test_pruning_with_two_players_finds_the_line_of_minimax(spec: str, prune: MaxnPrune) -> None:
    game = plies.game(spec)
    expected = plies.search(game, game.initial(), f"minimax:depth={DEPTH + 2}")
    found = search(game, depth=DEPTH + 2, prune=prune)
    assert (found.value, found.line) == (expected.value, expected.line)
    assert found.nodes < expected.nodes or prune != "shallow"


def test_a_stopped_search_has_a_legal_move_and_keeps_its_budget() -> None:
    game = plies.game("nim:players=3")
    for nodes in (1, 2, 100):
        found = search(game, depth=16, nodes=nodes)
        assert (found.nodes, found.is_complete) == (nodes, False)
        assert found.move in game.moves(game.initial())


def test_pruning_is_refused_where_it_would_lose_ties_or_where_nothing_is_known() -> None:
    with pytest.raises(BadSpec, match="it needs ties=first"):
        Maxn(prune="shallow", ties="worst")
    points = plies.game("tree")
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(verbs.rules_of[TreeState], "payoff_bounds")
        with pytest.raises(BadSpec, match="use prune=none"):
            search(points, prune="shallow")


def test_more_players_than_there_is_room_for_are_refused() -> None:
    crowd = tree_game(Inner(0, [Leaf((0,) * (MAX_PLAYERS + 1))]))
    with pytest.raises(BadSpec, match="at most 16 players, not 17"):
        search(crowd, depth=1)


@pytest.mark.skipif(not hasattr(maxn, "signatures"), reason="there is no compiler")
def test_the_kernel_has_one_signature_for_each_game_and_evaluator() -> None:
    for prune in PRUNES:
        search(plies.game("nim:players=3"), depth=2, prune=prune)
    signatures = maxn.signatures  # type: ignore[attr-defined]
    kinds = [(state, evaluator) for state, *_, evaluator, _work in signatures]
    assert len(kinds) == len(set(kinds))


def test_points_and_wins_are_told_apart() -> None:
    game = plies.game("nim:rows=1-1,players=3,misere=true")
    last = game.play(game.play(game.initial(), game.moves(game.initial())[0]), 2)
    assert game.outcome(last) == SCORED
    assert search(game, depth=2).payoffs == game.payoffs(last) == (1, 0, 1)
