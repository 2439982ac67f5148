"""Quixo: alpha-beta of several depths against chance, and what duplicate moves cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from plies.api import perft
from plies.arena.config import Openings, Tournament
from plies.arena.plan import Entry
from plies.core.contract import Game
from plies.core.scores import INFINITY
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.searches import cost, decisions, random_states
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import RESULTS, agreement, games_of, percent, ratio, results

# Of alpha-beta against random.
PUBLISHED = "100 % win rate (neither the depth nor the number of games is stated)"
# What follows from the rules: figures after 1, 2 and 3 plies, and how they are counted.
COMPUTED = {
    "lines of play": ([44, 1836, 76596], "every line of play generated"),
    "different boards": ([16, 240, 2240], "all children generated, equal boards counted once"),
}
DEPTHS = (1, 2, 3, 4)
PAIRS = {"quick": (50, 50, 50, 5), "full": (500, 500, 500, 500)}  # by depth
PLIES = (0, 2, 4, 6, 8, 12)  # random ones before the positions whose moves are counted
POSITIONS = {"quick": 30, "full": 300}
DEEPEST = {"quick": 3, "full": 4}
SEARCHES = {
    "minimax": "minimax:depth={},eval=lines",
    "alpha-beta": "alphabeta:depth={},eval=lines",
    "alpha-beta, sorted": "alphabeta:depth={},eval=lines,order=shallow",
    "alpha-beta, table": "alphabeta:depth={},eval=lines,table=16",
}
# What no agent does: of children of a node that are the same board, one is looked at.
WITHOUT = "minimax without duplicates"
BOTH = "alpha-beta without duplicates"


def against_chance(work: Work, depth: int, scale: Scale) -> dict[str, Any]:
    agents = (Entry("alpha-beta", f"alphabeta:depth={depth},eval=lines"), Entry("random", "random"))
    return work.match(
        f"depth-{depth}",
        Tournament(
            games=("quixo",),
            agents=agents,
            name=f"quixo, depth {depth} against random",
            kind="match",
            pairs=PAIRS[scale][DEPTHS.index(depth)],
            seed=work.seed,
            openings=Openings(plies=0),
        ),
    )


def duplicates(work: Work, scale: Scale) -> list[dict[str, float]]:
    """How many moves there are, and how many boards they lead to, by the age of the game."""
    game = find_game("quixo")
    rows = []
    for plies in PLIES:
        work.tell("duplicate moves", PLIES.index(plies), len(PLIES))
        states = random_states(game, POSITIONS[scale] if plies else 1, (plies,), work.seed)
        moves = [len(game.moves(state)) for state in states]
        boards = [len(distinct_children(game, state)) for state in states]
        rows.append(
            {"plies": plies, "moves": sum(moves) / len(moves), "boards": sum(boards) / len(boards)}
        )
    return rows


def distinct_children(game: Game, state: Any) -> list[Any]:
    """One of all children that are the same position."""
    children = (game.play(state, move) for move in game.moves(state))
    return list({game.key(child): child for child in children}.values())


def searched(work: Work, scale: Scale) -> dict[str, list[dict[str, float]]]:
    """States by depth from the empty board, for searches that keep duplicates and one that
    does not.
    """
    game = find_game("quixo")
    start = [game.initial()]
    found: dict[str, list[dict[str, float]]] = {}
    for name, spec in SEARCHES.items():
        work.tell(name, 0, 0)
        found[name] = [
            {"depth": depth, **cost(decisions(game, spec.format(depth), start))}
            for depth in range(1, DEEPEST[scale] + 1)
        ]
    for name, is_cutting in ((WITHOUT, False), (BOTH, True)):
        work.tell(name, 0, 0)
        found[name] = []
        for depth in range(1, DEEPEST[scale] + 1):
            tree = Distinct(game, is_cutting)
            tree.value(game.initial(), depth, -INFINITY, INFINITY)
            found[name].append({"depth": depth, "states": tree.nodes - 1})
    return found


@dataclass
class Distinct:
    """Alpha-beta, or minimax, that looks at equal children of a node once, and its nodes.

    For the first plies of a game: nobody has a line yet.
    """

    game: Game
    is_cutting: bool
    nodes: int = 0

    def value(self, state: Any, depth: int, alpha: int, beta: int) -> int:
        """For the mover, exact between alpha and beta."""
        self.nodes += 1
        if depth == 0:
            return self.game.evaluate(state, "lines")
        best = -INFINITY
        for child in distinct_children(self.game, state):
            best = max(best, -self.value(child, depth - 1, -beta, -max(alpha, best)))
            if self.is_cutting and best >= beta:
                break
        return best


def counted(work: Work) -> dict[str, list[int]]:
    """Lines of play and different boards after 1, 2 and 3 plies."""
    game = find_game("quixo")
    boards, layer = [], {game.key(game.initial()): game.initial()}
    for _ in range(3):
        children = (child for state in layer.values() for child in distinct_children(game, state))
        layer = {game.key(child): child for child in children}
        boards.append(len(layer))
    paths = [perft(game, game.initial(), depth) for depth in (1, 2, 3)]
    return dict(zip(COMPUTED, (paths, boards), strict=True))


def plan(scale: Scale) -> list[Step]:
    return [
        Step("counted", counted),
        Step("duplicates", partial(duplicates, scale=scale)),
        Step("searched", partial(searched, scale=scale)),
        *(
            Step(f"depth-{depth}", partial(against_chance, depth=depth, scale=scale))
            for depth in DEPTHS
        ),
    ]


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    played = {depth: found[f"depth-{depth}"] for depth in DEPTHS}
    return Findings(lead(found, played), compared(found, played), shown(found, played))


def saved(found: Mapping[str, Any], name: str) -> float:
    """How many times as many states minimax visits, at the greatest depth."""
    searches = found["searched"]
    return searches["minimax"][-1]["states"] / searches[name][-1]["states"]


def lead(found: Mapping[str, Any], played: Mapping[int, Any]) -> str:
    three = played[3]["meetings"][0]
    depth = int(found["searched"]["minimax"][-1]["depth"])
    return (
        f"Alpha-beta of depth 3 wins {three['wins']} of {games_of(three)} games against a random"
        f" player. From the empty board, {depth} plies deep, minimax visits"
        f" {ratio(saved(found, WITHOUT))} as many states as without duplicate children,"
        f" {ratio(saved(found, 'alpha-beta'))} as many as alpha-beta and"
        f" {ratio(saved(found, BOTH))} as many as both together."
    )


def compared(found: Mapping[str, Any], played: Mapping[int, Any]) -> list[Compared]:
    rows = [
        Compared(
            f"depth {depth} against random, won",
            PUBLISHED,
            f"{told['meetings'][0]['wins']} of {games_of(told['meetings'][0])}"
            f" ({percent(told['meetings'][0]['wins'] / games_of(told['meetings'][0]))})",
            _not_won(told["meetings"][0]),
        )
        for depth, told in played.items()
    ]
    for what, (figures, how) in COMPUTED.items():
        ours = found["counted"][what]
        rows.append(
            Compared(
                f"{what} after 1, 2, 3 plies",
                "",
                ", ".join(map(str, ours)),
                agreement(figures, ours),
                f"{', '.join(map(str, figures))}: {how}",
            )
        )
    rows.append(
        Compared(
            "leaving out duplicates, from the empty board",
            "",
            f"states at depth 1, 2, ...: {_states(found, WITHOUT)}; alpha-beta"
            f" {_states(found, 'alpha-beta')}",
            duplicates_or_cuts(found["searched"]),
        )
    )
    return rows


def _not_won(meeting: Mapping[str, Any]) -> str:
    """Why not every game was won."""
    draws, losses = meeting["draws"], meeting["losses"]
    if not draws + losses:
        return "every game was won"
    return f"{draws} drawn by a position that arose three times or by length, {losses} lost"


def duplicates_or_cuts(searches: Mapping[str, Any]) -> str:
    """At which depths each saves more states than the other, and whether both save most."""
    saves: dict[str, list[str]] = {"duplicates": [], "cuts": [], "neither": []}
    for without, cuts in zip(searches[WITHOUT], searches["alpha-beta"], strict=True):
        gap = cuts["states"] - without["states"]
        more = "duplicates" if gap > 0 else "cuts" if gap < 0 else "neither"
        saves[more].append(str(without["depth"]))
    told = [
        f"{name} save{'s' * (name == 'neither')} more at depth {', '.join(depths)}"
        for name, depths in saves.items()
        if depths
    ]
    fewest = min(searches, key=lambda name: searches[name][-1]["states"])
    return f"{'; '.join(told)}; fewest states at the greatest depth: {fewest}"


def _states(found: Mapping[str, Any], name: str) -> str:
    return ", ".join(f"{row['states']:,.0f}" for row in found["searched"][name])


def shown(found: Mapping[str, Any], played: Mapping[int, Any]) -> list[Shown]:
    from plies.studies.report import charts

    matches = [{**told["meetings"][0], "match": f"depth {depth}"} for depth, told in played.items()]
    moves = [
        {"plies": row["plies"], "what": what, "number": row[what]}
        for what in ("moves", "boards")
        for row in found["duplicates"]
    ]
    states = [{**row, "search": name} for name, rows in found["searched"].items() for row in rows]
    depth = charts.Axis("depth", "depth in plies", is_whole=True)
    table = [
        (f"depth {number}", *results(told["meetings"][0]), f"{told['plies_per_game']:.1f}")
        for number, told in played.items()
    ]
    return [
        Shown(
            "Alpha-beta against random",
            "Evaluation by lines; half of the games with the first move.",
            charts.results(matches, "match"),
        ),
        Shown(
            "Moves and boards",
            "Legal moves, and the different boards they lead to, after random plies.",
            charts.lines(
                moves,
                charts.Axis("plies", "random plies before", is_whole=True),
                charts.Axis("number", "on average"),
                by="what",
            ),
        ),
        Shown(
            "States by depth",
            "From the empty board.",
            charts.lines(states, depth, charts.Axis("states", "states", is_log=True), "search"),
        ),
        Shown(
            "States",
            "From the empty board, by depth.",
            Table(
                ("search", *(f"depth {row['depth']}" for row in found["searched"]["minimax"])),
                [
                    (name, *(f"{row['states']:,.0f}" for row in rows))
                    for name, rows in found["searched"].items()
                ],
            ),
        ),
        Shown(
            "Every match against random",
            "Plies are those of a game.",
            Table(("match", *RESULTS, "plies"), table),
        ),
    ]


STUDY = Study(
    name="quixo",
    title="Quixo: alpha-beta against random",
    about="Depths 1 to 4 against a random player, and what leaving out duplicate moves saves.",
    plan=plan,
    findings=findings,
)
