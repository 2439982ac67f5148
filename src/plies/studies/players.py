"""More than two players: max^n, what pruning it saves, and the paranoid search."""

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

from plies.api import search
from plies.arena.config import Openings, Tournament
from plies.arena.plan import named
from plies.games.tree import read_tree
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.searches import cost, decisions
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import agreement, percent
from plies.tree_report import analyse

KNOWN = "1(2(3((1,2,3),(4,2,1)),3((6,1,2),(7,4,-1))),2(3((5,-1,-1),(-1,5,2)),3((7,7,-1),(5,4,5))))"
RULE = "a vector at every leaf; each player maximises its own part"
COMPUTED = (1, 2, 3)
# The report's tree on paper, as we read the drawing; what follows from it: its value, and the
# leaves that alpha-beta evaluates by the order of the children.
PAPER = """
M( m( M( m(10,5,9), m(-2,-3,2) ), M( M(6), M(-1,0) ), M( m(9,-10,1) ) ),
   m( m( M(-1,1) ), m( M(-6,0), M(6,1) ) ),
   m( M( m(7,-7), m(-2), m(1,5) ), M( m(3,5), m(-1,-10,-2) ) ) )
"""
PAPER_COMPUTED = {"value": 1, "left": 20, "right": 14, "best": 9}
TREES = {"quick": 5, "full": 50}  # random ones of every shape
SHAPES = ((2, 9), (3, 6), (4, 5), (6, 4))  # children of a node, depth
SUM = 30  # of what all players get at a leaf, each at least nothing
PLAYERS = (2, 3, 4)
PRUNINGS: tuple[str, ...] = ("none", "immediate", "shallow")
NIM = "nim:rows=3-4-5,players=3"
AGENTS = ("maxn:depth=8,prune=shallow", "paranoid:depth=8", "random")
PAIRS = {"quick": 5, "full": 100}


def paper(work: Work) -> dict[str, int]:
    """The tree on paper: its value, and leaves from left to right, right to left and at best."""
    report = analyse(read_tree(PAPER))
    return {"value": int(report.answer.value), **report.leaves_by_order}


def known(work: Work) -> dict[str, Any]:
    """The example with a known answer."""
    path = work.folder / "known.tree"
    path.write_text(KNOWN + "\n", encoding="utf-8")
    game = find_game(f"tree:file={path}")
    found = search(game, game.initial(), "maxn:depth=9")
    return {"payoffs": found.payoffs}


def random_tree(players: int, width: int, depth: int, chance: random.Random, mover: int = 1) -> str:
    """A whole tree in the notation of tree files; the payoffs of a leaf add up to `SUM`."""
    if depth == 0:
        cuts = sorted(chance.randint(0, SUM) for _ in range(players - 1))
        shares = [high - low for low, high in zip([0, *cuts], [*cuts, SUM], strict=True)]
        return f"({','.join(map(str, shares))})"
    after = mover % players + 1
    children = (random_tree(players, width, depth - 1, chance, after) for _ in range(width))
    return f"{mover}({','.join(children)})"


def pruned(work: Work, players: int, scale: Scale) -> list[dict[str, Any]]:
    """Leaves that max^n evaluates with every kind of pruning, and whether it answers the same."""
    rows = []
    for width, depth in SHAPES:
        chance = random.Random(f"trees/{work.seed}/{players}/{width}")
        sums = dict.fromkeys(PRUNINGS, 0.0)
        answers: list[list[Any]] = []
        for number in range(TREES[scale]):
            work.tell(f"{players} players, trees of width {width}", number, TREES[scale])
            path = work.folder / "random.tree"
            path.write_text(random_tree(players, width, depth, chance), encoding="utf-8")
            game = find_game(f"tree:file={path}")
            start = [game.initial()]
            found = {
                prune: decisions(game, f"maxn:depth={depth},prune={prune}", start)[0]
                for prune in PRUNINGS
            }
            for prune, each in found.items():
                sums[prune] += cost([each])["leaves"]
            answers.append([each.payoffs for each in found.values()])
        is_same = all(each[0] == other for each in answers for other in each)
        rows.append({"width": width, "depth": depth, "is_same": is_same, "leaves": sums})
    return rows


def play(work: Work, scale: Scale) -> dict[str, Any]:
    """Nim for three: everybody sits in every seat."""
    return work.match(
        "nim",
        Tournament(
            games=(NIM,),
            agents=named(AGENTS),
            name="nim for three",
            pairs=PAIRS[scale],
            seed=work.seed,
            openings=Openings(plies=0),
        ),
    )


def plan(scale: Scale) -> list[Step]:
    return [
        Step("paper", paper),
        Step("known", known),
        *(Step(f"players-{n}", partial(pruned, players=n, scale=scale)) for n in PLAYERS),
        Step("nim", partial(play, scale=scale)),
    ]


def saved(row: Mapping[str, Any], prune: str) -> float:
    """The share of the leaves that need not be evaluated."""
    return 1 - row["leaves"][prune] / row["leaves"]["none"]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    trees = {players: found[f"players-{players}"] for players in PLAYERS}
    rows = [row for told in trees.values() for row in told]
    best = {players: max(saved(row, "shallow") for row in told) for players, told in trees.items()}
    is_same = all(row["is_same"] for row in rows)
    lead = (
        "In random trees shallow pruning of max^n saves at most"
        f" {', '.join(f'{percent(best[n])} of the leaves for {n}' for n in PLAYERS)} players, and"
        f" {'every answer is that' if is_same else 'not every answer is that'} of the whole tree."
    )
    ours = tuple(found["known"]["payoffs"])
    compared = [
        Compared(
            "the tree on paper: value; leaves from left to right, right to left, in the best order",
            "",
            _paper_text(found["paper"]),
            agreement(PAPER_COMPUTED, found["paper"]),
            f"{_paper_text(PAPER_COMPUTED)}: every cut counted, on our reading of the drawing",
        ),
        Compared(
            "the example for three players",
            RULE,
            str(ours),
            agreement(COMPUTED, ours),
            f"{COMPUTED}: every node worked out by that rule, by hand",
        ),
        Compared(
            "shallow pruning changes no answer",
            "",
            f"{sum(row['is_same'] for row in rows)} of {len(rows)} shapes the same",
            "deep pruning is not valid for max^n, and is not offered",
            "all the same: nobody gets more than the others leave of the sum (Korf 1991)",
        ),
    ]
    return Findings(lead, compared, shown(trees, found["nim"]))


def _paper_text(told: Mapping[str, int]) -> str:
    return f"{told['value']}; {told['left']}, {told['right']}, {told['best']}"


def shown(trees: Mapping[int, Any], nim: Mapping[str, Any]) -> list[Shown]:
    from plies.studies.report import charts

    rows = [
        {"width": row["width"], "players": f"{players} players", "saved": saved(row, "shallow")}
        for players, told in trees.items()
        for row in told
    ]
    table = [
        (
            *(str(players), str(row["width"]), str(row["depth"])),
            *(f"{row['leaves'][prune]:,.0f}" for prune in PRUNINGS),
            percent(saved(row, "shallow")),
        )
        for players, told in trees.items()
        for row in told
    ]
    standings = [
        (name, f"{each['wins']} / {each['draws']} / {each['losses']}", f"{each['points']:.1f}")
        for name, each in nim["agents"].items()
    ]
    return [
        Shown(
            "Leaves saved by shallow pruning",
            f"Random trees whose payoffs are at least 0 and add up to {SUM}.",
            charts.lines(
                rows,
                charts.Axis("width", "children of a node", is_whole=True),
                charts.Axis("saved", "leaves saved", format="%"),
                by="players",
            ),
        ),
        Shown(
            "Leaves of max^n",
            "The sum over all trees of a shape.",
            Table(("players", "children", "depth", *PRUNINGS, "saved"), table),
        ),
        Shown(
            f"{NIM}",
            "Each of them against the two others, in every seat.",
            Table(("agent", "won / shared / lost", "points"), standings),
        ),
    ]


STUDY = Study(
    name="players",
    title="More than two players",
    about="A tree on paper, max^n for two to four players, what pruning saves, paranoid search.",
    plan=plan,
    findings=findings,
)
