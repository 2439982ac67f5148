"""The textbook searches on trees written as lists, and beside the compiled ones."""

from math import inf
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core.verbs import ZERO
from plies.errors import BadSpec
from plies.games.tree import Tree, tree_game
from plies.search import reference
from plies.search.alphabeta import Cut, Fail, Prune
from plies.search.reference import Answer, Position, on_game, on_players, on_results
from search_samples import position_after
from tree_samples import examples, trees

SETTINGS = [(fail, cut) for fail in get_args(Fail) for cut in get_args(Cut)]
lost_for_max = st.recursive(st.just(-inf), lambda trees: st.lists(trees, min_size=1, max_size=3))


def on_lists(root_is_max: bool) -> dict[str, Any]:
    """Nested lists as a tree in which the players alternate; nodes are (tree, is_max)."""
    return {
        "children": lambda node: (
            [(child, not node[1]) for child in node[0]] if isinstance(node[0], list) else []
        ),
        "evaluate": lambda node: node[0] if root_is_max else -node[0],
        "is_max": lambda node: node[1] is root_is_max,
    }


def answers(tree: Any, root_is_max: bool) -> list[Answer]:
    root, tools = (tree, True), on_lists(root_is_max)
    kinds = [reference.alphabeta(root, fail=fail, cut=cut, **tools) for fail, cut in SETTINGS]
    return [reference.minimax(root, **tools), *kinds]


@pytest.mark.parametrize("root_is_max", [True, False])
@given(tree=st.lists(lost_for_max, min_size=1, max_size=3))
def test_a_player_who_loses_everywhere_takes_the_first_move(tree: Any, root_is_max: bool) -> None:
    leftmost, depth = tree, 0
    while isinstance(leftmost, list):
        leftmost, depth = leftmost[0], depth + 1
    for answer in answers(tree, root_is_max):
        assert answer.index == 0
        assert answer.line == (0,) * depth
        assert answer.value == (-inf if root_is_max else inf)


@pytest.mark.parametrize("root_is_max", [True, False])
def test_a_finite_loss_is_preferred_to_an_infinite_one(root_is_max: bool) -> None:
    assert [answer.index for answer in answers([-inf, -inf, -7, -7], root_is_max)] == [2] * 5


@pytest.mark.parametrize("options", [{"fail": "medium"}, {"cut": "never"}])
def test_an_unknown_kind_of_alpha_beta_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadSpec, match=r"fail .* cut"):
        reference.alphabeta(0, children=lambda _: [], evaluate=int, is_max=bool, **options)


def agrees(game: plies.Game, state: Any, spec: str, answer: Answer) -> bool:
    """Whether an agent has the same value and counts; the reference speaks for Max."""
    found = plies.search(game, state, spec)
    value = found.value if found.value is None or game.mover(state) == 0 else -found.value
    counts = (found.nodes, found.leaves, found.cutoffs, found.is_complete)
    return (value, *counts) == (
        answer.value, answer.nodes, answer.leaves, answer.cutoffs, answer.is_complete
    )  # fmt: skip


@pytest.mark.parametrize("spec", ["tictactoe", "seega"])  # in the latter the mover may repeat
def test_branch_and_beam_are_those_of_the_reference_on_a_game(spec: str) -> None:
    game = plies.game(spec)
    state = position_after(game, 3, seed=1)
    tools, root = on_game(game.evaluator()), Position(state)
    answer = reference.branch(root, depth=3, look=1, width=2, **tools)
    assert agrees(game, state, "branch:depth=3,look=1,width=2", answer)
    answer = reference.beam(root, depth=3, share=0.4, above=2, **tools)
    assert agrees(game, state, "beam:depth=3,share=0.4,above=2", answer)


@settings(max_examples=examples(100))
@given(
    tree=trees(most_leaves=40, most_children=4),
    depth=st.integers(1, 6),
    look=st.integers(0, 2),
    width=st.integers(1, 3),
    rule=st.sampled_from(["plain", "report"]),
    prune=st.sampled_from(["alphabeta", "none"]),
    nodes=st.one_of(st.just(10**6), st.integers(1, 60)),
)
def test_branch_and_beam_are_those_of_the_reference_on_random_trees(
    tree: Tree, depth: int, look: int, width: int, rule: Any, prune: Any, nodes: int
) -> None:
    game = tree_game(tree)
    state = game.initial()
    tools, root = on_game(game.evaluator()), Position(state)
    limits: dict[str, Any] = {"depth": depth, "look": look, "budget": nodes}
    given = f"depth={depth},look={look},nodes={nodes}"
    answer = reference.beam(root, share=0.5, above=width, **limits, **tools)
    assert agrees(game, state, f"beam:share=0.5,above={width},{given}", answer)
    answer = reference.branch(root, width=width, rule=rule, prune=prune, **limits, **tools)
    if answer.is_complete:  # the compiled one answers with what it has ranked, if it has to
        assert agrees(
            game, state, f"branch:width={width},rule={rule},prune={prune},{given}", answer
        )


@given(
    tree=trees(most_leaves=30),
    depth=st.integers(1, 5),
    cut=st.sampled_from(get_args(Cut)),
    prune=st.sampled_from(get_args(Prune)),
)
def test_deepening_answers_as_its_last_pass_and_counts_all(
    tree: Tree, depth: int, cut: Cut, prune: Prune
) -> None:
    tools, root = on_game(ZERO), Position(tree_game(tree).initial())
    events: list[reference.Event] = []
    options: dict[str, Any] = {"depth": depth, "cut": cut, "prune": prune}
    answer = reference.deepening(root, on_event=events.append, **options, **tools)
    assert answer.value == reference.minimax(root, depth=depth, **tools).value
    assert [event.value for event in events if event.kind == "begin"] == [*range(1, depth + 1)]
    assert answer.nodes == sum(event.kind == "enter" for event in events)


@settings(max_examples=50)
@given(tree=trees(most_leaves=30), nodes=st.one_of(st.just(10**6), st.integers(1, 60)))
def test_deepening_without_pruning_is_that_of_the_reference(tree: Tree, nodes: int) -> None:
    game = tree_game(tree)
    state, tools = game.initial(), on_game(game.evaluator())
    found = plies.search(game, state, f"deepening:depth=4,prune=none,nodes={nodes}")
    depth = min(found.depth + (not found.is_complete), 4)  # it ends where every line has
    answer = reference.deepening(Position(state), depth=depth, prune="none", budget=nodes, **tools)
    assert (found.nodes, found.leaves) == (answer.nodes, answer.leaves)
    if answer.is_complete:
        value = answer.value if game.mover(state) == 0 else -answer.value
        assert (found.value, found.is_complete) == (value, True)


def test_deepening_stopped_in_a_pass_answers_as_the_one_before() -> None:
    root, tools = ([[1, [9, 9]], [2, [0, 0]]], True), on_lists(root_is_max=True)
    tools["evaluate"] = lambda node: node[0] if isinstance(node[0], int) else len(node[0])
    first = reference.deepening(root, depth=1, **tools)
    stopped = reference.deepening(root, depth=9, budget=first.nodes + 1, **tools)
    assert (stopped.value, stopped.line) == (first.value, first.line)
    assert (stopped.nodes, stopped.is_complete) == (first.nodes + 1, False)


def test_the_best_line_of_a_pass_is_tried_first_in_the_next() -> None:
    # two plies deep the second child is best, so the third ply begins below it
    tree = [[[1, 1], 1], [[5, 5], 5]]
    root, tools = (tree, True), on_lists(root_is_max=True)
    tools["evaluate"] = lambda node: node[0] if isinstance(node[0], int) else max(flat(node[0]))
    paths: list[tuple[int, ...]] = []
    passes = 0

    def listen(event: reference.Event) -> None:
        nonlocal passes
        passes += event.kind == "begin"
        if event.kind == "enter" and passes == 3:
            paths.append(event.path)

    reference.deepening(root, depth=3, on_event=listen, **tools)
    assert paths[:2] == [(), (1,)]


def flat(tree: Any) -> list[int]:
    return [leaf for child in tree for leaf in flat(child)] if isinstance(tree, list) else [tree]


@given(tree=trees(most_leaves=30))
def test_for_two_players_all_of_whom_want_to_win_every_search_is_minimax(tree: Tree) -> None:
    root = Position(tree_game(tree).initial())
    value = reference.minimax(root, **on_game(ZERO)).value
    tools = on_players(ZERO, 2)
    assert reference.maxn(root, **tools).value == (value, -value)
    hero = tools["mover"](root)
    assert reference.paranoid(root, **tools).value == (value, -value)[hero]


# One move from a win for either side: a3 completes the top row, c2 the middle one.
@pytest.mark.parametrize(("position", "move"), [(".XX/OO./... X", "a3"), ("XX./OO./X.. O", "c2")])
def test_monte_carlo_finds_a_win_in_one_for_either_player(position: str, move: str) -> None:
    game = plies.game("tictactoe")
    state = game.parse_position(position)
    answer = reference.mcts(Position(state), simulations=200, **on_results(2))
    assert game.move_texts(state)[answer.index or 0] == move
    assert answer.value[game.mover(state)] == 1
    assert answer.leaves == 200


def test_monte_carlo_with_the_same_seed_grows_the_same_tree() -> None:
    root, tools = Position(plies.game("nim").initial()), on_results(2)
    told: list[list[reference.Event]] = [[], []]
    for events in told:
        reference.mcts(root, simulations=50, seed=3, on_event=events.append, **tools)
    assert told[0] == told[1]
    assert told[0][-1].path == ()  # the last thing is to back up to the root


@pytest.mark.parametrize(
    ("search", "options", "complaint"),
    [
        (reference.branch, {"width": 0}, "width is 1 to"),
        (reference.beam, {"share": 0.0}, "share is more than 0 and at most 1, not 0.0"),
        (reference.beam, {"share": 1.5}, "share is more than 0 and at most 1, not 1.5"),
    ],
)
def test_what_cannot_be_limited_is_refused(
    search: Any, options: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(BadSpec, match=complaint):
        search(0, children=lambda _: [], evaluate=int, is_max=bool, **options)
