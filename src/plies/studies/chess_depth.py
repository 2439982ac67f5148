"""Chess: what depth, cuts and the order of moves cost, and what deeper searches find."""

from collections.abc import Mapping
from functools import partial
from statistics import median
from typing import Any

from plies.arena.config import Openings, Tournament
from plies.arena.plan import Entry
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies import chess_counts, chess_moves
from plies.studies.matches import each_game
from plies.studies.searches import cost, decisions, random_states, states
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, agreement, counts, percent, ratio, results, step_of

PLIES = (6, 12, 20, 30)  # random ones, before the positions that are searched
POSITIONS = {"quick": 8, "full": 40}
DEEPEST = {"quick": 4, "full": 5}  # of minimax and alpha-beta
DEEPEST_DEEPENING = 4  # of both where they deepen: the sums over the depths tell nothing new
CHANGES = {"quick": (40, 5), "full": (400, 6)}  # positions, and how deep they are searched
PAIRS = {"quick": 4, "full": 50}
# What was published; states are those of a move, moves those of one side.
STATES_SORTED, STATES_UNSORTED = "about 2000", "about 2500"  # at depth 3
DEPTH_3_V_2 = "depth 3 won after 18 calls"
DEPTH_1_V_2 = "stalemate after 42"
DEPTH_2_V_RANDOM = "random always loses: after 70 moves once, 25 another time"
KINDS = {
    "minimax": "minimax:depth={},eval=material",
    "alpha-beta": "alphabeta:depth={},eval=material",
    "alpha-beta, sorted": "alphabeta:depth={},eval=material,order=shallow",
    "alpha-beta, sorted, table": "alphabeta:depth={},eval=material,order=shallow,table=16",
    "minimax, deepening": "deepening:depth={},eval=material,prune=none",
    "alpha-beta, deepening": "deepening:depth={},eval=material",
}
PLAYER = "alphabeta:depth={},eval=material,choice=random"
# Name -> the two players.
MATCHES = {
    "depth 3 v 2": (PLAYER.format(3), PLAYER.format(2)),
    "depth 1 v 2": (PLAYER.format(1), PLAYER.format(2)),
    "depth 2 v random": (PLAYER.format(2), "random"),
    "sorted v unsorted": (
        "alphabeta:depth=3,eval=material,order=shallow,choice=random",
        PLAYER.format(3),
    ),
}


def measure(work: Work, kind: str, scale: Scale) -> list[dict[str, float]]:
    """The mean cost of a search of every depth, over the start and random positions."""
    game = find_game("chess")
    positions = random_states(game, POSITIONS[scale], PLIES, work.seed)
    rows, deepest = [], DEEPEST[scale]
    if KINDS[kind].startswith("deepening"):
        deepest = min(deepest, DEEPEST_DEEPENING)
    for depth in range(1, deepest + 1):
        work.tell(f"{kind}, depth {depth}", depth, deepest)
        spec = KINDS[kind].format(depth)
        start = decisions(game, spec, [game.initial()])[0]
        rows.append(
            {"depth": depth, "start": states(start), **cost(decisions(game, spec, positions))}
        )
    return rows


def play(work: Work, name: str, scale: Scale) -> dict[str, Any]:
    """From the start of the game; chance among equally good moves makes games differ."""
    own, other = name.split(" v ")
    first, second = MATCHES[name]
    found = work.match(
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
    games = each_game(work.folder / f"{step_of(name)}.db")
    seats = [(row, row["seats"].index(own)) for row in games]
    return {
        **found,
        "won_in": [row["moves"][seat] for row, seat in seats if row["points"][seat] == 1],
        "stalemates": [
            row["moves"][seat]
            for row, seat in seats
            if row["points"][seat] == 1 / 2 and row["reason"] == "rules"
        ],
    }


def look_for_examples(work: Work) -> dict[str, Any]:
    """The published changes of the best move, in the games of all matches."""
    files = [work.folder / f"{step_of(name)}.db" for name in MATCHES]
    return chess_moves.published_examples(work, files)


def plan(scale: Scale) -> list[Step]:
    count, deepest = CHANGES[scale]
    return [
        *(Step(step_of(kind), partial(measure, kind=kind, scale=scale)) for kind in KINDS),
        Step("counts", chess_counts.count_states),
        Step("changes", partial(chess_moves.changes, count=count, deepest=deepest, plies=PLIES)),
        *(Step(step_of(name), partial(play, name=name, scale=scale)) for name in MATCHES),
        Step("examples", look_for_examples),
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
    return [*states_compared(found, costs), *moves_compared(found), *games_compared(found)]


def states_compared(found: Mapping[str, Any], costs: Mapping[str, Any]) -> list[Compared]:
    sorting = found[step_of("sorted v unsorted")]["agents"]
    per_move = {name: each["nodes"] / each["moves"] for name, each in sorting.items()}
    start, counts = at_depth(costs, "minimax", 2)["start"], found["counts"]
    passes = at_depth(costs, "minimax, deepening", 2)["start"]
    return [
        Compared(
            "states of minimax, start, depth 2",
            str(chess_counts.START),
            f"{start:,.0f}; {passes:,.0f} with the pass to depth 1",
            agreement(chess_counts.START, start, "of the two passes the last one is counted"),
            "420, by the rules: 20 first moves and 400 replies",
        ),
        Compared(
            "states of alpha-beta, start, depth 2",
            str(chess_counts.START),
            chess_counts.start_text(counts),
            "all values are equal there: only a search that cuts beyond equality visits them all",
        ),
        Compared(
            "states of the next move, minimax and alpha-beta",
            f"{chess_counts.MINIMAX} and {chess_counts.ALPHA_BETA}",
            chess_counts.verdict(counts),
            "neither the moves nor the order in which they were searched were published",
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
    ]


def moves_compared(found: Mapping[str, Any]) -> list[Compared]:
    changes, examples = found["changes"], found["examples"]
    shares = [percent(changes["changed"][depth] / changes["positions"]) for depth in (2, 3)]
    tied = " / ".join(map(str, examples["start"]))
    return [
        Compared(
            "the first move",
            f"{chess_moves.FIRST} (arbitrary)",
            f"one of {tied} equal moves at depth 1 / 2 / 3",
            "of equal moves any one may be played; python-chess lists g1h3 first",
        ),
        Compared(
            f"the move after {chess_moves.FIRST}",
            "h3g5 at depth 1, c2c3 at depths 2 and 3",
            chess_moves.second_move(examples),
            "the reply was not published; which of equal moves is played is arbitrary: h3g5 is the"
            " one that python-chess lists first",
        ),
        Compared(
            "a later move",
            "c5e7 becomes c5d4",
            chess_moves.later_move(examples),
            "neither the position nor the depths were published: a change between any two"
            " neighbouring depths counts, and either move may be one of many equal ones",
        ),
        Compared(
            "depths 2 and 3",
            "often agree",
            f"depth 2 gives up the best move of depth 1 in {shares[0]} of"
            f" {changes['positions']} random positions, depth 3 that of depth 2 in {shares[1]}",
            "a move counts as given up only where another one is better, not where one is equal",
        ),
    ]


def games_compared(found: Mapping[str, Any]) -> list[Compared]:
    deeper, shallow, chance = (found[step_of(name)] for name in list(MATCHES)[:3])
    one = "one game was published; chance among equal moves decides how long it is"
    return [
        Compared(
            "depth 3 against depth 2", DEPTH_3_V_2, f"{_match(deeper)}; {_won_in(deeper, 18)}", one
        ),
        Compared(
            "depth 1 against depth 2",
            DEPTH_1_V_2,
            f"{_match(shallow)}; {_stalemates(shallow)}",
            "one game was published, and not what its 42 are: ours are moves of one side; it shows"
            " no more than that depth 2 need not win every time",
        ),
        Compared(
            "depth 2 against random",
            DEPTH_2_V_RANDOM,
            f"{_match(chance)}; {_won_in(chance, 25, 70)}",
            "two games were published; depth 2 does not see how to mate from afar, so that it may"
            " take long or even repeat positions",
        ),
    ]


def _won_in(told: Mapping[str, Any], *published: int) -> str:
    """How many moves of its own the first player needed where it won."""
    won = sorted(told["won_in"])
    if not won:
        return "it won no game"
    below = (f"{sum(moves <= limit for moves in won)} within {limit}" for limit in published)
    return (
        f"won in {median(won):.0f} moves of its own (median; {won[0]} to {won[-1]}),"
        f" {', '.join(below)}"
    )


def _stalemates(told: Mapping[str, Any]) -> str:
    stalemates = sorted(told["stalemates"])
    after = f", after {', '.join(map(str, stalemates))} moves of a side" if stalemates else ""
    return (
        f"{len(stalemates)} of {told['games']} games end in stalemate{after};"
        f" {told['plies_per_game'] / 2:.0f} moves a game on average"
    )


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
    return [
        *drawn,
        cost_table(costs),
        chess_counts.table(found["counts"]),
        matches_table(found),
        *chess_moves.tables(changes, found["examples"]),
    ]


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


def matches_table(found: Mapping[str, Any]) -> Shown:
    rows = [(name, *results(found[step_of(name)]["meetings"][0])) for name in MATCHES]
    return Shown(
        "Matches",
        "From the start, with chance among moves that are proven equally good.",
        Table(("match", *RESULTS), rows),
    )


STUDY = Study(
    name="chess-depth",
    title="Chess: minimax, alpha-beta, ordering and depth",
    about="Time and states by depth, sorted and unsorted, and what one more ply is worth.",
    plan=plan,
    findings=findings,
)
