"""Branch-limited search does what the report says, with a table and in threads too."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies.core import verbs
from plies.core.scores import INFINITY, ONGOING
from plies.games.tree import Tree, read_tree, tree_game
from plies.search import reference
from plies.search.alphabeta import AlphaBeta
from plies.search.branch import Branch
from plies.search.leaf import leaf_value
from plies.search.minimax import Minimax
from plies.search.runner import StopFlag
from plies.search.task import Task
from plies.search.trace import record
from plies.web.lab.messages import TraceRequest
from plies.web.lab.search import run
from search_samples import position_after
from tree_samples import examples, trees


class Published:
    """The search in the words of the report: L, l, BF, a window, and a count of nodes."""

    def __init__(self, method: Branch, evaluator: Any):
        self.method, self.evaluator, self.nodes = method, evaluator, 0

    def value(self, state: Any, L: int, l: int, alpha: int, beta: int, ply: int) -> int:  # noqa: E741, N803
        return self.value_and_move(state, L, l, alpha, beta, ply)[0]

    def value_and_move(
        self, state: Any, L: int, l: int, alpha: int, beta: int, ply: int  # noqa: E741, N803
    ) -> tuple[int, int | None]:  # fmt: skip
        self.nodes += 1
        result = verbs.outcome(state)
        if result != ONGOING or L == 0:
            return int(leaf_value(state, result, ply, self.evaluator)), None
        if self.method.rule == "report":
            effective_l = max(0, l - (L - 1)) if l > 0 else 0
        else:
            effective_l = min(l, L - 1)

        def after(move: int, depth: int, look: int, low: int) -> int:
            child = verbs.play(state, move)
            if verbs.mover(child) == verbs.mover(state):
                return self.value(child, depth, look, low, beta, ply + 1)
            return -self.value(child, depth, look, -beta, -low, ply + 1)

        moves = [int(move) for move in verbs.legal_moves(state)]
        ranks = {move: after(move, effective_l, 0, alpha) for move in moves}
        best, chosen = -INFINITY, None
        for move in sorted(moves, key=lambda move: -ranks[move])[: self.method.width]:
            value = after(move, L - 1, l, alpha)
            if value > best:
                best, chosen = value, move
            if self.method.prune == "alphabeta":
                alpha = max(alpha, value)
                if beta <= alpha:
                    break
        return best, chosen


def expected(method: Branch, state: Any, evaluator: Any) -> tuple[int, int | None, int]:
    """Value, move and nodes by the words of the report."""
    plain = Published(method, evaluator)
    window = (-INFINITY, INFINITY)
    return *plain.value_and_move(state, method.depth, method.look, *window, 0), plain.nodes


OPTIONS = {
    "look": st.integers(0, 3),
    "width": st.integers(1, 4),
    "rule": st.sampled_from(["plain", "report"]),
    "prune": st.sampled_from(["alphabeta", "none"]),
}


@settings(max_examples=examples(200))
@given(
    tree=trees(most_leaves=40, most_children=5),
    depth=st.integers(1, 5),
    threads=st.sampled_from([1, 2]),
    options=st.fixed_dictionaries(OPTIONS),
)
def test_the_search_is_the_published_one_on_random_trees(
    tree: Tree, depth: int, threads: int, options: dict[str, Any]
) -> None:
    game = tree_game(tree)
    method = Branch(depth, **options, threads=threads)
    found = method.decide(Task(game.initial(), game.evaluator()))
    wanted = expected(method, game.initial(), game.evaluator())
    assert (found.value, found.move, found.nodes) == wanted


@pytest.mark.parametrize("spec", ["tictactoe", "nim:rows=2-3-4", "quixo:n=3"])
@settings(max_examples=12)
@given(
    seed=st.integers(0, 10**6),
    plies_played=st.integers(0, 5),
    options=st.fixed_dictionaries(OPTIONS),
)
def test_the_search_is_the_published_one_on_games(
    spec: str, seed: int, plies_played: int, options: dict[str, Any]
) -> None:
    game = plies.game(spec)
    state, evaluator = position_after(game, plies_played, seed), game.evaluator()
    method = Branch(3, **options | {"look": min(options["look"], 1)})
    found = method.decide(Task(state, evaluator))
    assert (found.value, found.move, found.nodes) == expected(method, state, evaluator)


@pytest.mark.parametrize("rule", ["plain", "report"])
@pytest.mark.parametrize("look", [0, 1, 2])
def test_reference_compiled_search_trace_and_laboratory_agree(look: int, rule: str) -> None:
    game = plies.game("tictactoe")
    state = position_after(game, 2, seed=1)
    given = {"depth": 3, "look": look, "width": 3, "rule": rule}
    spec = f"branch:{','.join(f'{name}={value}' for name, value in given.items())}"
    found = plies.search(game, state, spec)
    trace = record(game, state, "branch", **given)
    position = game.position_text(state)
    lab = run(TraceRequest(game="tictactoe", position=position, algorithm=spec), plies.game)
    assert (trace.value, trace.nodes, trace.leaves) == (found.value, found.nodes, found.leaves)
    assert (lab.value, lab.nodes, lab.leaves) == (trace.value_text, found.nodes, found.leaves)


@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    plies_played=st.integers(0, 4),
    prune=st.sampled_from(["alphabeta", "none"]),
    look=st.integers(0, 2),
    width=st.integers(1, 4),
)
def test_a_table_changes_no_answer_where_ranks_are_exact(
    seed: int, plies_played: int, prune: Any, look: int, width: int
) -> None:
    look = look if prune == "none" else 0  # otherwise ranks outside the window are bounds
    game = plies.game("tictactoe")
    memory: dict[str, Any] = {}
    for played in (plies_played, plies_played + 1):
        state = position_after(game, played, seed)
        alone = Branch(5, look, width, prune=prune).decide(Task(state))
        helped = Branch(5, look, width, prune=prune, table=1, threads=2)
        found = helped.decide(Task(state, memory=memory))
        assert (found.value, found.move) == (alone.value, alone.move)


def test_threads_visit_the_same_nodes() -> None:
    game = plies.game("tictactoe")
    found = [Branch(5, threads=n).decide(Task(game.initial())) for n in (1, 2, 3, 20)]
    assert len({(each.nodes, each.leaves, each.cutoffs, each.line) for each in found}) == 1


@settings(max_examples=40)
@given(
    tree=trees(most_leaves=40, most_children=5),
    depth=st.integers(1, 5),
    look=st.integers(0, 3),
    rule=st.sampled_from(["plain", "report"]),
)
def test_a_width_that_covers_every_move_has_the_value_of_alpha_beta(
    tree: Tree, depth: int, look: int, rule: Any
) -> None:
    game = tree_game(tree)
    task = Task(game.initial(), game.evaluator())
    assert (
        Branch(depth, look, 5, rule=rule).decide(task).value == AlphaBeta(depth).decide(task).value
    )


@pytest.mark.parametrize("rule", ["plain", "report"])
@pytest.mark.parametrize("look", [0, 1, 2])
def test_with_every_move_kept_it_explores_what_alpha_beta_does_in_the_same_order(
    look: int, rule: Any
) -> None:
    game = plies.game("quixo:n=3" if look < 2 else "quixo:n=2")
    tools, root = reference.on_game(game.evaluator()), reference.Position(game.initial())
    events: list[reference.Event] = []
    limits: dict[str, Any] = {"depth": 3, "look": look, "width": 100, "rule": rule}
    answer = reference.branch(root, **limits, on_event=events.append, **tools)
    explored: dict[reference.Path, list[int]] = {}
    for event in events:
        if event.kind == "enter" and event.path:
            explored.setdefault(event.path[:-1], []).append(event.path[-1])

    def arrange(search: Any, node: Any, path: Any, kids: list[Any], window: Any) -> list[int]:
        return list(dict.fromkeys([*explored.get(path, ()), *range(len(kids))]))

    same = reference.alphabeta(root, depth=3, arrange=arrange, **tools)
    told = sum(event.kind == "enter" for event in events)
    assert (same.value, same.nodes) == (answer.value, told)
    assert answer.nodes > told  # the rest was ranking


def test_pruning_saves_nodes_and_keeps_the_value() -> None:
    game = plies.game("tictactoe")
    task = Task(game.initial())
    limited, open_windows = (
        Branch(5, look=0, width=9, prune=prune).decide(task) for prune in ("alphabeta", "none")
    )
    assert limited.value == open_windows.value
    assert limited.nodes < open_windows.nodes
    # every node ranks its children once more: those of minimax but the root are entered again
    assert open_windows.nodes == 2 * Minimax(5).decide(task).nodes - 1


def test_the_width_matters_however_far_the_ranking_looks() -> None:
    """A move that looks worst to the ranking, which keeps one move, is best for the search."""
    game = plies.game("tictactoe")
    nodes = {
        width: Branch(4, look=3, width=width).decide(Task(game.initial())).nodes
        for width in (1, 2, 9)
    }
    assert nodes[1] < nodes[2] < nodes[9]


def test_nodes_of_the_ranking_are_counted() -> None:
    # Root; three Min nodes ranked, all 0; the first two explored: m(3, 5) with two leaves ranked
    # and explored, m(3, 1) with two leaves ranked and the 1, which cuts.
    game = tree_game(read_tree("M(m(3, 5), m(3, 1), m(2, 8))"))
    found = Branch(2, look=0, width=2).decide(Task(game.initial(), game.evaluator()))
    assert (found.nodes, found.leaves, found.value) == (1 + 3 + 5 + 4, 3 + 4 + 3, 3)


def test_chance_chooses_among_the_explored_moves_of_the_best_value() -> None:
    game = tree_game(read_tree("M(m(3, 5), m(3, 1), m(4, 3), m(3, 3))"))
    method = Branch(2, look=0, width=3, choice="random")
    moves = set()
    for seed in range(30):
        task = Task(game.initial(), game.evaluator())
        task.rng.seed(seed)
        moves.add(method.decide(task).move)
    assert moves == {0, 2}  # the last one is as good and is not among the first three


@settings(max_examples=40)
@given(nodes=st.integers(1, 400), threads=st.sampled_from([1, 2]))
def test_a_search_stopped_by_its_budget_answers_with_a_legal_move(nodes: int, threads: int) -> None:
    game = plies.game("tictactoe")
    method = Branch(6, nodes=nodes, threads=threads)
    found, again = (method.decide(Task(game.initial())) for _ in range(2))
    assert found.nodes <= nodes
    assert not found.is_complete
    assert found.move in game.moves(game.initial())
    assert (again.nodes, again.move, again.value) == (found.nodes, found.move, found.value)


def test_a_search_stopped_at_once_has_no_value() -> None:
    game = plies.game("tictactoe")
    stop = StopFlag()
    stop.stop()
    found = Branch(threads=2).decide(Task(game.initial(), stop=stop))
    assert (found.nodes, found.value, found.is_complete) == (0, None, False)
