"""Methods by their text: what they refuse, and what an agent remembers between moves."""

import pytest

import plies
from plies.errors import BadSpec
from plies.search.alphabeta import AlphaBeta
from plies.search.limits import memory_megabytes
from plies.search.task import Task


@pytest.mark.parametrize("name", ["alphabeta", "deepening", "engine", "solve"])
@pytest.mark.parametrize("table", [-1, memory_megabytes() + 1, 10**9])
def test_a_table_is_no_larger_than_the_memory(name: str, table: int) -> None:
    with pytest.raises(BadSpec, match=rf"^table is 0 to {memory_megabytes()} .*{table}$"):
        plies.agent(f"{name}:table={table}", plies.game("tictactoe"))


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=2,choice=random",
        "alphabeta:depth=2,cut=beyond",
        "alphabeta:depth=2,table=1,order=shallow,look=1,choice=random",
        "deepening:depth=2",
        "deepening:seconds=0.05",
        "branch:depth=3,look=1,width=2,threads=2",
        "beam:depth=3,share=0.25,above=2",
        "contest:depth=3-2,credit=0.00001-0.025,symmetry=true",
    ],
)
def test_a_spec_reads_back_and_decides(spec: str) -> None:
    game = plies.game("tictactoe")
    agent = plies.agent(spec, game)
    assert agent.spec == spec
    decision = agent.choose(game.initial())
    assert decision.move in game.moves(game.initial())
    assert decision.line[0] == decision.move
    assert decision.value is not None


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "deepening", "branch", "beam", "contest"])
def test_a_game_that_is_not_zero_sum_is_refused(name: str) -> None:
    with pytest.raises(BadSpec, match="zero-sum"):
        plies.agent(name, plies.game("nim:players=3"))


@pytest.mark.parametrize("spec", ["alphabeta:depth=6,table=1", "deepening:depth=6"])
def test_an_agent_remembers_until_a_new_game_begins(spec: str) -> None:
    game = plies.game("tictactoe")
    agent = plies.agent(spec, game)
    first, second = (agent.choose(game.initial()) for _ in range(2))
    assert second.nodes < first.nodes
    assert second.value == first.value
    agent.forget()
    assert agent.choose(game.initial()).nodes == first.nodes


def test_a_table_outlives_a_game_but_nothing_in_it() -> None:
    game = plies.game("tictactoe")
    agent = plies.agent("deepening:depth=4", game)
    agent.choose(game.initial())
    table = agent.memory["table"]
    assert table.words.any()
    agent.memory["else"] = 1
    agent.forget()
    assert agent.memory == {"table": table}
    assert not table.words.any()
    assert (table.age, table.deepest) == (0, 0)


def test_a_task_says_nothing_but_the_position_unless_told() -> None:
    state = plies.game("tictactoe").initial()
    one, other = Task(state), Task(state)
    assert one.memory is not other.memory
    assert one.stop is not other.stop
    assert AlphaBeta(2).decide(one).value == 0
    assert one.memory == {}
