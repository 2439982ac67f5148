"""Chess: how the best move changes with depth, and the published examples of it.

Material tells few moves apart, so that most have many equals.  A published move is therefore
looked for among *all* the best moves of a depth, each proven to be one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from plies.arena.report.replay import transitions
from plies.arena.store import Store
from plies.core.contract import Game
from plies.core.scores import value_text
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.search.decision import Depth
from plies.studies.searches import best_of, decisions, move_values, random_states
from plies.studies.study import Shown, Work

EXAMPLES = 6
DEPTHS = (1, 2, 3)
FIRST = "g1h3"


class Change(NamedTuple):
    """A best move of some depth that deeper searches give up for another."""

    before: str
    after: str


SECOND, LATER = Change("h3g5", "c2c3"), Change("c5e7", "c5d4")  # as published
ON_C5 = "4k3/8/8/2Q5/8/8/8/4K3 w - - 0 1"  # a piece that has both moves of `LATER`


def changes(work: Work, count: int, deepest: int, plies: Sequence[int]) -> dict[str, Any]:
    """The best move of every depth in many positions: how often it changes, and examples."""
    game = find_game("chess")
    states = random_states(game, count, plies, work.seed)
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
        "moves": [game.move_notation(state, each.move) for each in history],
        "values": [value_text(each.value) for each in history],
    }


def published_examples(work: Work, files: Iterable[Path]) -> dict[str, Any]:
    """Where the published changes are found: after the first move, and in the games of files."""
    game = find_game("chess")
    start = game.initial()
    state = game.play(start, game.parse_move(start, FIRST))
    replies = [_after_reply(game, state, reply) for reply in game.moves(state)]
    faced = later = 0
    first: dict[str, Any] = {}
    for path in files:
        work.tell(f"looking for {LATER.before} in {path.stem}", 0, 0)
        for position in with_both_moves(game, path):
            faced += 1
            depth = depth_of_change(best_moves(game, position), LATER)
            later += depth > 0
            if depth and not first:
                first = {"position": game.position_text(position), "depth": depth}
    tied = [len(moves) for moves in best_moves(game, start)]
    return {"start": tied, "replies": replies, "faced": faced, "later": later, "first": first}


def with_both_moves(game: Game, path: Path) -> Iterator[Any]:
    """The positions of a file of games in which both moves of `LATER` are legal."""
    on_c5 = game.parse_position(ON_C5)
    both = {game.parse_move(on_c5, text) for text in LATER}
    with Store.open(path) as store:
        for finished in store.games():
            for state, _, _ in transitions(game, finished.record):
                if both <= set(game.moves(state)):
                    yield state


def best_moves(game: Game, state: Any) -> list[set[str]]:
    """All of the best moves, by depth."""
    evaluator = game.evaluator("material")
    values = (move_values(game, state, depth, evaluator) for depth in DEPTHS)
    return [{game.move_text(state, move) for move in best_of(each)} for each in values]


def depth_of_change(best: Sequence[set[str]], change: Change) -> int:
    """The first depth that may play `after` and not `before`, which the one above may; 0: none."""
    for depth, (shallow, deep) in zip(DEPTHS[1:], pairwise(best), strict=True):
        if change.before in shallow and change.before not in deep and change.after in deep:
            return depth
    return 0


def _after_reply(game: Game, state: Any, reply: int) -> dict[str, Any]:
    """Whether the second move may change at depth 2, and stay so at depth 3."""
    best = best_moves(game, game.play(state, reply))
    is_kept = SECOND.after in best[-1] and SECOND.before not in best[-1]
    return {
        "reply": game.move_text(state, reply),
        "is_change": depth_of_change(best, SECOND) == DEPTHS[1] and is_kept,
        "best": [len(moves) for moves in best],
    }


def second_move(found: Mapping[str, Any]) -> str:
    """After which replies the change of the second move is possible."""
    replies = [row for row in found["replies"] if row["is_change"]]
    if not replies:
        return f"after 1. {FIRST} no reply lets {SECOND.before} become {SECOND.after}"
    listed = ", ".join(row["reply"] for row in replies)
    equal = " or ".join(map(str, sorted({row["best"][0] for row in replies})))
    return (
        f"possible after {len(replies)} of {len(found['replies'])} replies ({listed}): at depth 1"
        f" {SECOND.before} is one of {equal} equal moves, deeper it is not one of the best and"
        f" {SECOND.after} is"
    )


def later_move(found: Mapping[str, Any]) -> str:
    """How often the later change is met where both moves are legal."""
    if not found["faced"]:
        return "no position of our games has both moves"
    text = f"in {found['later']} of the {found['faced']} positions of our games with both moves"
    if not found["later"]:
        return text
    first = found["first"]
    return f"{text}, first in {first['position']} at depth {first['depth']}"


def tables(changes: Mapping[str, Any], found: Mapping[str, Any]) -> list[Shown]:
    examples = [
        (each["position"], " ".join(f"{move} ({value})" for move, value in _by_depth(each)))
        for each in changes["examples"]
    ]
    replies = [
        (row["reply"], *map(str, row["best"]), "yes" if row["is_change"] else "no")
        for row in found["replies"]
    ]
    best = tuple(f"best moves, depth {depth}" for depth in DEPTHS)
    return [
        Shown(
            "Positions in which the best move changes with depth",
            "The best move of depth 1, 2, 3 ... and its value in pawns.",
            Table(("position", "best moves"), examples),
        ),
        Shown(
            f"After 1. {FIRST}",
            f"How many moves are equally good at each depth, and whether {SECOND.before} is one at"
            f" depth 1 only and {SECOND.after} one at depths 2 and 3.",
            Table(("reply", *best, f"{SECOND.before} becomes {SECOND.after}"), replies),
        ),
    ]


def _by_depth(example: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return zip(example["moves"], example["values"], strict=True)
