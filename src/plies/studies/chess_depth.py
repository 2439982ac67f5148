"""Chess: what depth, cuts and the order of moves cost, and what deeper searches find."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from plies.arena.config import Openings, Tournament
from plies.arena.plan import Entry
from plies.core.contract import Game
from plies.core.scores import value_text
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.search.decision import Depth
from plies.studies.searches import cost, decisions, random_states
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, agreement, counts, ratio, results, step_of

PLIES = (6, 12, 20, 30)  # random ones, before the positions that are searched
POSITIONS = {"quick": 8, "full": 40}
DEEPEST = {"quick": 4, "full": 5}  # of minimax and alpha-beta
CHANGES = {"quick": (40, 5), "full": (400, 6)}  # positions, and how deep they are searched
PAIRS = {"quick": 4, "full": 50}
EXAMPLES = 6
# What was published; states are those of a move.
START_STATES = 420  # at depth 2
STATES_SORTED, STATES_UNSORTED = "about 2000", "about 2500"  # at depth 3
DEPTH_3_V_2 = "depth 3 won, in 18 moves"
DEPTH_1_V_2 = "stalemate after 42 moves"
RANDOM_V_2 = "random always loses"
START_WHY = "20 first moves and 400 replies"
KINDS = {
    "minimax": "minimax:depth={},eval=material",
    "alpha-beta": "alphabeta:depth={},eval=material",
    "alpha-beta, sorted": "alphabeta:depth={},eval=material,order=shallow",
    "alpha-beta, sorted, table": "alphabeta:depth={},eval=material,order=shallow,table=16",
}
PLAYER = "alphabeta:depth={},eval=material,choice=random"
# Name -> the two players.
MATCHES = {
    "depth 3 v 2": (PLAYER.format(3), PLAYER.format(2)),
    "depth 1 v 2": (PLAYER.format(1), PLAYER.format(2)),
    "random v depth 2": ("random", PLAYER.format(2)),
    "sorted v unsorted": (
        "alphabeta:depth=3,eval=material,order=shallow,choice=random",
        PLAYER.format(3),
    ),
}


def measure(work: Work, kind: str, scale: Scale) -> list[dict[str, float]]:
    """The mean cost of a search of every depth, over the start and random positions."""
    game = find_game("chess")
    states = random_states(game, POSITIONS[scale], PLIES, work.seed)
    rows = []
    for depth in range(1, DEEPEST[scale] + 1):
        work.tell(f"{kind}, depth {depth}", depth, DEEPEST[scale])
        spec = KINDS[kind].format(depth)
        start = decisions(game, spec, [game.initial()])[0]
        rows.append(
            {"depth": depth, "start": start.nodes - 1, **cost(decisions(game, spec, states))}
        )
    return rows


def changes(work: Work, scale: Scale) -> dict[str, Any]:
    """The best move of every depth in many positions: how often it changes, and examples."""
    game = find_game("chess")
    count, deepest = CHANGES[scale]
    states = random_states(game, count, PLIES, work.seed)
    spec = f"deepening:depth={deepest},eval=material,order=shallow"
    changed = [0] * (deepest + 1)
    examples = []
    for number, state in enumerate(states):
        work.tell("best moves by depth", number, count)
        history = decisions(game, spec, [state])[0].history
        for before, after in pairwise(history):
            changed[after.depth] += after.move != before.move
        if len({each.move for each in history}) > 1:
            examples.append(_example(game, state, history))
    examples.sort(key=lambda each: (-len(set(each["moves"])), each["position"]))
    return {"positions": count, "changed": changed, "examples": examples[:EXAMPLES]}


def _example(game: Game, state: Any, history: Sequence[Depth]) -> dict[str, Any]:
    return {
        "position": game.position_text(state),
        "moves": [game.spoken(state, each.move) for each in history],
        "values": [value_text(each.value) for each in history],
    }


def play(work: Work, name: str, scale: Scale) -> dict[str, Any]:
    """From the start of the game; chance among equally good moves makes games differ."""
    own, other = name.split(" v ")
    first, second = MATCHES[name]
    return work.match(
        step_of(name),
        Tournament(
            games=("chess",),
            agents=(Entry(own, first), Entry(other, second)),
            name=name,
            kind="match",
            pairs=PAIRS[scale],
            seed=work.seed,
            openings=Openings(plies=0),
        ),
    )


def plan(scale: Scale) -> list[Step]:
    return [
        *(Step(step_of(kind), partial(measure, kind=kind, scale=scale)) for kind in KINDS),
        Step("changes", partial(changes, scale=scale)),
        *(Step(step_of(name), partial(play, name=name, scale=scale)) for name in MATCHES),
    ]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    costs = {kind: found[step_of(kind)] for kind in KINDS}
    return Findings(lead(costs, found["changes"]), compared(found, costs), shown(found, costs))


def at_depth(costs: Mapping[str, Any], kind: str, depth: int) -> Mapping[str, float]:
    return costs[kind][depth - 1]


def lead(costs: Mapping[str, Any], changes: Mapping[str, Any]) -> str:
    deepest = costs["minimax"][-1]
    depth = int(deepest["depth"])
    plain = at_depth(costs, "alpha-beta", depth)["states"]
    ordered = at_depth(costs, "alpha-beta, sorted", depth)["states"]
    last = len(changes["changed"]) - 1
    return (
        f"At depth {depth} minimax visits {ratio(deepest['states'] / plain)} as many states as"
        f" alpha-beta, which visits {ratio(plain / ordered)} as many as it does with sorted moves."
        f" Going from depth {last - 1} to {last} still changes the best move in"
        f" {changes['changed'][last]} of {changes['positions']} positions."
    )


def compared(found: Mapping[str, Any], costs: Mapping[str, Any]) -> list[Compared]:
    sorting = found[step_of("sorted v unsorted")]["agents"]
    per_move = {name: each["nodes"] / each["moves"] for name, each in sorting.items()}
    deeper, shallow, chance = (found[step_of(name)] for name in list(MATCHES)[:3])
    return [
        Compared(
            "states of minimax, start, depth 2",
            str(START_STATES),
            f"{at_depth(costs, 'minimax', 2)['start']:,.0f}",
            agreement(START_STATES, at_depth(costs, "minimax", 2)["start"], START_WHY),
        ),
        Compared(
            "states a move at depth 3, sorted",
            STATES_SORTED,
            f"{_states(costs, 'alpha-beta, sorted')} in random positions,"
            f" {per_move['sorted']:,.0f} in games",
            "other positions; the children valued for sorting are counted; games cost more because"
            " equally good moves are proven to be equal",
        ),
        Compared(
            "states a move at depth 3, unsorted",
            STATES_UNSORTED,
            f"{_states(costs, 'alpha-beta')} in random positions,"
            f" {per_move['unsorted']:,.0f} in games",
            "other positions, and moves generated in another order",
        ),
        Compared(
            "depth 3 against depth 2",
            DEPTH_3_V_2,
            f"{_match(deeper)}; {deeper['plies_per_game'] / 2:.0f} moves a game",
            "one game was published; chance among equal moves decides how long it is",
        ),
        Compared(
            "depth 1 against depth 2",
            DEPTH_1_V_2,
            f"{_match(shallow)}; {shallow['plies_per_game'] / 2:.0f} moves a game",
            "one game was published; it shows no more than that depth 2 need not win every time",
        ),
        Compared(
            "random against depth 2",
            RANDOM_V_2,
            _match(chance),
            "what is drawn, if anything, is an opponent that does not see how to mate",
        ),
    ]


def _states(costs: Mapping[str, Any], kind: str) -> str:
    return f"{at_depth(costs, kind, 3)['states']:,.0f}"


def _match(told: Mapping[str, Any]) -> str:
    return f"{counts(told['meetings'][0])} (won / drawn / lost)"


def shown(found: Mapping[str, Any], costs: Mapping[str, Any]) -> list[Shown]:
    from plies.studies.report import charts

    rows = [{**row, "search": kind} for kind, told in costs.items() for row in told]
    depth = charts.Axis("depth", "depth in plies", is_whole=True)
    changes = found["changes"]
    changed = [
        {"depth": f"depth {number}", "share": times / changes["positions"]}
        for number, times in enumerate(changes["changed"])
        if number >= 2
    ]
    drawn = [
        Shown(
            "States by depth",
            "The mean of random positions.",
            charts.lines(rows, depth, charts.Axis("states", "states", is_log=True), "search"),
        ),
        Shown(
            "Time by depth",
            "CPU time of one search; the first tenths of a millisecond are Python.",
            charts.lines(
                rows, depth, charts.Axis("cpu_seconds", "CPU time", "s", is_log=True), "search"
            ),
        ),
        Shown(
            "Where one ply more changes the best move",
            "Share of the positions in which this depth prefers another move than the one before.",
            charts.bars(changed, "depth", charts.Axis("share", "positions", format="%")),
        ),
    ]
    return [*drawn, cost_table(costs), *tables(found)]


def cost_table(costs: Mapping[str, Any]) -> Shown:
    rows = [
        (
            *(kind, f"{row['depth']:.0f}", f"{row['start']:,.0f}", f"{row['states']:,.0f}"),
            f"{1000 * row['cpu_seconds']:.2f}",
        )
        for kind, told in costs.items()
        for row in told
    ]
    columns = ("search", "depth", "states, start", "states, mean", "CPU ms")
    return Shown("States and time", "States are child positions entered.", Table(columns, rows))


def tables(found: Mapping[str, Any]) -> list[Shown]:
    matches = [(name, *results(found[step_of(name)]["meetings"][0])) for name in MATCHES]
    examples = [
        (each["position"], " ".join(f"{move} ({value})" for move, value in _by_depth(each)))
        for each in found["changes"]["examples"]
    ]
    return [
        Shown(
            "Matches",
            "From the start, with chance among moves that are proven equally good.",
            Table(("match", *RESULTS), matches),
        ),
        Shown(
            "Positions in which the best move changes with depth",
            "The best move of depth 1, 2, 3 ... and its value in pawns.",
            Table(("position", "best moves"), examples),
        ),
    ]


def _by_depth(example: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return zip(example["moves"], example["values"], strict=True)


STUDY = Study(
    name="chess-depth",
    title="Chess: minimax, alpha-beta, ordering and depth",
    about="Time and states by depth, sorted and unsorted, and what one more ply is worth.",
    plan=plan,
    findings=findings,
)
