"""Methods by their text: what they refuse, and what an agent remembers between moves."""

import pytest

import plies
from plies.errors import BadSpec
from plies.search.alphabeta import AlphaBeta
from plies.search.limits import memory_megabytes
from plies.search.task import Task

MEMORY = memory_megabytes()
WRONG = {
    "alphabeta:table=-1": f"table is 0 to {MEMORY} (megabytes), not -1",
    f"alphabeta:table={MEMORY + 1}": f"table is 0 to {MEMORY} (megabytes), not {MEMORY + 1}",
    "alphabeta:order=deep": "alphabeta: order is none or shallow, not deep",
    "alphabeta:order=shallow,look=-1": "look is 0 to 127, not -1",
    "alphabeta:choice=last": "alphabeta: choice is first or random, not last",
    "minimax:table=1": "minimax has no option table; it has depth=3",
    "deepening:depth=-1": "depth is 0 to 127, not -1",
    "deepening:seconds=-1": "seconds is 0 (no limit) to 10000000, not -1",
    "deepening:seconds=nan": "seconds is a number, not nan",
    f"deepening:table={10**9}": f"table is 0 to {MEMORY} (megabytes), not 1000000000",
    "branch:width=0": "width is 1 to 1000000, not 0",
    "branch:depth=-4": "depth is 1 to 127, not -4",
    "branch:threads=0": "threads is 1 to 256, not 0",
    "branch:bf=3": "branch has no option bf; it has depth=4, look=1, width=5",
    "beam:share=0": "share is more than 0 and at most 1, not 0",
    "beam:share=1.5": "share is more than 0 and at most 1, not 1.5",
    "beam:above=-1": "above is 0 to 1000000, not -1",
    "beam:width=5": "beam has no option width; it has depth=4",
    "contest:credit=2": "credit is more than 0 and at most 1, not 2",
    "contest:credit=0.01-0": "credit is more than 0 and at most 1, not 0",
    "contest:credit=1e-2": "contest: credit is numbers joined by -, not '1e-2'",
    "contest:depth=-3": "contest: depth is whole numbers joined by -, not '-3'",
    "contest:depth=12-128": "depth is 0 to 127, not 128",
    "contest:share=0": "share is more than 0 and at most 1, not 0",
}


@pytest.mark.parametrize("spec", WRONG)
def test_a_wrong_option_is_explained_in_one_line(spec: str) -> None:
    with pytest.raises(BadSpec) as error:
        plies.agent(spec, plies.game("tictactoe"))
    assert WRONG[spec] in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=2,choice=random",
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


@pytest.mark.parametrize("name", ["deepening", "branch", "beam", "contest"])
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
